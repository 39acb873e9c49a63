"""programs.py: compiles a C program against the system's PETSc, and runs it on some ranks.

Tests skip with missing()'s text where PETSc, MPI or NumPy are missing.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PETSC = ROOT / "integrations/petsc"
MATRICES = pathlib.Path(os.environ.get("SPMV_MATRICES") or ROOT / "../shared/matrices")
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/petsc"), str(PETSC)]

import installed_petsc
import mpi
import tap


def run(*words):
    return subprocess.run([str(word) for word in words], env=mpi.CROWDED, text=True,
                          capture_output=True, check=False, stdin=subprocess.DEVNULL)


def said(done):
    return f"exit code {done.returncode}\n" + (done.stdout + done.stderr)[-3000:]


def missing():
    """What is missing, as a reason to skip; None: nothing."""
    if not importlib.util.find_spec("numpy"):
        return "NumPy is not installed (Debian: python3-numpy)"
    return installed_petsc.missing()


def compile_program(source, program, *more):
    return run("mpicc", "-O2", "-Wall", "-Wextra", tap.WERROR, source, "-o", program, *more,
               *installed_petsc.flags(), "-lm")


def on_ranks(ranks, program, *words):
    return run("mpirun", "-n", ranks, program, *words)
