"""test_compare.py: `spmvbench compare` on files of records with planted changes.
spmvbench.py describes the arguments."""
import json
import pathlib
import re
import sys
import tempfile

from spmvbench import run, tap


def write(path, results, complete=True, ended=True, **of_run):
    """A file of records. results: {(input, method): changes of the members of its result}."""
    lines = [{"record": "run", "schema": 1, "version": "0", "command": ["spmvbench"],
              "time": "2026-01-01T00:00:00Z", "cpu": "a CPU", "compiler": "cc", "threads": 2,
              **of_run}]
    seen = set()
    for (name, method), changes in results.items():
        group = {"input": name, "type": "f64", "offset": "i32"}
        if name not in seen:
            lines.append({"record": "matrix", **group, "name": name, "rows": 1, "cols": 1, "nnz": 1,
                          "csr_bytes": 1.0, "complete": True})
        seen.add(name)
        lines.append({"record": "result", **group, "method": method, "target": "here", "set": {},
                      "settings": "", "module": "m", "peer": False, "benchmark_only": False,
                      "correct": True, "left_out": False, "failure": "", "samples": 9,
                      **times(1e-3), "ratio": 2.0, "ratio_low": 1.9, "ratio_high": 2.1, **changes})
    if ended:
        lines.append({"record": "end", "complete": complete, "reason": "done", "seconds": 1.0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def times(seconds, spread=0.01):
    return {"seconds": seconds, "low": seconds * (1 - spread), "high": seconds * (1 + spread),
            "fastest": seconds * (1 - spread)}


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def rows(done):
    """{(matrix, contender): (time, change)} of the table."""
    found = {}
    for line in done.stdout.splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if len(cells) == 7 and cells[0] != "matrix":
            found[cells[0], cells[2]] = cells[5], cells[6]
    return found


BEFORE = {("a", "m1"): {}, ("a", "m2"): {}, ("b", "m1"): {}, ("b", "m2"): {}}


def test_changes(folder):
    before = write(folder / "before.jsonl", BEFORE)
    after = write(folder / "after.jsonl", {
        ("a", "m1"): times(1.2e-3),              # slower
        ("a", "m2"): times(1.015e-3),            # the intervals overlap
        ("b", "m1"): times(0.5e-3),              # faster
        ("b", "m2"): times(1.2e-3, spread=0.3),  # as slow as the first, but not certain
    })
    done = run("compare", before, after)
    tap.ok(done.returncode == 0 and rows(done) == {("a", "m1 here"): ("+20.0%", "slower"),
                                                   ("b", "m1 here"): ("-50.0%", "faster")},
           "changes beyond the noise are told, and no other", said(done))
    tap.ok("4 contenders compared: 1 slower, 1 faster, 2 within the noise" in done.stdout
           and re.search(r"all times -7\.5%", done.stdout), "they are counted, with the mean",
           said(done))
    done = run("compare", "--all", before, after)
    tap.ok(rows(done).get(("a", "m2 here")) == ("+1.5%", "within the noise") and
           len(rows(done)) == 4, "--all shows the others, too", said(done))
    slowest_first = [line.split()[0] for line in done.stdout.splitlines()[1:5]]
    tap.ok(slowest_first == ["a", "b", "a", "b"], "the slowest comes first", said(done))
    for limit, code in (("5%", 1), ("5", 1), ("19.9%", 1), ("20.1%", 0), ("0%", 1), ("500%", 0)):
        done = run("compare", before, after, "--fail-above", limit)
        tap.ok(done.returncode == code and ("worse than --fail-above" in done.stdout) == bool(code),
               f"--fail-above {limit} of 20 % gives exit code {code}", said(done))
    done = run("compare", after, before, "--fail-above", "5%")
    tap.ok(done.returncode == 1 and rows(done)["b", "m1 here"] == ("+100.0%", "slower"),
           "the order of the files decides", said(done))
    done = run("compare", before, before, "--fail-above", "0%")
    tap.ok(done.returncode == 0 and not rows(done), "a run equals itself", said(done))


def test_wrong(folder):
    before = write(folder / "before.jsonl", BEFORE)
    wrong = {"correct": False, "failure": "wrong", "seconds": None, "low": None, "high": None}
    after = write(folder / "after.jsonl", {**BEFORE, ("b", "m2"): wrong})
    done = run("compare", before, after, "--fail-above", "50%")
    tap.ok(done.returncode == 1 and rows(done) == {("b", "m2 here"): ("-", "WRONG now")}
           and "1 WRONG now" in done.stdout, "a result that is wrong now fails", said(done))
    done = run("compare", after, before, "--fail-above", "50%")
    tap.ok(done.returncode == 0 and rows(done) == {("b", "m2 here"): ("-", "right now")},
           "one that is right now does not", said(done))
    declined = {**wrong, "left_out": True}
    after = write(folder / "after.jsonl", {**BEFORE, ("b", "m2"): declined, ("c", "m1"): {}})
    done = run("compare", before, after, "--fail-above", "5%")
    tap.ok(done.returncode == 0 and f"not compared: 1 of {before} alone, 1 of {after} alone"
           in done.stdout, "what one run alone has is counted", said(done))


def test_relative(folder):
    before = write(folder / "before.jsonl", BEFORE)
    slow = {key: times(2e-3) for key in BEFORE}      # the whole machine, the plain loop included
    slow["a", "m1"] = {**times(2e-3), "ratio": 1.0, "ratio_low": 0.99, "ratio_high": 1.01}
    after = write(folder / "after.jsonl", slow)
    done = run("compare", before, after)
    tap.ok("4 slower" in done.stdout, "a slower machine makes everything slower", said(done))
    done = run("compare", "--relative", before, after)
    tap.ok(rows(done) == {("a", "m1 here"): ("+100.0%", "slower")}
           and "1 slower, 0 faster, 3 within" in done.stdout,
           "--relative tells what is slower beside the plain loop", said(done))


def test_cautions(folder):
    before = write(folder / "before.jsonl", BEFORE)
    after = write(folder / "after.jsonl", BEFORE, cpu="another CPU", compiler="cc 2", threads=4,
                  complete=False)
    done = run("compare", before, after)
    for text in ("another machine: a CPU, then another CPU", "another compiler: cc, then cc 2",
                 "2 threads, then 4", f"{after} is of a run that did not reach its end"):
        tap.ok(f"note: {text}" in done.stdout, f"told: {text}", said(done))
    after = write(folder / "after.jsonl", BEFORE, ended=False)
    done = run("compare", before, after)
    tap.ok(f"note: {after} is of a run that did not" in done.stdout and done.returncode == 0,
           "a file without an end is compared as far as it goes", said(done))


def refused(name, words, code, message):
    done = run("compare", *words)
    tap.ok(done.returncode == code and re.search(message, done.stderr) and not done.stdout
           and done.stderr.count("\n") == 1, f"{name}: exit code {code} and one line that says why",
           said(done))


def test_refusals(folder):
    before = write(folder / "before.jsonl", BEFORE)
    other = write(folder / "other.jsonl", {("z", "m1"): {}})
    (folder / "table.txt").write_text("method target\n", encoding="utf-8")
    refused("no file", [], 2, "takes two files that --save wrote, the earlier first; none was")
    refused("one file", [before], 2, "one was given; spmvbench compare --help")
    refused("three files", [before, before, before], 2, "is one too many")
    for limit in ("much", "-1%", "5%%", "nan", "%"):
        refused(f"--fail-above '{limit}'", [before, before, "--fail-above", limit], 2,
                "takes a percentage of 0 or more")
    refused("a mistyped option", [before, before, "--relativ"], 2, "did you mean '--relative'")
    refused("a missing file", [before, str(folder / "none")], 1, r"none")
    refused("a file that is no run", [before, str(folder / "table.txt")], 1, r"table\.txt:1")
    refused("two runs without a common contender", [before, other], 1,
            "have no contender in common: expected the same inputs")


def test_about():
    done = run("compare", "--help")
    tap.ok(done.returncode == 0 and done.stdout.startswith("Usage: spmvbench compare BEFORE AFTER")
           and "Examples:" in done.stdout, "--help shows examples", said(done))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        for test in (test_changes, test_wrong, test_relative, test_cautions, test_refusals):
            folder = pathlib.Path(scratch) / test.__name__
            folder.mkdir()
            test(folder)
    test_about()
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
