#!/usr/bin/env python3
"""products.py: records races of products beside A x, and makes tables from the record.

    bench/products.py run SPMVBENCH [--seconds S] [--threads N] [--force]
                                        writes bench/results/DATE-CPU-products.txt
    bench/products.py page              writes the tables of docs/background/products.md, from
                                        SHOWN below

`run` goes through the 18 look-alikes and, where SPMV_MATRICES or ../shared/matrices has them,
cnr-2000 and boyd1_kkt, in f64 and f32, with A^T x; through all but FullChip with 8 vectors, and
through three with 2, 4 and 16. SPMV_MKL_LIBRARY is the file of oneMKL, with its folder in
LD_LIBRARY_PATH. It takes about 15 minutes; the machine should have nothing else to do. An existing
file is replaced only with --force, and nothing is written before all races are over.
"""
import argparse
import datetime
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True

import record
import record_races
from record_tables import harmonic

# The record that the page shows.
SHOWN = "2026-11-26-intel-r-xeon-r-processor-avx512f-products.txt"
PAGE = record.ROOT / "docs/background/products.md"
MARKS = ("<!-- products: made by bench/products.py page -->\n", "<!-- /products -->\n")

TRANSPOSED = ["--transposed", "--method", "strips", "--method", "evc_hyb"]
COLUMNS = ["--method", "strips", "--method", "csr_vector", "--columns"]
# The look-alikes of `--lookalike all` but FullChip: 8 vectors would take as long for it as for all
# others.
MOST = [*(f"lookalike:{name}" for name in (
    "dense2", "pdb1HYS", "cant", "pwtk", "conf5_4-8x8-05", "mc2depi", "mac_econ_fwd500", "scircuit",
    "webbase-1M", "ins2", "ASIC_680k", "dc2", "mip1", "rail4284")),
    "shape:stencil-27:250000", "shape:half-empty:1000000", "shape:power-law:1048576"]
SOME = ["lookalike:cant", "lookalike:mc2depi", "lookalike:scircuit"]
REAL = ("cnr-2000", "boyd1_kkt")
PEERS = ("mkl", "csr_serial")
TYPES = ("f64", "f32")


# ---- running -------------------------------------------------------------------------------------

def real_matrices():
    files = record_races.real_matrices()[0]
    return [file for name in REAL for file in files if pathlib.Path(file).name.startswith(name)]


def race(program, arguments):
    """Runs spmvbench. Returns the command and its output."""
    done = record_races.call(program, arguments)
    if done.returncode:
        record_races.fail(done.stderr)
    return f"$ {record_races.shown(arguments)}\n{done.stdout}\n"


def run(options):
    date = datetime.date.today().isoformat()
    out = record.RESULTS / f"{record.beginning_of(date, record.cpu_name())}-products.txt"
    if out.exists() and not options.force:
        sys.exit(f"products.py: {out.name} is there already; --force replaces it")
    if not os.environ.get("SPMV_MKL_LIBRARY"):
        sys.exit("products.py: SPMV_MKL_LIBRARY is not set, and the tables compare with oneMKL")
    folder = pathlib.Path(options.spmvbench).parent / "peers"
    peers = [word for name in PEERS for word in ("--peer", str(folder / f"{name}.so"))]
    common = [*peers, "--type", ",".join(TYPES), "--threads", str(options.threads), "--seconds",
              options.seconds, "--dram", "0"]
    versions = "".join(f"{word:<8} {text}\n" for word, text in record.versions())
    text = f"date     {date}\n{versions}\n"
    real = real_matrices()
    for made, product in ((["--lookalike", "all"], TRANSPOSED), (MOST, [*COLUMNS, "8"])):
        text += race(options.spmvbench, [*made, *product, *common])
        if real:
            text += race(options.spmvbench, [*real, *product, *common])
    for count in ("2", "4", "16"):
        text += race(options.spmvbench, [*SOME, *COLUMNS, count, *common])
    made = tables(text)
    record.write_whole(out, text)
    print(f"{out.name}\n\n{made}")


# ---- the tables ----------------------------------------------------------------------------------

def tables_of(text):
    """The tables of spmvbench: rows as dictionaries, by the words of the heading."""
    tables = []
    for block in re.findall(r"^(?:method|matrix) .*\n(?:.+\n)+", text, re.MULTILINE):
        lines = [re.split(r"\s{2,}", line.strip()) for line in block.splitlines()]
        if {"correct", "fastest"} & set(lines[0]):
            tables.append([dict(zip(lines[0], line)) for line in lines[1:]])
    return tables


def figures_of(rows, of):
    """Our fastest time over the fastest of our times of A x, or of one vector, as column `of` tells
    them; and the time of each peer over ours, where it took part."""
    timed = [row for row in rows if row.get("correct") == "yes" and row["GFlop/s"] != "-"]
    ours = [(float(row["GFlop/s"]), float(row[of])) for row in timed if row["target"] != "peer"]
    best = max(speed for speed, _ in ours)
    figures = {row["method"]: best / float(row["GFlop/s"])
               for row in timed if row["target"] == "peer"}
    return {**figures, "of": max(speed * ratio for speed, ratio in ours) / best}


def races_of(text):
    """{product, such as "A^T x" or 8: {matrix: {type: figures}}}"""
    races = {}
    for section in re.split(r"^(?=\$ )", text, flags=re.MULTILINE)[1:]:
        columns = re.search(r"--columns (\d+)", section)
        product, of = (int(columns[1]), "of one") if columns else ("A^T x", "of A x")
        *tables, last = tables_of(section)
        for rows, row in zip(tables, last, strict=True):
            races.setdefault(product, {}).setdefault(row["matrix"], {})[row["type"]] = (
                figures_of(rows, of))
    return races


def means_of(matrices, value_type):
    """Of times over one: the mean, and the most. Of peers: the harmonic mean, and the least."""
    cells = []
    for key in ("of", *PEERS):
        found = [m[value_type][key] for m in matrices if key in m[value_type]]
        cells.append(f"{sum(found) / len(found):.2f} ({max(found):.2f})" if key == "of" else
                     f"{harmonic(found):.2f} ({min(found):.2f})")
    return cells


def row(first, matrices):
    return f"| {first} | " + " | ".join(cell for t in TYPES
                                        for cell in means_of(matrices, t)) + " |"


def tables(text):
    if not re.search(r"^\$ .* --transposed", text, re.MULTILINE) or "--columns 8" not in text:
        sys.exit("products.py: these are not the races of bench/products.py")
    races = races_of(text)
    counts = sorted(count for count in races if count != "A^T x")
    some = [name for name in races[8] if all(name in races[count] for count in counts)]
    return "\n".join([
        "| product, matrices | " + " | ".join(f"{t}: of one | oneMKL | SciPy's loop" for t in TYPES)
        + " |", "|---|" + "---|" * 6,
        *[row(f"{product if product == 'A^T x' else '8 vectors'}, {len(races[product])}",
              races[product].values()) for product in ("A^T x", 8)],
        *[row(f"{count} vectors, {len(some)}", [races[count][name] for name in some])
          for count in counts], "",
        f"The last rows are of {', '.join(some)}.", ""])


def shown_record():
    path = record.RESULTS / SHOWN
    if not path.is_file():
        sys.exit(f"products.py: {SHOWN} of SHOWN is no file of bench/results/")
    return path.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="run|page")
    running = commands.add_parser("run")
    running.add_argument("spmvbench")
    running.add_argument("--seconds", default="0.1")
    running.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    running.add_argument("--force", action="store_true", help="replace a file of today")
    commands.add_parser("page")
    arguments = parser.parse_args()
    if arguments.command == "run":
        run(arguments)
    else:
        record.put_into(PAGE, tables(shown_record()), MARKS)


if __name__ == "__main__":
    main()
