"""The limit of threads, and threadpoolctl."""
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.sparse as sparse

import spmvgen

PARTS = 3


@pytest.fixture(autouse=True)
def no_limit():
    yield
    spmvgen.set_num_threads(None)


def big_matrix():
    return sparse.diags([1.0 / (i + 3) for i in range(20)], range(20), (40_000, 40_000), "csr")


def cpus():
    return spmvgen._core.usable_cpus()


def test_cpus_are_those_of_the_affinity_and_the_quota():
    everywhere = os.sched_getaffinity(0)
    assert 1 <= spmvgen.get_num_threads() <= len(everywhere)
    os.sched_setaffinity(0, {min(everywhere)})
    try:
        assert spmvgen.get_num_threads() == 1
    finally:
        os.sched_setaffinity(0, everywhere)


def test_limit_is_kept():
    assert spmvgen.get_num_threads() == cpus()
    for threads in (1, 3, np.int64(7), 10**12):
        spmvgen.set_num_threads(threads)
        assert spmvgen.get_num_threads() == min(threads, 2**31 - 1)
    spmvgen.set_num_threads(None)
    assert spmvgen.get_num_threads() == cpus()


def test_wrong_limits():
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="None for no limit"):
            spmvgen.set_num_threads(wrong)
    for wrong in (1.0, "1", [1]):
        with pytest.raises(TypeError, match="int or None"):
            spmvgen.set_num_threads(wrong)
    for wrong, error in ((-1, ValueError), (2**31, ValueError), (2**70, OverflowError),
                         ("1", TypeError)):
        with pytest.raises(error):
            spmvgen._core.set_thread_limit(wrong)
    assert spmvgen.get_num_threads() == cpus()


# Counts the process's threads as the kernel does; the pool's threads live until the end.
LIVING = """
import os, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np, scipy.sparse as sparse, spmvgen
def living():
    return len(os.listdir("/proc/self/task"))
A = sparse.diags([1.0 / (i + 3) for i in range(20)], range(20), (40_000, 40_000), "csr")
x = np.ones(40_000)
before = living()
spmvgen.set_num_threads(1)
op = spmvgen.plan(A, threads=4)
first = op @ x
counts = [living() - before]
for limit in (2, 3, None):
    spmvgen.set_num_threads(limit)
    assert (op @ x).tobytes() == first.tobytes()
    counts.append(living() - before)
print(op.threads, counts)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_limit_holds_for_plans_that_exist():
    shown = subprocess.run([sys.executable, "-c", LIVING], capture_output=True, text=True)
    assert shown.stdout == "4 [0, 1, 2, 3]\n", shown.stderr


def test_limit_may_change_beside_products():
    op, x = spmvgen.plan(big_matrix(), threads=PARTS), np.ones(40_000)
    expected = (op @ x).tobytes()
    wrong, stop = [], threading.Event()

    def multiply():
        while not stop.is_set():
            if (op @ x).tobytes() != expected:
                wrong.append(1)

    threads = [threading.Thread(target=multiply) for _ in range(2)]
    for thread in threads:
        thread.start()
    for i in range(300):
        spmvgen.set_num_threads((1, 2, None)[i % 3])
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong


POOL = """
import multiprocessing, warnings
import numpy as np, scipy.sparse as sparse, spmvgen
warnings.simplefilter("ignore")              # from 3.12 on: of forks beside threads
A = sparse.diags([1.0 / (i + 3) for i in range(20)], range(20), (40_000, 40_000), "csr")
op = spmvgen.plan(A, threads=3)

def parents_plan(k):
    return op @ np.full(40_000, k)

def own_plan(k):
    spmvgen.set_num_threads(2)
    return spmvgen.plan(A, threads=3) @ np.full(40_000, k)

first = op @ np.ones(40_000)                 # the parent's pool of threads runs
with multiprocessing.get_context("fork").Pool(3) as pool:
    for work in (parents_plan, own_plan):
        for k, y in zip(range(1, 9), pool.map(work, np.arange(1.0, 9.0))):
            assert np.array_equal(y, op @ np.full(40_000, float(k))), work
assert np.array_equal(first, op @ np.ones(40_000))
assert spmvgen._core.thread_limit() == 0     # the children's limit is their own
print("right")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")
def test_pool_of_forked_processes():
    shown = subprocess.run([sys.executable, "-c", POOL], capture_output=True, text=True,
                           timeout=200)
    assert shown.stdout == "right\n", shown.stderr


# ---- threadpoolctl -------------------------------------------------------------------------------

def with_register():
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="needs threadpoolctl")
    if not hasattr(threadpoolctl, "register"):
        pytest.skip(f"needs threadpoolctl 3.2; this is {threadpoolctl.__version__}")
    return threadpoolctl


def ours(threadpoolctl):
    return [info for info in threadpoolctl.threadpool_info() if info["user_api"] == "spmvgen"]


def test_threadpoolctl_sees_this_library():
    threadpoolctl = with_register()
    info, = ours(threadpoolctl)
    assert info["num_threads"] == cpus()
    assert info["version"] == spmvgen.__version__
    assert info["filepath"] == os.path.realpath(spmvgen._core.__file__)


def test_threadpoolctl_limits():
    threadpoolctl = with_register()
    for options in ({"limits": 1}, {"limits": 1, "user_api": "spmvgen"},
                    {"limits": {"spmvgen": 1}}):
        with threadpoolctl.threadpool_limits(**options):
            assert spmvgen.get_num_threads() == 1
            assert ours(threadpoolctl)[0]["num_threads"] == 1
        assert spmvgen.get_num_threads() == cpus()
    with threadpoolctl.threadpool_limits(1, user_api="blas"):
        assert spmvgen.get_num_threads() == cpus()


@pytest.mark.parametrize("has_register", [None, False])
def test_works_without_threadpoolctl(has_register, tmp_path):
    text = "raise ImportError" if has_register is None else "__version__ = '3.1.0'"
    (tmp_path / "threadpoolctl.py").write_text(text)
    path = os.pathsep.join([str(tmp_path), os.path.dirname(os.path.dirname(spmvgen.__file__))])
    code = "import spmvgen; print(spmvgen.threads.register_with_threadpoolctl())"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           env={**os.environ, "PYTHONPATH": path})
    assert shown.stdout == "False\n", shown.stderr
