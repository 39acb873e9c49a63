"""tools/tap_summary.py with sample logs, and with a log of the installed Meson."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

TOOL = os.path.join(SOURCE, "tools", "tap_summary.py")


def summarise(*arguments):
    return subprocess.run([sys.executable, TOOL, *arguments], text=True, capture_output=True,
                          check=False)


def of_log(folder, text):
    path = os.path.join(folder, "sample.tap")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return summarise("sample=" + path)


def of_runs(folder, *runs, tests=None):
    """Makes a build folder after `meson test`; a run is (name, output, exit code, result)."""
    build = os.path.join(folder, "build")
    shutil.rmtree(build, ignore_errors=True)
    os.makedirs(os.path.join(build, "meson-info"))
    os.makedirs(os.path.join(build, "meson-logs"))
    with open(os.path.join(build, "meson-info", "intro-tests.json"), "w", encoding="utf-8") as file:
        names = tests if tests is not None else [run[0] for run in runs]
        json.dump([{"name": name, "protocol": "tap"} for name in names], file)
    with open(os.path.join(build, "meson-logs", "testlog.json"), "w", encoding="utf-8") as file:
        for name, out, code, word in runs:
            file.write(json.dumps({"name": "project:suite / " + name, "stdout": out,
                                   "returncode": code, "result": word}) + "\n")
    return summarise("b=" + build)


def expect(result, line, name, *parts, code=1):
    last = (result.stdout.splitlines() or [""])[-1]
    tap.ok(last == line and result.returncode == code and all(p in result.stdout for p in parts),
           name, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")


def test_logs(folder):
    expect(of_log(folder, "ok 1 - a\nok 2\n1..2\n"), "2 passed, 0 failed, 0 skipped",
           "cases that pass are counted, exit code 0", code=0)
    log = "1..3\nok 1 - a\nnot ok 2 - b\n# at x.c:3\n# was 4\nok 3 # SKIP no GPU\n"
    expect(of_log(folder, log), "1 passed, 1 failed, 1 skipped",
           "a failed case is shown with its comments, a skipped one with its reason",
           "sample: b\n    at x.c:3\n    was 4\n", "skipped: no GPU [sample]")
    expect(of_log(folder, "ok 1 # SKIP x\nok 2 # skip x\n1..2\n"), "0 passed, 0 failed, 2 skipped",
           "exit code 1 if nothing passed; equal reasons are shown once", "x [sample (2 cases)]")
    expect(of_log(folder, "1..0 # SKIP no compiler\n"), "0 passed, 0 failed, 1 skipped",
           "a program that skips everything is one skipped case", "skipped: no compiler")
    expect(of_log(folder, "ok 1 - a\nok 2 - b\n"), "2 passed, 1 failed, 0 skipped",
           "a missing plan is a failure", "without a plan")
    expect(of_log(folder, "1..3\nok 1 - a\n"), "1 passed, 1 failed, 0 skipped",
           "fewer cases than planned are a failure", "3 cases planned, 1 seen")
    expect(of_log(folder, "ok 1 - a\nBail out! no disk\n1..1\n"), "1 passed, 1 failed, 0 skipped",
           "bailing out is a failure", "Bail out! no disk")
    expect(of_log(folder, "ok 1 - skip is only a word here\nokay\n  not ok 1 - inner\n1..1\n"),
           "1 passed, 0 failed, 0 skipped", "lines that only look like TAP are not counted", code=0)
    comments = "".join(f"# line {i}\n" for i in range(100))
    result = of_log(folder, "not ok 1 - long\n" + comments + "1..1\n")
    tap.ok(result.stdout.count("line ") == 20, "only the first lines of long comments are shown")
    result = of_log(folder, "not ok 1 - wide\n# " + 5000 * "x" + "\n1..1\n")
    tap.ok(0 < result.stdout.count("x") < 200, "only the first columns of wide comments are shown")


def test_builds(folder):
    good = ("good", "ok 1 - a\n1..1\n", 0, "OK")
    expect(of_runs(folder, good), "1 passed, 0 failed, 0 skipped", "a build's programs are read",
           code=0)
    expect(of_runs(folder, good, ("bad", "not ok 1 - b\n# why\n1..1\n", 1, "FAIL")),
           "1 passed, 1 failed, 0 skipped", "a program with a failed case fails only once",
           "FAILED b: bad: b\n    why\n")
    expect(of_runs(folder, good, ("crash", "ok 1 - a\n", -11, "ERROR")),
           "2 passed, 1 failed, 0 skipped", "a crash is a failure", "killed by signal 11")
    expect(of_runs(folder, good, ("leak", "ok 1 - a\n1..1\n", 23, "ERROR")),
           "2 passed, 1 failed, 0 skipped", "a sanitizer's exit code is a failure", "exit code 23")
    expect(of_runs(folder, good, ("slow", "ok 1 - a\n", -15, "TIMEOUT")),
           "2 passed, 1 failed, 0 skipped", "running out of time is a failure", "ran out of time")
    expect(of_runs(folder, good, ("sly", "ok 1 - a\n1..1\n", 1, "ERROR")),
           "2 passed, 1 failed, 0 skipped", "exit code 1 without a failed case is a failure")
    expect(of_runs(folder, good, tests=["good", "never"]), "1 passed, 1 failed, 0 skipped",
           "a program that was not run is a failure", "1 of 2 test programs were not run")
    expect(of_runs(folder, tests=[]), "0 passed, 0 failed, 0 skipped", "no tests are no success")


def test_meson(folder):
    """The installed Meson writes the formats above."""
    meson = shutil.which("meson")
    if not meson:
        return tap.skip("meson is not in the path")
    source, build = os.path.join(folder, "source"), os.path.join(folder, "real")
    os.makedirs(source)
    programs = {"good": "print('ok 1 - a\\nok 2 # SKIP why\\n1..2')",
                "bad": "print('not ok 1 - b\\n# because\\n1..1'); raise SystemExit(1)",
                "crash": "print('ok 1 - c', flush=True); import os; os.kill(os.getpid(), 9)"}
    with open(os.path.join(source, "meson.build"), "w", encoding="utf-8") as file:
        file.write("project('sample')\npython = find_program('python3')\n")
        for name, text in programs.items():
            with open(os.path.join(source, name + ".py"), "w", encoding="utf-8") as program:
                program.write(text + "\n")
            file.write(f"test('{name}', python, args: files('{name}.py'), protocol: 'tap', "
                       "suite: 'some')\n")
    for words in (["setup", build, source], ["test", "-C", build]):
        result = subprocess.run([meson, *words], capture_output=True, check=False, text=True)
        tap.diag(result.stdout[-300:] + result.stderr[-300:])
    return expect(summarise("real=" + build), "2 passed, 2 failed, 1 skipped",
                  "the log of the installed Meson is read",
                  "real: bad: b\n    because\n", "killed by signal 9", "skipped: why")


def test_command_line():
    tap.ok(summarise().returncode == 2 and summarise("nolabel").returncode == 2,
           "without LABEL=PATH the usage is shown, exit code 2")


with tempfile.TemporaryDirectory() as scratch:
    test_logs(scratch)
    test_builds(scratch)
    test_meson(scratch)
test_command_line()
tap.done()
