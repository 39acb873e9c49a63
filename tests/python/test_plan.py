"""Plans of SciPy's matrices: conversions, products, solvers."""
import sys

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.sparse import linalg

import spmvgen

ROWS, COLS = 300, 200


def matrix(rows=ROWS, cols=COLS, density=0.05, dtype=np.float64, seed=1):
    A = sparse.random(rows, cols, density, format="csr", random_state=seed, dtype=np.float64)
    return A.astype(dtype)


def vector(length, dtype=np.float64, seed=2):
    return np.random.default_rng(seed).standard_normal(length).astype(dtype)


def close(y, expected):
    tolerance = 1e-4 if y.dtype == np.float32 else 1e-12
    assert y.shape == expected.shape
    np.testing.assert_allclose(y, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("offsets", [np.int32, np.int64])
@pytest.mark.parametrize("method", (None,) + spmvgen.methods())
def test_every_method_multiplies(method, offsets, dtype):
    A = matrix(dtype=dtype)
    A.indptr = A.indptr.astype(offsets)
    x = vector(COLS, dtype)
    op = spmvgen.plan(A, method=method)
    y = op @ x
    assert y.dtype == dtype
    close(y, A @ x)
    assert method in (None, op.method)
    close(op.T @ vector(ROWS, dtype), A.T @ vector(ROWS, dtype))


def kinds():
    for name in ("csr", "csc", "coo", "bsr"):
        yield getattr(sparse, name + "_matrix")
        if hasattr(sparse, name + "_array"):
            yield getattr(sparse, name + "_array")


@pytest.mark.parametrize("kind", list(kinds()))
def test_formats(kind):
    A = kind(matrix())
    op = spmvgen.plan(A)
    x = vector(COLS)
    close(op @ x, matrix() @ x)
    assert op.conversions == (() if A.format in ("csr", "csc")
                              else (f"{A.format.upper()} to CSR",))
    A.data[:] *= 2
    op.update(A)
    close(op @ x, 2 * (matrix() @ x))
    close(op.T @ vector(ROWS), 2 * (matrix().T @ vector(ROWS)))


def address(array):
    return array.__array_interface__["data"][0]


def test_int32_is_not_copied():
    A = matrix()
    op = spmvgen.plan(A, method="csr_scalar")
    assert set(op.borrowed) == {"indices", "data"}
    for name, array in op.borrowed.items():
        assert array is getattr(A, name), name
    A.data[0] += 1               # a plan that borrows data sees it
    x = vector(COLS)
    close(op @ x, A @ x)
    copied = spmvgen.plan(A, method="csr_scalar", copy=True)
    assert copied.borrowed == {}
    expected = A @ x
    A.data[:], A.indices[:] = 0, 0
    close(copied @ x, expected)


def test_int64_offsets_are_kept_and_columns_narrowed():
    A = matrix()
    A.indptr, A.indices = A.indptr.astype(np.int64), A.indices.astype(np.int64)
    op = spmvgen.plan(A, method="csr_scalar")
    assert op.conversions == ("indices from int64 to int32",)
    assert op.borrowed["data"] is A.data and op.borrowed["indices"].dtype == np.int32
    assert "i64" in op.module
    assert "indices from int64 to int32" in str(op.explain())
    A.indices[3] = 2**32         # would be column 0 if only the low half counted
    with pytest.raises(ValueError, match=r"indices\[3\] is 4294967296"):
        spmvgen.plan(A)


@pytest.mark.parametrize("index", [np.int32, np.int64, np.uint32])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_arrays_may_be_longer_than_the_matrix(format, index):
    A, x = matrix().asformat(format), vector(COLS)
    expected = A @ x
    A.indices = np.append(A.indices, [7000, -3, 8000]).astype(index)
    A.data = np.append(A.data, [np.nan, 1, 1])
    op = spmvgen.plan(A)
    close(op @ x, expected)
    op.update(A.data * 2)
    close(op @ x, 2 * expected)
    op.update(A)
    close(op @ x, expected)


def test_borrowed_arrays_are_kept_alive():
    A = matrix(3000, 2000)
    x = vector(2000)
    expected = A @ x
    op = spmvgen.plan(A, method="csr_scalar")
    before = {name: address(array) for name, array in op.borrowed.items()}
    del A
    for i in range(20):          # would take over freed memory
        np.full(300_000, i)
    close(op @ x, expected)
    assert before == {name: address(array) for name, array in op.borrowed.items()}


def test_shapes_of_x():
    A, op = matrix(), spmvgen.plan(matrix())
    x, X = vector(COLS), vector((COLS, 4))
    close(op @ x[:, None], A @ x[:, None])
    close(op.matvec(x[:, None]), A @ x[:, None])
    close(op @ X, A @ X)
    close(op @ np.asfortranarray(X), A @ X)
    close(op.dot(X), A @ X)
    close(op @ X[:, :0], A @ X[:, :0])
    u, U = vector(ROWS), vector((4, ROWS))
    close(u @ op, u @ A)
    close(U @ op, U @ A)
    close(op @ list(x), A @ x)
    for wrong in (x[:-1], X.T, np.float64(3), 3.0, X[None], None, "x", A):
        with pytest.raises((ValueError, TypeError)):
            op @ wrong
        with pytest.raises((ValueError, TypeError)):
            wrong @ op


def test_types_of_x():
    A, op = matrix(), spmvgen.plan(matrix())
    x = np.arange(2 * COLS)
    for same in (x[:COLS].astype(np.int16), x[:COLS].astype(np.float32), x[:COLS],
                 x[:COLS].astype(">f8"), x.astype(float)[::2], x.astype(float)[:COLS][::-1],
                 x[:COLS] > 3, np.asmatrix(x[:COLS].astype(float)).T):
        close(op @ same, np.asarray(A @ same, dtype=float))
    unaligned = np.frombuffer(b"x" + x[:COLS].astype(float).tobytes(), np.float64, COLS, 1)
    close(op @ unaligned, A @ unaligned)
    with pytest.raises(TypeError, match=r"x\.real and x\.imag"):
        op @ (1j * x[:COLS])
    with pytest.raises(TypeError, match="object"):
        op @ x[:COLS].astype(object)
    single = spmvgen.plan(A.astype(np.float32))
    with pytest.raises(TypeError, match=r"x\.astype\(numpy\.float32\)"):
        single @ x[:COLS].astype(float)


def test_matvec_writes_out():
    A, op, x = matrix(), spmvgen.plan(matrix()), vector(COLS)
    out = np.full(ROWS, np.nan)
    assert op.matvec(x, out=out) is out
    close(out, A @ x)
    assert op.matvec(x, out) is out
    read_only = np.zeros(ROWS)
    read_only.flags.writeable = False
    for wrong, text in ((np.zeros(ROWS + 1), "shape"), (np.zeros((ROWS, 1)), "shape"),
                        (np.zeros(ROWS, np.float32), "float64"), (read_only, "read-only"),
                        (np.zeros(2 * ROWS)[::2], "contiguous"), ([0.0] * ROWS, "NumPy array"),
                        (np.zeros(ROWS, ">f8"), "byte order")):
        with pytest.raises((TypeError, ValueError), match=text):
            op.matvec(x, out=wrong)
    for call in (lambda: op.matvec(), lambda: op.matvec(x, out, 3), lambda: op.matvec(x, x=x),
                 lambda: op.matvec(x, y=out)):
        with pytest.raises(TypeError):
            call()


def test_out_may_not_overlap():
    square = matrix(ROWS, ROWS)
    op = spmvgen.plan(square, method="csr_scalar")
    x = vector(ROWS + 1)
    for x_part, out in ((x[:-1], x[:-1]), (x[:-1], x[1:]),
                        (x[:-1], square.data[:ROWS])):
        with pytest.raises(ValueError, match="overlaps"):
            op.matvec(x_part, out=out)


def test_multiply():
    A, op, x, y = matrix(), spmvgen.plan(matrix()), vector(COLS), vector(ROWS)
    close(op.multiply(x), A @ x)
    close(op.multiply(x, 2), 2 * (A @ x))
    expected = 0.5 * (A @ x) - 3 * y
    assert op.multiply(x, alpha=0.5, beta=-3, y=y) is y
    close(y, expected)
    with pytest.raises(ValueError, match="beta"):
        op.multiply(x, beta=1)
    for wrong in ("1", 1j, None):
        with pytest.raises(TypeError, match="alpha is .*; expected a real number"):
            op.multiply(x, alpha=wrong)
    with pytest.raises(TypeError, match=r"alpha is an array; .* multiply\(x, y=y\)"):
        op.multiply(x, y)
    with pytest.raises(TypeError, match="beta is 'text'"):
        op.multiply(x, beta="text", y=y)
    assert op.multiply(x, np.float32(2), np.array(0.0)).shape == (ROWS,)


def test_wrong_matrices():
    for wrong, text in ((np.eye(3), r"csr_matrix\(A\)"), (None, "sparse"),
                        (matrix().tolil(), "LIL"),
                        (matrix().astype(int), r"A\.astype\(float\)"),
                        (matrix().astype(bool), r"A\.astype\(float\)"),
                        (matrix().astype(complex), r"A\.real"),
                        (matrix().astype(np.longdouble), "float64")):
        with pytest.raises(TypeError, match=text):
            spmvgen.plan(wrong)
    with pytest.raises(spmvgen.Error) as caught:
        spmvgen.plan(matrix(), method="csr_vectro")
    assert caught.value.status == spmvgen.Error.UNSUPPORTED
    assert "csr_vector" in str(caught.value)


def test_unusual_arrays_are_converted():
    A, x = matrix(), vector(COLS)
    big = A.copy()
    big.data, big.indices = A.data.astype(">f8"), A.indices.astype(">i4")
    op = spmvgen.plan(big)
    assert op.conversions == ("indices to this machine's byte order",
                              "data to this machine's byte order")
    close(op @ x, A @ x)
    strided = A.copy()
    strided.data = np.repeat(A.data, 2)[::2]
    op = spmvgen.plan(strided)
    assert op.conversions == ("data to a contiguous array",)
    close(op @ x, A @ x)
    read_only = A.copy()
    for array in (read_only.data, read_only.indices, read_only.indptr):
        array.flags.writeable = False
    close(spmvgen.plan(read_only) @ x, A @ x)


def test_it_is_a_linear_operator():
    A, op, x = matrix(ROWS, ROWS), spmvgen.plan(matrix(ROWS, ROWS)), vector(ROWS)
    assert isinstance(op, linalg.LinearOperator)
    assert linalg.aslinearoperator(op) is op
    assert op.shape == A.shape and op.dtype == A.dtype and op.ndim == 2
    assert op.T.T is op and op.H is op.T
    close(op.rmatvec(x), A.T @ x)
    close(op.rmatmat(x[:, None]), A.T @ x[:, None])
    close((op + 2 * op) @ x, 3 * (A @ x))
    close((op @ op) @ x, A @ (A @ x))
    close((op ** 2) @ x, A @ (A @ x))
    close((op.T @ op) @ x, A.T @ (A @ x))
    close((-op) @ x, -(A @ x))
    close(op * x, A @ x)
    close(op(x), A @ x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_solvers(dtype):
    n = 400
    A = sparse.diags([-1, 2.1, -1], [-1, 0, 1], (n, n), format="csr", dtype=dtype)
    op, b = spmvgen.plan(A), np.ones(n, dtype)
    for solve in (linalg.cg, linalg.gmres, linalg.bicgstab, linalg.minres, linalg.qmr,
                  linalg.bicg, linalg.cgs, linalg.lgmres, linalg.tfqmr):
        solution, code = solve(op, b)
        assert code == 0, solve
        assert np.linalg.norm(A @ solution - b) < 0.01 * np.linalg.norm(b), solve
    for solve in (linalg.lsqr, linalg.lsmr):
        assert np.linalg.norm(A @ solve(op, b)[0] - b) < 0.01 * np.linalg.norm(b), solve
    # Not of ones: A and a vector of ones are symmetric under reversal, and half of the eigenvectors
    # are not, so these would come from rounding alone.
    start = vector(n, dtype)
    tolerance = 1e-3 if dtype == np.float32 else 1e-8
    np.testing.assert_allclose(linalg.eigsh(op, 3, v0=start)[0], linalg.eigsh(A, 3, v0=start)[0],
                               rtol=tolerance)
    np.testing.assert_allclose(linalg.svds(op, 3, v0=start)[1], linalg.svds(A, 3, v0=start)[1],
                               rtol=tolerance)
    X = vector((n, 3), dtype)
    values = linalg.lobpcg(op, X, tol=1e-3, maxiter=200)[0]
    np.testing.assert_allclose(values, linalg.lobpcg(A, X, tol=1e-3, maxiter=200)[0], rtol=1e-2)


def test_no_python_runs_in_a_product():
    op, x, out = spmvgen.plan(matrix()), vector(COLS), np.empty(ROWS)
    X, Y = vector((COLS, 3)), np.empty((ROWS, 3))
    assert type(op).__matmul__ is spmvgen._core.Plan.__matmul__
    assert type(op).matvec is spmvgen._core.Plan.matvec
    frames = []

    def record(frame, event, argument):
        if event == "call":
            frames.append(frame.f_code.co_name)

    sys.setprofile(record)
    op @ x
    op.matvec(x)
    op.matvec(x, out=out)
    op.multiply(x, alpha=2.0, beta=1.0, y=out)
    op @ X
    op.matmat(X, out=Y)
    op.multiply(X, alpha=2.0, beta=1.0, y=Y)
    sys.setprofile(None)
    assert frames == []


def test_empty_matrices():
    for shape in ((0, 0), (0, 5), (5, 0), (4, 5)):
        op = spmvgen.plan(sparse.csr_matrix(shape))
        assert np.array_equal(op @ np.ones(shape[1]), np.zeros(shape[0]))
        assert np.array_equal(op.T @ np.ones(shape[0]), np.zeros(shape[1]))
        for k in (0, 1, 3):
            for order in "CF":
                X, Y = np.ones((shape[1], k), order=order), np.ones((shape[0], k), order=order)
                assert np.array_equal(op @ X, np.zeros((shape[0], k)))
                assert np.array_equal(op.multiply(X, beta=2, y=Y), np.full((shape[0], k), 2.0))
        csc = spmvgen.plan(sparse.csc_matrix(shape))
        assert np.array_equal(csc @ np.ones(shape[1]), np.zeros(shape[0]))


def stencil(side=30):
    line = sparse.diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(side, side))
    A = sparse.csr_matrix(sparse.kron(line, line))
    A.data = 1.0 + np.minimum(*A.nonzero()) % 7 + np.maximum(*A.nonzero()) % 5
    return A


SYMMETRIC = {"full": stencil, "lower": lambda: sparse.tril(stencil()).tocsr(),
             "upper": lambda: sparse.triu(stencil()).tocsr()}


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("symmetric", SYMMETRIC)
@pytest.mark.parametrize("method", [None, "symmetric", "csr_vector"])
def test_symmetric(symmetric, format, method, tmp_path):
    whole, x = stencil(), np.arange(900.0) % 11 - 5
    given = SYMMETRIC[symmetric]().asformat(format)
    op = spmvgen.plan(given, symmetric=symmetric, method=method, savable=True)
    assert op.T is op and method in (None, op.method)
    assert np.array_equal(op @ x, whole @ x) and np.array_equal(op.rmatvec(x), whole @ x)
    op.save(tmp_path / "plan")
    loaded = spmvgen.load(tmp_path / "plan", given, symmetric=symmetric)
    assert np.array_equal(loaded @ x, whole @ x)
    given.data = given.data * 3
    op.update(given)
    assert np.array_equal(op @ x, 3 * (whole @ x))


@pytest.mark.parametrize("method", [None, "symmetric", "strips", "csr_vector", "csr5"])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_new_values_must_be_symmetric(method, format):
    given = SYMMETRIC["full"]().asformat(format)
    op = spmvgen.plan(given, symmetric="full", method=method)
    wrong = given.copy()
    wrong.data = np.arange(1.0, given.nnz + 1)
    x = np.arange(1.0, given.shape[0] + 1)
    for values in (wrong, wrong.data):
        with pytest.raises((ValueError, spmvgen.Error), match="symmetric|equal values"):
            op.update(values)
    assert np.allclose(op @ x, given @ x)
    op.update(2 * given.data)
    assert np.allclose(op @ x, 2 * (given @ x)) and np.allclose(op.T @ x, 2 * (given.T @ x))


def test_what_is_not_symmetric_is_refused():
    A = stencil()
    A.data[1] += 1
    with pytest.raises(spmvgen.Error, match=r"val\[\d+\] is .* expected equal values"):
        spmvgen.plan(A, symmetric="full")
    with pytest.raises(spmvgen.Error, match="below the main diagonal"):
        spmvgen.plan(A, symmetric="upper")
    with pytest.raises(ValueError, match="'half'; expected None, 'full', 'lower' or 'upper'"):
        spmvgen.plan(A, symmetric="half")
    with pytest.raises(spmvgen.Error, match="it is for symmetric matrices, with symmetric"):
        spmvgen.plan(A, method="symmetric")
