"""Sparse matrix-vector multiplication by the kernels that spmvgen emits.

    op = spmvgen.plan(A)         # A: a SciPy sparse matrix; once
    y = op @ x                   # often

op is a scipy.sparse.linalg.LinearOperator, so the solvers of SciPy take it.
"""
from spmvgen._core import version as __version__
from spmvgen.emit import GeneratorError, GeneratorNotFound, emit
from spmvgen.error import Error
from spmvgen.explain import Explanation
from spmvgen.plan import Plan, load, methods, plan, targets
from spmvgen.threads import get_num_threads, register_with_threadpoolctl, set_num_threads

__all__ = ["Error", "Explanation", "GeneratorError", "GeneratorNotFound", "Plan", "__version__",
           "emit", "get_num_threads", "load", "methods", "plan", "set_num_threads", "targets"]

# Tracebacks show the names by which programs catch exceptions; spmvgen.emit is the function.
for _exception in (Error, GeneratorError, GeneratorNotFound):
    _exception.__module__ = "spmvgen"

register_with_threadpoolctl()
