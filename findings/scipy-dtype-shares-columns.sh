#!/bin/sh
# scipy-dtype-shares-columns.sh: SciPy 1.17.1: sorting a converted matrix changes the original.
#
# B = csr_matrix(A, dtype=numpy.float32) makes new values, but shares the columns and the row
# offsets of A, which is in float64. If the columns of A are not in order, calls on B that sort it
# in place, such as abs(B), B.max() and B.count_nonzero(), sort the columns of A and leave the
# values of A as they were. From then on A is another matrix. Seen: A @ [1, 10] is [12, 3] at first
# and [21, 3] after abs(B). If columns repeat, the row offsets of A change, too. B made with
# copy=True, or by A.astype(numpy.float32), leaves A alone. SciPy 1.11.4 and 1.18.1 do the same.
#
# Exits with 0 while SciPy does so.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q numpy==2.3.5 scipy==1.17.1
"$work/venv/bin/python" - <<'END'
import sys

import numpy as np
from scipy.sparse import csr_matrix


def product_after(convert):
    A = csr_matrix(([1.0, 2.0, 3.0], [1, 0, 0], [0, 2, 3]), shape=(2, 2))
    B = convert(A)
    before = (A @ [1, 10]).tolist()
    abs(B)
    return before, (A @ [1, 10]).tolist()


found = [product_after(convert) for convert in (
    lambda A: csr_matrix(A, dtype=np.float32),
    lambda A: csr_matrix(A, dtype=np.float32, copy=True),
    lambda A: A.astype(np.float32))]
print("A @ x before and after abs of a converted matrix:", *found)
sys.exit(found != [([12.0, 3.0], [21.0, 3.0])] + 2 * [([12.0, 3.0], [12.0, 3.0])])
END
