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


# What spmvbench --lookalike all --peers prints, shortened: of two matrices, with a method that gave
# up some property, one that is wrong, and a peer that takes no part.
RACES = """$ spmvbench --lookalike all --peers --type f64 --threads 2
machine  a CPU, 2 threads, cc
matrix   look-alike of dense2: 2 x 2, 4 nonzeros
problem  y = 1*A*x + 0*y, f64 values, i32 row pointers, 48 MB in CSR with x and y

method    target     time us    +-  over CSR  over peer  GFlop/s  correct
strips    x86-64-v4    123.4  0.3%      3.44       1.50   12.500      yes
loose*    x86-64-v4    130.1     -      3.14       1.40   11.500      yes
mkl       peer         185.1  1.0%      2.44       1.00    8.500      yes
csr5      x86-64-v4        -     -         -          -        -       NO
petsc     peer             -     -         -          -        -        -

best     strips of x86-64-v4 is 1.50 times as fast as the best peer, mkl

machine  a CPU, 2 threads, cc
matrix   poisson: 2 x 2, 4 nonzeros
problem  y = 1*A*x + 0*y, f64 values, i32 row pointers, 5 MB in CSR with x and y

method    target     time us    +-  over CSR  over peer  GFlop/s  correct
csr_omp   peer          10.5  0.5%      1.10       1.00    4.000      yes
csr5      x86-64-v4     20.5  0.3%      0.55       0.50    2.000      yes
mkl       peer          21.5  0.3%      0.53       0.50    1.900      yes

matrix   fastest           peer     time ms    +-  over CSR  over peer  GFlop/s  peer's
dense2   strips x86-64-v4  mkl       0.1234  0.3%      3.44       1.50   12.500   8.500
poisson  csr5 x86-64-v4    csr_omp   0.0205  0.3%      0.55       0.50    2.000   4.000

over  ratio  GFlop/s   its  matrices  version
mkl    1.28     4.15  3.11         2   oneMKL

summary  2 matrices: 0.95 times as fast as the plain CSR loop (harmonic mean)
"""


def test_tables():
    races = record.races_of(RACES)
    tap.ok(races == {("f64", 2): {"dense2": ("strips", "mkl", 12.5, 8.5),
                                  "poisson": ("csr5", "csr_omp", 2.0, 4.0)}},
           "the fastest of each matrix are read", races)
    sizes = record.sizes_of(RACES)
    tap.ok(sizes == {("f64", 2): [(48.0, 12.5 / 8.5, 12.5 / 8.5), (5.0, 2 / 1.9, 0.5)]},
           "and sizes and ratios", sizes)
    now = RACES.replace("machine  a CPU, 2 threads, cc\n", "").replace(
        "MB in CSR with x and y", "MB in\n         CSR with x and y")
    tap.ok(record.sizes_of(now) == sizes, "also where the machine is said once, in narrow lines")
    tap.ok(record.has_mkl(RACES) and not record.has_mkl(RACES.replace("mkl", "eigen")),
           "oneMKL took part only if it was timed")


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
    test_tables()
    tap.ok(contents() == before, "all records and pages are unchanged")
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
