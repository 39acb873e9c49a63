"""spmvbench.py: runs spmvbench as a user does, for the tests of its command line. A test has the
arguments

    SPMVBENCH SOURCE_ROOT LIBRARY MOCK

LIBRARY is the shared object of tests/runtime/toy.h, which has a method for two targets; MOCK is the
OpenCL library of mock_ready.c.
"""
import os
import pathlib
import re
import subprocess
import sys

PROGRAM, LIBRARY, MOCK = (os.path.abspath(sys.argv[i]) for i in (1, 3, 4))
sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "tests"))
import special_files
import tap

QUICK = ["--repeat", "1", "--threads", "2", "--dram", "0"]


def run(*arguments, **settings):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive", **settings})


def refused(name, arguments, code, message):
    done = run(*arguments)
    tap.ok(done.returncode == code and re.search(message, done.stderr) and not done.stdout
           and done.stderr.startswith("spmvbench: ") and done.stderr.count("\n") == 1,
           f"{name}: exit code {code} and one line that says why",
           f"exit code {done.returncode}\n{done.stdout}{done.stderr}")


def rows_of(output):
    """The rows of the table, as dictionaries."""
    lines = output.splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("method")]
    if len(heads) != 1:
        return []
    names = [name.strip() for name in re.split(r"\s{2,}", lines[heads[0]].strip())]
    end = lines.index("", heads[0]) if "" in lines[heads[0]:] else len(lines)
    return [dict(zip(names, re.split(r"\s{2,}", line.strip()))) for line in lines[heads[0] + 1:end]]


def listed_modules():
    """The rows of --list for the kernels that are linked in: method, target, types."""
    return [line.split() for line in run("--list").stdout.splitlines()
            if re.search(r" f(32|64) +i(32|64)$", line)]


def has_kernels():
    """Whether kernels are linked in, beside the toys of --modules."""
    return any(row[-2:] == ["f64", "i32"] for row in listed_modules())
