"""scipy_solvers.py: SciPy's own tests of its iterative solvers, which get plans for matrices.

    scipy_solvers.py FOLDER [ARGUMENT OF PYTEST]...

FOLDER holds the package spmvgen of a build; "" if the build has none. SciPy's solvers are replaced
before its tests import them: a real matrix in the first argument becomes a plan, and the solver
gets the plan. Left as they are: matrices that plans do not take, and arguments that need a matrix.
A test that fails is run again without plans; if SciPy alone fails it, too, it is skipped.
"""
import functools
import importlib
import importlib.util
import os
import sys

import run
import tap

MODULES = ("_isolve.tests.test_iterative", "_isolve.tests.test_lgmres", "_isolve.tests.test_lsmr",
           "_isolve.tests.test_lsqr", "_isolve.tests.test_minres", "_isolve.tests.test_gcrotmk",
           "_eigen.arpack.tests.test_arpack", "_eigen.lobpcg.tests.test_lobpcg",
           "_eigen.tests.test_svds")
SOLVERS = ("bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "lsmr", "lsqr", "minres",
           "qmr", "tfqmr", "eigs", "eigsh", "lobpcg", "svds")
# Tests that multiply by operators of their own, and factorise dense matrices for a minute.
LEFT_OUT = ("test_precond_inverse",)
LEAST_TESTS = 60                 # that plans take part in

plans = 0                        # made since the last reset
enabled = True


def planned(A, others):
    """A plan of A, or A itself if plans do not take it. others: the solver's other arguments."""
    global plans
    import numpy as np
    import scipy.sparse as sparse
    import spmvgen

    if not enabled or not (sparse.issparse(A) or isinstance(A, np.ndarray)):
        return A
    if A.dtype not in (np.float32, np.float64) or A.ndim != 2:
        return A
    types = [np.dtype(getattr(other, "dtype", None) or np.float64) for other in others
             if hasattr(other, "dtype") or callable(other)]
    if any(kind.kind == "c" or kind == np.longdouble for kind in types):
        return A                 # the solver multiplies vectors of that type
    if not types or any(kind != np.float32 for kind in types):
        A = A.astype(np.float64)             # a plan in float32 refuses vectors in float64
    plans += 1
    return spmvgen.plan(sparse.csr_matrix(A))


def needs_matrix(A, name, args, options):
    """Factorisations; and eigs of as many values as A has rows, for which SciPy goes dense."""
    if options.get("sigma") is not None or options.get("mode", "normal") != "normal":
        return True
    k = options.get("k", args[0] if args else 6)
    return name in ("eigs", "eigsh") and k >= A.shape[0] - 1


def with_plans(name, solver):
    @functools.wraps(solver)
    def solve(A, *args, **options):
        if hasattr(A, "shape") and not needs_matrix(A, name, args, options):
            A = planned(A, [*args, *options.values()])
        return solver(A, *args, **options)
    return solve


def replace_solvers():
    """In all modules of SciPy, so that each way to import them finds the replacement."""
    import scipy.sparse.linalg
    for name in SOLVERS:
        solver = getattr(scipy.sparse.linalg, name, None)
        if solver is None:
            continue
        replacement = with_plans(name, solver)
        for module in list(sys.modules.values()):
            if getattr(module, "__name__", "").startswith("scipy.sparse.linalg") and \
                    vars(module).get(name) is solver:
                setattr(module, name, replacement)


def files():
    """The files of SciPy's tests that are installed."""
    found = []
    for module in MODULES:
        try:
            spec = importlib.util.find_spec("scipy.sparse.linalg." + module)
        except ModuleNotFoundError:          # some packages leave tests out
            spec = None
        if spec is not None and spec.origin:
            found.append(spec.origin)
    return found


def missing_module():
    """What SciPy's tests lack, as a reason to skip; None: nothing."""
    try:
        importlib.import_module("scipy.conftest")
    except ModuleNotFoundError as error:
        return f"SciPy's tests need the Python module {error.name}"
    return None


class Recorder:
    """A plugin of pytest: of each test, the text of its failure or "", if a plan took part."""

    def __init__(self):
        self.found = {}

    def pytest_runtest_setup(self, item):
        global plans
        plans = 0

    def pytest_runtest_logreport(self, report):
        if report.failed or report.when == "call" and report.passed and (plans or not enabled):
            self.found[report.nodeid] = report.longreprtext if report.failed else ""


def run_tests(names, arguments):
    import pytest
    import scipy

    recorder = Recorder()
    left_out = "not (" + " or ".join(LEFT_OUT) + ")"
    sys.stdout.flush()
    output = os.dup(1)           # pytest's own report is not TAP
    os.dup2(2, 1)
    pytest.main(["-q", "-p", "no:cacheprovider", "-c", os.devnull, "-W", "ignore", "-k", left_out,
                 "--rootdir", os.path.dirname(scipy.__file__), *arguments, *names],
                plugins=[recorder])
    sys.stdout.flush()
    os.dup2(output, 1)
    return recorder.found


def run_again(found, arguments):
    """Runs the tests that failed."""
    import scipy

    folder = os.path.dirname(scipy.__file__)
    failed = [os.path.join(folder, name) for name, failure in found.items() if failure]
    return run_tests(failed, arguments) if failed else {}


def main():
    global enabled
    folder, *arguments = sys.argv[1:]
    reason = run.missing(folder)
    if reason is None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        replace_solvers()
        reason = missing_module() if files() else "this SciPy has no tests"
    if reason:
        tap.skip(reason)
        tap.done()
    found = run_tests(files(), arguments)
    # ARPACK starts from random vectors, so some tests of SciPy fail now and then.
    found.update(run_again(found, arguments))
    enabled = False
    alone = run_again(found, arguments)
    for name, failure in found.items():
        if failure and alone.get(name, "") != "":
            tap.skip(f"{name}: SciPy's own matrix fails, too")
        else:
            tap.ok(not failure, name, failure)
    tap.ok(len(found) >= LEAST_TESTS, f"plans take part in {len(found)} tests of SciPy, "
           f"expected {LEAST_TESTS} at least")
    tap.done()


main()
