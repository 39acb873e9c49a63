"""petsc4py takes aijspmv by options, and solves as with AIJ.

    test_petsc4py.py LIBPETSCSPMV

Without petsc4py the cases are skipped."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../../integrations/petsc")]

import mpi
import tap

PROGRAM = r"""
import sys
import petsc4py
petsc4py.init(sys.argv)
from petsc4py import PETSc

n = 40
A = PETSc.Mat().create()
A.setSizes([n * n, n * n])
A.setFromOptions()
A.setUp()
for i in range(n * n):
    A[i, i] = 4
    for j in (i - 1, i + 1, i - n, i + n):
        if 0 <= j < n * n:
            A[i, j] = -1
A.assemble()
x, b = A.createVecs()
b.set(1)
ksp = PETSc.KSP().create()
ksp.setOperators(A)
ksp.setType("cg")
ksp.setFromOptions()
ksp.solve(b, x)
# The values of the CSR arrays, changed and given back.
indptr, indices, values = A.getValuesCSR()
A.setValuesCSR(indptr, indices, 2 * values)
A.assemble()
y = b.duplicate()
A.mult(x, y)
print(A.getType(), ksp.getIterationNumber(), f"{x.norm():.10e}", f"{y.norm():.6e}")
"""


def has_petsc4py(python):
    return os.path.exists(python) and subprocess.run(
        [python, "-c", "import petsc4py.PETSc"], check=False, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0


def run(python, options):
    return subprocess.run([python, "-c", PROGRAM] + options, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, env=mpi.CROWDED)


def main():
    # Debian's petsc4py is for Debian's Python, which need not be the first on PATH.
    python = next(filter(has_petsc4py, [sys.executable, "/usr/bin/python3"]), None)
    if not python:
        tap.skip("Python has no petsc4py (python3-petsc4py)")
        tap.done()
    expected = run(python, ["-mat_type", "aij"])
    tap.ok(expected.returncode == 0 and expected.stdout.startswith("seqaij "), "solves with AIJ",
           expected.stdout)
    actual = run(python, ["-dll_append", sys.argv[1], "-mat_type", "aijspmv"])
    tap.ok(actual.returncode == 0 and actual.stdout.startswith("seqaijspmv "),
           "solves with aijspmv", actual.stdout)
    tap.ok(actual.stdout.split()[1:] == expected.stdout.split()[1:],
           "iterations and norms are the same", expected.stdout + actual.stdout)
    tap.done()


main()
