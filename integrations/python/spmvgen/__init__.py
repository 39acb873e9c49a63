"""Sparse matrix-vector multiplication by the kernels that spmvgen emits."""
from spmvgen._core import version as __version__

__all__ = ["__version__"]
