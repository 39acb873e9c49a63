"""Plans: matrices that are prepared for many multiplications."""
import os
import threading
import warnings
import weakref

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import LinearOperator

from spmvgen import _core, explain, matrix, order
from spmvgen.error import Error

ANOTHER_STRUCTURE = ("the matrix has another structure than the planned one; make a new plan: "
                     "spmvgen.plan(A)")

_plans = weakref.WeakSet()

# options.symmetric of libspmv, for arrays in CSR and for those in CSC, which are the transpose's.
_SYMMETRIC = {None: (0, 0), "full": (1, 1), "lower": (2, 3), "upper": (3, 2)}


def _symmetric_option(symmetric, is_transposed):
    if not isinstance(symmetric, (str, type(None))) or symmetric not in _SYMMETRIC:
        raise ValueError(f"symmetric is {symmetric!r}; expected None, 'full', 'lower' or 'upper'")
    return _SYMMETRIC[symmetric][is_transposed]


def _renew_locks():
    """In a forked child: the threads that may have held locks are not there."""
    for op in _plans:
        op._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


def _dense(x):
    if scipy.sparse.issparse(x):
        raise TypeError("x is a sparse matrix; a plan multiplies dense arrays. SciPy multiplies "
                        "two sparse matrices: A @ B")
    return np.asarray(x)


class Plan(_core.Plan, LinearOperator):
    """A matrix in the layout of the method that was chosen for it.

    spmvgen.plan and spmvgen.load make plans. The multiplications op @ x, matvec and multiply, and
    the properties, are the extension's.

    x may be anything of a type that numpy.can_cast says is safe to convert to the plan's, of shape
    (n,), (n, 1) or, but for matvec and rmatvec, (n, k): a strided x, or one in float32 for a plan
    in float64, is copied. Other types raise TypeError. out and y are written in place, so they must
    have the plan's type and be contiguous; those of shape (m, k) need contiguous rows or columns.

    A product with X of shape (n, k) multiplies k vectors at a time, reads X in place if its rows or
    its columns are contiguous, and has X's order: C or Fortran.

    A plan may read A.indices and A.data in place, and then keeps them alive: op.borrowed has them.
    Do not change them while the plan lives, except values that op.update then takes; or make the
    plan with copy=True. A plan reads them in place only if the columns of each row ascend and do
    not repeat (in CSC, the rows of each column). Other matrices are copied, since many calls of
    SciPy that only seem to read A, such as abs(A), sort its columns and add up its entries of one
    place, in its arrays. A.indptr is always copied, so A.eliminate_zeros() and other changes of a
    matrix that a plan borrows make its products meaningless, but never read outside of arrays.

    Any number of threads may use one plan. Large products release the GIL. op.update waits for
    running products. A child of fork() may use its parent's plans; if the parent's other threads
    were updating a plan at that moment, the child must update it before it multiplies.
    """

    # Makes NumPy leave x @ op to the operator.
    __array_ufunc__ = None

    def __new__(cls, A, *, expected_runs=1000, method=None, target=None, threads=None, copy=False,
                choice=None, settings=None, measure=False, savable=False, symmetric=None,
                _path=None):
        if isinstance(settings, dict):
            settings = ",".join(f"{name}={value}" for name, value in settings.items())
        for name, text in (("method", method), ("target", target), ("choice", choice),
                           ("settings", settings)):
            if not isinstance(text, (str, type(None))):
                raise TypeError(f"{name} is {type(text).__name__}; expected text")
        threads = 0 if threads is None else threads
        for name, number in (("expected_runs", expected_runs), ("threads", threads)):
            if not hasattr(number, "__index__"):
                raise TypeError(f"{name} is {type(number).__name__}; expected an int")
        arrays = A if isinstance(A, matrix.Compressed) else matrix.read(A)
        # A.sum_duplicates and A.eliminate_zeros change offsets in place. A kernel that reads other
        # offsets than it was planned for could leave its arrays.
        indptr = arrays.indptr.copy() if arrays.shared else arrays.indptr
        optional = {} if _path is None else {"path": _path}
        rows, cols = arrays.shape[::-1] if arrays.transposed else arrays.shape
        self = super().__new__(
            cls, indptr, arrays.indices, arrays.data, rows, cols, expected_runs=expected_runs,
            method=method, target=target, threads=threads, copy=copy, choice=choice,
            settings=settings, measure=measure, savable=savable, transposed=arrays.transposed,
            symmetric=_symmetric_option(symmetric, arrays.transposed), shared=arrays.shared,
            **optional)
        LinearOperator.__init__(self, arrays.data.dtype, arrays.shape)
        self.conversions = arrays.conversions
        self._format = arrays.format
        self._is_transposed = arrays.transposed
        self._is_symmetric = symmetric is not None
        # Method `symmetric` compares new values itself.
        self._compares_values = symmetric == "full" and self.method != "symmetric"
        self._expected_runs = expected_runs
        self._threads = threads
        self._copies = bool(copy) or self._is_unordered
        self._source = order.Source(A) if self._is_unordered else None
        self._planned_indices = None
        self._lock = threading.RLock()       # of _transposed, and of updates
        self._transposed = None
        self._transposed_of = None           # weak: a plan owns its transposed plan
        _plans.add(self)
        return self

    def __init__(self, *args, **options):
        pass                                 # __new__ has done it

    def __reduce_ex__(self, protocol):
        raise TypeError("a plan cannot be copied or pickled; use op.save and spmvgen.load, or pass "
                        "the matrix and op.choice, and plan there: plan(A, choice=choice)")

    def __repr__(self):
        rows, cols = self.shape
        return f"<{rows}x{cols} spmvgen.Plan of type {self.dtype}: {self.method}, {self.target}>"

    # ---- multiplications that are not the extension's -------------------------------------------

    def _multiply_any(self, x):
        """op @ x for all x but vectors."""
        if np.isscalar(x):
            raise ValueError("op @ x takes no scalar; op * scalar is an operator")
        if isinstance(x, LinearOperator):
            return LinearOperator.dot(self, x)
        x = _dense(x)
        return self.matmat(x) if x.ndim == 2 else self.matvec(x)

    def _multiply_from_left(self, x):
        """x @ op for all x but plans."""
        if np.isscalar(x):
            raise ValueError("x @ op takes no scalar; scalar * op is an operator")
        if isinstance(x, LinearOperator):
            return LinearOperator.dot(x, self)
        x = _dense(x)
        return self.rmatmat(x.T).T if x.ndim == 2 else self.rmatvec(x)

    def dot(self, x):
        """op @ x, or op * x if x is a scalar."""
        return LinearOperator.dot(self, x) if np.isscalar(x) else self @ x

    def rmatvec(self, x, out=None):
        """Returns A.T @ x, in out if given."""
        return self._transpose().matvec(x, out=out)

    def rmatmat(self, X, out=None):
        """Returns A.T @ X, in out if given, else in a new array in the order of X."""
        return self._transpose().matmat(X, out=out)

    _matvec = _core.Plan.matvec
    _matmat = _core.Plan.matmat
    _rmatvec = rmatvec
    _rmatmat = rmatmat

    def _transpose(self):
        """Returns the plan of the transposed matrix, which is made at the first call. A symmetric
        matrix is its own transpose."""
        if self._is_symmetric:
            return self
        parent = self._transposed_of and self._transposed_of()
        if parent is not None:
            return parent
        with self._lock:
            if self._transposed is None:
                transposed = Plan(self._transposed_matrix(), expected_runs=self._expected_runs,
                                  target=self.target, threads=self._threads, copy=self._copies)
                transposed._transposed_of = weakref.ref(self)
                self._transposed = transposed
            return self._transposed

    _adjoint = _transpose                    # the values are real

    def _transposed_matrix(self):
        """The same arrays, of which the other product is planned."""
        if self.x_permutation is not None or self.y_permutation is not None:
            raise NotImplementedError("a plan whose settings permute x or y has no transposed "
                                      "plan; plan A.T")
        return matrix.Compressed(self._indptr, self._indices(), self._data(), self.shape[::-1],
                                 not self._is_transposed, (), self._format, False)

    def _indices(self):
        borrowed = self.borrowed.get("indices")
        if borrowed is not None:
            return borrowed[:self.nnz]
        if self._source is None:
            return self._restore_indices()
        if self._planned_indices is None:            # kept, since each update of values compares
            self._planned_indices = self._restore_indices()
        return self._planned_indices

    def _data(self):
        borrowed = self.borrowed.get("data")
        return self._restore_data() if borrowed is None else borrowed[:self.nnz]

    # ---- new values, files ----------------------------------------------------------------------

    def update(self, values):
        """Replaces the values of the matrix; its structure stays.

        values: a matrix with entries at the places of the planned one, in the same format and in
        any order; or, if that was in CSR or CSC, an array like its data, in the order at planning.
        If SciPy has reordered the planned matrix since then, its own array A.data is taken in the
        new order, and other arrays raise a warning. With symmetric="full" they must be symmetric.
        Waits for running multiplications; later ones
        use the new values, op.T too. A plan that borrows data borrows the new array from now on.
        """
        if self._transposed_of and self._transposed_of() is not None:
            raise ValueError("this is the transposed plan of another; update that one, which "
                             "updates both")
        values = self._values_of(values)
        if self._compares_values and values.shape == (self.nnz,):
            self._check_symmetry(values)
        with self._lock:
            self._set_values(values)
            if self._transposed is not None:
                self._transposed._set_values(values)

    def _check_symmetry(self, values):
        """The method would multiply by any values, and op.T is op."""
        A = scipy.sparse.csr_matrix((values, self._indices(), self._indptr), self.shape)
        mirrored = A.T.tocsr()                   # sorted, as A's indices are
        wrong = np.flatnonzero(A.data != mirrored.data)
        if wrong.size:
            k = wrong[0]
            i = np.searchsorted(A.indptr, k, side="right") - 1
            raise ValueError(f"the values are not symmetric: entry ({i}, {A.indices[k]}) is "
                             f"{A.data[k]}, its mirror {mirrored.data[k]}; make a new plan without "
                             "symmetric='full'")

    def _values_of(self, values):
        if scipy.sparse.issparse(values):
            arrays = matrix.read(values, self._is_transposed)
            if arrays.shape != self.shape:
                raise ValueError(ANOTHER_STRUCTURE)
            data = self._in_planned_order(arrays.indptr, arrays.indices, arrays.data)
            # A plan of COO or BSR reads converted arrays in place, in whichever order they have.
            return data.copy() if arrays.shared and self._format in ("coo", "bsr") else data
        if self._format not in ("csr", "csc"):
            raise ValueError(f"the plan was made of a matrix in {self._format.upper()}, whose "
                             "values are in another order; pass the matrix: op.update(A)")
        values = np.asarray(values)
        if self._source is not None:
            values = self._in_known_order(values)
        return values[:self.nnz] if values.ndim == 1 else values

    def _in_known_order(self, values):
        """Returns values in the order at planning: those of the planned matrix from its order now,
        other arrays as they are."""
        indptr, indices, data = self._source.now()
        is_own = data is not None and order.is_part(values, data)
        if indptr is None or indices is None:
            if is_own:
                raise ValueError("the array is the data of a matrix that SciPy may have reordered "
                                 "since it was planned; pass the matrix: op.update(A)")
        elif not self._has_structure(indptr, indices):
            if is_own and values.size >= np.max(indptr, initial=0):
                return self._in_planned_order(indptr, indices, values)
            warnings.warn("the matrix has been reordered since it was planned, as many calls of "
                          "SciPy do; the array is taken in the order at planning. If it is in the "
                          "new order, pass a matrix: op.update(A)", stacklevel=4)
        return values

    def _has_structure(self, indptr, indices):
        if not np.array_equal(indptr, self._indptr):
            return False
        return indices is self.borrowed.get("indices") or \
            np.array_equal(indices[:self.nnz], self._indices())

    def _in_planned_order(self, indptr, indices, data):
        """Returns data in the order at planning. The arrays are those of a matrix that may have
        another order; it must have entries at the same places."""
        if self._has_structure(indptr, indices):
            return data[:self.nnz]
        rows, width = self.shape[::-1] if self._is_transposed else self.shape
        matrix.check_offsets(indptr, rows, min(indices.size, data.size))
        count = int(indptr[-1])
        matrix.check_range(indices[:count], width, "indices")
        data = order.rearranged(data[:count], order.places(indptr, indices[:count], width),
                                order.places(self._indptr, self._indices(), width))
        if data is None:
            raise ValueError(ANOTHER_STRUCTURE)
        return data

    def save(self, path):
        """Saves the plan, which must have been made with savable=True; spmvgen.load loads it."""
        self._save(path)

    # ---- what the plan says about itself --------------------------------------------------------

    @property
    def figures(self):
        """Statistics of the layout, such as its share of padding: a dictionary."""
        return {name: value for name, value, unit in self._figures()}

    def explain(self):
        """Returns the chosen method, the other candidates and their costs, as a table."""
        return explain.Explanation(self)


def plan(A, *, expected_runs=1000, method=None, target=None, threads=None, copy=False, choice=None,
         settings=None, measure=False, savable=False, symmetric=None):
    """Prepares the sparse matrix A for many multiplications and returns a Plan.

    A: CSR, CSC, COO or BSR of SciPy, as matrix or array, in float32 or float64. CSR with int32
    indices is used without a copy, except of A.indptr, where the method can; CSC with int32 indices
    is planned as it is; other matrices are converted, as Plan.conversions says. Columns may repeat
    (their values add up) and need no order, but such a matrix is copied, since SciPy may sort it:
    8 bytes a nonzero in float32, 12 in float64. plan(A.T) converts nothing either.

    expected_runs   multiplications that the plan will serve; below 8, nothing is rearranged
    method, target  the method and the target instead of the cheapest and the best ones
    threads         parts that the work is cut into; None: as many as CPUs and work suggest
    copy            copy the arrays that the plan would borrow from A
    choice          text from Plan.choice: use exactly that module and its settings
    settings        settings of the method: "name=value,..." or a dictionary
    measure         build and time the cheapest candidates, and keep the fastest
    savable         allow Plan.save
    symmetric       A equals its transpose: "full", A has both triangles, which is checked; "lower"
                    or "upper", A has one triangle with the main diagonal, and the plan multiplies
                    by both. Rows of A must have ascending columns that do not repeat
    """
    return Plan(A, expected_runs=expected_runs, method=method, target=target, threads=threads,
                copy=copy, choice=choice, settings=settings, measure=measure, savable=savable,
                symmetric=symmetric)


def load(path, A, *, threads=None, copy=False, symmetric=None):
    """Returns the plan that Plan.save saved to the file, with the values of A.

    A must have the structure of the saved plan, in the same order, and symmetric must be that of
    the saved plan. Load only files from sources that you would run programs from.
    """
    try:
        return Plan(A, expected_runs=0, threads=threads, copy=copy, symmetric=symmetric, _path=path)
    except Error as error:
        if "of another matrix" not in str(error):
            raise
        raise Error(f"{error}. If only the order of entries differs, which many calls of SciPy "
                    "change: sort the matrix before planning: A.sum_duplicates()",
                    error.status) from None


def _unique(position):
    return tuple(dict.fromkeys(module[position] for module in _core.modules()))


def methods():
    """Names of the methods that can be planned on this machine."""
    return _unique(0)


def targets():
    """Names of the targets that this machine can run, best first."""
    return _unique(1)
