#!/usr/bin/env python3
"""bench.py: times of PETSc's MatMult and KSP with AIJ and with aijspmv, side by side.

    integrations/petsc/bench/bench.py BUILD [--ranks 1,2] [--problem NAME]... [--product NAME]
                                            [--rounds N] [--matrices DIR] [--record]

BUILD is a build folder with libpetscspmv. The problems are Jacobians of the Bratu problem, in two
and in three dimensions, and real matrices in Matrix Market files: those of DIR, else of the folder
$SPMV_MATRICES, else of ../shared/matrices, that have the names below. For each problem and number
of ranks, petscbench compares one product of each type with AIJ's, then times them in turn, with one
thread a rank. A figure is the fastest of its rounds; "median" is the ratio of the medians, which is
the same if the machine has nothing else to do. "first" is the first product, which inspects the
matrix, in products of AIJ. The solver is CG for Bratu and 90 iterations of GMRES for real matrices,
both with Jacobi. --product transpose times MatMultTranspose instead, and --product dense
MatMatMult with a dense matrix of 8 columns; then there are no solves. Needs SciPy.

--record writes the table to bench/results/DATE-CPU-petsc.jsonl, or -petsc-PRODUCT.jsonl.
"""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "integrations/petsc")]

import matrices
import mpi
import record
import record_rows

BRATU = [("bratu2d", 300), ("bratu2d", 1000), ("bratu3d", 40), ("bratu3d", 100)]
REAL = ["bcsstk16", "bcsstk29_pat", "bundle1", "boyd1_kkt", "cnr-2000", "delaunay_n16", "memplus",
        "mult_dcop_01", "soc-Slashdot0902"]
# Name, width (below 0: to the left) and digits of each column.
COLUMNS = [("problem", -17, ""), ("ranks", 5, ""), ("rows", 8, ""), ("nonzeros", 9, ""),
           ("AIJ us", 10, ".1f"), ("own us", 10, ".1f"), ("ratio", 6, ".2f"), ("median", 7, ".2f"),
           ("first", 7, ".1f"), ("AIJ ms", 9, ".2f"), ("own ms", 9, ".2f"), ("solve", 6, ".2f"),
           ("iterations", 11, ""), ("choice", -1, "")]
TYPE = re.compile(r"^type (\S+) mult (\S+) (\S+) first (\S+) solve (\S+) iterations (\d+) ", re.M)
PROBLEM = re.compile(r"^problem \S+ rows (\d+) columns (\d+) nonzeros (\d+)$", re.M)
CHOICE = re.compile(r"^aijspmv: (?:rank 0, diagonal block(?:, transposed)?: )?(?:transposed: )?"
                    r"(.*?)(?:,|:)", re.M)


def problems(given, folder):
    """[(name, options of petscbench)]; writes matrices to the folder."""
    found = [(f"{name} {points}", ["-problem", name, "-grid", str(points)])
             for name, points in BRATU]
    source = given.matrices or pathlib.Path(
        os.environ.get("SPMV_MATRICES", ROOT.parent / "shared/matrices"))
    for name in REAL:
        if given.problem and name not in given.problem:
            continue
        for path in (source / f"{name}.mtx.gz", source / f"{name}.mtx"):
            if path.is_file():
                file = pathlib.Path(folder, name + ".petsc")
                matrices.convert(path, file)
                found.append((name, ["-problem", str(file)]))
                break
    if given.problem:
        known = {name for name, _ in found}
        for name in given.problem:
            if name not in known:
                sys.exit(f"bench.py: there is no problem '{name}'; found: {', '.join(known)}")
        found = [(name, options) for name, options in found if name in given.problem]
    return found


def run(build, ranks, options):
    """petscbench's output; its reasons end this script."""
    here = pathlib.Path(build, "integrations/petsc").resolve()
    words = [str(here / "bench/petscbench"), "-dll_append", str(here / "libpetscspmv.so"),
             "-mat_aijspmv_view", *options]
    if ranks > 1:
        words = ["mpirun", "--bind-to", "core" if ranks <= os.cpu_count() else "none", "-n",
                 str(ranks), *words]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False,
                              env=mpi.ENVIRONMENT)
    except OSError as error:
        sys.exit(f"bench.py: {words[0]} cannot be run: {error.strerror}")
    if done.returncode:
        sys.exit(f"bench.py: {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def rows_of(name, ranks, output):
    """A row of COLUMNS for each type beside AIJ."""
    rows, _, nonzeros = PROBLEM.search(output).groups()
    types = {found[0]: [float(word) for word in found[1:]] for found in TYPE.findall(output)}
    aij = types.pop("aij")
    choice = CHOICE.search(output)
    for other, (mult, median, first, solve, iterations) in types.items():
        what = choice[1] if other == "aijspmv" and choice else other
        yield [name, ranks, int(rows), int(nonzeros), aij[0], mult, aij[0] / mult, aij[1] / median,
               first / aij[0], 1e-3 * aij[3], 1e-3 * solve, aij[3] / solve if solve else None,
               f"{aij[4]:.0f}/{iterations:.0f}", what]


def shown(row):
    cells = []
    for cell, (_, width, form) in zip(row, COLUMNS):
        text = "-" if cell is None else cell if isinstance(cell, str) else f"{cell:{form}}"
        cells.append(text.ljust(-width) if width < 0 else text.rjust(width))
    return " ".join(cells).rstrip()


def petsc_version():
    done = subprocess.run(["pkg-config", "--modversion", "PETSc"], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip() or "unknown"


def measured(given):
    """The rows, printed as they come."""
    rows = []
    print(shown([name for name, *_ in COLUMNS]), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, options in problems(given, folder):
            for ranks in given.ranks:
                output = run(given.build, ranks, [*options, "-product", given.product,
                                                  "-rounds", str(given.rounds)])
                for row in rows_of(name, ranks, output):
                    print(shown(row), flush=True)
                    rows.append(row)
    return rows


def write_record(given, rows):
    today = datetime.date.today().isoformat()
    product = "" if given.product == "mult" else "-" + given.product
    path = record.RESULTS / (f"{record.beginning_of(today, record.cpu_name())}-petsc{product}"
                             ".jsonl")
    load = " ".join(f"{number:.1f}" for number in os.getloadavg())
    facts = {"record": "petsc", "date": today, **record.versions(),
             "petsc": f"{petsc_version()}, one thread a rank",
             "load": f"{load} (1, 5, 15 minutes, at the end)",
             "command": " ".join(["integrations/petsc/bench/bench.py build", *sys.argv[2:]])}
    path.write_text(record_rows.text_of(facts, [name for name, *_ in COLUMNS], rows),
                    encoding="utf-8")
    print(f"wrote {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", help="a build folder with libpetscspmv")
    parser.add_argument("--ranks", default=[1, 2], help="numbers of ranks, as in 1,2",
                        type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--problem", action="append", help="only this one; may be repeated")
    parser.add_argument("--product", choices=("mult", "transpose", "dense"), default="mult",
                        help="MatMult, MatMultTranspose or MatMatMult with 8 columns")
    parser.add_argument("--rounds", type=int, default=100, help="rounds of 2 ms for each type")
    parser.add_argument("--matrices", type=pathlib.Path, help="folder of Matrix Market files")
    parser.add_argument("--record", action="store_true", help="write bench/results/...-petsc.jsonl")
    given = parser.parse_args()
    rows = measured(given)
    if given.record:
        write_record(given, rows)


if __name__ == "__main__":
    main()
