"""test_choice.py: bench/choice.py says what the choice of a plan costs, and what is wrong with a program."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

# A spmvbench of two methods: 'quick' takes a second to multiply and nine to prepare, 'plain' two and none.
PROGRAM = """#!/bin/sh
echo "arguments $*" >>"$0.log"
case "$1" in
*.mtx) name=$1;;
*) name=small;;
esac
case "$*" in
*--explain*)
    echo "matrix   $name (shape): 3 x 3, 9 nonzeros"
    echo "chosen   spmv_${CHOSEN:-plain}_f64_i32__here";;
*)
    echo "matrix   $name (shape): 3 x 3, 9 nonzeros, more"
    echo "method target GFlop/s GB/s of read prepare update layout error correct"
    echo "quick here 1.0 1 1% 9.0 0 0 0 yes"
    echo "plain here 0.5 1 1% 0.0 0 0 0 yes"
    echo "wrong here 9.0 1 1% 0.0 0 0 0 no"
    echo "outside peer 9.0 1 1% 0.0 0 0 0 yes";;
esac
"""


def run(*arguments):
    return subprocess.run([sys.executable, str(pathlib.Path(SOURCE) / "bench/choice.py"), *map(str, arguments)],
                          capture_output=True, text=True, check=False)


def refused(name, expected, *arguments):
    done = run(*arguments)
    tap.ok(done.returncode != 0 and expected in done.stderr and "Traceback" not in done.stderr, name,
           done.stdout + done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "spmvbench"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)
        done = run(program, "--runs", 4, "--runs", 36, "--", "--type", "f32")
        words = [line.split() for line in done.stdout.splitlines() if line.startswith("  ") and "chosen" not in line]
        tap.ok(done.returncode == 0 and words[:1] == [["small", "plain", "1.00"]],
               "4 multiplications: what converts nothing is best, and neither wrong results nor peers count",
               done.stdout + done.stderr)
        tap.ok(words[2:3] == [["small", "plain", "1.60", "quick"]], "36: 72 where 45 would do", done.stdout)
        tap.ok(words[3:] == [["mean,", "worst", "1.60", "1.60"]], "mean and worst", done.stdout)
        log = pathlib.Path(f"{program}.log").read_text(encoding="utf-8").splitlines()
        tap.ok(len(log) == 3 and all(line.endswith("--type f32") for line in log)
               and "--explain --runs 4 " in log[0] and "--explain --runs 36 " in log[1],
               "arguments are handed on, and runs", "\n".join(log))
        pathlib.Path(f"{program}.log").unlink()
        done = run(program, "--matrix", "one.mtx", "--matrix", "two.mtx", "--runs", 4)
        log = pathlib.Path(f"{program}.log").read_text(encoding="utf-8").splitlines()
        tap.ok(done.returncode == 0 and [line.split()[1] for line in log] == ["one.mtx", "two.mtx"] * 2
               and "--lookalike" not in " ".join(log), "files instead of the 18", "\n".join(log) + done.stderr)
        refused("two files of one name", "two matrices are called one.mtx", program, "--matrix", "one.mtx",
                "--matrix", "one.mtx")
        for name in ("wrong", "outside", "other"):
            os.environ["CHOSEN"] = name
            refused(f"'{name}', which is not among the right ones", f"{name} of here is chosen, and not", program)
        del os.environ["CHOSEN"]
        refused("no number of runs", "invalid positive value: '0'", program, "--runs", 0)
        refused("a program that there is not", "cannot be run", program.with_name("none"))
    refused("a program that is not spmvbench", "expected spmvbench", "/bin/true")
    refused("a program that fails", "ended with 1", "/bin/false")
    refused("no program", "choice.py SPMVBENCH")
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
