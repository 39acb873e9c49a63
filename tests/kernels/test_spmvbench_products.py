"""test_spmvbench_products.py: products beside y = A x: with the transpose of A.

spmvbench.py describes the arguments.
"""
import csv
import json
import pathlib
import re
import tempfile

from spmvbench import QUICK, refused, rows_of, run, tap

WIDE = "model:random:300:6:power-law:900"        # 300 x 900
METHODS = ["csr_scalar", "strips"]
RACE = [WIDE, *[word for name in METHODS for word in ("--method", name)], *QUICK]


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def table(done):
    return {row["method"]: row for row in rows_of(done.stdout) if "method" in row}


def records_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_transposed():
    for words in ([], ["--type", "f32", "--alpha", "-2", "--beta", "0.5"],
                  ["--setting", "permuted_y=1", "--method", "evc_hyb"]):
        done = run(*RACE, "--transposed", *words)
        rows = table(done)
        tap.ok(done.returncode == 0 and all(rows[name]["correct"] == "yes" for name in METHODS),
               f"methods multiply by the transpose {' '.join(words)}", said(done))
        tap.ok(all(float(rows[name]["of A x"]) > 0 and float(rows[name]["prepare"]) > 0
                   for name in METHODS), "beside A x, with the time to prepare", said(done))
    tap.ok(re.search(r"^problem  y = -?\d+\*A\^T\*x \+ ", done.stdout, re.MULTILINE)
           and "plain CSR loop of A*x" in done.stdout, "the table says which product", said(done))
    done = run(*RACE)
    tap.ok("of A x" not in done.stdout and "A^T" not in done.stdout, "a race of A x does not",
           said(done))
    done = run(*RACE, "--transposed", "--details")
    tap.ok(done.returncode == 0 and done.stdout.count("  prepare  ") == 1
           and "collect  " not in done.stdout and "lines  " not in done.stdout,
           "--details leaves out what is known of A x alone", said(done))


def test_records(folder):
    path, sheet, report = (folder / name for name in ("t.jsonl", "t.csv", "t.json"))
    done = run(*RACE, "--transposed", "--save", str(path), "--save", str(sheet), "--json",
               str(report))
    records = records_of(path)
    results = [r for r in records if r["record"] == "result"]
    tap.ok(done.returncode == 0 and records[1]["record"] == "matrix"
           and records[1]["transposed"] is True and len(results) == len(METHODS)
           and all(r["transposed"] is True and r["of_a_seconds"] > 0 and r["of_a_ratio"] > 0
                   for r in results), "records say that a product is transposed", said(done))
    with open(sheet, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    tap.ok([(one["transposed"], float(one["of_a_ratio"]) > 0) for one in lines]
           == [("true", True)] * len(METHODS), "so does CSV", lines)
    figures = json.loads(report.read_text(encoding="utf-8"))
    tap.ok(figures["transposed"] is True
           and all(r["of_a_seconds"] > 0 for r in figures["results"]), "and JSON", figures)
    path = folder / "only.jsonl"
    run(*RACE, "--transposed", "--save", str(path))
    done = run("--resume", str(path))
    tap.ok(done.returncode == 0 and len(records_of(path)) == len(records) + 2
           and "of A x" in done.stdout, "--resume shows the same table", said(done))
    test_mixed(folder, path)


def test_mixed(folder, transposed):
    """A x and A^T x of one matrix are not compared."""
    plain, both = folder / "p.jsonl", folder / "both.jsonl"
    run(*RACE, "--save", str(plain))
    done = run("compare", str(plain), str(transposed))
    tap.ok(done.returncode == 1 and "have no contender in common" in done.stderr,
           "compare takes them for different races", said(done))
    both.write_text(plain.read_text(encoding="utf-8") + transposed.read_text(encoding="utf-8"),
                    encoding="utf-8")
    done = run("report", str(both), "--output", str(folder / "both.html"))
    tap.ok(done.returncode == 0, "a file may have both", said(done))


def test_choice():
    done = run(WIDE, "--explain", "--transposed")
    tap.ok(done.returncode == 0 and "300 x 900" in done.stdout
           and "; by the transpose" in done.stdout and "chosen   spmv_" in done.stdout,
           "--explain chooses for the transpose", said(done))
    done = run("inspect", WIDE, "--transposed", "--plot", "none")
    tap.ok(done.returncode == 0 and "transpose of random:300:6:power-law:900: 900 x 300"
           in done.stdout.replace("\n         ", " "), "inspect shows the transpose", said(done))
    done = run("inspect", "model:poisson7:5", "--transposed", "--explain")
    tap.ok(done.returncode == 0 and "; by the transpose" in done.stdout, "also with --explain",
           said(done))


def test_refusals():
    refused("statistics of the transpose", [WIDE, "--transposed", "--statistics"], 2,
            "--transposed belongs to a race or to --explain")
    refused("inspect's", ["inspect", WIDE, "--transposed", "--statistics"], 2,
            "--transposed shows a method's choice, and --statistics does not")


def main():
    if not re.search(r" f64 +i32$", run("--list").stdout, re.MULTILINE):
        tap.skip("no kernels are linked in")
    else:
        test_transposed()
        with tempfile.TemporaryDirectory(prefix="spmvbench-") as holder:
            test_records(pathlib.Path(holder))
        test_choice()
        test_refusals()
    tap.done()


main()
