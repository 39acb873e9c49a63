"""product.py: multiplies and solves by an installed spmvgen; tests run it in virtual environments.

Prints JSON: the version and folder of the package, the largest error of a product, cg's return code
and residual, and for each target, method and type the hash of a product.
"""
import hashlib
import json
import os

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
import spmvgen


def poisson(n):
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], (n, n))
    one = scipy.sparse.identity(n)
    return scipy.sparse.csr_matrix(scipy.sparse.kron(line, one) + scipy.sparse.kron(one, line))


def rows_of_many_lengths():
    """Rows of 0 to 60 entries, without random numbers, which differ between versions of NumPy."""
    rows, cols = 700, 900
    lengths = (np.arange(rows) * 37) % 61
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    indices = np.concatenate([np.sort((np.arange(count) * 13 + 7 * row) % cols)
                              for row, count in enumerate(lengths)]).astype(np.int32)
    data = 1 / (1 + np.arange(indptr[-1], dtype=np.float64) % 97)
    return scipy.sparse.csr_matrix((data, indices, indptr), shape=(rows, cols))


bits, worst = {}, 0.0
for name, matrix in (("poisson", poisson(50)), ("lengths", rows_of_many_lengths())):
    for dtype in (np.float32, np.float64):
        A = matrix.astype(dtype)
        x = (1 / (1 + np.arange(A.shape[1], dtype=np.float64) % 89)).astype(dtype)
        wanted = matrix @ x.astype(np.float64)
        for target in spmvgen.targets():
            for method in spmvgen.methods():
                try:
                    op = spmvgen.plan(A, target=target, method=method)
                except spmvgen.Error:
                    continue          # that method or target does not take this matrix here
                y = op @ x
                error = np.abs(y - wanted).max() / np.abs(wanted).max() / np.finfo(dtype).eps
                worst = max(worst, float(error))
                key = f"{target} {method} {name} {np.dtype(dtype).name}"
                bits[key] = hashlib.sha256(y.tobytes()).hexdigest()

A = poisson(50)
x, info = scipy.sparse.linalg.cg(spmvgen.plan(A), np.ones(A.shape[0]))
print(json.dumps({"version": spmvgen.__version__, "folder": os.path.dirname(spmvgen.__file__),
                  "numpy": np.__version__, "scipy": scipy.__version__, "worst": worst,
                  "info": info, "residual": float(np.abs(A @ x - 1).max()), "bits": bits}))
