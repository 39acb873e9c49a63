"""programs.py: compiles a C program against the system's PETSc, and runs it on some ranks.

Tests skip with missing()'s text where PETSc, MPI or NumPy are missing.
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PETSC = ROOT / "integrations/petsc"
MATRICES = pathlib.Path(os.environ.get("SPMV_MATRICES") or ROOT / "../shared/matrices")
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(PETSC))

# Root may run mpirun, with more ranks than CPUs; waiting ranks leave their CPU to others.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
               "OMP_NUM_THREADS": "1"}


def run(*words):
    return subprocess.run([str(word) for word in words], env=ENVIRONMENT, text=True,
                          capture_output=True, check=False, stdin=subprocess.DEVNULL)


def said(done):
    return f"exit code {done.returncode}\n" + (done.stdout + done.stderr)[-3000:]


def flags():
    """pkg-config's flags for PETSc; empty without PETSc."""
    if not shutil.which("pkg-config"):
        return []
    return run("pkg-config", "--cflags", "--libs", "PETSc").stdout.split()


def missing():
    """What is missing, as a reason to skip; None: nothing."""
    for program in ("mpicc", "mpirun"):
        if not shutil.which(program):
            return f"{program} is not installed"
    if not flags():
        return "pkg-config finds no PETSc (Debian: petsc-dev)"
    if not importlib.util.find_spec("numpy"):
        return "NumPy is not installed (Debian: python3-numpy)"
    return None


def compile_program(source, program, *more):
    return run("mpicc", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", program, *more,
               *flags(), "-lm")


def on_ranks(ranks, program, *words):
    return run("mpirun", "-n", ranks, program, *words)
