"""The threads that multiply, for all plans of the process; threadpoolctl can set them, too."""
from __future__ import annotations

import operator

from spmvgen import _core

MOST = 2**31 - 1


def set_num_threads(threads: int | None) -> None:
    """Limits the threads of each multiplication, of plans that exist, too. None: no limit.

    The limit changes no bit of a result. plan(A, threads=...) and the number of CPUs limit the
    threads of a plan as well; the least of the three counts.
    """
    if threads is None:
        _core.set_thread_limit(0)
        return
    try:
        threads = operator.index(threads)
    except TypeError:
        raise TypeError("set_num_threads takes an int or None, not "
                        f"{type(threads).__name__}") from None
    if threads < 1:
        raise ValueError(f"set_num_threads takes a number from 1, or None for no limit; it is "
                         f"{threads}")
    _core.set_thread_limit(min(threads, MOST))


def get_num_threads() -> int:
    """The limit of threads; without a limit, the number of CPUs that the process may use, by
    its affinity and by the quota of its control groups."""
    return _core.thread_limit() or _core.usable_cpus()


def register_with_threadpoolctl() -> bool:
    """Lets threadpool_limits and threadpool_info see this library. Returns whether threadpoolctl
    is installed, and new enough: register came with 3.2."""
    try:
        from threadpoolctl import LibController, register
    except ImportError:
        return False

    class Controller(LibController):
        user_api = "spmvgen"
        internal_api = "spmvgen"
        filename_prefixes = ("_core.",)
        check_symbols = ("spmvgen_thread_limit",)

        def get_num_threads(self) -> int:
            return get_num_threads()

        def set_num_threads(self, num_threads: int) -> None:
            set_num_threads(max(num_threads, 1))

        def get_version(self) -> str:
            return _core.version

    register(Controller)
    return True
