"""bench.py reads Matrix Market files, runs petscbench and prints a row for each number of ranks.

    test_bench.py BUILD
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
SCRIPT = os.path.join(ROOT, "integrations/petsc/bench/bench.py")


def run(build, folder, *words):
    return subprocess.run([sys.executable, SCRIPT, build, "--matrices", folder, "--rounds", "1",
                           *words], capture_output=True, text=True, check=False)


def main(build):
    if not shutil.which("mpirun"):
        tap.skip("there is no mpirun")
        tap.done()
    if not importlib.util.find_spec("scipy"):
        tap.skip(f"{sys.executable} has no SciPy (Debian: python3-scipy)")
        tap.done()
    with tempfile.TemporaryDirectory() as folder:
        # The lower half of a tridiagonal matrix: 50 + 2 * 49 entries in all.
        entries = [f"{i} {i} 4" for i in range(1, 51)] + [f"{i} {i - 1} -1" for i in range(2, 51)]
        with open(os.path.join(folder, "bcsstk16.mtx"), "w", encoding="utf-8") as file:
            file.write("%%MatrixMarket matrix coordinate real symmetric\n% a comment\n"
                       f"50 50 {len(entries)}\n" + "\n".join(entries) + "\n")
        done = run(build, folder, "--problem", "bcsstk16", "--ranks", "1,2")
        rows = [line.split() for line in done.stdout.splitlines()[1:]]
        tap.ok(done.returncode == 0 and [row[:4] for row in rows]
               == [["bcsstk16", "1", "50", "148"], ["bcsstk16", "2", "50", "148"]],
               "a symmetric file becomes a matrix with both halves, on 1 and 2 ranks",
               done.stdout + done.stderr)
        tap.ok(rows and all(re.fullmatch(r"(\d+)/\1", row[12]) and int(row[12].split("/")[0]) > 1
                            and all(float(number) > 0 for number in row[4:12]) for row in rows),
               "all figures are positive, and both types take the same iterations", done.stdout)
        for product in ("transpose", "dense"):
            done = run(build, folder, "--problem", "bcsstk16", "--ranks", "1,2", "--product",
                       product)
            rows = [line.split() for line in done.stdout.splitlines()[1:]]
            tap.ok(done.returncode == 0 and len(rows) == 2
                   and all(float(number) > 0 for row in rows for number in row[4:9])
                   and all(row[11] == "-" for row in rows),
                   f"{product}: products are timed and compared, without solves",
                   done.stdout + done.stderr)
        done = run(build, folder, "--problem", "no-such")
        tap.ok(done.returncode != 0 and "no problem 'no-such'" in done.stderr
               and "Traceback" not in done.stderr, "an unknown problem is named", done.stderr)
        done = run(folder, folder, "--problem", "bcsstk16", "--ranks", "1")
        tap.ok(done.returncode != 0 and "petscbench cannot be run" in done.stderr,
               "a folder without petscbench is named", done.stderr)
    tap.done()


if __name__ == "__main__":
    main(*sys.argv[1:])
