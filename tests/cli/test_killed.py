#!/usr/bin/env python3
"""test_killed.py SPMVGEN ROOT KILLED: the next run completes one that was killed.

KILLED is spmvgen, killed at call number SPMVGEN_KILL_AT (kill_at.c). Whichever call is the last,
the next run for other input gives the same files as in an empty folder, and no others.
"""
import os
import shutil
import signal
import subprocess
import sys

import cli
from cli import check, run, tap

KILLED = os.path.abspath(sys.argv[3])
MOST_CALLS = 200
SOME = 4                         # calls: what only repeats is tested at every fourth


def arguments(path, rank):
    """Each input has another page and another type than the one before, so its files differ."""
    (path / "board.lua").write_text((cli.HERE / "pages/board.lua").read_text()
                                    + f"rank = {rank}\n")
    return ("--target", "board.lua", "--method", "csr_scalar", "--offsets", "i32", "--type",
            "f32" if rank % 2 else "f64", "-o", "out", "--depfile", "out.d")


def everything(path):
    """Files with their bytes, and folders, but for the page."""
    found = {str(p.relative_to(path)): p.is_dir() or p.read_bytes() for p in path.rglob("*")}
    return {name: text for name, text in found.items() if not name.endswith(".lua")}


def killed(path, rank, call):
    """True if the run ended before that call."""
    done = subprocess.run([KILLED, *arguments(path, rank)], cwd=path, stdin=subprocess.DEVNULL,
                          capture_output=True, env=cli.environment(SPMVGEN_KILL_AT=str(call)))
    if done.returncode not in (0, -signal.SIGKILL):
        raise SystemExit(f"{KILLED} failed: {done}")
    return done.returncode == 0


def clean(path, rank):
    """The files that an input gives in an empty folder."""
    place = path / f"clean{rank}"
    place.mkdir()
    result = run(place, *arguments(place, rank))
    assert result.code == 0, result
    return everything(place)


def begun(path, emitted):
    """A fresh folder, with the files of input 0 if `emitted`."""
    place = path / "work"
    shutil.rmtree(place, ignore_errors=True)
    if emitted:
        shutil.copytree(path / "clean0", place, symlinks=True)
    else:
        place.mkdir()
    return place


def mended(path, expected, emitted, ranks, every=1):
    """Kills a run of ranks[0] at each of its calls, or at some, then runs of the ranks between in
    the same way; the run of the last rank must succeed and mend all. Returns (calls, failures)."""
    wrong, calls = [], 0
    for call in range(1, MOST_CALLS, every):
        place = begun(path, emitted)
        if killed(place, ranks[0], call):
            break
        calls += 1
        for rank in ranks[1:-1]:
            killed(place, rank, call)
        result = run(place, *arguments(place, ranks[-1]))
        if result.code or everything(place) != expected[ranks[-1]]:
            wrong.append(f"killed at call {call}: {result}{sorted(everything(place))}")
    return calls, wrong


def test_every_call(path, expected):
    for emitted in (False, True):
        calls, wrong = mended(path, expected, emitted, (1, 2))
        where = "over files of an earlier run" if emitted else "in an empty folder"
        check(20 < calls < MOST_CALLS - 1 and not wrong,
              f"killed at each of {calls} calls {where}, the next run mends all", *wrong[:3])


def test_two_runs(path, expected):
    calls, wrong = mended(path, expected, True, (1, 2, 3), SOME)
    check(calls > 5 and not wrong, "two runs for different input may be killed", *wrong[:3])


def test_same_input(path, expected):
    calls, wrong = mended(path, expected, True, (1, 0), SOME)
    check(calls > 5 and not wrong, "going back to the input before is mended, too", *wrong[:3])


def test_hand_edits(path):
    wrong, tried = [], 0
    for call in range(1, MOST_CALLS, SOME):
        place = begun(path, True)
        if killed(place, 1, call):
            break
        victim = place / "out/spmv_modules__board.c"
        if not victim.exists():
            continue
        tried += 1
        victim.write_text(victim.read_text() + "/* mine */\n")
        before = everything(place)
        result = run(place, *arguments(place, 2))
        if result.code != 1 or everything(place) != before or \
           "was changed since it was emitted" not in result.err:
            wrong.append(f"killed at call {call}: {result}")
    check(tried > 3 and not wrong, "a file that a user changed behind a killed run is not replaced",
          *wrong[:3])


def test_private_files(path):
    place = begun(path, True)
    gone = subprocess.Popen(["true"])
    gone.wait()
    dead = place / f"out/.spmvgen-{gone.pid}-0-000.new"
    alive = place / f"out/.spmvgen-{os.getpid()}-0-000.old"
    other = place / f"out/.spmvgen-{gone.pid}-notes"
    for file in (dead, alive, other):
        file.write_text("text\n")
    result = run(place, *arguments(place, 2))
    check(result.code == 0 and not dead.exists() and alive.exists() and other.exists(),
          "only private files of processes that have ended are removed", result)


holder, path = cli.folder()
with holder:
    expected = [clean(path, rank) for rank in range(4)]
    test_every_call(path, expected)
    test_two_runs(path, expected)
    test_same_input(path, expected)
    test_hand_edits(path)
    test_private_files(path)
tap.done()
