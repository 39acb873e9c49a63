"""test_record.py: bench/record.py and bench/products.py report errors before they race, and lose no
record; their tables follow from the records."""
import argparse
import contextlib
import dataclasses
import gzip
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

ROOT = pathlib.Path(SOURCE)
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bench"))

import products
import record
import record_races
import record_rows
import record_tables


def run(*arguments, script="record.py", **environment):
    return subprocess.run([sys.executable, str(ROOT / "bench" / script), *map(str, arguments)],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def refused(name, expected, *arguments, **where):
    done = run(*arguments, **where)
    tap.ok(done.returncode != 0 and expected in done.stderr and "Traceback" not in done.stderr
           and "lookalike:all" not in done.stdout, name, done.stdout + done.stderr)


def contents():
    return {path: path.read_bytes()
            for path in [record.README, record.PERFORMANCE, *(ROOT / "bench/results").iterdir()]}


def refusal_to_show(path):
    """What record.py says against a record for the pages."""
    record.SHOWN = [(str(path), "a machine")]
    try:
        record.shown_records()
        return "nothing"
    except SystemExit as error:
        return str(error)


def lines_of(product, of):
    """Records of spmvbench of two races of a product, shortened."""
    lines = []
    for name, value_type, results in (
            ("lookalike:cant", "f64", [("evc_hyb", False, 4.0, 2.0), ("strips", False, 2.0, 3.0),
                                       ("csr5", False, None, None), ("mkl", True, 1.0, 1.61)]),
            ("lookalike:dc2", "f32", [("strips", False, 3.0, 1.5),
                                      ("csr_serial", True, 2.0, 3.0)])):
        lines.append(dict(record="matrix", input=name, type=value_type, complete=True,
                          results=len(results), **product))
        lines += [dict(record="result", input=name, type=value_type, method=method, peer=peer,
                       correct=speed is not None, gflops=speed, **{of: ratio})
                  for method, peer, speed, ratio in results]
    return map(json.dumps, lines)


def test_products():
    rows = [*products.rows_of(lines_of(dict(transposed=True, columns=1), "of_a_ratio")),
            *products.rows_of(lines_of(dict(transposed=False, columns=4), "of_one_ratio"))]
    races = products.races_of([dict(zip(products.COLUMNS, row)) for row in rows])
    figures = {"cant": {"f64": {"mkl": 4.0, "of": 2.0}},
               "dc2": {"f32": {"csr_serial": 1.5, "of": 1.5}}}
    tap.ok(races == {"A^T x": figures, 4: figures},
           "our fastest time is over the least time of A x, and peers' over it", races)
    half = {"f64": {"mkl": 2.0, "of": 1.0}}
    tap.ok(products.means_of([{"f64": {"mkl": 1.0, "of": 2.0, "csr_serial": 3.0}}, half], "f64")
           == ["1.50 (2.00)", "1.33 (1.00)", "3.00 (3.00)"], "means are over those that took part")
    refused("a missing program for products", "cannot be run", "run", "/none", "--force",
            script="products.py", SPMV_MKL_LIBRARY="/none")
    refused("products without oneMKL", "SPMV_MKL_LIBRARY is not set", "run", "/none", "--force",
            script="products.py", SPMV_MKL_LIBRARY="")
    refused("no command of products", "run|page", script="products.py")


# ---- a spmvbench that measures nothing -----------------------------------------------------------

# Speeds in GFlop/s. strips is chosen, though csr5 is faster; `back` permutes y, `bad` is wrong, and
# `mkl` declines f32. Look-alikes of seed 2 are half as fast for us.
FAKE = """#!{python}
import json, sys
words = sys.argv[1:]
def value(name): return words[words.index(name) + 1]
def module(method, value_type):
    return f"spmv_{{method}}_{{value_type}}_i32__fake"
def name_of(text):
    return "look-alike of dc2 (circuit)" if text.startswith("lookalike") else text.split("/")[-1]
def result(text, value_type, method, speed, peer=True, **more):
    r = dict(record="result", input=text, type=value_type, method=method, peer=peer, figures={{}},
             module=f"a toy, {{method}}" if peer else module(method, value_type), correct=True,
             benchmark_only=False, left_out=False, permuted_y=False, failure="", gflops=speed)
    return {{**r, **more}}
def write(file):
    for text in inputs:
        for value_type in value("--type").split(",") if "--type" in words else ["f64"]:
            slow = 2 if "--seed" in words and value("--seed") == "2" else 1
            wide = 4 if value_type == "f32" or "narrow" in text else 8
            results = [
                result(text, value_type, "strips", 8 / slow, False,
                       figures={{"bytes of a value": wide}}),
                result(text, value_type, "csr5", 10, False),
                result(text, value_type, "slow", 2), result(text, value_type, "fast", 4),
                result(text, value_type, "back", 99, permuted_y=True),
                result(text, value_type, "bad", None, correct=False, failure="1 row is wrong"),
                result(text, value_type, "none", None, correct=False, left_out=True,
                       failure="no library"),
                result(text, value_type, "mkl", 3) if value_type == "f64" else
                result(text, value_type, "mkl", None, correct=False, left_out=True,
                       failure="f64 alone")]
            size = 4e7 if "large" in text else 1e6
            matrix = dict(record="matrix", input=text, type=value_type, name=name_of(text),
                          csr_bytes=size, competitors=0, complete=True, results=len(results))
            print(*map(json.dumps, [matrix, *results]), sep="\\n", file=file)
inputs = [w for w in words if w.startswith(("lookalike:", "shape:", "/"))
          and words[words.index(w) - 1] not in ("--save", "--resume")
          and not w.endswith("none.mtx")]
if any(w.endswith("none.mtx") for w in words) and words[0] == "run":
    print("spmvbench: " + next(w for w in words if w.endswith("none.mtx"))
          + ": cannot be opened", file=sys.stderr)
if words[0] == "inspect":
    for text in inputs:
        print(f"matrix   {{name_of(text)}}: 2 x 2, 4 nonzeros\\n"
              f"chosen   {{module('strips', value('--type'))}}\\nreason   none\\n\\n"
              "method  target\\nstrips  fake\\n")
elif words[0] == "run":
    with open(value("--save"), "x") as file:
        write(file)
"""


def options_of(program, **more):
    return argparse.Namespace(**{
        "spmvbench": str(program), "input": [], "threads": [2, 1], "seeds": [1, 2],
        "seconds": "0.1", "peer": [], "target": None, **more})


def run_fake(folder, options):
    """Runs all races, and returns the outcome and what was printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        outcome = record_races.run_all(options, folder)
    return outcome, printed.getvalue()


def test_rows(folder):
    program = folder / "spmvbench"
    program.write_text(FAKE.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    inputs = ["lookalike:dc2", *(str(folder / name) for name in
                                 ("large.mtx", "small.mtx.gz", "narrow.mtx", "none.mtx"))]
    options = options_of(program, input=inputs)
    outcome, _ = run_fake(folder, options)
    key = sorted((row.kind, row.matrix, row.seed, row.threads, row.type) for row in outcome.rows)
    tap.ok(key == sorted((kind, name, seed, threads, value_type)
                         for kind, name, seed in [("made", "dc2", 1), ("made", "dc2", 2),
                                                  ("real", "large", 1), ("real", "small", 1),
                                                  ("real", "narrow", 1)]
                         for threads in (1, 2) for value_type in ("f64", "f32")),
           "each matrix is raced in each type with each number of threads, look-alikes from each "
           "seed", key)
    tap.ok({row.chosen for row in outcome.rows if row.seed == 1} == {("strips", 8.0)}
           and {row.best for row in outcome.rows} == {("csr5", 10.0)},
           "the automatic choice counts, and our fastest method stands beside it")
    peers = {(row.type, *sorted(row.peers.items())) for row in outcome.rows}
    tap.ok(peers == {("f64", ("fast", 4), ("mkl", 3), ("slow", 2)),
                     ("f32", ("fast", 4), ("slow", 2))},
           "peers that are wrong, decline or permute y do not count", peers)
    tap.ok(outcome.absent["none"] == "no library" and "mkl" in outcome.origins
           and outcome.origins["fast"] == "a toy, fast", "who took part is known, and who did not",
           outcome)
    tap.ok(any("peer bad on look-alike of dc2" in text and "1 row is wrong" in text
               for text in outcome.wrong) and "none.mtx: cannot be opened" in outcome.skipped[0],
           "wrong results and missing matrices are told", outcome.wrong + outcome.skipped)
    tap.ok({(row.matrix, row.type) for row in outcome.rows if row.narrowed} == {("narrow", "f64")},
           "narrowed values are seen")
    return options, outcome


def test_going_on(folder, options, outcome):
    again, printed = run_fake(folder, options)
    tap.ok(again.rows == outcome.rows and printed.count("--resume") == 6
           and printed.count("--save") == 1, "the same command goes on from its folder", printed)


def test_groups(folder, outcome):
    facts = record.facts_of(argparse.Namespace(cache=32.0, seconds="0.1"), "2026-11-27",
                            ("a CPU", "avx2"), outcome)
    text = record.without_folders(record_rows.text_of_races(facts, outcome.rows))
    path = folder / "record.jsonl"
    path.write_text(text, encoding="utf-8")
    facts, rows = record_rows.read_races(path)
    tap.ok(rows == outcome.rows and facts["cache"] == 32
           and facts["peer"]["fast"] == "a toy, fast",
           "what is written is read", text)
    tap.ok(str(folder) not in text and "none.mtx: cannot be opened" in text,
           "paths of the machine are not in a record", text)
    groups = record_tables.groups_of(record_tables.matrices_of(rows, "f64", 2), 32)
    found = [(title, sorted(m.name for m in members)) for title, members in groups]
    tap.ok(found == [("look-alikes", ["dc2"]), ("real, beyond 32 MB", ["large"]),
                     ("real, within 32 MB", ["narrow", "small"]),
                     ("of these, values as they are", ["small"]),
                     ("of these, values narrowed", ["narrow"])],
           "groups are apart, and narrowed values in each", found)
    made = groups[0][1][0]
    ratio = 2 / (4 / 8 + 4 / 4)
    tap.ok(abs(made.ratios[record_tables.BEST] - ratio) < 1e-12
           and abs(made.ratios["mkl"] - ratio * 4 / 3) < 1e-12,
           "the ratios of seeds are one, their harmonic mean", made.ratios)
    tap.ok(record_tables.cells_of_group([made])
           == ["1", "1.33", "1.33", "1.33 (dc2)", "0", "0.53", "1.78"],
           "a group's cells: number, means, least, behind, choice, oneMKL")
    tables = record_tables.whole(facts, rows, 32)
    tap.ok("| f64 | real, beyond 32 MB | 1 | 2.00 | 2.00 | 2.00 (large) | 0 | 0.80 | 2.67 |"
           in tables and "| large (real) | 8.0 | 4.0 (fast) | 2.00 | 0.80 |" in tables,
           "the tables have groups and matrices", tables)
    slower = [dataclasses.replace(row, chosen=("strips", speed)) for row in rows
              for name, speed in (("small", 3.0), ("large", 2.0), ("narrow", 4.0))
              if row.matrix == name and row.type == "f64"]
    tap.ok(record_tables.table_of_behind(slower, 2)[2:]
           == ["| f64 | fast | large 0.50, small 0.75 |"],
           "matrices behind stand beside the peer that is ahead, the furthest first",
           record_tables.table_of_behind(slower, 2))
    tap.ok(record_tables.table_of_behind(rows, 1) == ["On 1 thread, no matrix is slower."],
           "that there are none is said")
    peers = [line.split(" | ") for line in record_tables.table_of_peers(rows, 32, 2)]
    tap.ok([line[0] for line in peers[2:]] == ["| fast", "| mkl", "| slow"]
           and peers[0][1:3] == ["f64: look-alikes", "f64: real, beyond 32 MB"]
           and peers[3][1:3] == ["1.78", "2.67"] and "-" in peers[3],
           "the strongest peer comes first, each with its own mean in each group", peers)
    page = record_tables.summary([("a machine", rows, 32)])
    tap.ok("| a machine, f32 | look-alikes | 1 | 1.33 | 1.33 (dc2) | 0 | - |" in page
           and "of these, values narrowed" in page, "README's table is made from the same rows",
           page)
    tap.ok(run("show", path).stdout == tables, "`show` prints the tables of a record")
    tap.ok(refusal_to_show(path) == "nothing", "a record with oneMKL is for the pages")
    path.write_text(text.replace('"mkl"', '"lkm"'), encoding="utf-8")
    tap.ok("oneMKL took no part" in refusal_to_show(path), "one without it is not")
    refused("a text that is no record", "is no record of kind 'race'", "show",
            folder / "other.txt")


def head(kind, size):
    return f"%%MatrixMarket matrix coordinate pattern {kind}\n% a note\n{size}\n".encode()


def test_matrices(folder):
    place = folder / "matrices"
    (place / "below").mkdir(parents=True)
    (place / "below/symmetric.mtx").write_bytes(head("symmetric", "9000 9000 10000"))
    (place / "general.mtx.gz").write_bytes(gzip.compress(head("general", "9000 9000 20000")))
    (place / "general.mtx").write_bytes(head("general", "9000 9000 20000"))
    (place / "small.mtx").write_bytes(head("general", "9000 9000 19999"))
    (place / "text.mtx").write_bytes(b"no matrix\n")
    os.environ["SPMV_MATRICES"] = str(place)
    files, left_out = record_races.real_matrices()
    tap.ok(sorted(map(record_rows.name_of, files)) == ["general", "symmetric"],
           "real matrices are those of 20000 nonzeros or more, once each", files)
    tap.ok(sorted(left_out) == sorted(["1 real matrices: fewer than 20000 nonzeros",
                                       "general: another file has this name",
                                       "text: its head is not Matrix Market's"]),
           "what is left out has a reason", left_out)
    os.environ["SPMV_MATRICES"] = str(folder / "nowhere")
    files, left_out = record_races.real_matrices()
    tap.ok(not files and "SPMV_MATRICES=FOLDER names one" in left_out[0],
           "so has a folder that is missing", left_out)


def main():
    before = contents()
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder) / "other.txt"
        other.write_text("no race\n", encoding="utf-8")
        target = ("--target", "no-such", "--cache", "32")
        refused("a missing program", "cannot be run", "run", other / "none", *target)
        refused("a program that is not spmvbench", "is not spmvbench", "run", "/bin/true", *target)
        refused("no command", "run|show|readme")
        for path in [other.with_name("none"), *sorted((ROOT / "bench/results").iterdir())]:
            if path.exists() and '"record": "race"' in path.read_text(encoding="utf-8"):
                continue
            said = refusal_to_show(path)
            tap.ok(("is no record" if path.exists() else "No such file") in said,
                   f"{path.name}, which is not there or no such record, is not for the pages", said)
        options, outcome = test_rows(pathlib.Path(folder))
        test_going_on(pathlib.Path(folder), options, outcome)
        test_groups(pathlib.Path(folder), outcome)
        test_matrices(pathlib.Path(folder))
    test_products()
    path, os.environ["PATH"] = os.environ["PATH"], "/none"
    found = record.versions()
    os.environ["PATH"] = path
    tap.ok(found == {"commit": "unknown", "compiler": "unknown"},
           "a record can be made on a machine without git and compiler", found)
    tap.ok(contents() == before, "all records and pages are unchanged")
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
