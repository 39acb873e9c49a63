"""Sparse matrix-vector multiplication by the kernels that spmvgen emits.

    op = spmvgen.plan(A)         # A: a SciPy sparse matrix; once
    y = op @ x                   # often

op is a scipy.sparse.linalg.LinearOperator, so the solvers of SciPy take it.
"""
from spmvgen._core import version as __version__
from spmvgen.error import Error
from spmvgen.explain import Explanation
from spmvgen.plan import Plan, load, methods, plan, targets

__all__ = ["Error", "Explanation", "Plan", "__version__", "load", "methods", "plan", "targets"]
