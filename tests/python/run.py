"""run.py: runs files of pytest and prints their results as TAP.

    run.py FOLDER FILE...

FOLDER holds the package spmvgen of a build; "" if the build has none. Without the package, NumPy,
SciPy or pytest there is one skipped case, with the reason.
"""
import importlib.util
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap


def missing(folder):
    if not folder:
        return ("this build has no Python package: it needs Python's headers and NumPy, and no "
                "sanitizer")
    for name in ("numpy", "scipy", "pytest"):
        if importlib.util.find_spec(name) is None:
            return f"{sys.executable} has no {name}"
    return None


def main():
    folder, *files = sys.argv[1:]
    reason = missing(folder)
    if reason:
        tap.skip(reason)
        tap.done()
    # Child processes of the tests import the same package.
    sys.path[:0] = [folder, HERE]
    os.environ["PYTHONPATH"] = folder
    sys.dont_write_bytecode = True

    import pytest
    import tap_reporter
    # pytest's own folder of temporary files stays after its end.
    with tempfile.TemporaryDirectory() as work:
        code = pytest.main(["-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", HERE,
                            "--basetemp", os.path.join(work, "pytest"), *files],
                           plugins=[tap_reporter.Reporter()])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        tap.ok(False, f"pytest ends as expected; its exit code is {code}")
    tap.done()


if __name__ == "__main__":
    main()
