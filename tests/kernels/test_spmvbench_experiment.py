"""test_spmvbench_experiment.py: `spmvbench experiment`: its figures of records with known numbers,
and every experiment once on small matrices. spmvbench.py describes the arguments."""
import csv
import json
import pathlib
import re
import sys
import tempfile

from spmvbench import QUICK, run, tap


def write(path, results):
    """A file of records. results: (input, method, set, members of the result)."""
    lines = [{"record": "run", "schema": 1, "version": "0", "command": ["spmvbench"],
              "time": "2026-01-01T00:00:00Z", "cpu": "a CPU", "compiler": "cc", "threads": 2}]
    seen = set()
    for name, method, values, members in results:
        group = {"input": name, "type": "f64", "offset": "i32"}
        if name not in seen:
            lines.append({"record": "matrix", **group, "name": name, "rows": 1, "cols": 1,
                          "nnz": 500, "csr_bytes": 1.0, "complete": True})
        seen.add(name)
        seconds = members["seconds"]
        lines.append({"record": "result", **group, "method": method, "target": "here",
                      "set": values, "settings": "", "module": "m", "peer": False,
                      "benchmark_only": False, "correct": True, "left_out": False, "failure": "",
                      "samples": 9, "gflops": 1000e-9 / seconds, "low": seconds, "high": seconds,
                      **members})
    lines.append({"record": "end", "complete": True, "reason": "done", "seconds": 1.0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def figure_of(folder, name, results, *more):
    """{(panel, label, series): number} of an experiment's figure, and what it printed."""
    table = folder / "figure.csv"
    table.unlink(missing_ok=True)
    done = run("experiment", name, "--from", write(folder / "run.jsonl", results), "--csv",
               str(table), *more)
    if not table.exists():
        return {}, done
    with open(table, encoding="utf-8") as file:
        return {(row["panel"], row["label"], row["series"]): float(row["number"])
                for row in csv.DictReader(file)}, done


def near(a, b):
    return a is not None and abs(a - b) < 1e-6 * abs(b)


def test_list():
    done = run("experiment", "list")
    rows = [re.split(r"\s{2,}", line.strip()) for line in done.stdout.splitlines()]
    names = [row[0] for row in rows[1:]]
    tap.ok(done.returncode == 0 and rows[0] == ["experiment", "paper", "figure", "shows"] and
           all(len(row) == 4 for row in rows), "the list has four columns", said(done))
    tap.ok(len(set(names)) == len(names), "every name is there once", said(done))
    return names


def test_speed(folder):
    numbers, done = figure_of(folder, "csr5-regular", [
        ("lookalike:cant", "csr5", {}, {"seconds": 1e-6}),
        ("lookalike:cant", "csr_vector", {}, {"seconds": 2e-6}),
        ("lookalike:cant", "csr_scalar", {}, {"seconds": 4e-6}),
        ("b.mtx", "csr5", {}, {"seconds": 3e-6}),
        ("b.mtx", "csr_vector", {}, {"seconds": 1.5e-6})])
    over = "Speed of csr5 over the best other method"
    tap.ok(near(numbers.get((over, "cant", "csr5")), 2) and
           near(numbers.get((over, "b.mtx", "csr5")), 0.5), "csr5 over the best other", said(done))
    tap.ok(near(numbers.get(("Speed of a multiplication", "cant", "csr_scalar")), 0.25),
           "a look-alike has its matrix's name; 2 nnz / t", said(done))
    tap.ok("0.8 (harmonic mean), 0.5 to 2" in done.stdout, "means and extremes", said(done))


def of_sigma(sigma, seconds, used):
    return "a", "csr5", {"csr5.sigma": sigma}, {"seconds": seconds, "figures": {"sigma": used}}


def test_sigma(folder):
    results = [of_sigma("16", 1e-6, 16), of_sigma("4", 2e-6, 4), of_sigma("0", 1.25e-6, 12)]
    numbers, done = figure_of(folder, "csr5-sigma", results)
    tap.ok([label for (_, label, _) in numbers] == ["0", "4", "16"],
           "values of a parameter ascend as numbers", said(done))
    tap.ok("a: fastest with sigma = 16" in done.stdout, "the fastest is told", said(done))
    numbers, done = figure_of(folder, "csr5-rule", results)
    tap.ok(near(numbers.get(("Rule over search", "a", "speed")), 0.8) and
           numbers.get(("Rule over search", "a", "sigma by the rule")) == 12 and
           numbers.get(("Rule over search", "a", "sigma by search")) == 16,
           "the rule beside the search", said(done))
    numbers, done = figure_of(folder, "csr5-rule", results[:2])
    tap.ok(done.returncode == 1 and "a has no result with sigma = 0" in done.stderr,
           "a race without the rule is told", said(done))


def test_preparation(folder):
    steps = {"build_tile_ptr": 1e-6, "build_tile_desc": 2e-6, "build_tile_columns": 1e-6,
             "place_tile_columns": 1e-6, "transpose_columns": 3e-6, "transpose_val": 4e-6}
    results = [("a", "csr5", {}, {"seconds": 2e-6, "prepare_seconds": 1e-5, "build_steps": steps}),
               ("a", "csr_vector", {}, {"seconds": 3e-6})]
    numbers, done = figure_of(folder, "csr5-conversion", results)
    parts = {series: number for (_, _, series), number in numbers.items()}
    tap.ok(near(parts.get("all"), 6) and near(parts.get("columns"), 2.5) and
           near(parts.get("tile descriptors"), 1), "the conversion in multiplications", said(done))
    numbers, done = figure_of(folder, "csr5-solver", results)
    speed = {series: number for (_, _, series), number in numbers.items()}
    tap.ok(near(speed.get("n = 50"), 150 / 110) and near(speed.get("n = 500"), 1500 / 1010),
           "a solver's speed, conversion included", said(done))


def test_plots(folder):
    results = [of_sigma("4", 2e-6, 4), of_sigma("8", 1e-6, 8)]
    image = folder / "figure.svg"
    _, done = figure_of(folder, "csr5-sigma", results, "--plot", "ascii", "--svg", str(image))
    text = image.read_text(encoding="utf-8") if image.exists() else ""
    tap.ok(text.startswith("<svg") and text.count("<circle") == 2 and 'class="curve"' in text,
           "an image has a curve with its numbers", said(done))
    tap.ok(done.stdout.isascii() and re.search(r"a  a$", done.stdout, re.MULTILINE),
           "in ASCII, with a legend", said(done))
    image.write_text("mine", encoding="utf-8")
    _, done = figure_of(folder, "csr5-sigma", results, "--svg", str(image))
    tap.ok(done.returncode == 2 and image.read_text(encoding="utf-8") == "mine",
           "a file of another kind stays", said(done))


def refused(name, words, message):
    done = run("experiment", *words)
    tap.ok(done.returncode == 2 and re.search(message, done.stderr) and not done.stdout
           and done.stderr.count("\n") == 1, f"{name}: exit code 2 and a line that says why",
           said(done))


def test_refusals():
    refused("no name", [], "experiment what.*experiment list")
    refused("an unknown name", ["csr5-sigm"], "did you mean 'csr5-sigma'")
    refused("an option of run alone", ["csr5-sigma", "--explain"], "unknown option '--explain'")
    refused("an unknown suite", ["csr5-sigma", "suite:csr"], "no suite is called 'csr'")
    refused("no millions", ["csr5-sigma", "suite:csr5:x"], "MILLIONS")
    done = run("experiment", "csr5-sigma", "--from", "missing.jsonl")
    tap.ok(done.returncode == 1 and "missing.jsonl" in done.stderr, "a missing file is told",
           said(done))


def test_runs(names):
    """Every experiment races, and says what it found or what it lacks."""
    for name in names:
        done = run("experiment", name, *QUICK, "--target", "generic-c", "model:poisson7:8")
        tap.ok(done.returncode == 0 and "found  " in done.stdout, f"{name} runs", said(done))


def main():
    names = test_list()
    with tempfile.TemporaryDirectory() as folder:
        for test in (test_speed, test_sigma, test_preparation, test_plots):
            test(pathlib.Path(folder))
    test_refusals()
    test_runs(names)
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
