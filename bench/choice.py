#!/usr/bin/env python3
"""choice.py: how good the automatic choice is for 1, 10 and 100 multiplications.

    bench/choice.py CHOICEBENCH FILE|FOLDER... [option]...

times a new plan and its first multiplications with every method on Matrix Market files. It compares
the method that a plan chooses with the fastest: their ratio is 1 if they are the same. It prints
median, 90 %, 99 % and worst ratio over the matrices, for each type, number of threads and number of
multiplications. It also prints them for two halves of the matrices, which alternate in the order of
nonzeros: cost models (docs/background/cost-model.md) are fitted to the first half, and the second
half shows what to expect of other matrices. The time of choosing is not included; it is a
multiplication or two if 8 or more are expected.

  --type T       f32 or f64; may repeat (both)
  --threads N    may repeat (1 and 2)
  --rounds N     interleaved rounds, whose median counts (9)
  --least N      skip matrices with fewer nonzeros; complex ones are always skipped (3000)
  --all          print every matrix for which another method is faster by a tenth or more
  --save FILE    write all times to the file, tab-separated
  --load FILE    judge the times that --save wrote, instead of measuring
"""
import argparse
import collections
import gzip
import pathlib
import subprocess
import sys

COUNTS = (1, 10, 100)
COLUMNS = ("matrix", "nonzeros", "type", "threads", "method", "prepare", *map(str, COUNTS),
           "chosen", "build_cost", "cost")
SUFFIXES = (".mtx", ".mtx.gz")


def fail(words):
    sys.exit("choice.py: " + words)


# ---- measuring -------------------------------------------------------------------------------

def nonzeros(path):
    """The file's number of nonzeros; for a symmetric file, an upper bound that counts both halves;
    -1 for a complex matrix, which is not supported."""
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as lines:
        banner = next(lines, "").lower()
        sizes = next((line.split() for line in lines if line.strip() and line[0] != "%"), [])
    is_matrix = banner.startswith("%%matrixmarket") and len(sizes) >= 2
    if not is_matrix or not all(map(str.isdigit, sizes)):
        fail(f"{path} is no Matrix Market file; expected a banner and a line of sizes")
    if "complex" in banner:
        return -1
    stored = int(sizes[2]) if len(sizes) > 2 else int(sizes[0]) * int(sizes[1])
    return stored if "general" in banner else 2 * stored


def find_matrices(names, least):
    """Finds files. Returns all with their nonzeros, sorted, and those with enough nonzeros."""
    found = []
    for name in map(pathlib.Path, names):
        paths = [name]
        if name.is_dir():
            paths = sorted(path for path in name.iterdir() if path.name.endswith(SUFFIXES))
        elif not name.is_file():
            fail(f"there is no {name}; expected a Matrix Market file, or a folder of them")
        found += paths
    sized = sorted((nonzeros(path), path) for path in found)
    kept = [path for size, path in sized if size >= least]
    if not kept:
        fail(f"no matrix with {least} nonzeros or more among {len(found)}; expected one or more")
    return sized, kept


def measure(program, path, kind, threads, rounds):
    """The rows that choicebench prints."""
    command = [program, str(path), kind, str(threads), str(rounds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        fail(f"{program} cannot be run: {error.strerror}; expected choicebench")
    if done.returncode:
        fail(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    if not rows or any(len(row) != len(COLUMNS) - 4 for row in rows):
        fail(f"{program} printed no table of {len(COLUMNS) - 4} columns; expected choicebench")
    return rows


def measure_all(given):
    sized, kept = find_matrices(given.matrix, given.least)
    sizes = {path: size for size, path in sized}
    table = []
    for path in kept:
        for kind in given.type or ["f32", "f64"]:
            for threads in given.threads or [1, 2]:
                table += [[path.name, str(sizes[path]), kind, str(threads), *row]
                          for row in measure(given.program, path, kind, threads, given.rounds)]
    return table


# ---- judging ---------------------------------------------------------------------------------

Cell = collections.namedtuple("Cell", "matrix nonzeros chosen best ratio")


def judge(table):
    """{(type, threads, count): cells}, in the order of the matrices."""
    groups = collections.defaultdict(list)
    for row in table:
        one = dict(zip(COLUMNS, row))
        groups[one["type"], int(one["threads"]), one["matrix"]].append(one)
    cells = collections.defaultdict(list)
    for (kind, threads, matrix), methods in groups.items():
        for count in COUNTS:
            time = {one["method"]: float(one[str(count)]) for one in methods}
            chosen = [one["method"] for one in methods if str(count) in one["chosen"].split(",")]
            if len(chosen) != 1:
                fail(f"{matrix}: for {count} multiplications {len(chosen)} methods are chosen; "
                     "expected one")
            best = min(time, key=time.get)
            cells[kind, threads, count].append(
                Cell(matrix, int(methods[0]["nonzeros"]), chosen[0], best,
                     time[chosen[0]] / time[best]))
    return cells


def quantile(ordered, share):
    """The least value that is at least as large as this share of the values."""
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


def print_summary(name, cells):
    ordered = sorted(cell.ratio for cell in cells)
    worst = max(cells, key=lambda cell: cell.ratio)
    print(f"  {name:12} {len(cells):8} {quantile(ordered, .5):7.2f} {quantile(ordered, .9):7.2f} "
          f"{quantile(ordered, .99):7.2f} {worst.ratio:7.2f}  {worst.matrix}: {worst.chosen}, "
          f"{worst.best} is best")


def print_all(cells, details):
    for (kind, threads, count), found in sorted(cells.items()):
        print(f"\n{kind}, {threads} thread{'s' * (threads != 1)}, {count} "
              f"multiplication{'s' * (count != 1)}")
        print(f"  {'':12} {'matrices':>8} {'median':>7} {'90 %':>7} {'99 %':>7} {'worst':>7}")
        halves = {"first half": found[::2], "second half": found[1::2], "all": found}
        for name, part in halves.items():
            if part:
                print_summary(name, part)
        for cell in found if details else ():
            if cell.ratio >= 1.1:
                print(f"    {cell.matrix:32} {cell.nonzeros:9} nonzeros {cell.ratio:6.2f}  "
                      f"{cell.chosen}, {cell.best} is best")
    whole = [cell for found in cells.values() for cell in found]
    print(f"\n{'':14} {'cells':>8} {'median':>7} {'90 %':>7} {'99 %':>7} {'worst':>7}")
    print_summary("everything", whole)


# ---- the program -----------------------------------------------------------------------------

def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def load(name):
    try:
        lines = pathlib.Path(name).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        fail(f"{name} cannot be read: {error.strerror}")
    table = [line.split("\t") for line in lines]
    if not table or tuple(table[0]) != COLUMNS or any(len(row) != len(COLUMNS) for row in table):
        fail(f"{name} was not written by --save; expected {len(COLUMNS)} columns, the first "
             f"'{COLUMNS[0]}'")
    return table[1:]


def main():
    options = argparse.ArgumentParser(usage="choice.py CHOICEBENCH FILE|FOLDER... [option]...",
                                      description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", metavar="CHOICEBENCH", nargs="?", help=argparse.SUPPRESS)
    options.add_argument("matrix", metavar="FILE|FOLDER", nargs="*", help=argparse.SUPPRESS)
    options.add_argument("--type", choices=["f32", "f64"], action="append", help=argparse.SUPPRESS)
    options.add_argument("--threads", type=positive, action="append", help=argparse.SUPPRESS)
    options.add_argument("--rounds", type=positive, default=9, help=argparse.SUPPRESS)
    options.add_argument("--least", type=positive, default=3000, help=argparse.SUPPRESS)
    options.add_argument("--all", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--save", metavar="FILE", help=argparse.SUPPRESS)
    options.add_argument("--load", metavar="FILE", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.load is None and not given.matrix:
        fail("no matrix is named; expected CHOICEBENCH FILE|FOLDER..., or --load FILE")
    table = load(given.load) if given.load else measure_all(given)
    if given.save:
        lines = ["\t".join(row) for row in [COLUMNS, *table]]
        pathlib.Path(given.save).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print_all(judge(table), given.all)


if __name__ == "__main__":
    main()
