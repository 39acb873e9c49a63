"""`python -m spmvgen bench`: the times of SciPy's products and of ours, on your matrix.

The contenders take turns: in each round each of them multiplies for a short time. So a machine that
is busy for a while slows all of them. A contender whose result is wrong is not timed.
"""
from __future__ import annotations

import gzip
import os
import statistics
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, cast

import numpy as np
import scipy
import scipy.sparse
from scipy.io import mmread

from spmvgen import _core
from spmvgen.error import Error
from spmvgen.plan import plan
from spmvgen.threads import set_num_threads

Product = Callable[[], np.ndarray]


class BadMatrix(Exception):
    """The matrix cannot be used; the text says why."""


# ---- the matrix ----------------------------------------------------------------------------------

def poisson(side: int) -> Any:
    """The 5-point discretisation of Poisson's equation on side x side points."""
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
    unit = scipy.sparse.identity(side)
    return (scipy.sparse.kron(unit, line) + scipy.sparse.kron(line, unit)).tocsr()


def printable(text: str) -> str:
    """The text with what is not printable escaped: names of files may hold any bytes."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def open_unpacked(path: str) -> IO[bytes]:
    """The bytes of a file, those in it if it is gzip's, whatever its name."""
    with open(path, "rb") as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
    return cast(IO[bytes], gzip.open(path)) if is_gzip else open(path, "rb")


def read_matrix_market(path: str) -> Any:
    with open_unpacked(path) as file:
        return mmread(file if isinstance(file, gzip.GzipFile) else path)


def foreign_file(path: str) -> str | None:
    """What a file of another format is, and what to do, in the words of spmvbench."""
    try:
        with open_unpacked(path) as file:
            head = file.read(_core.FOREIGN_HEAD + 1)
            is_gzip = isinstance(file, gzip.GzipFile)
    except (OSError, EOFError, zlib.error):
        return None
    is_whole = len(head) <= _core.FOREIGN_HEAD
    return _core.foreign_file(head[:_core.FOREIGN_HEAD], is_whole, is_gzip)


def read_matrix(path: str) -> Any:
    """A file of scipy.sparse.save_npz, or of the Matrix Market (.mtx, .mtx.gz), in CSR."""
    if os.path.exists(path) and not os.path.isfile(path):
        kind = "a folder; name a file" if os.path.isdir(path) else \
            "a pipe or a device; save what comes from it to a file, and name that"
        raise BadMatrix(f"{path} is {kind}")
    try:
        A = scipy.sparse.load_npz(path) if path.endswith(".npz") \
            else read_matrix_market(path)
    except FileNotFoundError as error:
        raise BadMatrix(f"{path}: there is no such file") from error
    except MemoryError as error:
        raise BadMatrix(f"{path}: the matrix does not fit into memory") from error
    # SciPy's readers raise many kinds, as the bytes of a file of another format have it.
    except Exception as error:
        is_npz = path.endswith(".npz") and zipfile.is_zipfile(path)
        answer = None if is_npz else foreign_file(path)
        if answer:
            raise BadMatrix(f"{path}: {answer}") from error
        raise BadMatrix(f"{path} is no matrix in the format of scipy.sparse.save_npz (.npz) or of "
                        f"the Matrix Market (.mtx, .mtx.gz): {error}") from error
    if not scipy.sparse.issparse(A):
        raise BadMatrix(f"{path} holds a dense array; expected a sparse matrix")
    if A.dtype.kind == "c":
        raise BadMatrix(f"{path} holds complex values; expected real ones")
    return scipy.sparse.csr_matrix(A)


# ---- products ------------------------------------------------------------------------------------

# By A or by its transpose, with a vector or with the columns of a matrix, in the order of C.
PRODUCTS = ("A@x", "A.T@x", "A@X", "A.T@X")


@dataclass
class Problem:
    """factor @ x. By the transpose, factor is A.T, which is CSC as in SciPy."""
    factor: Any
    A: Any
    x: np.ndarray
    is_transposed: bool


def make_problem(A: Any, product: str, columns: int) -> Problem:
    is_transposed = product.startswith("A.T")
    factor = A.T if is_transposed else A
    shape = (factor.shape[1], columns) if product.endswith("X") else factor.shape[1]
    x = np.random.default_rng(1).uniform(0.5, 1.5, shape).astype(A.dtype)
    return Problem(factor, A, x, is_transposed)


# ---- contenders ----------------------------------------------------------------------------------

@dataclass
class Contender:
    name: str
    threads: int
    multiply: Product
    prepare: Callable[[], None] = lambda: None   # before each turn, not timed
    plan_seconds: float = 0.0
    samples: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)


def fastest(make: Callable[[], Any]) -> tuple[Any, float]:
    """What `make` makes, and its seconds: the fewest of three, or of fewer if it takes long."""
    tries: list[float] = []
    while len(tries) < 3 and sum(tries) < 0.5:
        start = time.perf_counter()
        made = make()
        tries.append(time.perf_counter() - start)
    return made, min(tries)


def ours(problem: Problem, threads: int, method: str | None) -> Contender:
    op, seconds = fastest(lambda: plan(problem.factor, threads=threads, method=method))
    name = op.method if method else f"{op.method} (chosen)"
    return Contender(name, threads, lambda: op @ problem.x, plan_seconds=seconds)


def by_rows(problem: Problem, threads: int) -> Contender:
    """rmatvec or rmatmat of a plan of A. The first call makes a plan of the transpose."""
    def make() -> Callable[[np.ndarray], np.ndarray]:
        op = plan(problem.A, threads=threads)
        multiply = op.rmatmat if problem.x.ndim == 2 else op.rmatvec
        multiply(problem.x)
        return multiply
    multiply, seconds = fastest(make)
    name = "rmatmat" if problem.x.ndim == 2 else "rmatvec"
    return Contender(name, threads, lambda: multiply(problem.x), plan_seconds=seconds)


def mkl(problem: Problem, threads: int) -> Contender | None:
    """sparse_dot_mkl, if it can be imported. Each of its products makes a handle of A anew."""
    try:
        import sparse_dot_mkl
    except ImportError:
        return None
    return Contender("sparse_dot_mkl", threads,
                     lambda: sparse_dot_mkl.dot_product_mkl(problem.factor, problem.x),
                     lambda: sparse_dot_mkl.mkl_set_num_threads(threads))


def usable_methods(dtype: np.dtype) -> list[str]:
    bits = 8 * dtype.itemsize
    return list(dict.fromkeys(module[0] for module in _core.modules()
                              if module[2] == bits))


def all_contenders(problem: Problem, threads: list[int], methods: list[str]) \
        -> tuple[list[Contender], list[str]]:
    """The contenders, and a line for each that cannot take part."""
    found, notes = [Contender("SciPy", 1, lambda: problem.factor @ problem.x)], []
    for count in threads:
        chosen = ours(problem, count, None)
        found.append(chosen)
        if problem.is_transposed:
            found.append(by_rows(problem, count))
        for method in methods:
            if chosen.name.startswith(method + " "):
                continue
            try:
                found.append(ours(problem, count, method))
            except Error as error:
                notes.append(f"{method}: {error}")
        peer = mkl(problem, count)
        if peer is not None:
            found.append(peer)
    return found, list(dict.fromkeys(notes))


# ---- right results -------------------------------------------------------------------------------

def largest_error(A: Any, x: np.ndarray, y: np.ndarray) -> float:
    """The largest error of a value of y, over the largest that any order of additions can cause.
    SciPy's product in the widest type that it multiplies in is the exact one."""
    # A copy: abs sorts columns in place, and csr_matrix would share those of A, but not its values.
    wide = scipy.sparse.csr_matrix(A, dtype=np.longdouble, copy=True)
    exact = wide @ x.astype(np.longdouble)
    terms = np.diff(wide.indptr).reshape(-1, *[1] * (y.ndim - 1)) + 1
    bound = np.finfo(A.dtype).eps * terms * (abs(wide) @ abs(x).astype(np.longdouble))
    error = np.abs(y - exact)
    wrong = ~(error <= bound)                # NaN, too
    if not wrong.any():
        return float(np.max(error / np.where(bound > 0, bound, 1), initial=0.0))
    return float("inf") if not np.isfinite(y).all() else float(
        np.max(error[wrong] / np.maximum(bound[wrong], np.finfo(A.dtype).tiny)))


# ---- times ---------------------------------------------------------------------------------------

def sample(contender: Contender, seconds: float) -> float:
    """Seconds of one product: the mean of as many as fit into `seconds`."""
    contender.prepare()
    contender.multiply()                     # the matrix enters the caches
    count, spent, calls = 1, 0.0, 0
    multiply, clock = contender.multiply, time.perf_counter
    while True:
        start = clock()
        for _ in range(count):
            multiply()
        spent += clock() - start
        calls += count
        if spent >= seconds:
            return spent / calls
        count = max(1, int(calls * (seconds - spent) / max(spent, 1e-9)) + 1)


def race(contenders: list[Contender], rounds: int, seconds: float) -> None:
    for i in range(rounds):
        turn = i % len(contenders)           # nobody is always behind the same one
        for contender in contenders[turn:] + contenders[:turn]:
            contender.samples.append(sample(contender, seconds))


# ---- the report ----------------------------------------------------------------------------------

def microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:.{max(0, 3 - len(str(int(seconds * 1e6))))}f}"


def break_even(contender: Contender, scipys: Contender) -> str:
    """The number of products after which planning has paid off."""
    gain = scipys.median - contender.median
    if contender is scipys or not contender.plan_seconds:
        return "-"
    return str(int(contender.plan_seconds / gain) + 1) if gain > 0 else "never"


def table(contenders: list[Contender]) -> str:
    scipys = contenders[0]
    rows = [("contender", "threads", "plan ms", "us", "fastest", "slowest", "times SciPy",
             "pays after")]
    for c in contenders:
        rows.append((c.name, str(c.threads),
                     f"{c.plan_seconds * 1e3:.2f}" if c.plan_seconds else "-",
                     microseconds(c.median), microseconds(min(c.samples)),
                     microseconds(max(c.samples)), f"{scipys.median / c.median:.2f}",
                     break_even(c, scipys)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
                     for row in rows)


def versions() -> str:
    found = [f"spmvgen {_core.version} for {_core.modules()[0][1]}", f"SciPy {scipy.__version__}",
             f"NumPy {np.__version__}"]
    try:
        import sparse_dot_mkl
        found.append(f"sparse_dot_mkl {sparse_dot_mkl.__version__}")
        found.append(sparse_dot_mkl.mkl_get_version_string())
    except ImportError:
        pass
    return ", ".join(found)


Summary = dict[tuple[str, str, int], list[float]]


def add_to_summary(summary: Summary, dtype: str, contenders: list[Contender]) -> None:
    for c in contenders[1:]:
        name = "chosen" if c.name.endswith(" (chosen)") else c.name
        summary.setdefault((dtype, name, c.threads), []).append(
            contenders[0].median / c.median)


def summary_table(summary: Summary) -> str:
    """Of several matrices."""
    width = max([7, *[len(label) for label, _, _ in summary]]) + 2
    lines = [f"{'type':{width}}{'contender':17}threads  matrices  times SciPy: mean, least, most"]
    for (dtype, name, threads), times in sorted(summary.items()):
        lines.append(f"{dtype:{width}}{name:17}{threads:7}{len(times):10}"
                     f"  {statistics.geometric_mean(times):.2f}, {min(times):.2f}, "
                     f"{max(times):.2f}")
    return "\n".join(lines)


def describe(name: str, A: Any, product: str = "A@x", columns: int = 1) -> str:
    size = f"{name}: {A.shape[0]} x {A.shape[1]}, {A.nnz} nonzeros, {A.dtype}"
    return size if product == "A@x" else (
        f"{size}, {product}" + (f" with {columns} vectors" if product.endswith("X") else ""))


def bench_matrix(name: str, A: Any, product: str, columns: int, threads: list[int],
                 methods: list[str], rounds: int, seconds: float, summary: Summary) -> bool:
    """Prints the table of one matrix. Returns whether all results were right."""
    problem = make_problem(A, product, columns)
    found, notes = all_contenders(problem, threads, methods)
    print(describe(name, A, product, columns))
    right = []
    for contender in found:
        contender.prepare()
        error = largest_error(problem.factor, problem.x, contender.multiply())
        if error <= 1:
            right.append(contender)
        else:
            notes.append(f"{contender.name} with {contender.threads} threads is WRONG: an error "
                         f"is {error:.3g} times what rounding explains")
    if right and right[0] is found[0]:
        race(right, rounds, seconds)
        print(table(right))
        label = " ".join([str(A.dtype), *([product] if product != "A@x" else []),
                          *([str(columns)] if product.endswith("X") else [])])
        add_to_summary(summary, label, right)
    for note in notes:
        print(f"left out: {note}")
    print(flush=True)
    return len(right) == len(found)


def bench(files: list[str], *, types: list[str], threads: list[int] | None = None,
          methods: list[str] | None = None, side: int = 1000, rounds: int = 11,
          seconds: float = 0.02, products: Sequence[str] = ("A@x",),
          columns: Sequence[int] = (8,)) -> int:
    """The exit code: 0, 1 for a wrong result, 2 for a file that is no matrix.

    methods: None for all, [] for the chosen one alone.
    """
    set_num_threads(None)
    counts = threads or sorted({1, _core.usable_cpus()})
    plan(poisson(2))                         # opens the device
    print(versions() + "\n")
    right = True
    summary: Summary = {}
    paths: list[str | None] = list(files) if files else [None]
    for path in paths:
        try:
            A = poisson(side) if path is None else read_matrix(path)
        except BadMatrix as error:
            print(f"python -m spmvgen bench: {printable(str(error))}", file=sys.stderr)
            return 2
        name = printable(path or f"Poisson's equation on {side} x {side} points")
        for dtype in types:
            typed = A.astype(np.dtype({"f32": "float32", "f64": "float64"}[dtype]))
            if path is not None and not np.isfinite(typed.data).all():
                print(f"{name} in {dtype}: left out, since values are not finite\n")
                continue
            used = usable_methods(typed.dtype) if methods is None else methods
            for product in products:
                for width in columns if product.endswith("X") else [1]:
                    right &= bench_matrix(name, typed, product, width, counts, used, rounds,
                                          seconds, summary)
    if any(len(times) > 1 for times in summary.values()):
        print(summary_table(summary))
    return 0 if right else 1
