"""test_save.py: what spmvbench --save keeps and --resume continues, whatever ends a run:
signals, a pipe without a reader, a full disk, a second writer. spmvbench.py describes the
arguments.
"""
import csv
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

from spmvbench import PROGRAM, QUICK, has_kernels, refused, rows_of, run, special_files, tap

INPUTS = ["model:poisson7:6", "model:tridiagonal:300"]
TYPES = ["--type", "f64,f32"]
METHOD = ["--method", "csr_scalar"]
SHORT = [*INPUTS, *TYPES, *METHOD, *QUICK]

# Each of these races takes minutes, unless something ends it.
LONG = [*INPUTS, *METHOD, "--threads", "1", "--dram", "0", "--repeat", "100000"]


def records_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def kinds_of(path):
    return [record["record"] for record in records_of(path)]


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def start(*arguments, **how):
    settings = {"OMP_WAIT_POLICY": "passive", **how.pop("env", {})}
    # pylint: disable=consider-using-with
    return subprocess.Popen([PROGRAM, *arguments], stdout=how.pop("stdout", subprocess.PIPE),
                            stderr=how.pop("stderr", subprocess.PIPE), text=True,
                            env={**os.environ, **settings}, **how)


def test_save(folder):
    path, table = folder / "a.jsonl", folder / "a.csv"
    done = run(*SHORT, "--save", str(path), "--save", str(table))
    records = records_of(path)
    groups = [(r["input"], r["type"]) for r in records if r["record"] == "matrix"]
    tap.ok(done.returncode == 0
           and groups == [(i, t) for i in INPUTS for t in ("f64", "f32")],
           "each input in each type is a group", f"{groups}\n{said(done)}")
    tap.ok(kinds_of(path) == ["run", *["matrix", "result"] * 4, "end"],
           "records stand in their order", kinds_of(path))
    lengths, spy = records[1]["row_lengths"], records[1]["spy"]
    tap.ok(sum(rows for _, _, rows in lengths) == records[1]["rows"] == 216
           and lengths[0][0] == records[1]["min_row"] and lengths[-1][1] == records[1]["max_row"],
           "row lengths are counted", lengths)
    tap.ok(len(spy["shades"]) == spy["rows"] <= 48
           and all(re.fullmatch(r"\d+", line) and len(line) == spy["cols"] <= 48
                   for line in spy["shades"]) and spy["shades"][0][0] != "0"
           and spy["shades"][0][-1] == "0", "a spy plot shows the diagonals", spy)
    tap.ok(records[0]["command"] == ["spmvbench", "run", *SHORT, "--save", str(path), "--save",
                                     str(table)]
           and records[-1]["complete"] is True and records[-1]["reason"] == "done",
           "the command and the end are recorded", records[0])
    tap.ok(all(r["correct"] and r["seconds"] > 0 and r["ratio"] > 0 and r["samples"] == 1
               and r["low"] is None and r["set"] == {} for r in records if r["record"] == "result"),
           "results have times, and of one sample no interval", records[2])
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    tap.ok(len(rows) == 4 and all(float(row["seconds"]) > 0 and row["method"] == "csr_scalar"
                                  and row["complete"] == "true" for row in rows),
           "CSV has a line for each result", rows)
    page = (pathlib.Path(sys.argv[2]) / "docs/reference/records.md").read_text(encoding="utf-8")
    listed = re.search(r"```\n(input,.*?)```", page, re.DOTALL)[1].replace("\n", "")
    tap.ok(listed.split(",") == list(rows[0]), "docs/reference/records.md lists its columns",
           list(rows[0]))
    tap.ok(done.stdout.count("\nmethod ") == 4 and "summary  4 races: " in done.stdout,
           "a table for each, and a summary", said(done))
    done = run(INPUTS[0], *METHOD, "--seconds", "0.02", "--dram", "0", "--save",
               str(folder / "b.jsonl"))
    result = records_of(folder / "b.jsonl")[2]
    tap.ok(result["low"] <= result["seconds"] <= result["high"]
           and result["ratio_low"] <= result["ratio"] <= result["ratio_high"]
           and result["samples"] >= 6, "more samples have intervals", result)


def test_special_files(folder):
    """No option that takes a file to write replaces a link, a pipe or a device."""
    one = ["model:tridiagonal:30", *METHOD, *QUICK]
    records, matrix = folder / "a.jsonl", folder / "matrix.mtx"
    matrix.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n",
                      encoding="utf-8")
    for words, option, name, again in ((one, "--save", "x.jsonl", False),
                                       (one, "--save", "x.csv", False),
                                       (one, "--json", "x.json", True),
                                       (one, "--report", "x.html", True),
                                       (["report", str(records)], "--output", "x.html", True),
                                       (["inspect", str(matrix)], "--svg", "x.svg", True)):
        special_files.check(f"{option} {name}", name, lambda path, words=words, option=option: run(
            *words, option, str(path)), refused=False, again=again)
    link, target = folder / "link.jsonl", folder / "unused.jsonl"
    link.symlink_to(target)
    done = run("--method", "none", "--save", str(link), *QUICK)
    tap.ok(done.returncode != 0 and link.is_symlink() and not target.exists(),
           "a run that does not begin removes the file that it made, not the link", said(done))
    target.write_bytes(records.read_bytes().rpartition(b'{"record": "end"')[0])
    done = run("--resume", str(link))
    tap.ok(done.returncode == 0 and link.is_symlink() and kinds_of(target)[-1] == "end",
           "--resume continues what a link leads to", said(done))


def test_refused(folder):
    kept = (folder / "a.jsonl").read_bytes()
    refused("a file that is there", [*SHORT, "--save", str(folder / "a.jsonl")], 1,
            "is there already: --resume .*a.jsonl continues it")
    refused("an unknown format", [*SHORT, "--save", str(folder / "a.txt")], 1,
            "takes FILE.jsonl or FILE.csv")
    refused("nothing to resume, alone", ["--resume", str(folder / "none.jsonl")], 1,
            "cannot read '.*none.jsonl': No such file")
    refused("nothing to resume", [*SHORT, "--resume", str(folder / "none.jsonl")], 1,
            "is not there; --save .* begins it")
    refused("another command", [*SHORT, "--seed", "2", "--resume", str(folder / "a.jsonl")], 1,
            "of another command line; the first difference is 'nothing' there and '--seed' here")
    refused("another file", [*SHORT, "--resume", PROGRAM], 1, "takes FILE.jsonl")
    (folder / "notes.jsonl").write_text("notes without a line feed", encoding="utf-8")
    refused("a text", [*SHORT, "--resume", str(folder / "notes.jsonl")], 1, "has no record")
    with open(folder / "a.jsonl", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        refused("a file that is being written", [*SHORT, "--resume", str(folder / "a.jsonl")], 1,
                "another spmvbench writes '.*a.jsonl' now")
    for option, words in (("save", ["--save", "x.jsonl"]), ("resume", ["--resume", "x.jsonl"]),
                          ("budget", ["--budget", "1m"])):
        for other in ("explain", "statistics", "list"):
            refused(f"--{option} with --{other}", [INPUTS[0], f"--{other}", *words], 2,
                    f"--{option} belongs to a race, and --{other} runs none")
    refused("two types to explain", [INPUTS[0], "--explain", *TYPES], 2, "takes one --type")
    refused("JSON of another run", [INPUTS[0], "--json", "x", "--resume", "x.jsonl"], 2, "give one")
    refused("JSON of two types", [INPUTS[0], "--json", "x", *TYPES], 2,
            "one --type at a time, not 2; --save FILE.jsonl takes all")
    tap.ok((folder / "a.jsonl").read_bytes() == kept
           and (folder / "notes.jsonl").read_text() == "notes without a line feed",
           "files that are refused stay as they were")
    done = subprocess.run([PROGRAM, "-", *TYPES], input="", capture_output=True, text=True,
                          check=False)
    tap.ok(done.returncode == 2 and "standard input" in done.stderr and "--type" in done.stderr,
           "standard input is read once, so it takes one type", done.stderr)


def test_resume(folder):
    """A file that lost its last groups is completed, and nothing else is raced again."""
    path, table = folder / "a.jsonl", folder / "a.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:5]) + lines[5][:20], encoding="utf-8")
    done = run(*SHORT, "--save", str(table), "--resume", str(path))
    after = path.read_text(encoding="utf-8").splitlines(keepends=True)
    tap.ok(done.returncode == 0 and after[:5] == lines[:5]
           and kinds_of(path)[5:] == ["run", *["matrix", "result"] * 2, "end"],
           "--resume appends what is missing, behind the last whole line", said(done))
    tap.ok(done.stdout.count("\nmethod ") == 4 and "summary  4 races" in done.stdout,
           "and shows all", said(done))
    with open(table, newline="", encoding="utf-8") as file:
        tap.ok(len(list(csv.DictReader(file))) == 4, "CSV is written anew with all")
    path.write_text("".join(lines[:5]) + lines[5], encoding="utf-8")
    done = run(*SHORT, "--resume", str(path))
    tap.ok(done.returncode == 0 and kinds_of(path)[6:] == ["run", *["matrix", "result"] * 2, "end"],
           "a group without all its results is raced again", kinds_of(path))
    path.write_text("".join(lines[:5]), encoding="utf-8")
    done = run("--resume", str(path), "--details")
    tap.ok(done.returncode == 0 and done.stdout.count("\nmethod ") == 4 and "of read" in done.stdout
           and kinds_of(path)[5:] == ["run", *["matrix", "result"] * 2, "end"],
           "--resume alone takes the command line from the file", said(done))
    done = run("run", f"--resume={path}")
    tap.ok(done.returncode == 0 and done.stdout.count("\nmethod ") == 4
           and kinds_of(path)[-2:] == ["run", "end"], "again and again", said(done))
    done = run(*SHORT, "--details", "--resume", str(path))
    tap.ok(done.returncode == 0 and "of read" in done.stdout
           and kinds_of(path)[-2:] == ["run", "end"],
           "a complete file is shown again, with --details", said(done))


def wait_for(path, text):
    """Waits until a file has a text, at most a minute."""
    for _ in range(600):
        if path.exists() and text in path.read_text(encoding="utf-8"):
            return True
        time.sleep(0.1)
    return False


def interrupt(number, path, *words, times=1):
    """Ends a run in its first race: soon, or if that has not begun then, later. The
    signal comes `times` times at once."""
    before = path.read_bytes() if path.exists() else b""
    for delay in (0.2, 1, 4, 16, 64):
        path.write_bytes(before)
        with start(*words) as process:
            for _ in range(600):
                if path.stat().st_size > len(before):
                    break
                time.sleep(0.02)
            time.sleep(delay)
            for _ in range(times):
                process.send_signal(number)
            stdout, stderr = process.communicate(timeout=60)
        if '"matrix"' in path.read_text(encoding="utf-8")[len(before):]:
            break
    return process.returncode, stdout, stderr


def test_resumed_code(folder):
    """A file of records does not decide what code runs: what names it must be given again."""
    path, page = folder / "code.jsonl", folder / "own.lua"
    marker, source = folder / "loaded", folder / "evil.c"
    source.write_text("#include <stdio.h>\n__attribute__((constructor)) static void run(void)\n"
                      f'{{ fclose(fopen("{marker}", "w")); }}\n', encoding="utf-8")
    subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o",
                    str(folder / "evil.so"), str(source)], check=True)
    page.write_text('inherit "generic-c"\ndescription = "own"\n', encoding="utf-8")
    library = str(folder / "evil.so")
    for words, code in ((["--modules", library], f"--modules {library}"),
                        (["--peer", library], f"--peer {library}"),
                        ([f"--peer={library}"], f"--peer {library}"),
                        (["--target", str(page)], f"--target {page}"),
                        (["--set", "csr5.sigma=8", "--set", "usable=a()"], "--set 'usable=a()'")):
        path.write_text(json.dumps({"record": "run", "schema": 1, "command":
                                    ["spmvbench", "run", *SHORT, *words]}) + "\n",
                        encoding="utf-8")
        before = path.read_bytes()
        refused(f"resuming {words[0]}", ["--resume", str(path)], 1, re.escape(
            f"'{path}' names code that would run; if you trust it, repeat what names it: "
            f"spmvbench --resume {path} {code}") + "$")
        tap.ok(not marker.exists() and path.read_bytes() == before,
               "and no code runs, and the file stays as it was")
        refused(f"resuming {words[0]} with code of another name", [
            "--resume", str(path), "--modules", "other.so"], 1,
            "is of another command line, without --modules other.so")
    path.unlink()


def test_interrupted(folder):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        path = folder / f"interrupted-{code}.jsonl"
        returned, stdout, stderr = interrupt(number, path, *LONG, "--save", str(path))
        records = records_of(path)
        tap.ok(returned == code and "interrupted" in stderr, f"{number.name}: exit code {code}",
               f"{returned}\n{stderr}")
        tap.ok([r["record"] for r in records] == ["run", "matrix", "result", "end"]
               and records[1]["complete"] is False and records[2]["samples"] > 0
               and records[3]["complete"] is False and records[3]["reason"] == "interrupted",
               "the rounds until then are saved", records)
        rows = rows_of(stdout.split("\nmatrix       ")[0])
        tap.ok(len(rows) == 1 and rows[0]["correct"] == "yes" and "note     interrupted" in stdout
               and "1 of 2 races is missing" in stdout, "and shown", stdout)
        tap.ok(f"spmvbench --resume {path} goes on from here" in stderr, "and how to go on", stderr)
    before = path.read_bytes()
    done = run(*LONG, "--resume", str(path), "--save", str(folder / "x.txt"))
    tap.ok(done.returncode == 1 and path.read_bytes() == before,
           "a run that does not begin writes nothing", said(done))
    interrupt(signal.SIGINT, path, *LONG, "--resume", str(path))
    tap.ok(kinds_of(path)[4:] == ["run", "matrix", "result", "end"]
           and records_of(path)[5]["input"] == records[1]["input"],
           "a group that was interrupted is raced again", kinds_of(path))
    path = folder / "interrupted-twice.jsonl"
    returned, stdout, stderr = interrupt(signal.SIGINT, path, *LONG, "--save", str(path), times=2)
    tap.ok(returned == 130 and kinds_of(path) == ["run", "matrix", "result", "end"],
           "a signal that comes twice at once, as timeout(1) sends it, loses no group",
           f"{returned} {kinds_of(path)}\n{stdout}{stderr}")
    with start(*LONG, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as process:
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        tap.ok(process.poll() is None, "an ignored signal stays ignored, as under nohup")
        process.kill()


def test_killed(folder):
    """What was raced before a program is killed is in the file."""
    path = folder / "killed.jsonl"
    words = [*INPUTS, *METHOD, "--seconds", "0.5", "--dram", "0"]
    with start(*words, "--save", str(path)) as process:
        found = wait_for(path, '"result"')
        process.kill()
    tap.ok(found and kinds_of(path)[:3] == ["run", "matrix", "result"],
           "a group is saved as soon as it is raced", kinds_of(path))


def test_pipe(folder):
    """A reader that goes away, as head does, loses nothing of the file."""
    path = folder / "pipe.jsonl"
    read, write = os.pipe()
    os.close(read)
    with start(*SHORT, "--save", str(path), stdout=write,
               preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL)) as process:
        os.close(write)
        process.wait(timeout=60)
    tap.ok(kinds_of(path)[:3] == ["run", "matrix", "result"],
           "a group is saved before it is printed", kinds_of(path))
    done = run(*SHORT, "--resume", str(path))
    tap.ok(done.returncode == 0 and kinds_of(path)[-1] == "end", "and --resume goes on",
           said(done))


def test_full_disk(folder):
    path = folder / "full.jsonl"

    def limit():
        import resource
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
    done = subprocess.run([PROGRAM, *SHORT, "--save", str(path)], text=True, capture_output=True,
                          check=False, preexec_fn=limit)
    tap.ok(done.returncode == 1 and "full.jsonl': File too large; it lacks the last races"
           in done.stderr and done.stdout.count("\nmethod ") == 4,
           "if the disk is full, races go on, and that is told at the end", said(done))
    tap.ok(path.read_text(encoding="utf-8").endswith("}\n") and kinds_of(path)[0] == "run",
           "the file has whole records", kinds_of(path))
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            with start(*SHORT, "--save", str(folder / "table.jsonl"), stdout=full) as process:
                message = process.communicate(timeout=60)[1]
        tap.ok(process.returncode == 1 and "cannot write to standard output: No space" in message
               and kinds_of(folder / "table.jsonl")[-1] == "end",
               "a table that cannot be written is an error, and records are saved", message)
    done = run(*SHORT, "--resume", str(path))
    tap.ok(done.returncode == 0 and kinds_of(path)[-1] == "end"
           and done.stdout.count("\nmethod ") == 4, "and --resume completes it", said(done))


def test_failures(folder):
    """A race that fails is told, and the others go on."""
    path = folder / "failures.jsonl"
    done = run(str(folder / "none.mtx"), INPUTS[0], *METHOD, *QUICK, "--save", str(path))
    tap.ok(done.returncode == 1 and "none.mtx" in done.stderr
           and "1 of 2 races is missing" in done.stdout
           and kinds_of(path) == ["run", "matrix", "result", "end"], "a missing file", said(done))


def test_budget(folder):
    """--budget ends in time, wherever the noise is, and reports what it reached."""
    words = [*INPUTS, *TYPES, *METHOD, "--threads", "1", "--dram", "0"]
    path = folder / "budget.jsonl"
    done = run(*words, "--budget", "2s", "--save", str(path))
    tap.ok(done.returncode == 0 and re.search(
        r"^budget   \d+ of 2 seconds; speeds over CSR are known to 2 % for \d of 4 results$",
        done.stdout, re.MULTILINE), "--budget says what it was spent for", said(done))
    ends = [r for r in records_of(path) if r["record"] == "end"]
    tap.ok(all(r["samples"] >= 6 and r["ratio_low"] > 0 for r in records_of(path)
               if r["record"] == "result") and ends[0]["reason"] == "done",
           "all results have intervals", path.read_text())
    path.unlink()
    done = run(*words, "--budget", "0.000001s", "--save", str(path))
    tap.ok(done.returncode == 1 and "the budget is spent: 4 of 4 races are missing; the same line "
           "with --resume" in done.stderr and records_of(path)[-1]["reason"] == "budget",
           "a budget that is too small for all races is reported", said(done))
    done = run(*words, "--budget", "2s", "--resume", str(path))
    tap.ok(done.returncode == 0 and kinds_of(path).count("result") == 4,
           "and --resume with another budget races them", said(done))
    for text in ("10 m", "m", "0", "-5", "1h2", "10min"):
        refused(f"--budget {text}", [*words, "--budget", text], 2,
                "--budget takes a time as 90s, 10m or 1h30m, not")
    refused("--budget with --repeat", [*words, "--budget", "1m", "--repeat", "5"], 2, "give one")


def terminal_output(*arguments, term="xterm", pipe=False):
    """Runs spmvbench on a terminal. Returns what it wrote there."""
    leader, follower = pty.openpty()
    with start(*arguments, stdout=subprocess.PIPE if pipe else follower, stderr=follower,
               env={"TERM": term}) as process:
        os.close(follower)
        text = b""
        while select.select([leader], [], [], 60)[0]:
            try:
                part = os.read(leader, 1 << 16)
            except OSError:
                break
            if not part:
                break
            text += part
        if pipe:
            process.stdout.read()
    os.close(leader)
    return text.decode()


def test_progress():
    words = [*INPUTS, *METHOD, "--seconds", "0.2", "--dram", "0"]
    text = terminal_output(*words)
    tap.ok(re.search(r"\r\x1b\[K\[[#-]{24}\] 0/2  .* left  model:poisson7", text)
           and re.search(r"\] 1/2  \d+ s left  model:tridiagonal", text),
           "a terminal shows a line of progress", repr(text))
    shown = re.sub(r"\r\x1b\[K\[[^\r]*(?=\r\x1b\[K)", "", text).replace("\r\x1b[K", "")
    tap.ok("] 0/2" not in shown and shown.count("\nmethod ") == 2,
           "which is gone before a table is printed", repr(text))
    for name, text in (("a dumb terminal", terminal_output(*words, term="dumb")),
                       ("stdout in a pipe", terminal_output(*words, pipe=True))):
        tap.ok("left" not in text and "\x1b" not in text, f"{name}: no line of progress",
               repr(text))
    done = run(*words)
    tap.ok(not done.stderr, "nor is one in a pipe", said(done))


def main():
    if not has_kernels():
        tap.skip("no kernels are linked in")
    else:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for test in (test_save, test_special_files, test_refused, test_resume,
                         test_resumed_code, test_interrupted, test_killed, test_pipe,
                         test_full_disk, test_failures, test_budget):
                test(folder)
            test_progress()
    tap.done()


main()
