#!/usr/bin/env python3
"""products.py: records races of products beside A x, and makes tables from the record.

    bench/products.py run SPMVBENCH [--seconds S] [--threads N] [--force]
                                        writes bench/results/DATE-CPU-products.jsonl
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
import sys
import tempfile

sys.dont_write_bytecode = True

import record
import record_races
import record_rows
from record_tables import harmonic

# The record that the page shows.
SHOWN = "2026-11-26-intel-r-xeon-r-processor-avx512f-products.jsonl"
PAGE = record.ROOT / "docs/background/products.md"
MARKS = ("<!-- products: made by bench/products.py page -->\n", "<!-- /products -->\n")

TRANSPOSED = ["--transposed", "--method", "strips", "--method", "evc_hyb"]
COLUMNS_OF = ["--method", "strips", "--method", "csr_vector", "--columns"]
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
PRODUCTS, TRANSPOSE = "products", "A^T x"
COLUMNS = ["product", "matrix", "type", "method", "peer", "GFlop/s", "of one"]


# ---- running -------------------------------------------------------------------------------------

def real_matrices():
    files = record_races.real_matrices()[0]
    return [file for name in REAL for file in files if pathlib.Path(file).name.startswith(name)]


def product_of(matrix):
    return TRANSPOSE if matrix["transposed"] else matrix["columns"]


def rows_of(lines):
    """A row of COLUMNS for each right result in records of spmvbench."""
    return [[product_of(matrix), record_rows.name_of(matrix["input"]), matrix["type"], r["method"],
             r["peer"], r["gflops"], r.get("of_a_ratio", r.get("of_one_ratio"))]
            for matrix, results in record_rows.group_results(lines)
            for r in results if r["correct"] and r["gflops"] is not None]


def race(program, arguments):
    """Runs spmvbench, and returns the rows."""
    with tempfile.TemporaryDirectory(prefix="products-") as folder:
        file = pathlib.Path(folder, "run.jsonl")
        done = record_races.call(program, [*arguments, "--save", str(file)])
        if done.returncode:
            record_races.fail(done.stderr)
        return rows_of(file.read_text(encoding="utf-8").splitlines())


def run(options):
    date = datetime.date.today().isoformat()
    out = record.RESULTS / f"{record.beginning_of(date, record.cpu_name())}-products.jsonl"
    if out.exists() and not options.force:
        sys.exit(f"products.py: {out.name} is there already; --force replaces it")
    if not os.environ.get("SPMV_MKL_LIBRARY"):
        sys.exit("products.py: SPMV_MKL_LIBRARY is not set, and the tables compare with oneMKL")
    folder = pathlib.Path(options.spmvbench).parent / "peers"
    peers = [word for name in PEERS for word in ("--peer", str(folder / f"{name}.so"))]
    common = [*peers, "--type", ",".join(TYPES), "--threads", str(options.threads), "--seconds",
              options.seconds, "--dram", "0"]
    real = real_matrices()
    races = [[*inputs, *product] for made, product in ((["--lookalike", "all"], TRANSPOSED),
                                                       (MOST, [*COLUMNS_OF, "8"]))
             for inputs in (made, real) if inputs]
    races += [[*SOME, *COLUMNS_OF, count] for count in ("2", "4", "16")]
    rows = [row for words in races for row in race(options.spmvbench, [*words, *common])]
    facts = {"record": PRODUCTS, "date": date, **record.versions(),
             "command": [record_races.shown([*words, *common]) for words in races]}
    record.write_whole(out, record_rows.text_of(facts, COLUMNS, rows))
    print(f"{out.name}\n\n{tables(record_rows.read(out, PRODUCTS)[1])}")


# ---- the tables ----------------------------------------------------------------------------------

def figures_of(rows):
    """Our fastest time over the fastest of our times of A x, or of one vector; and the time of each
    peer over ours, where it took part."""
    ours = [(row["GFlop/s"], row["of one"]) for row in rows if not row["peer"]]
    best = max(speed for speed, _ in ours)
    figures = {row["method"]: best / row["GFlop/s"] for row in rows if row["peer"]}
    return {**figures, "of": max(speed * ratio for speed, ratio in ours) / best}


def races_of(rows):
    """{product, such as "A^T x" or 8: {matrix: {type: figures}}}"""
    races = {}
    for row in rows:
        matrix = races.setdefault(row["product"], {}).setdefault(row["matrix"], {})
        matrix.setdefault(row["type"], []).append(row)
    return {product: {name: {value_type: figures_of(found) for value_type, found in types.items()}
                      for name, types in matrices.items()} for product, matrices in races.items()}


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


def tables(rows):
    races = races_of(rows)
    counts = sorted(count for count in races if count != TRANSPOSE)
    some = [name for name in races[8] if all(name in races[count] for count in counts)]
    return "\n".join([
        "| product, matrices | " + " | ".join(f"{t}: of one | oneMKL | SciPy's loop" for t in TYPES)
        + " |", "|---|" + "---|" * 6,
        *[row(f"{product if product == TRANSPOSE else '8 vectors'}, {len(races[product])}",
              races[product].values()) for product in (TRANSPOSE, 8)],
        *[row(f"{count} vectors, {len(some)}", [races[count][name] for name in some])
          for count in counts], "",
        f"The last rows are of {', '.join(some)}.", ""])


def shown_record():
    return record_rows.read(record.RESULTS / SHOWN, PRODUCTS)[1]


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
