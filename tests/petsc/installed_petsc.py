"""installed_petsc.py: whether this system has PETSc and MPI, and how programs are compiled with it.

    installed_petsc.missing()       why no program can be compiled and run; None: one can
    installed_petsc.flags()         for mpicc
    installed_petsc.query(option)   what pkg-config says of PETSc, as a string; "" without PETSc
"""
import shlex
import shutil
import subprocess

PROGRAMS = (("pkg-config", "pkgconf"), ("mpicc", "libopenmpi-dev"), ("mpirun", "openmpi-bin"))


def query(*options):
    result = subprocess.run(["pkg-config", *options, "PETSc"], capture_output=True, text=True,
                            check=False)
    return result.stdout.strip() if result.returncode == 0 else ""


def missing():
    for program, package in PROGRAMS:
        if not shutil.which(program):
            return f"{program} is not installed (Debian: {package})"
    if not query("--modversion"):
        return "pkg-config finds no PETSc (Debian: petsc-dev)"
    return None


def flags():
    return shlex.split(query("--cflags", "--libs"))
