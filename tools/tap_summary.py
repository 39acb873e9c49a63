#!/usr/bin/env python3
"""tap_summary.py: counts the test cases of all test programs.

    tap_summary.py LABEL=PATH...

PATH is a Meson build folder after `meson test`, or a file in the Test Anything Protocol. If the
folder has a file `chosen`, only the programs that it names must have run. It prints every failed
case with its comments, every skipped case with its reason, the slowest programs, and ends with the
line

    N passed, N failed, N skipped

A case is a TAP line, not a program. A program counts as one more failed case if it crashed, ran out
of time, ended with an unexpected exit code, printed fewer lines than planned, or did not run. Exit
code 0: nothing failed and something passed; otherwise 1.
"""
import json
import os
import re
import sys

CASE = re.compile(r"(not ok|ok)\b\s*(\d+)?\s*(?:-\s*)?(.*)$")
DIRECTIVE = re.compile(r"(?:^|\s)#\s*skip\S*\s*(.*)$", re.IGNORECASE)
PLAN = re.compile(r"1\.\.(\d+)\s*(?:#\s*(.*))?$")
EXCERPT_LINES, EXCERPT_COLUMNS = 20, 160
SLOWEST = 10


class Summary:
    """The counts, and the cases to show, in order."""

    def __init__(self):
        self.passed = 0
        self.failures = []       # (where, name, comment lines)
        self.skips = {}          # reason -> [where], in order of appearance, with repetitions
        self.times = []          # (seconds, where) of each program

    def fail(self, where, name, lines):
        self.failures.append((where, name, lines))

    def skip(self, where, reason):
        self.skips.setdefault(reason or "no reason given", []).append(where)

    def show(self, out):
        for where, name, lines in self.failures:
            out.write(f"FAILED {where}: {name}\n")
            out.writelines(f"    {line[:EXCERPT_COLUMNS]}\n" for line in lines)
        for reason, wheres in self.skips.items():
            places = {}
            for where in wheres:
                places[where] = places.get(where, 0) + 1
            shown = ", ".join(w if n == 1 else f"{w} ({n} cases)" for w, n in places.items())
            out.write(f"skipped: {reason} [{shown}]\n")
        if self.times:
            out.write(f"slowest of {len(self.times)} suites, in seconds:\n")
        for seconds, where in sorted(self.times, reverse=True)[:SLOWEST]:
            out.write(f"{seconds:8.1f}  {where}\n")
        skipped = sum(map(len, self.skips.values()))
        out.write(f"{self.passed} passed, {len(self.failures)} failed, {skipped} skipped\n")
        return 0 if self.passed and not self.failures else 1


def excerpt(text):
    return text.rstrip("\n").splitlines()[-EXCERPT_LINES:]


def read_tap(summary, where, text):
    """Counts the cases of one program; returns (the number of failed cases, the fault of the
    output)."""
    cases = failed = 0
    planned = problem = None
    explained = None             # the failed case that comment lines belong to
    for line in text.splitlines():
        case, plan = CASE.match(line), PLAN.match(line)
        if line.startswith("#") and explained is not None:
            if len(explained) < EXCERPT_LINES:
                explained.append(line[1:].strip())
            continue
        explained = None
        if plan:
            planned = int(plan[1])
            if planned == 0:
                summary.skip(where, re.sub(r"(?i)^skip\S*\s*", "", plan[2] or ""))
        elif line.startswith("Bail out!"):
            problem = line
        elif case:
            cases += 1
            directive = DIRECTIVE.search(case[3])
            if case[1] == "not ok":
                failed += 1
                explained = []
                summary.fail(where, case[3] or f"case {cases}", explained)
            elif directive:
                summary.skip(where, directive[1])
            else:
                summary.passed += 1
    if not problem and planned is None:
        problem = "it ended without a plan (1..N), so cases may be missing"
    elif not problem and planned != cases:
        problem = f"{planned} cases planned, {cases} seen"
    return failed, problem


def abnormal_end(run):
    """How a program ended abnormally, or None. A TAP program exits with 0 or 1."""
    code = run["returncode"]
    if run["result"] == "TIMEOUT":
        return "it ran out of time"
    if code < 0:
        return f"it was killed by signal {-code}"
    if code not in (0, 1):
        return f"it ended with exit code {code}"
    return None


def read_run(summary, where, run, is_tap):
    """Counts one program: a line of Meson's testlog.json."""
    output = excerpt(run.get("stdout", "")) + excerpt(run.get("stderr", ""))
    if not is_tap:
        if run["result"] in ("OK", "EXPECTEDFAIL"):
            summary.passed += 1
        elif run["result"] == "SKIP":
            summary.skip(where, output[-1] if output else "")
        else:
            summary.fail(where, run["result"].lower(), output)
        return
    failed, problem = read_tap(summary, where, run.get("stdout", ""))
    problem = abnormal_end(run) or problem
    if not problem and not failed and run["result"] not in ("OK", "SKIP"):
        problem = f"Meson's result is {run['result'].lower()}, exit code {run['returncode']}"
    if problem:
        summary.fail(where, problem, output)


def read_build(summary, label, folder):
    try:
        with open(os.path.join(folder, "meson-info", "intro-tests.json"), encoding="utf-8") as f:
            tests = json.load(f)
    except OSError:
        summary.fail(label, "its tests are not known: the build folder is not set up", [])
        return
    try:
        with open(os.path.join(folder, "meson-logs", "testlog.json"), encoding="utf-8") as f:
            runs = [json.loads(line) for line in f if line.strip()]
    except OSError:
        runs = []
    chosen = os.path.join(folder, "chosen")
    if os.path.exists(chosen):
        with open(chosen, encoding="utf-8") as f:
            names = set(f.read().splitlines())
        tests = [test for test in tests if test["name"] in names]
    protocols = {}
    for test in tests:
        protocols.setdefault(test["name"], set()).add(test["protocol"])
    for run in sorted(runs, key=lambda run: run["name"]):
        name = run["name"].split(" / ", 1)[-1]
        summary.times.append((run.get("duration", 0), f"{label}: {name}"))
        read_run(summary, f"{label}: {name}", run, "tap" in protocols.get(name, {"tap"}))
    if len(runs) != len(tests):
        summary.fail(label, f"{len(tests) - len(runs)} of {len(tests)} test programs were not run",
                     [])


def main(arguments):
    if not arguments or any("=" not in argument for argument in arguments):
        sys.stderr.write(__doc__)
        return 2
    summary = Summary()
    for argument in arguments:
        label, path = argument.split("=", 1)
        if os.path.isdir(path):
            read_build(summary, label, path)
        else:
            with open(path, encoding="utf-8", errors="replace") as f:
                _, problem = read_tap(summary, label, f.read())
            if problem:
                summary.fail(label, problem, [])
    return summary.show(sys.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
