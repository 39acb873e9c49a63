"""Products with the columns of dense matrices, and by the transpose, without conversions."""
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sparse

import spmvgen
from spmvgen import matrix as matrix_module

ROWS, COLS = 300, 200
WIDTHS = (1, 2, 3, 8, 16, 17, 35)            # on both sides of what kernels multiply at once


def matrix(dtype=np.float64, rows=ROWS, cols=COLS):
    return sparse.random(rows, cols, 0.05, format="csr", random_state=1).astype(dtype)


def dense(rows, columns, dtype=np.float64, order="C"):
    X = np.random.default_rng(2).standard_normal((rows, columns)).astype(dtype)
    return np.array(X, order=order)


def one_by_one(op, X):
    """op @ X as the bits of products with matrices of one column."""
    return np.hstack([op @ np.array(column).reshape(-1, 1) for column in X.T])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("method", spmvgen.methods())
def test_columns_have_the_bits_of_single_columns(method, order, dtype):
    op = spmvgen.plan(matrix(dtype), method=method)
    for columns in WIDTHS:
        X = dense(COLS, columns, dtype, order)
        Y = op @ X
        assert Y.dtype == dtype and np.array_equal(Y, one_by_one(op, X)), columns
        np.testing.assert_allclose(Y[:, 0], op @ np.array(X[:, 0]), rtol=0,
                                   atol=COLS * np.finfo(dtype).eps * abs(X).max())
        assert Y.flags.c_contiguous if order == "C" else Y.flags.f_contiguous
        Z = dense(ROWS, columns, dtype, order)
        expected = np.hstack([op.multiply(np.array(x).reshape(-1, 1), 0.5, -3,
                                          np.array(z).reshape(-1, 1)) for x, z in zip(X.T, Z.T)])
        assert op.multiply(X, 0.5, -3, Z) is Z
        assert np.array_equal(Z, expected), columns
        left = dense(ROWS, columns, dtype, order)
        assert np.array_equal(op.rmatmat(left), one_by_one(op.T, left)), columns


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("method", ["csr_scalar", "csr_vector", "strips"])
def test_columns_have_the_same_bits_with_any_threads(method, dtype):
    A = sparse.random(4000, 3000, 0.01, format="csr", random_state=3).astype(dtype)
    X = dense(3000, 11, dtype)
    one, two = (spmvgen.plan(A, method=method, threads=n) @ X for n in (1, 2))
    assert np.array_equal(one, two)


def parts(columns):
    """Matrices of COLS rows that are parts of larger ones, and whether Y is in C order."""
    wide, high = dense(COLS, columns + 5), dense(COLS + 7, columns, order="F")
    yield wide[:, :columns], True
    yield wide[:, 5:], True
    yield high[:COLS], False
    yield high[7:], False
    yield dense(COLS, 2 * columns)[:, ::2], True             # these are copied
    yield dense(2 * COLS, columns)[::2], True
    yield dense(2 * COLS, columns, order="F")[::2], True
    yield dense(COLS, columns)[::-1], True
    yield np.broadcast_to(dense(COLS, 1), (COLS, columns)), True
    yield dense(COLS, columns).astype(">f8"), True
    yield np.asfortranarray(dense(COLS, columns).astype(np.float32)), False


@pytest.mark.parametrize("columns", [1, 4, 20])
@pytest.mark.parametrize("method", ["csr_scalar", "strips", "csr5"])
def test_parts_of_matrices(method, columns):
    op = spmvgen.plan(matrix(), method=method)
    for i, (X, in_c_order) in enumerate(parts(columns)):
        Y = op @ X
        assert np.array_equal(Y, one_by_one(op, X.astype(np.float64))), i
        assert columns == 1 or Y.flags.c_contiguous == in_c_order, i
        assert columns == 1 or Y.flags.f_contiguous != in_c_order, i
        for order in "CF":                   # out may have the other order
            out = np.full((ROWS, columns), np.nan, order=order)
            assert op.matmat(X, out=out) is out
            assert np.array_equal(out, Y), i


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (50, 1)])
def test_one_row_or_column(shape):
    A = sparse.csr_matrix(dense(*shape))
    for op in (spmvgen.plan(A), spmvgen.plan(A.tocsc())):
        for columns in (1, 3):
            for order in "CF":
                X = dense(shape[1], columns, order=order)
                out = np.empty((shape[0], columns), order=order)
                np.testing.assert_allclose(op.matmat(X, out=out), A @ X, atol=1e-12)
                np.testing.assert_allclose(op @ X, A @ X, atol=1e-12)


def test_out_is_part_of_a_matrix():
    op, X = spmvgen.plan(matrix()), dense(COLS, 4)
    expected = op @ X
    for whole, part in ((np.zeros((ROWS, 9)), np.s_[:, 2:6]),
                        (np.zeros((ROWS + 9, 4), order="F"), np.s_[3:ROWS + 3])):
        assert np.array_equal(op.matmat(X, out=whole[part]), expected)
        assert np.array_equal(whole[part], expected)
        whole[part] = 0
        assert not whole.any()               # nothing beside the part was written


def test_contiguous_rows_and_columns_are_not_copied():
    rows = cols = 20_000
    op = spmvgen.plan(sparse.eye(rows, cols, format="csr"), method="csr_scalar")
    wide, high = np.ones((cols, 12)), np.ones((cols + 5, 8), order="F")
    for X in (wide[:, :8], high[:cols]):
        Y = np.empty_like(X)
        op.matmat(X, out=Y)                  # a workspace is allocated once
        tracemalloc.start()
        op.matmat(X, out=Y)
        op.multiply(X, 2, 1, Y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100_000 < X.nbytes
        assert np.array_equal(Y, np.full((rows, 8), 3.0))


def test_out_may_not_overlap():
    square = matrix(rows=ROWS, cols=ROWS)
    op = spmvgen.plan(square, method="csr_scalar")
    wide = dense(ROWS, 8)
    expected = op @ wide[:, :4]
    op.matmat(wide[:, :4], out=wide[:, 4:])  # which share no element
    assert np.array_equal(wide[:, 4:], expected)
    for X, out in ((wide, wide), (wide[:, :4], wide[:, 3:7]), (wide[:, :4], wide[:, :4])):
        with pytest.raises(ValueError, match="overlaps"):
            op.matmat(X, out=out)
    with pytest.raises(ValueError, match="overlaps"):
        op.matmat(wide[:, :1], out=square.data[:ROWS, None])


def test_wrong_arguments():
    op, X = spmvgen.plan(matrix()), dense(COLS, 4)
    read_only = np.zeros((ROWS, 4))
    read_only.flags.writeable = False
    for wrong, text in ((np.zeros(ROWS), "shape"), (np.zeros((ROWS, 3)), r"\(300, 4\), like"),
                        (np.zeros((4, ROWS)), "shape"), (np.zeros((ROWS, 4), "f4"), "float64"),
                        (read_only, "read-only"), (np.zeros((ROWS, 4), ">f8"), "byte order"),
                        (np.zeros((ROWS, 8))[:, ::2], "neither contiguous rows nor"),
                        (np.zeros((ROWS, 4))[::-1], "neither contiguous rows nor"),
                        ([[0.0] * 4] * ROWS, "NumPy array")):
        with pytest.raises((TypeError, ValueError), match=text):
            op.matmat(X, out=wrong)
        with pytest.raises((TypeError, ValueError), match=text):
            op.multiply(X, 2, 1, wrong)
    for wrong, text in ((X[:, 0], r"\(200, k\)"), (X.T, r"\(200, k\)"), (X[:, :, None], "shape"),
                        (X * 1j, r"X\.real and X\.imag"), (X.astype(object), "object"),
                        (matrix(), "sparse"),
                        (np.broadcast_to(X[:, :1], (COLS, 2**31)), "in parts")):
        with pytest.raises((TypeError, ValueError), match=text):
            op.matmat(wrong)
    with pytest.raises(ValueError, match="beta"):
        op.multiply(X, beta=1)
    for call in (lambda: op.matmat(), lambda: op.matmat(X, None, 3), lambda: op.matmat(X, x=X)):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("method", spmvgen.methods())
def test_nothing_is_converted(method, format, monkeypatch):
    """Both formats are planned, and multiply by both products, from their own arrays."""
    A, x, left = matrix().asformat(format), dense(COLS, 1)[:, 0], dense(ROWS, 1)[:, 0]
    expected, expected_left = A @ x, A.T @ left
    monkeypatch.setattr(matrix_module, "checked_compressed", None)
    for name in ("tocsr", "tocsc", "tocoo", "transpose"):
        monkeypatch.setattr(type(A), name, None)
    op = spmvgen.plan(A, method=method)
    assert op.conversions == () and op.shape == A.shape
    np.testing.assert_allclose(op @ x, expected, atol=1e-12)
    np.testing.assert_allclose(op.T @ left, expected_left, atol=1e-12)
    assert op.T.conversions == () and op.T.T is op
    np.testing.assert_allclose(left @ op, expected_left, atol=1e-12)


def test_csc_is_read_in_place_by_its_transposed_plan():
    A = matrix().tocsc()
    op = spmvgen.plan(A.T, method="csr_scalar")              # A.T is in CSR
    assert op.borrowed["data"] is A.T.data or np.shares_memory(op.borrowed["data"], A.data)
    assert spmvgen.plan(A, method="csr_scalar").borrowed == {}
    few = spmvgen.plan(A, expected_runs=1).T                 # a method that converts nothing
    assert few.method.startswith("csr_") and few.borrowed


def test_transposed_products_write_out():
    op, left, X = spmvgen.plan(matrix()), dense(ROWS, 1)[:, 0], dense(ROWS, 3)
    out, Out = np.empty(COLS), np.empty((COLS, 3))
    assert op.rmatvec(left, out=out) is out and np.array_equal(out, op.T @ left)
    assert op.rmatmat(X, out=Out) is Out and np.array_equal(Out, op.T @ X)


def test_a_transposed_plan_keeps_the_limit_of_threads():
    assert spmvgen.plan(matrix(), threads=3).T.threads == 3


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_damaged_arrays_are_refused(format):
    A = matrix().asformat(format)
    A.indices[5] = 1000
    with pytest.raises(spmvgen.Error, match=r"indices\[5\] is 1000") as caught:
        spmvgen.plan(A)
    assert caught.value.status == spmvgen.Error.INVALID_MATRIX
