#!/usr/bin/env python3
"""python_overhead.py: what op @ x of the Python package costs beside SciPy's A @ x.

    PYTHONPATH=build/integrations/python taskset -c 0 bench/python_overhead.py

Prints nanoseconds of one product for random matrices of 10 nonzeros a row, as the median of
interleaved rounds and, in brackets, the fastest round:

    A @ x      SciPy
    op @ x     spmvgen
    C          spmv_execute alone: one column of a product by many columns
    empty      numpy.empty for y
    above      op @ x less C and empty, of the fastest rounds
"""
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sparse

import spmvgen

COLUMNS = 256
ROUNDS = 25
SECONDS = 2e-3                   # of one round of one contender


def timed(function, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats


def contenders(nnz):
    size = nnz // 10
    A = sparse.random(size, size, nnz / size**2, format="csr", random_state=1)
    op, x = spmvgen.plan(A), np.ones(size)
    X = np.ones((size, COLUMNS), order="F")
    return op, {
        "A @ x": (lambda: A @ x, 1),
        "op @ x": (lambda: op @ x, 1),
        "C": (lambda: op.matmat(X), COLUMNS),
        "empty": (lambda: np.empty(size), 1),
    }


def main():
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, SciPy {scipy.__version__}")
    print(f"{'nonzeros':>8}  {'method':12}{'A @ x':>16}{'op @ x':>16}{'C':>16}{'empty':>14}"
          f"{'above':>7}{'SciPy/op':>9}")
    for nnz in (100, 300, 1000, 3000, 10000):
        op, functions = contenders(nnz)
        times = {name: [] for name in functions}
        for _ in range(ROUNDS):
            for name, (function, products) in functions.items():
                once = max(timed(function, 1), 1e-7)
                repeats = max(1, int(SECONDS / once))
                times[name].append(1e9 * timed(function, repeats) / products)
        least = {name: min(values) for name, values in times.items()}
        median = {name: sorted(values)[ROUNDS // 2] for name, values in times.items()}
        cells = {name: f"{median[name]:.0f} ({least[name]:.0f})" for name in functions}
        above = least["op @ x"] - least["C"] - least["empty"]
        print(f"{nnz:8}  {op.method:12}{cells['A @ x']:>16}{cells['op @ x']:>16}{cells['C']:>16}"
              f"{cells['empty']:>14}{above:7.0f}{median['A @ x'] / median['op @ x']:9.1f}")


main()
