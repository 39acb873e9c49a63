#!/usr/bin/env python3
"""coverage.py BUILD: prints which share of statements and branches the tests of a Meson build
folder with -Db_coverage=true executed, by folder. What tests emitted counts as "emitted".

gcov (or $GCOV), of the compiler's version, reads what each compiled file counted. A statement is
a line; files that are compiled several times count once, with the branches of the compilation that
has the fewest: sanitizers add some.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("runtime", "generator", "generated")
BATCH = 20


def read(notes):
    """[(path, line, whether it ran, [whether each branch was taken])] of some compiled files."""
    done = subprocess.run([os.environ.get("GCOV", "gcov"), "-b", "-j", "-t", *notes],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"coverage: gcov failed: {done.stderr[-1000:]}")
    found = []
    for report in map(json.loads, done.stdout.splitlines()):
        for file in report["files"]:
            path = os.path.normpath(os.path.join(report["current_working_directory"], file["file"]))
            if not path.startswith(f"{ROOT}/"):     # a header of the system
                continue
            found += [(path, line["line_number"], line["count"] > 0,
                       tuple(b["count"] > 0 for b in line["branches"] if not b["throw"]))
                      for line in file["lines"]]
    return found


def folder_of(path, build):
    """The row of a file; None: it is not counted."""
    if path.is_relative_to(build / "tests"):
        return "emitted"
    if path.is_relative_to(build) or not path.is_relative_to(ROOT):
        return None
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:-1][:2]) if parts[0] in FOLDERS else None


def main(build):
    # A file whose code never ran has notes, but no counters.
    notes = sorted(map(str, build.rglob("*.gcno")))
    if not notes:
        sys.exit(f"coverage: {build} counts nothing: expected a build with -Db_coverage=true")
    ran, taken = {}, collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        batches = [notes[i:i + BATCH] for i in range(0, len(notes), BATCH)]
        for path, line, did, branches in (x for found in workers.map(read, batches) for x in found):
            ran[path, line] = ran.get((path, line), False) or did
            before = taken[path, line].get(len(branches), branches)
            taken[path, line][len(branches)] = tuple(map(max, before, branches))
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (path, line), did in ran.items():
        name = folder_of(pathlib.Path(path), build)
        branches = taken[path, line]
        branches = branches[min(filter(None, branches), default=0)]
        for row in {name, name.split("/")[0]} if name else ():
            rows[row] = [a + b for a, b in zip(rows[row], (did, 1, sum(branches), len(branches)))]
    print(f"{'coverage':32}{'statements':>22}{'branches':>26}")
    for name, (*statements, branches_taken, branches) in sorted(rows.items()):
        print(f"{name:32}" + "".join(f"{a:9} of {b:6} {100 * a / max(b, 1):5.1f} %" for a, b in
                                     (statements, (branches_taken, branches))))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
