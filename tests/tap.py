"""tap.py: tests in the Test Anything Protocol, version 12, as Meson reads it.

    tap.ok(code == 0, "exits with 0")     one line; returns whether it passed
    tap.diag(text)                        comments for readers of the log
    tap.skip("needs nvcc")                one skipped case, with its reason
    tap.done()                            prints the plan and ends the process
"""
import os
import sys

# Makes warnings of compilers errors where those of the build are (./check --werror).
WERROR = os.environ.get("SPMV_WERROR", "-Werror")

_run = 0
_failed = 0


def diag(text):
    for line in str(text).splitlines() or [""]:
        print("# " + line, flush=True)


def ok(passed, name, details=""):
    global _run, _failed
    _run += 1
    print(f"{'ok' if passed else 'not ok'} {_run} - {name}", flush=True)
    if not passed:
        _failed += 1
        if details:
            diag(details)
    return bool(passed)


def skip(reason):
    global _run
    _run += 1
    print(f"ok {_run} # SKIP {reason}", flush=True)


def done():
    print(f"1..{_run}")
    sys.exit(1 if _failed else 0)
