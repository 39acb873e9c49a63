"""test_choice.py: bench/choice.py computes what the choice of a plan costs, and reports errors of a
program.
"""
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

# A choicebench of two methods: 'plain' is best for one multiplication, 'quick' from ten on. For ten
# multiplications 'quick' is chosen, but 'plain' for the file wrong.mtx.
PROGRAM = """#!/bin/sh
echo "$*" >>"$0.log"
plain=1 quick=10,100
case "$1" in
*/wrong.mtx) plain=1,10 quick=100;;
*/none.mtx) plain=1 quick=100;;
esac
printf 'plain\\t0.0\\t%s\\t%s\\t%s\\t%s\\t0\\t10\\n' 2.0 20.0 200.0 $plain
printf 'quick\\t9.0\\t%s\\t%s\\t%s\\t%s\\t90\\t5\\n' 10.0 16.0 109.0 $quick
"""
BANNER = "%%MatrixMarket matrix coordinate real "


def run(*arguments):
    command = [sys.executable, str(pathlib.Path(SOURCE) / "bench/choice.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def refused(name, expected, *arguments):
    done = run(*arguments)
    tap.ok(done.returncode != 0 and expected in done.stderr and "Traceback" not in done.stderr,
           name, done.stdout + done.stderr)


def row(text, section, name):
    """The words of a line below the heading of a section."""
    part = text.split(section + "\n", 1)[1].split("\n\n", 1)[0]
    return next(line.split() for line in part.splitlines() if line.strip().startswith(name))


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        program = place / "choicebench"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)
        log = pathlib.Path(f"{program}.log")
        matrices = place / "matrices"
        matrices.mkdir()
        for name, banner, entries in (("right", "general", 4000), ("wrong", "symmetric", 2500),
                                      ("small", "general", 2999)):
            (matrices / f"{name}.mtx").write_text(f"{BANNER}{banner}\n% why\n\n9 9 {entries}\n",
                                                  encoding="utf-8")
        with gzip.open(matrices / "other.mtx.gz", "wt", encoding="utf-8") as file:
            file.write("%%MatrixMarket matrix array complex general\n90 90\n")

        done = run(program, matrices, "--type", "f64", "--threads", 2, "--rounds", 5,
                   "--save", place / "times")
        commands = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        tap.ok([line.split("matrices/")[1] for line in commands] ==
               ["right.mtx f64 2 5", "wrong.mtx f64 2 5"],
               "small and complex matrices are skipped; the others run by size, where a symmetric "
               "matrix counts both halves", commands + [done.stderr])
        ten = row(done.stdout, "f64, 2 threads, 10 multiplications", "all")
        tap.ok(ten[1:6] == ["2", "1.00", "1.25", "1.25", "1.25"] and ten[6:] ==
               ["wrong.mtx:", "plain,", "quick", "is", "best"], "20 where 16 would do", done.stdout)
        tap.ok(row(done.stdout, "f64, 2 threads, 10 multiplications", "first half")[2:6] ==
               ["1", "1.00", "1.00", "1.00"] and
               row(done.stdout, "f64, 2 threads, 1 multiplication", "all")[2] == "1.00" and
               row(done.stdout, "f64, 2 threads, 100 multiplications", "all")[2] == "1.00",
               "every other matrix is the first half's", done.stdout)
        log.unlink()
        again = run("--load", place / "times", "--all")
        tap.ok(again.returncode == 0 and not log.exists() and
               "wrong.mtx" in again.stdout.split("10 multiplications")[1].split("everything")[0] and
               row(again.stdout, "f64, 2 threads, 10 multiplications", "all") == ten,
               "times that were saved are judged alike", again.stdout + again.stderr)

        (matrices / "none.mtx").write_text(f"{BANNER}general\n9 9 4000\n", encoding="utf-8")
        refused("a count that no method is chosen for",
                "for 10 multiplications 0 methods are chosen", program, matrices / "none.mtx")
        (matrices / "text.mtx").write_text("nothing\n", encoding="utf-8")
        refused("a file of another format", "text.mtx is no Matrix Market file", program,
                matrices / "text.mtx")
        refused("a missing file", "there is no", program, place / "nowhere.mtx")
        refused("only small matrices", "no matrix with 3000 nonzeros", program,
                matrices / "small.mtx")
        refused("0 rounds", "invalid positive value: '0'", program, matrices, "--rounds", 0)
        right = matrices / "right.mtx"
        refused("a missing program", "cannot be run", place / "none", right)
        refused("a program that is not choicebench", "expected choicebench", "/bin/true", right)
        refused("a program that fails", "ended with 1", "/bin/false", right)
        refused("a file that --save did not write", "was not written by --save", "--load", right)
    refused("no matrix", "no matrix is named")
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
