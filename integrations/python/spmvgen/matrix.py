"""SciPy's sparse matrices as the arrays that the extension takes.

Matrices in CSR or CSC with 32-bit indices are taken as they are: the arrays of A in CSC are those
of A.T in CSR. Others are converted; the conversions are listed. A matrix whose arrays do not fit
together is refused before SciPy's compiled code reads it.
"""
from typing import NamedTuple

import numpy as np
import scipy.sparse

MOST_COLUMNS = 2**31 - 1
COMPRESSED = ("csr", "csc", "bsr")


class Compressed(NamedTuple):
    indptr: np.ndarray           # int32 or int64
    indices: np.ndarray          # int32
    data: np.ndarray             # float32 or float64
    shape: tuple                 # of A
    transposed: bool             # the arrays are those of A in CSC, else in CSR
    conversions: tuple           # what was converted, as text
    format: str                  # of the caller's matrix
    shared: bool                 # data, and indices if they are int32, are the caller's


def read(A, transposed=None):
    """Returns A as Compressed: in CSC if transposed, in CSR if not, in A's own format if None (CSR
    for COO and BSR). Arrays that need no conversion are A's own."""
    if not scipy.sparse.issparse(A):
        raise TypeError(f"A is {type(A).__name__}; expected a sparse matrix of SciPy in CSR, CSC, "
                        "COO or BSR. For a dense array: scipy.sparse.csr_matrix(A)")
    if A.format not in COMPRESSED + ("coo",):
        raise TypeError(f"A is in the format {A.format.upper()}; expected CSR, CSC, COO or BSR. "
                        "Pass A.tocsr()")
    if len(A.shape) != 2:
        raise ValueError(f"A has the shape {A.shape}; expected a matrix with two dimensions")
    if A.shape[1] > MOST_COLUMNS or A.shape[0] > MOST_COLUMNS:
        raise ValueError(f"A has the shape {A.shape}; expected at most {MOST_COLUMNS} rows and "
                         "columns")
    check_type(np.asarray(A.data).dtype)
    conversions = []
    format = A.format
    if transposed is None:
        transposed = format == "csc"
    wanted = "csc" if transposed else "csr"
    if format != wanted:
        A = (checked_coo(A) if format == "coo" else checked_compressed(A)).asformat(wanted)
        conversions.append(f"{format.upper()} to {wanted.upper()}")
    shape = (int(A.shape[0]), int(A.shape[1]))
    indptr = offsets(A.indptr, conversions)
    indices = narrowed(A.indices, indptr, shape[0 if transposed else 1], conversions)
    data = plain(A.data, "data", conversions)
    check_type(data.dtype)
    return Compressed(indptr, indices, data, shape, transposed, tuple(conversions), format,
                      format == wanted)


def check_type(dtype):
    """Raises TypeError for values that are not float32 or float64, in any byte order."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f" and dtype.itemsize in (4, 8):
        return
    if dtype.kind == "c":
        raise TypeError(f"A has values of type {dtype}; expected float32 or float64. Plan A.real "
                        "and A.imag separately")
    raise TypeError(f"A has values of type {dtype}; expected float32 or float64. Pass "
                    "A.astype(float) or A.astype(numpy.float32)")


def plain(array, name, conversions):
    """Returns the array itself, or a contiguous copy in this machine's byte order."""
    array = np.asarray(array)
    if array.ndim != 1:
        raise ValueError(f"A.{name} has the shape {array.shape}; expected one dimension")
    if not array.dtype.isnative:
        conversions.append(f"{name} to this machine's byte order")
        array = array.astype(array.dtype.newbyteorder("="))
    if not (array.flags.c_contiguous and array.flags.aligned):
        conversions.append(f"{name} to a contiguous array")
        array = np.array(array, order="C")
    return array


def integers(array, name, conversions):
    array = plain(array, name, conversions)
    if array.dtype.kind not in "iu":
        raise TypeError(f"A.{name} has values of type {array.dtype}; expected int32 or int64")
    return array


def offsets(array, conversions):
    array = integers(array, "indptr", conversions)
    if array.dtype in (np.dtype(np.int32), np.dtype(np.int64)):
        return array
    conversions.append(f"indptr from {array.dtype} to int64")
    return array.astype(np.int64)


def narrowed(array, indptr, count, conversions):
    array = integers(array, "indices", conversions)
    if array.dtype == np.dtype(np.int32):
        return array             # libspmv checks the indices
    if indptr.size:
        array = array[:max(indptr[-1], 0)]       # what is behind them means nothing
    check_range(array, count, "indices")
    conversions.append(f"indices from {array.dtype} to int32")
    return array.astype(np.int32)


def invalid(text):
    return ValueError(f"A is damaged: {text}. A.check_format(full_check=True) checks a matrix")


def check_range(array, count, name):
    """All integers are in [0, count)."""
    if array.size and (array.min() < 0 or array.max() >= count):
        place = int(np.flatnonzero((array < 0) | (array >= count))[0])
        raise invalid(f"{name}[{place}] is {array[place]}; expected 0 to {count - 1}")


def check_offsets(array, rows, entries):
    """The array has offsets of `rows` rows into arrays of `entries` entries."""
    if array.ndim != 1 or array.dtype.kind not in "iu" or array.size != rows + 1:
        raise invalid(f"indptr has the shape {array.shape} and the type {array.dtype}; expected "
                      f"{rows + 1} integers")
    if array[0] != 0 or (array[1:] < array[:-1]).any():
        raise invalid("indptr does not rise from 0")
    if array[-1] > entries:
        raise invalid(f"indptr ends with {array[-1]}, but there are {entries} entries")


def checked_compressed(A):
    """Returns a matrix in CSR, CSC or BSR, after the checks that SciPy's conversions leave out."""
    indptr, indices, data = np.asarray(A.indptr), np.asarray(A.indices), np.asarray(A.data)
    rows, cols = A.shape if A.format != "csc" else A.shape[::-1]
    if A.format == "bsr":
        height, width = data.shape[1:] if data.ndim == 3 else (0, 0)
        if height < 1 or width < 1 or rows % height or cols % width:
            raise invalid(f"data has the shape {data.shape}, whose blocks do not divide {A.shape}")
        rows, cols = rows // height, cols // width
    elif data.ndim != 1:
        raise invalid(f"data has the shape {data.shape}; expected one dimension")
    if indices.ndim != 1 or indices.dtype.kind not in "iu":
        raise invalid(f"indices has the shape {indices.shape} and the type {indices.dtype}; "
                      "expected integers in one dimension")
    check_offsets(indptr, rows, min(indices.size, data.shape[0]))
    nnz = int(indptr[-1])
    check_range(indices[:nnz], cols, "indices")
    # The constructor brings the integers to one type, which the conversions need.
    kind = getattr(scipy.sparse, f"{A.format}_array")
    return kind((data[:nnz], indices[:nnz], indptr), shape=A.shape)


def checked_coo(A):
    rows, cols, data = np.asarray(A.row), np.asarray(A.col), np.asarray(A.data)
    for array, name in ((rows, "row"), (cols, "col")):
        if array.ndim != 1 or array.dtype.kind not in "iu" or array.shape != data.shape:
            raise invalid(f"{name} has the shape {array.shape} and the type {array.dtype}; "
                          f"expected as many integers as data, whose shape is {data.shape}")
    check_range(rows, A.shape[0], "row")
    check_range(cols, A.shape[1], "col")
    return scipy.sparse.coo_array((data, (rows, cols)), shape=A.shape)
