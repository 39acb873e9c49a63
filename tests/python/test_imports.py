"""The package beside NumPy, SciPy and PyTorch, imported in any order."""
import importlib.util
import itertools
import os
import subprocess
import sys

import pytest

PROGRAM = """
import re, sys

def openmp():
    with open("/proc/self/maps") as maps:
        names = {line.rpartition("/")[2].strip() for line in maps if "/" in line}
    return {name for name in names if re.search("lib(g|i|)omp", name)}

def product(kind):
    if kind == "spmvgen":
        import scipy.sparse as sparse
        A = sparse.diags([1.0] * 5, range(5), (30_000, 30_000), "csr")
        op = spmvgen.plan(A, threads=3)
        x = numpy.arange(30_000.0)
        for i in range(20):
            assert numpy.array_equal(op @ x, A @ x)
    elif kind == "torch":
        a = torch.ones(2000, 2000)
        assert bool((a @ a == 2000).all())
    elif kind == "numpy":
        a = numpy.ones((500, 500))
        assert (a @ a == 500).all()
    elif kind == "scipy":
        import scipy.linalg
        assert numpy.allclose(scipy.linalg.solve(2 * numpy.eye(300), numpy.ones(300)), 0.5)

added = set()
order = sys.argv[1].split(",")
for name in order:
    if name == "spmvgen":
        import numpy, scipy.sparse.linalg    # which it needs
        before = openmp()
    globals()[name] = __import__(name)
    if name == "spmvgen":
        product(name)
        added = openmp() - before
    import numpy
    for earlier in order[:order.index(name) + 1]:
        product(earlier)
for name in order + order[::-1]:
    product(name)
print("added:", *sorted(added))
"""


def run(order):
    shown = subprocess.run([sys.executable, "-c", PROGRAM, ",".join(order)], capture_output=True,
                           text=True, timeout=250)
    assert (shown.returncode, shown.stdout) == (0, "added:\n"), (order, shown.stderr)


pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/maps"),
                                reason="libraries are listed in /proc")


@pytest.mark.parametrize("order", list(itertools.permutations(("numpy", "scipy", "spmvgen"))),
                         ids=",".join)
def test_numpy_and_scipy(order):
    run(order)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch")
@pytest.mark.parametrize("order", [("torch", "spmvgen"), ("spmvgen", "torch"),
                                   ("numpy", "spmvgen", "torch", "scipy")], ids=",".join)
def test_torch(order):
    run(order)


def test_extension_needs_no_openmp():
    """Nor is an OpenMP runtime linked in statically: its symbols would be there."""
    spmvgen = pytest.importorskip("spmvgen")
    with open(spmvgen._core.__file__, "rb") as file:
        content = file.read()
    for name in (b"libgomp", b"libomp", b"libiomp", b"GOMP_parallel", b"__kmpc_fork_call"):
        assert name not in content, name
