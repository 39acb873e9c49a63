"""Plans used by several threads of Python at a time, and by forked processes."""
import multiprocessing
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
import scipy.sparse as sparse

import spmvgen

SIZE = 3000                      # with 20 nonzeros a row: enough that products release the GIL


def matrix(size=SIZE, per_row=20, seed=1):
    random = np.random.default_rng(seed)
    columns = random.integers(0, size, size * per_row, np.int32)
    A = sparse.csr_matrix((random.standard_normal(len(columns)), columns,
                           np.arange(0, len(columns) + 1, per_row, np.int32)), (size, size))
    A.sum_duplicates()
    return A


def run_threads(count, work):
    """Runs work(i) in threads; raises what the first one raised."""
    failures = []

    def call(i):
        try:
            work(i)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=call, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("method", spmvgen.methods())
def test_many_threads_use_one_plan(method, threads):
    op = spmvgen.plan(matrix(), method=method, threads=threads)
    xs = np.random.default_rng(2).standard_normal((8, SIZE))
    expected = [op @ x for x in xs]
    left = [op.T @ x for x in xs]
    columns = op @ xs.T

    def work(i):
        out = np.empty(SIZE)
        for _ in range(8):
            assert np.array_equal(op @ xs[i], expected[i])
            assert np.array_equal(op.matvec(xs[i], out=out), expected[i])
            assert np.array_equal(op.T @ xs[i], left[i])
        for order in "CF":                   # which take different workspaces
            X = np.array(xs[i:].T, order=order)
            assert np.array_equal(op @ X, columns[:, i:])

    run_threads(len(xs), work)


@pytest.mark.parametrize("method", ["csr_scalar", "strips"])
def test_updates_wait_for_products(method):
    A = matrix()
    op = spmvgen.plan(A, method=method)
    x, values = np.ones(SIZE), [A.data * scale for scale in (1, 2, 3)]
    possible = set()
    for data in values:
        op.update(data)
        possible.add((op @ x).tobytes())
    assert len(possible) == 3
    done = threading.Event()

    def work(i):
        if i < 2:
            for round in range(300):
                op.update(values[(round + i) % 3])
            done.set()
        while not done.is_set():
            assert (op @ x).tobytes() in possible
            if i == 2:
                op.figures, op.explain()

    run_threads(6, work)


def test_threads_make_plans_and_transposed_plans():
    A, op = matrix(), spmvgen.plan(matrix())
    x = np.ones(SIZE)
    expected = A.T @ x
    seen = []

    def work(i):
        np.testing.assert_allclose(op.rmatvec(x), expected)
        seen.append(op.T)
        np.testing.assert_allclose(spmvgen.plan(A).T @ x, expected)

    run_threads(6, work)
    assert all(transposed is seen[0] for transposed in seen)


def other_thread_runs_during(product):
    """Whether another thread gets the GIL in one of many products. Threads never take turns here
    unless one releases the GIL."""
    interval = sys.getswitchinterval()
    lock, seen = threading.Lock(), []

    def wait():
        with lock:
            seen.append(True)

    lock.acquire()
    thread = threading.Thread(target=wait)
    thread.start()
    try:
        sys.setswitchinterval(1000)
        lock.release()
        for _ in range(2000):
            product()
            if seen:
                break
        return bool(seen)
    finally:
        sys.setswitchinterval(interval)
        thread.join()


def test_large_products_release_the_gil():
    large, small = spmvgen.plan(matrix()), spmvgen.plan(matrix(100, 3))
    x, y = np.ones(SIZE), np.ones(100)
    assert other_thread_runs_during(lambda: large @ x)
    assert not other_thread_runs_during(lambda: small @ y)
    Y = np.ones((100, 100))
    assert other_thread_runs_during(lambda: small @ Y)


def in_child(context, function, *args):
    """Runs function(*args) in a process that is forked here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")      # from 3.12 on: of forks beside threads
        child = context.Process(target=function, args=args)
        child.start()
    child.join(60)
    if child.is_alive():
        child.kill()
        child.join()
        raise AssertionError("the child hangs")
    return child.exitcode


def use_in_child(op, x, expected):
    for _ in range(3):
        assert np.array_equal(op @ x, expected)
    op.update(np.zeros(op.nnz))
    assert not (op @ x).any()
    assert not (op.T @ x).any()
    A = matrix(seed=5)
    np.testing.assert_allclose(spmvgen.plan(A, threads=2) @ x, A @ x)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork()")
def test_forked_children_use_plans():
    context = multiprocessing.get_context("fork")
    op, x = spmvgen.plan(matrix(), threads=2), np.ones(SIZE)
    expected = op @ x
    assert in_child(context, use_in_child, op, x, expected) == 0
    assert np.array_equal(op @ x, expected)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork()")
def test_children_that_are_forked_during_products():
    context = multiprocessing.get_context("fork")
    op, x = spmvgen.plan(matrix(6000), threads=2), np.ones(6000)
    expected = op @ x
    done = threading.Event()

    def multiply():
        while not done.is_set():
            op @ x

    def update():
        while not done.is_set():
            other.update(A.data)

    A = matrix(6000)
    other = spmvgen.plan(A)
    threads = [threading.Thread(target=work) for work in (multiply, multiply, update)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(4):
            assert in_child(context, update_in_child, op, x, expected, other) == 0
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert np.array_equal(op @ x, expected)


def update_in_child(op, x, expected, other):
    assert np.array_equal(op @ x, expected)
    for plan in (op, other):
        plan.update(np.zeros(plan.nnz))
        assert not (plan @ x).any()


def test_programs_end_while_threads_multiply():
    program = """
import threading
import numpy as np, scipy.sparse as sparse, spmvgen
A = sparse.diags([1.0] * 9, range(9), shape=(3000, 3000), format="csr")
op = spmvgen.plan(A, threads=2)
x = np.ones(3000)
def multiply():
    while True:
        op @ x
for _ in range(3):
    threading.Thread(target=multiply, daemon=True).start()
for _ in range(30):
    op @ x
"""
    for _ in range(3):
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
        assert (result.returncode, result.stderr) == (0, b"")
