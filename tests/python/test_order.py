"""Plans of matrices that SciPy reorders behind them: many calls that only seem to read a matrix
sort its columns and add up its entries of one place, in its arrays."""
import io
import warnings

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.sparse import csgraph, linalg

import spmvgen

N = 6
ONES = np.ones(N)
CALLS = {
    "abs": abs, "max": lambda A: A.max(), "argmin": lambda A: A.argmin(axis=0),
    "sqrt": lambda A: A.sqrt(), "power": lambda A: A.power(2), "floor": lambda A: A.floor(),
    "count_nonzero": lambda A: A.count_nonzero(), "nonzero": lambda A: A.nonzero(),
    "maximum": lambda A: A.maximum(A), "minimum": lambda A: A.minimum(2), "sum": lambda A: A.sum(0),
    "!= 0": lambda A: A != 0, "> 2": lambda A: A > 2, "== A": lambda A: A == A,
    "+ A": lambda A: A + A, "@ A": lambda A: A @ A, "abs(A.T)": lambda A: abs(A.T),
    "tocoo": lambda A: A.tocoo(copy=False), "shared": lambda A: abs(type(A)(A)),
    "tolil": lambda A: A.tolil(), "tocsr": lambda A: abs(A.tocsr()),
    "tocsc": lambda A: abs(A.tocsc()), "astype": lambda A: abs(A.astype("f4")),
    "index": lambda A: A.tocsr()[[0, 1] * 30, [1, 0] * 30], "diagonal": lambda A: A.diagonal(),
    "format": lambda A: A.check_format() if hasattr(A, "check_format") else None,
    "norm": linalg.norm, "spsolve": lambda A: linalg.spsolve(A, ONES), "splu": linalg.splu,
    "spilu": linalg.spilu, "factorized": linalg.factorized, "inv": linalg.inv,
    "expm_multiply": lambda A: linalg.expm_multiply(A, ONES), "eigs": lambda A: linalg.eigs(A, 1),
    "cuthill": csgraph.reverse_cuthill_mckee,
    "dijkstra": csgraph.dijkstra, "laplacian": csgraph.laplacian,
    "spanning tree": csgraph.minimum_spanning_tree, "matching": csgraph.maximum_bipartite_matching,
    "save": lambda A: sparse.save_npz(io.BytesIO(), A), "vstack": lambda A: sparse.vstack([A, A]),
    "kron": lambda A: sparse.kron(A, A), "find": sparse.find, "tril": sparse.tril,
}


def compressed(order):
    """The arrays of a regular matrix of N x N, whose columns are in the order, with a zero."""
    columns = {"ascending": (0, 1, 3), "unsorted": (3, 0, 1), "repeated": (0, 3, 0, 1)}[order]
    rows = [[(i + c) % N for c in columns] for i in range(N)]
    if order == "ascending":
        rows = [sorted(row) for row in rows]
    values = [[(8.0 + i if i == c else abs(c - 2.0)) for c in row] for i, row in enumerate(rows)]
    offsets = np.arange(N + 1) * len(columns)
    return np.concatenate(values), np.concatenate(rows), offsets


def matrix(format="csr", order="repeated", index=np.int32):
    data, indices, indptr = compressed(order)
    if format == "coo":
        rows = np.repeat(np.arange(N), np.diff(indptr))
        A = sparse.coo_matrix((data, (rows, indices)), (N, N))
        A.row, A.col = A.row.astype(index), A.col.astype(index)
        return A
    if format == "bsr":
        blocks = data[:, None, None] * np.array([[2.0, 0.5], [0.25, 3.0]])
        A = sparse.bsr_matrix((blocks, indices, indptr), (2 * N, 2 * N))
    else:
        A = getattr(sparse, format + "_matrix")((data, indices, indptr), (N, N))
    A.indices, A.indptr = A.indices.astype(index), A.indptr.astype(index)
    return A


def plans(A):
    """A plan by each method."""
    for method in (None,) + spmvgen.methods():
        try:
            yield spmvgen.plan(A, method=method)
        except spmvgen.Error as error:       # symmetric, for one
            assert error.status == spmvgen.Error.UNSUPPORTED, method


def products(op, transposed=True):
    x = np.arange(1.0, op.shape[1] + 1)
    found = [op @ x, op @ np.stack([x, 2 * x], 1)]
    return found + [op.T @ x, op.rmatmat(np.stack([x, 2 * x], 1))] if transposed else found


def same(found, expected):
    return all(np.array_equal(a, b) for a, b in zip(found, expected))


def call_quietly(call, A):
    """Returns whether this version of SciPy has the call, for this kind of matrix."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(A)
        except (AttributeError, TypeError, ValueError, NotImplementedError):
            return False
    return True


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("order", ["unsorted", "repeated"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr"])
def test_calls_that_seem_to_read(format, order, index):
    expected = [products(op) for op in plans(matrix(format, order, index).copy())]
    reordered = 0
    for name, call in CALLS.items():
        A = matrix(format, order, index)
        data, exact = A.data.copy(), A.toarray() @ np.arange(1.0, A.shape[1] + 1)
        ops = list(plans(A))
        assert not any(op.borrowed for op in ops) or format in ("coo", "bsr")
        ops[0].T                             # others make their transposed plan after the call
        succeeded = call_quietly(call, A)
        assert succeeded or (format, index) != ("csr", np.int32), name
        reordered += not np.array_equal(A.data, data)
        for op, before in zip(ops, expected):
            found = products(op)
            assert same(found, before), (name, op.method)
            np.testing.assert_allclose(found[0], exact, rtol=1e-12)
    assert reordered > 5 or format == "coo"


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_ordered_matrices_are_borrowed(format, index):
    """SciPy's calls leave their arrays as they are, explicit zeros, too."""
    A = matrix(format, "ascending", index)
    A.has_sorted_indices = A.has_canonical_format = False        # flags mean nothing
    op = spmvgen.plan(A, expected_runs=1)
    assert op.borrowed["data"] is A.data
    assert (op.borrowed["indices"] is A.indices) == (index is np.int32)
    before = products(op)
    arrays = A.indptr, A.indices, A.data
    copies = [array.copy() for array in arrays]
    for name, call in CALLS.items():
        call_quietly(call, A)
        assert same(arrays, copies) and same(products(op), before), name


def test_flags_of_scipy_are_not_believed():
    A = matrix()
    A.has_sorted_indices = A.has_canonical_format = True
    assert not spmvgen.plan(A, method="csr_vector").borrowed


CHANGES = {"nothing": lambda A: None, "sorted": lambda A: A.sort_indices(),
           "summed": lambda A: A.sum_duplicates(), "abs": abs}


@pytest.mark.parametrize("order", ["unsorted", "repeated"])
@pytest.mark.parametrize("format", ["csr", "csc", "bsr"])
def test_update_by_a_reordered_matrix(format, order):
    x = np.arange(1.0, matrix(format).shape[1] + 1)
    for name, change in CHANGES.items():
        A = matrix(format, order)
        ops = list(plans(A))
        ops[0].T
        change(A)
        for factor in (1, 2, 3):
            A.data *= factor
            exact = A.toarray()
            for op in ops:
                op.update(A)
                np.testing.assert_allclose(op @ x, exact @ x, rtol=1e-12, err_msg=name)
                np.testing.assert_allclose(op.T @ x, exact.T @ x, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("order", ["unsorted", "repeated"])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_update_by_an_array(format, order, index):
    """The array of the matrix is taken in its own order, another in the order at planning."""
    x = np.arange(1.0, N + 1)
    for name, change in CHANGES.items():
        A = matrix(format, order, index)
        at_planning, exact = A.data.copy(), A.toarray()
        ops = list(plans(A))
        change(A)
        A.data *= 2
        for op in ops:
            op.update(A.data)
            np.testing.assert_allclose(op @ x, 2 * exact @ x, rtol=1e-12, err_msg=name)
            op.T
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                op.update(3 * at_planning)
            assert [str(w.message)[:30] for w in caught] == \
                ["the matrix has been reordered "] * (name != "nothing"), name
            assert not caught or caught[0].filename == __file__
            np.testing.assert_allclose(op @ x, 3 * exact @ x, rtol=1e-12, err_msg=name)
        A.data = 2 * A.data                  # an array that the plan has not seen
        for op in ops:
            op.update(A.data)
            np.testing.assert_allclose(op @ x, 4 * exact @ x, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("method", spmvgen.methods())
def test_a_transposed_matrix_is_known_by_its_arrays(method):
    """A.T, an object that does not live on, is planned; A is changed."""
    for order in "unsorted", "repeated":
        A, x = matrix("csr", order), np.arange(1.0, N + 1)
        exact = A.toarray().T
        op = spmvgen.plan(A.T, method=method)
        abs(A)
        A.data *= 2
        op.update(A.data)
        np.testing.assert_allclose(op @ x, 2 * exact @ x, rtol=1e-12)
    wide = matrix("csr", "unsorted", np.int64)
    op = spmvgen.plan(wide.T, method=method)         # has indices of its own, which have gone
    before = op @ x
    abs(wide)
    with pytest.raises(ValueError, match=r"may have reordered .* op\.update\(A\)"):
        op.update(wide.data)
    assert np.array_equal(op @ x, before)


def test_values_are_not_read_after_an_update():
    """A plan that copies its matrix copies the arrays of updates, its transposed plan too."""
    for A, options in ((matrix(), {}), (matrix("csr", "ascending"), {"copy": True}),
                       (matrix("csc"), {}), (matrix("csc", "ascending"), {"copy": True})):
        for op in plans(A) if not options else [spmvgen.plan(A, **options)]:
            op.T
            values = 2 * A.data
            op.update(values)
            before = products(op)
            values[:] = np.nan
            assert same(products(op), before), op.method


def test_values_of_a_converted_matrix():
    """A plan of BSR keeps the order of the blocks, and takes no array that SciPy sorts."""
    A = matrix("bsr", "unsorted")
    for op in plans(A):
        B = A.tocsr()
        B.data *= 2
        op.update(B)
        before = products(op)
        abs(B)
        assert same(products(op), before), op.method


def test_update_by_another_matrix_is_refused():
    A = matrix()
    op = spmvgen.plan(A)
    before = products(op)
    other = matrix("csr", "ascending")
    moved = matrix()
    moved.indices[0] = 2
    outside = matrix()
    outside.indices[3] = N                   # would be column 0 of the next row
    short = matrix()
    short.indptr[-1] += 5
    for wrong in (other[:, ::-1].tocsr(), moved, other[:3], sparse.csr_matrix((N, N))):
        with pytest.raises(ValueError, match=r"another structure .* spmvgen\.plan\(A\)"):
            op.update(wrong)
    for wrong, text in (outside, r"indices\[3\] is 6"), (short, "indptr ends with 29"):
        with pytest.raises(ValueError, match=text):
            op.update(wrong)
    assert same(products(op), before)
    op.update(matrix("csr", "unsorted") * 2)         # the same places, each once
    np.testing.assert_array_equal(op @ ONES, 2 * (matrix("csr", "unsorted") @ ONES))


def test_saved_plans(tmp_path):
    for method in spmvgen.methods():
        A = matrix()
        try:
            op = spmvgen.plan(A, method=method, savable=True)
        except spmvgen.Error:
            continue
        before = products(op)
        op.save(tmp_path / "plan")
        loaded = spmvgen.load(tmp_path / "plan", A)
        abs(A)
        assert same(products(loaded), before), method
        A.data *= 2
        loaded.update(A.data)
        np.testing.assert_allclose(loaded @ ONES, A @ ONES)
        with pytest.raises(spmvgen.Error, match=r"another matrix.*before planning: A\.sum_dup"):
            spmvgen.load(tmp_path / "plan", A)
