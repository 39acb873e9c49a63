"""Random and hostile arguments: only exceptions or right results, never a crash. The seed is fixed.

    SPMVGEN_FUZZ=100 runs 100 times as many cases.
"""
import gc
import os
import sys
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sparse

import spmvgen

ROUNDS = int(os.environ.get("SPMVGEN_FUZZ", "1"))
FORMATS = ("csr", "csc", "coo", "bsr")


class Planned(Exception):
    """Raised by arguments."""


EXPECTED = (TypeError, ValueError, OverflowError, MemoryError, spmvgen.Error, Planned,
            NotImplementedError)
ComplexWarning = getattr(np, "exceptions", np).ComplexWarning


class Hostile:
    """Its conversions to an array or a number do something to the plan, then give `value`."""

    def __init__(self, value, act):
        self.value, self.act = value, act

    def __array__(self, dtype=None, copy=None):
        self.act()
        return self.value

    def __float__(self):
        self.act()
        return 1.0

    def __index__(self):
        self.act()
        return 1


class SubArray(np.ndarray):
    def __array_finalize__(self, source):
        pass


def fail():
    raise Planned("on purpose")


class Fuzz:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def one_of(self, *choices):
        return choices[self.random.integers(len(choices))]

    def matrix(self):
        rows, cols = self.one_of(0, 1, 2, 7, 40, 300), self.one_of(0, 1, 3, 8, 50, 200)
        A = sparse.random(rows, cols, self.one_of(0, 0.01, 0.1, 0.6), format="csr",
                          random_state=int(self.random.integers(2**31)))
        A = A.astype(self.one_of(np.float32, np.float64))
        if A.nnz and self.one_of(True, False):   # unsorted columns, and some twice
            A.indices = self.random.permutation(A.indices)
        for name in ("indptr", "indices"):
            if self.one_of(True, False):
                setattr(A, name, getattr(A, name).astype(np.int64))
        return A

    def any_array(self, length):
        """Arrays of all kinds, some of which fit."""
        shape = self.one_of((length,), (length,), (length,), (length, 1), (length, 3), (1, length),
                            (length + 1,), (max(length - 1, 0),), (), (length, 1, 1), (0,))
        dtype = self.one_of("f8", "f8", "f8", "f4", "f4", ">f8", ">f4", "i4", "u8", "i1", "?",
                            "c16", "f2", "g", "O", "U3", "M8[s]", "V5", [("a", "f8")])
        if np.dtype(dtype).kind in "OUMV":
            a = np.zeros(shape, dtype)
        else:
            with np.errstate(invalid="ignore"):
                a = np.asarray(100 * self.random.standard_normal(shape)).astype(dtype)
        way = self.random.integers(12)
        if way == 0 and a.ndim:
            a = np.repeat(a, 2, axis=0)[::2]
        elif way == 1 and a.ndim:
            a = a[::-1]
        elif way == 2:
            a = np.asfortranarray(a)
        elif way == 3:
            a = a.copy()
            a.flags.writeable = False
        elif way == 4:
            a = a.view(SubArray)
        elif way == 5 and a.dtype.kind == "f":
            a = np.ma.masked_array(a, a > 0)
        elif way == 6 and a.dtype.kind not in "OV" and a.size:
            raw = np.zeros(a.nbytes + 1, np.uint8)
            raw[1:] = np.frombuffer(a.tobytes(), np.uint8)
            a = raw[1:].view(a.dtype).reshape(a.shape)
        elif way == 7 and a.dtype.kind in "fi":
            a = np.broadcast_to(a.dtype.type(3), shape)
        return a

    def anything(self, length, op):
        way = self.random.integers(14)
        array = self.any_array(length)
        if way < 8:
            return array
        if way == 8:
            return array.tolist()
        if way == 9:
            return self.one_of(None, 3, 2.5, "text", b"bytes", 1j, (), [], {}, object(), op, type,
                               np.float64(3), sparse.eye(3), [[1], [1, 2]], float("nan"))
        if way == 10:
            return Hostile(array, self.one_of(fail, gc.collect, lambda: None))
        if way == 11:
            return Hostile(array, lambda: op.update(np.zeros(op.nnz, op.dtype)))
        if way == 12:
            return Hostile(self.one_of(None, 3, "x", [1]), lambda: op.T)
        return memoryview(array) if array.dtype.kind in "fi" and array.dtype.isnative else array

    def number(self, op):
        return self.one_of(0, 1, 0.0, 1.0, -2, 2.5, float("inf"), float("nan"), 1e308, 10**400, 1j,
                           None, "1", [1.0], np.float32(2), np.zeros(1), True,
                           Hostile(None, lambda: op.update(np.ones(op.nnz, op.dtype))),
                           Hostile(None, fail))


def plain_vector(x, dtype):
    """x as float64 if NumPy converts it to the plan's type without a loss, else None."""
    try:
        x = np.asarray(x)
    except EXPECTED:
        return None
    return x.astype(float) if np.can_cast(x.dtype, dtype, "safe") else None


def multiply(A, x):
    """A @ x in float64, from the arrays, repeated entries included."""
    y = np.zeros((A.shape[0],) + x.shape[1:])
    rows = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
    with np.errstate(all="ignore"):
        np.add.at(y, rows, (A.data.astype(float) * x[A.indices].T).T)
    return y


def check(y, expected, dtype):
    assert type(y) is np.ndarray and y.dtype == dtype and y.shape == expected.shape
    tolerance = 1e-3 if dtype == np.float32 else 1e-9
    np.testing.assert_allclose(y, expected, rtol=tolerance, atol=100 * tolerance)


@pytest.mark.parametrize("seed", range(30 * ROUNDS))
def test_products(seed):
    fuzz = Fuzz(seed)
    A = fuzz.matrix()
    method = fuzz.one_of(None, None, *spmvgen.methods())
    op = spmvgen.plan(A, method=method, threads=fuzz.one_of(None, 1, 3))
    rows, cols = A.shape
    for case in range(60):
        hostile_before = A.data.copy()
        x = fuzz.anything(cols, op)
        call = fuzz.random.integers(9)
        try:
            if call <= 1:
                y = op @ x
            elif call == 2:
                y = op.matvec(x, fuzz.anything(rows, op))
            elif call == 3:
                y = op.multiply(x, fuzz.number(op), fuzz.number(op), fuzz.anything(rows, op))
            elif call == 4:
                y = op.matmat(x)
            elif call == 5:
                y = x @ op
            elif call == 6:
                y = op.matmat(x, fuzz.anything(rows, op))
            elif call == 7:
                y = op.rmatmat(fuzz.anything(rows, op), fuzz.anything(cols, op))
            else:
                y = op.rmatvec(x)
        except EXPECTED:
            y = None
        op.update(A.data)        # hostile arguments change the values
        assert np.array_equal(A.data, hostile_before)
        vector = None if isinstance(x, Hostile) else plain_vector(x, op.dtype)
        if call in (0, 1, 4) and isinstance(y, np.ndarray) and vector is not None:
            check(y, multiply(A, vector), op.dtype)
        elif call <= 1 and isinstance(x, np.ndarray) and vector is not None:
            assert vector.ndim not in (1, 2) or vector.shape[0] != cols, (x.shape, x.dtype)


def corrupt(fuzz, A):
    """Changes one of the arrays, or what the matrix says about them."""
    names = [name for name in ("indptr", "indices", "data", "row", "col", "_shape")
             if hasattr(A, name)]
    name = fuzz.one_of(*names)
    if name == "_shape":
        A._shape = fuzz.one_of((0, 0), (1, 1), (10**6, 3), (3, 10**6), (-1, 5), (5, -1), (5,), (),
                               (2**40, 5), (5, 2**40), ("a", 3), (2.5, 3), None)
        return
    array = np.array(getattr(A, name))
    way = fuzz.random.integers(9)
    if way <= 2 and array.size and array.dtype.kind in "iu":
        at = fuzz.random.integers(array.size)
        array.flat[at] = np.array(
            fuzz.one_of(-1, 10**6, 2**31 - 1, -2**31, 0, 1, array.flat[0])).astype(array.dtype)
    elif way == 3:
        array = array[:-1]
    elif way == 4:
        array = array.astype(fuzz.one_of("f8", "u1", "u8", "O", "c8", ">i8", "U4", "i2", "?"))
    elif way == 5:
        array = fuzz.one_of(None, 3, [1, 2], "text", array[:, None], array.tolist(), array[:0])
    elif way == 6:
        array = array[::-1]
    elif way == 7:
        array = np.concatenate([array, array])
    else:
        array = array.view(SubArray)
    try:
        setattr(A, name, array)
    except EXPECTED:
        pass


@pytest.mark.parametrize("seed", range(30 * ROUNDS))
def test_corrupt_matrices(seed):
    fuzz = Fuzz(1000 + seed)
    for case in range(40):
        A = fuzz.matrix()
        kind = fuzz.one_of(*FORMATS)
        if kind == "bsr" and A.shape[0] == 40 and A.shape[1] in (8, 50):
            A = A.tobsr((fuzz.one_of(1, 2, 4), 2))
        elif kind != "csr":
            A = sparse.csr_matrix((A.data, A.indices, A.indptr), A.shape).asformat(kind)
        for _ in range(fuzz.one_of(1, 1, 2, 3)):
            try:
                corrupt(fuzz, A)
            except (IndexError, TypeError, ValueError, OverflowError, ComplexWarning):
                pass
        try:
            op = spmvgen.plan(A)
            y = op @ np.ones(op.shape[1], op.dtype)
            op.T @ np.ones(op.shape[0], op.dtype)
            op.update(A)
            assert y.shape == (op.shape[0],)
        except EXPECTED:
            pass


@pytest.mark.parametrize("seed", range(10 * ROUNDS))
def test_options_and_updates(seed):
    fuzz = Fuzz(2000 + seed)
    for case in range(60):
        A = fuzz.matrix()
        odd = (None, -1, 0, 1, 2**31, 2**70, 1.5, "text", "", "a\0b", b"x", [], object(),
               "\ud800", "x" * 10000, {"a": 1}, True, Hostile(None, fail))
        names = ("expected_runs", "method", "target", "threads", "copy", "choice", "settings",
                 "measure", "savable", "unknown")
        options = {fuzz.one_of(*names): fuzz.one_of(*odd) for _ in range(fuzz.one_of(1, 2))}
        if options.get("measure"):
            continue             # takes long
        try:
            op = spmvgen.plan(A, **options)
        except EXPECTED:
            op = spmvgen.plan(A)
        for argument in (fuzz.anything(op.nnz, op), fuzz.one_of(*odd), fuzz.matrix()):
            try:
                op.update(argument)
            except EXPECTED:
                pass
        op.update(A)
        check(op @ np.ones(A.shape[1], A.dtype), multiply(A, np.ones(A.shape[1])), A.dtype)


def test_the_extension_itself():
    """spmvgen._core checks what the Python files hand on."""
    fuzz = Fuzz(3000)
    A = sparse.random(40, 50, 0.1, format="csr")
    good = [A.indptr, A.indices, A.data, 40, 50]
    odd = [None, 3, A.indptr[::-1], A.data, A.indices, A.indptr, A.data[:-1], A.indices[:3],
           A.indptr[:0], A.data.astype(">f8"), A.indices.astype(np.int64), A.indptr.astype("u4"),
           A.data[:, None], np.zeros(()), -1, 2**40, 2**70, "x", A.indptr.view(SubArray)]
    for case in range(2000):
        arguments = list(good)
        for _ in range(fuzz.one_of(1, 1, 2)):
            arguments[fuzz.random.integers(5)] = odd[fuzz.random.integers(len(odd))]
        try:
            op = spmvgen._core.Plan(*arguments)
            op.matvec(np.ones(arguments[4]))
        except EXPECTED:
            pass
    op = spmvgen._core.Plan(*good)
    for call in (op.matvec, op.multiply, op.matmat, op._set_values, op._save):
        for argument in odd:
            try:
                call(argument)
            except EXPECTED:
                pass
    with pytest.raises(AttributeError):
        op @ None                # that is for spmvgen.Plan
    with pytest.raises(TypeError):
        spmvgen._core.Plan()
    with pytest.raises(ValueError, match="expected 9223372036854775808, one more than rows"):
        spmvgen._core.Plan(*good[:3], 2**63 - 1, 50)


def use(A, op, x, X, out):
    """One call of everything, and of everything that fails."""
    op @ x, x @ op, op @ X, X.T @ op, op @ list(x), op @ x[::-1], op.T @ x, op.H
    op.matvec(x, out=out), op.multiply(x, 2, 3, out), op.dot(x), op.rmatvec(x), op.rmatmat(X)
    op.matmat(X, out=op @ X), op @ X[:, ::2], op.multiply(X.astype("f4"), 2, 3, X + 0), op @ X.T.T
    op.update(A.data), op.update(A)
    op.explain(), op.figures, op.choice, op.reason, op.borrowed, op.y_permutation, repr(op)
    for wrong in (x[1:], x.astype(complex), None, 3, "x", A, Hostile(x, fail)):
        for call in (op.__matmul__, op.matvec, op.multiply, op.matmat, op.update, op.save,
                     lambda w: op.matvec(x, out=w), lambda w: op.matvec(x, w=1),
                     lambda w: op.matmat(X, out=w), lambda w: op.matmat(X[1:], w),
                     lambda w: op.multiply(x, w)):
            try:
                call(wrong)
            except EXPECTED:
                pass


def test_no_reference_is_leaked():
    A = sparse.random(60, 60, 0.1, format="csr") + sparse.eye(60, format="csr")
    op, x, out = spmvgen.plan(A), np.ones(60), np.empty(60)
    X = np.ones((60, 3))
    held = (A.indptr, A.indices, A.data, x, X, out, op, type(op), spmvgen._core.Plan, np.ndarray,
            x.dtype)
    use(A, op, x, X, out)
    use(A, op, x, X, out)
    before = [sys.getrefcount(object) for object in held]
    for _ in range(50):
        use(A, op, x, X, out)
    gc.collect()
    after = [sys.getrefcount(object) for object in held]
    for object, first, last in zip(held, before, after):
        assert abs(last - first) < 25, type(object)


def test_plans_free_what_they_hold():
    A = sparse.random(60, 60, 0.1, format="csr")
    before = [sys.getrefcount(array) for array in (A.indptr, A.indices, A.data)]
    for method in (None,) + spmvgen.methods():
        op = spmvgen.plan(A, method=method)
        op.T, op.explain()
        del op
        for wrong in ({"method": "none"}, {"threads": -1}, {"choice": "x"}):
            with pytest.raises(spmvgen.Error):
                spmvgen.plan(A, **wrong)
    gc.collect()
    assert before == [sys.getrefcount(array) for array in (A.indptr, A.indices, A.data)]


def test_memory_does_not_grow():
    A = sparse.random(300, 300, 0.1, format="csr")
    x = np.ones(300)

    def work():
        op = spmvgen.plan(A)
        for _ in range(10):
            op @ x, op @ x[::-1], op.T @ x
        op.update(A.data * 2)

    work()
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        first = tracemalloc.get_traced_memory()[0]
        for _ in range(30):
            work()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - first < 50_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", spmvgen.methods())
def test_changes_of_borrowed_arrays_do_not_crash(method):
    """SciPy's methods that change a matrix in place leave the plan with other numbers at worst."""
    for seed in range(6):
        fuzz = Fuzz(4000 + seed)
        A = sparse.random(400, 400, 0.03, format="csr", random_state=seed)
        A.indices = fuzz.random.integers(0, 400, A.nnz).astype(np.int32)     # some twice
        A.data[::3] = 0
        op = spmvgen.plan(A, method=method, threads=fuzz.one_of(1, 3))
        x = np.ones(400)
        for change in (A.sort_indices, A.sum_duplicates, A.eliminate_zeros):
            change()
            assert (op @ x).shape == (400,)
            try:
                op.update(A), op.T
            except EXPECTED:
                pass
