"""test_record.py: bench/record.py says what is wrong before it races, and loses no record."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

ROOT = pathlib.Path(SOURCE)


def run(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "bench/record.py"), *map(str, arguments)],
                          capture_output=True, text=True, check=False)


def refused(name, expected, *arguments):
    done = run(*arguments)
    tap.ok(done.returncode != 0 and expected in done.stderr and "Traceback" not in done.stderr
           and not done.stdout.startswith("spmvbench --lookalike"), name, done.stdout + done.stderr)


def contents():
    return {path: path.read_bytes() for path in [ROOT / "README.md", *(ROOT / "bench/results").iterdir()]}


def main():
    before = contents()
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder) / "other.txt"
        other.write_text("no race\n", encoding="utf-8")
        refused("a program that there is not", "cannot be run", "run", other / "none", "--target", "no-such")
        refused("a program that is not spmvbench", "is not spmvbench", "run", "/bin/true", "--target", "no-such")
        refused("a record that there is not", "is no file of bench/results", "readme", other.with_name("none"))
        refused("a file elsewhere", "is no file of bench/results", "readme", other)
        refused("no command", "run|readme")
        for path in sorted((ROOT / "bench/results").iterdir()):
            if "\nmkl " not in path.read_text(encoding="utf-8"):
                refused(f"{path.name}, without oneMKL, is not for README.md", "oneMKL took no part", "readme", path)
    tap.ok(contents() == before, "all records and README.md are as they were")
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
