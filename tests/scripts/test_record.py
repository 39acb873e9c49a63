"""test_record.py: bench/record.py reports errors before it races, and loses no record."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

ROOT = pathlib.Path(SOURCE)
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bench"))

import record


def run(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "bench/record.py"), *map(str, arguments)],
                          capture_output=True, text=True, check=False)


def refused(name, expected, *arguments):
    done = run(*arguments)
    tap.ok(done.returncode != 0 and expected in done.stderr and "Traceback" not in done.stderr
           and not done.stdout.startswith("spmvbench --lookalike"), name, done.stdout + done.stderr)


def contents():
    return {path: path.read_bytes()
            for path in [record.README, record.PERFORMANCE, *(ROOT / "bench/results").iterdir()]}


def main():
    before = contents()
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder) / "other.txt"
        other.write_text("no race\n", encoding="utf-8")
        target = ("--target", "no-such")
        refused("a missing program", "cannot be run", "run", other / "none", *target)
        refused("a program that is not spmvbench", "is not spmvbench", "run", "/bin/true", *target)
        refused("no command", "run|readme")
        for path in [other.with_name("none"), *sorted((ROOT / "bench/results").iterdir())]:
            if path.exists() and "\nmkl " in path.read_text(encoding="utf-8"):
                continue
            record.SHOWN = [(path.name, "a machine", 1)]
            try:
                record.shown_records()
                said = "nothing"
            except SystemExit as error:
                said = str(error)
            tap.ok(("oneMKL took no part" if path.exists() else "is no file of") in said,
                   f"{path.name}, which is not there or without oneMKL, is not for the pages", said)
    tap.ok(contents() == before, "all records and pages are unchanged")
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
