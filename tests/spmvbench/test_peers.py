"""test_peers.py ... PEERS NEWER: other implementations beside libspmv's methods.

PEERS is the shared object of toy_peers.c, NEWER one of another version of the interface.
spmvbench.py describes the other arguments.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from spmvbench import LIBRARY, PROGRAM, QUICK, refused, rows_of, run, tap

PEERS, NEWER = (os.path.abspath(sys.argv[i]) for i in (5, 6))
MATRIX = ["--shape", "irregular", "--size", "500", "--method", "csr_scalar", "--details", *QUICK]


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def table(done):
    return {row["method"]: row for row in rows_of(done.stdout) if "method" in row}


def test_toys():
    done = run(*MATRIX, "--peer", PEERS)
    rows = table(done)
    tap.ok(done.returncode == 0 and rows.get("csr_scalar", {}).get("correct") == "yes"
           and all(rows.get(name, {}).get("target") == "peer" for name in
                   ("right", "backwards", "wrong", "later_wrong", "unlucky", "one")),
           "peers are in the table, and a wrong one is no failure of ours", said(done))
    tap.ok(all(rows[name]["correct"] == "yes" and float(rows[name]["GFlop/s"]) > 0
               for name in ("right", "backwards", "one", "old")),
           "right ones are timed, also one whose y is in another order", said(done))
    tap.ok(rows["right"]["layout"] not in ("-", "0.00") and rows["backwards"]["layout"] == "-"
           and rows["right"]["update"] == "-", "what a peer does not tell is '-'", said(done))
    tap.ok(rows["wrong"]["correct"] == "NO" and rows["wrong"]["GFlop/s"] == "-"
           and re.search(r"note     peer wrong \(a toy\) is wrong: 1 rows are wrong; "
                         "row 499: expected", done.stdout),
           "a wrong one is reported and not timed", said(done))
    tap.ok(rows["later_wrong"]["correct"] == "NO"
           and "peer later_wrong (a toy) is wrong: 1 rows are wrong; row 499" in done.stdout,
           "so is one that becomes wrong while it is timed", said(done))
    tap.ok(rows["breaks"]["GFlop/s"] == "-" and
           "peer breaks (a toy) is wrong: its run failed while it was timed" in done.stdout,
           "a peer that fails while it is timed does not end the run", said(done))
    tap.ok("peer unlucky (a toy) failed: out of luck" in done.stdout,
           "nor does one that fails at once", said(done))
    tap.ok("peer disordered (a toy) failed: its order of y is no permutation of the rows"
           in done.stdout, "an order of y is checked", said(done))
    tap.ok(re.search(r"^best     csr_scalar of \S+ is \d+\.\d\d times as fast as the best peer, "
                     r"(right|backwards|one|old|columns)$", done.stdout, re.MULTILINE),
           "the fastest method and peer are compared", said(done))


def test_left_out():
    done = run(*MATRIX, "--peer", PEERS, "--alpha", "2", "--beta", "-1")
    rows = table(done)
    tap.ok(rows["one"]["correct"] == "-"
           and "peer one (a toy) takes no part: not with this alpha and beta" in done.stdout
           and rows["backwards"]["correct"] == "yes",
           "one that does not take alpha and beta is left out, others do", said(done))
    done = run(*MATRIX, "--peer", PEERS, "--type", "f32")
    tap.ok(done.returncode == 0 and table(done)["right"]["correct"] == "-"
           and "peer right (a toy) takes no part: f64 values alone" in done.stdout
           and not re.search("^best", done.stdout, re.MULTILINE),
           "nor does one take part that has not the types", said(done))


def test_lacking():
    done = run(*MATRIX, "--peer", PEERS, "--transposed")
    rows = table(done)
    tap.ok(all(rows[name]["correct"] == "-" and
               f"peer {name} (a toy) takes no part: it has no product with the transpose"
               in done.stdout for name in ("right", "old")),
           "peers without the product with the transpose are listed, also older ones", said(done))
    done = run(*MATRIX, "--peer", PEERS, "--columns", "3")
    tap.ok("peer old (a toy) takes no part: it has no product with several vectors" in done.stdout
           and re.search(r"peer columns \(a toy\) is wrong: 1 rows are wrong; column 2, row 499: ",
                         done.stdout), "each column is checked", said(done))


def test_ones(folder):
    """--ones: kernels may leave x and A out, and are checked as others."""
    saved = folder / "ones.jsonl"
    words = [*MATRIX, "--peer", PEERS, "--alpha", "2", "--beta", "-1"]
    done = run(*words)
    tap.ok("peer lengths (a toy) is wrong" in done.stdout, "lengths of rows are no products",
           said(done))
    done = run(*words, "--ones", "--save", str(saved))
    rows = table(done)
    tap.ok(done.returncode == 0 and rows["lengths"]["correct"] == rows["right"]["correct"] == "yes"
           and rows["wrong"]["correct"] == "NO" and "A and x of ones" in done.stdout,
           "--ones: they are, and a wrong peer is wrong", said(done))
    matrix = json.loads(saved.read_text(encoding="utf-8").splitlines()[1])
    tap.ok(matrix["record"] == "matrix" and matrix["ones"] is True, "its record says so", matrix)
    refused("--ones without a race", ["--poisson", "3", "--ones", "--statistics"], 2,
            "--ones belongs to a race, and --statistics runs none")


def test_empty():
    for shape in ("no-rows", "no-columns", "all-empty"):
        done = run("--shape", shape, "--size", "3", "--method", "csr_scalar", *QUICK,
                   "--peer", PEERS)
        tap.ok(done.returncode == 0 and table(done)["right"]["correct"] == "yes",
               f"{shape} with peers", said(done))


def test_json(folder):
    file, saved = folder / "report.json", folder / "race.jsonl"
    done = run(*MATRIX, "--peer", PEERS, "--json", str(file), "--save", str(saved))
    results = {r["method"]: r for r in json.loads(file.read_text(encoding="utf-8"))["results"]}
    tap.ok(results["right"]["target"] == "peer" and results["right"]["module"] == "a toy"
           and results["right"]["seconds"] > 0 and results["wrong"]["correct"] is False
           and results["wrong"]["left_out"] is False
           and "rows are wrong" in results["wrong"]["failure"], "peers are in the JSON", said(done))
    records = [json.loads(line) for line in saved.read_text(encoding="utf-8").splitlines()]
    permuted = {r["method"] for r in records if r.get("permuted_y")}
    tap.ok(permuted == {"backwards"}, "records tell whose y is in another order", permuted)
    path = folder / "resumed.jsonl"
    run(*MATRIX, "--peer", PEERS, "--save", str(path))
    path.write_bytes(path.read_bytes().partition(b'{"record": "matrix"')[0])
    done = run("--resume", str(path), "--peer", PEERS)
    tap.ok(done.returncode == 0 and table(done)["right"]["correct"] == "yes"
           and path.read_bytes().count(b'"method": "right"') == 1,
           "a run with peers is resumed where they are named again", said(done))


def test_own():
    """Ours by name, on matrices with empty rows and columns, with more threads than rows."""
    folder = pathlib.Path(PROGRAM).parent / "peers"
    own = [word for name in ("sell", "csr_gather", "merge_path")
           for word in ("--peer", str(folder / f"{name}.so"))]
    always = {"sell_256", "sell_4096", "merge_path"}     # merge_path_simd needs OpenMP
    for shape, size in (("no-rows", 3), ("no-columns", 3), ("all-empty", 3), ("half-empty", 3000),
                        ("power-law", 5000)):
        for arguments in (["--threads", "7", "--alpha", "-2", "--beta", "0.5"],
                          ["--type", "f32", "--offset", "i64"]):
            done = run("--shape", shape, "--size", str(size), "--method", "csr_scalar", *QUICK,
                       *arguments, *own)
            rows = {name: row["correct"] for name, row in table(done).items()}
            tap.ok(done.returncode == 0 and all(rows.get(name) == "yes" for name in always)
                   and (rows["gather"] == "yes" or "it needs AVX-512" in done.stdout)
                   and rows.get("merge_path_simd", "yes") == "yes",
                   f"SELL, gathers and merge-based SpMV: {shape} with {' '.join(arguments)}",
                   said(done))


def test_built(folder):
    done = run(*MATRIX, "--peers")
    rows = table(done)
    tap.ok(done.returncode == 0 and all(rows.get(name, {}).get("correct") == "yes" for name in
                                        ("csr_omp", "csr_nnz", "csr_serial", "sell_256",
                                         "sell_4096", "merge_path")),
           "the loops over CSR, SELL and merge-based SpMV are right", said(done))
    tap.ok(all(row["correct"] in ("yes", "-") for row in rows.values()),
           "so are all other peers, or they are left out, with repeated columns in a row",
           said(done))
    for arguments in (["--type", "f32"], ["--offset", "i64"], ["--beta", "0.5", "--alpha", "-2"],
                      ["--threads", "1"], ["--threads", "7"], ["--transposed"],
                      ["--transposed", "--type", "f32", "--offset", "i64", "--beta", "0.5"],
                      ["--columns", "5", "--order", "column", "--beta", "0.5"],
                      ["--columns", "4", "--order", "column", "--transposed", "--alpha", "2"],
                      ["--columns", "3", "--transposed", "--type", "f32", "--alpha", "-2"]):
        done = run(*MATRIX, "--peers", *arguments)
        rows = table(done)
        by_columns = arguments[:1] == ["--columns"]
        loops = [name for name in rows if name.startswith("csr_")
                 and not (name.endswith("_simd") and arguments[:2] == ["--columns", "3"])
                 and (name != "csr_scatter" or "--transposed" in arguments and not by_columns)]
        tap.ok("csr_scatter" in rows and done.returncode == 0
               and all(rows[name]["correct"] == "yes" for name in loops),
               f"with {' '.join(arguments)}", said(done))
        tap.ok(all(row["correct"] in ("yes", "-") for row in rows.values()),
               f"what was built is right or left out, with {' '.join(arguments)}", said(done))
    done = run(*MATRIX, "--peers", SPMV_MKL_LIBRARY="/none/libmkl_rt.so")
    tap.ok("peer mkl (Intel oneMKL, inspector-executor) takes no part: SPMV_MKL_LIBRARY: "
           "/none/libmkl_rt.so: " in done.stdout, "MKL's library that was looked for is named",
           said(done))
    lonely = folder / "spmvbench"
    shutil.copy(PROGRAM, lonely)
    libraries = str(pathlib.Path(PROGRAM).parent.parent / "runtime")
    (folder / "peers").mkdir()
    (folder / "peers/broken.so").write_text("no object\n", encoding="utf-8")
    done = run_as(lonely, libraries, *MATRIX, "--peers")
    tap.ok(done.returncode == 1 and "note: peer broken.so is left out: " in done.stderr
           and "no peers in" in done.stderr,
           "a broken peer is left out, and it is an error if there is no other", said(done))


def run_as(program, libraries, *arguments):
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "LD_LIBRARY_PATH": libraries})


def test_refusals(folder):
    refused("a missing peer", [*MATRIX, "--peer", str(folder / "none.so")], 1, r"none\.so")
    refused("a shared object without peers", [*MATRIX, "--peer", LIBRARY], 1,
            "exports no spmv_peer_table, which bench/peers/spmv_peer.h describes")
    refused("a peer of another version", [*MATRIX, "--peer", NEWER], 1,
            "'new' is of version 3 of spmv_peer.h, not 1 to 2")
    refused("a peer twice", [*MATRIX, "--peer", PEERS, "--peer", PEERS], 1,
            "a peer 'right' already")
    refused("all look-alikes as JSON", ["--lookalike", "all", "--json", "x"], 2,
            "one matrix at a time")
    refused("their statistics", ["--lookalike", "all", "--statistics"], 2, "one matrix at a time")


with tempfile.TemporaryDirectory(prefix="spmvbench-") as holder:
    test_toys()
    test_left_out()
    test_lacking()
    test_ones(pathlib.Path(holder))
    test_empty()
    test_json(pathlib.Path(holder))
    test_own()
    test_built(pathlib.Path(holder))
    test_refusals(pathlib.Path(holder))
tap.done()
