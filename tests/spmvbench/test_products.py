"""test_products.py: products beside y = A x: with the transpose of A, with several
vectors, with narrower values, and with all of these.

spmvbench.py describes the arguments.
"""
import csv
import json
import pathlib
import re
import tempfile

from spmvbench import QUICK, has_kernels, refused, rows_of, run, tap

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


def test_columns():
    for words in (["--columns", "3"], ["--columns", "8", "--order", "column", "--type", "f32"],
                  ["--columns", "5", "--transposed", "--alpha", "-2", "--beta", "0.5"],
                  ["--columns", "2", "--order", "column", "--transposed", "--beta", "1"],
                  ["--columns", "4", "--setting", "permuted_y=1", "--method", "evc_hyb"]):
        done = run(*RACE, *words)
        rows = table(done)
        transposed = "--transposed" in words
        tap.ok(done.returncode == 0 and all(rows[name]["correct"] == "yes"
                                            and float(rows[name]["of one"]) > 0
                                            and ("of A x" in rows[name]) == transposed
                                            for name in METHODS),
               f"several vectors: {' '.join(words)}", said(done))
    done = run(*RACE, "--columns", "5", "--order", "column", "--method", "strips")
    tap.ok("problem  Y = 1*A*X + 0*Y for 5 column-major vectors in f64" in done.stdout
           and "plain CSR loop on each vector" in done.stdout, "the table says which product",
           said(done))
    nnz = int(re.search(r"(\d+) nonzeros", done.stdout)[1])
    csr = nnz * 12 + 301 * 4
    bound = (csr + 5 * 1200 * 8) / (csr + 1200 * 8)
    tap.ok(table(done)["csr_scalar"]["bound"] == f"{bound:.2f}",
           "the bound is that of the bytes of CSR for a method that keeps CSR", said(done))
    for row in table(done).values():
        flops = 2e-3 * nnz * 5 / float(row["time us"]) if "time us" in row else 0
        tap.ok(abs(float(row["GFlop/s"]) - flops) < 0.002, "GFlop/s counts each vector", row)
    test_bound_of_narrow_values()
    done = run(*RACE, "--columns", "1")
    tap.ok(done.returncode == 0 and "of one" not in done.stdout
           and "problem  y = 1*A*x + 0*y" in done.stdout, "one vector is y = A x", said(done))
    done = run("--shape", "no-rows", "--size", "3", "--method", "csr_scalar", "--columns", "4",
               *QUICK)
    tap.ok(done.returncode == 0, "an empty matrix", said(done))


def test_bound_of_narrow_values():
    """Equal values take no bytes, unless wide_values=1."""
    with tempfile.TemporaryDirectory(prefix="spmvbench-") as folder:
        path = pathlib.Path(folder) / "pattern.mtx"
        entries = [(r, c) for r in range(1, 501) for c in range(max(1, r - 4), r + 1)]
        path.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                        f"500 500 {len(entries)}\n"
                        + "".join(f"{r} {c}\n" for r, c in entries), encoding="utf-8")
        done = run(str(path), "--method", "strips", "--setting", "wide_values=0,1", "--columns",
                   "4", *QUICK)
    bounds = {row["parameters"]: float(row["bound"]) for row in rows_of(done.stdout)
              if "bound" in row}
    tap.ok(bounds.get("wide_values=0", 0) > 1.2 * bounds.get("wide_values=1", 9),
           "the bound counts the bytes that values take", said(done))


def test_column_records(folder):
    path, sheet, report = (folder / name for name in ("c.jsonl", "c.csv", "c.json"))
    words = [*RACE, "--columns", "4", "--order", "column"]
    done = run(*words, "--save", str(path), "--save", str(sheet), "--json", str(report))
    records = records_of(path)
    results = [r for r in records if r["record"] == "result"]
    matrix = records[1]
    csr_bytes = matrix["nnz"] * 12 + 301 * 4 + 4 * 1200 * 8
    tap.ok(done.returncode == 0 and (matrix["columns"], matrix["order"]) == (4, "column")
           and matrix["csr_bytes"] == csr_bytes and len(results) == len(METHODS)
           and all((r["columns"], r["order"]) == (4, "column") and r["of_one_seconds"] > 0
                   and r["of_one_ratio"] > 0 and r["matrix_bytes"] > 0 for r in results),
           "records say how many vectors there are", said(done))
    with open(sheet, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    tap.ok([(one["columns"], one["order"], float(one["of_one_ratio"]) > 0,
             int(one["matrix_bytes"]) > 0) for one in lines]
           == [("4", "column", True, True)] * len(METHODS), "so does CSV", lines)
    figures = json.loads(report.read_text(encoding="utf-8"))
    tap.ok((figures["columns"], figures["order"]) == (4, "column")
           and all(r["of_one_seconds"] > 0 for r in figures["results"]), "and JSON", figures)
    other = folder / "r.jsonl"
    run(*RACE, "--columns", "4", "--save", str(other))
    done = run("compare", str(path), str(other))
    tap.ok(done.returncode == 1 and "have no contender in common" in done.stderr,
           "another order is another race", said(done))


def test_values(folder):
    for words in (["f32"], ["f16", "--type", "f32", "--alpha", "-2", "--beta", "0.5"],
                  ["bf16", "--columns", "3", "--transposed"]):
        done = run(*RACE, "--method", "csr_vector", "--values", *words)
        rows = table(done)
        tap.ok(done.returncode == 0 and all(row["correct"] == "yes" and float(row["of type"]) > 0
                                            for row in rows.values()),
               f"values of {' '.join(words)}", said(done))
    tap.ok("in f64, values rounded to bf16, i32" in " ".join(done.stdout.split()),
           "the table says which values", said(done))
    path, sheet, report = (folder / name for name in ("v.jsonl", "v.csv", "v.json"))
    # strips stores so many values in 4 bytes where they are exact in f32.
    many = ["model:blocks:24000:6:30", "--method", "strips", "--method", "csr_vector", "--values",
            "f32", *QUICK]
    done = run(*many, "--details", "--save", str(path), "--save", str(sheet), "--json",
               str(report))
    records = records_of(path)
    matrix, results = records[1], [r for r in records if r["record"] == "result"]
    bytes_of = {r["method"]: r["of_type_bytes"] for r in results}
    tap.ok(done.returncode == 0 and matrix["values"] == "f32"
           and all(r["values"] == "f32" and r["of_type_seconds"] > 0 and r["of_type_ratio"] > 0
                   for r in results), "records have the type of the values", said(done))
    tap.ok(bytes_of["csr_vector"] == 1 and 0.5 < bytes_of["strips"] < 0.7,
           "bytes are those that methods store", bytes_of)
    with open(sheet, newline="", encoding="utf-8") as file:
        tap.ok([(one["values"], float(one["of_type_bytes"]) > 0.5) for one in csv.DictReader(file)]
               == [("f32", True)] * 2, "so does CSV", sheet.read_text(encoding="utf-8"))
    figures = json.loads(report.read_text(encoding="utf-8"))
    tap.ok(figures["values"] == "f32"
           and all(r["of_type_seconds"] > 0 for r in figures["results"]), "and JSON", figures)
    plain = folder / "w.jsonl"
    run(*RACE, "--save", str(plain))
    run(*RACE, "--values", "f32", "--save", str(folder / "n.jsonl"))
    done = run("compare", str(plain), str(folder / "n.jsonl"))
    tap.ok(done.returncode == 1 and "have no contender in common" in done.stderr,
           "other values are another race", said(done))
    large = folder / "large.mtx"
    large.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 7e4\n",
                     encoding="utf-8")
    refused("a value too large for f16", [str(large), "--values", "f16", *QUICK], 1,
            "large.mtx: value 1 is 70000, too large for --values f16")
    done = run(WIDE, "--explain", "--values", "f16")
    tap.ok(done.returncode == 0 and "; values rounded to f16\n" in done.stdout
           and "its values of f64 are rounded to f16" in done.stdout, "--explain rounds them",
           said(done))


def test_device():
    """Devices multiply one vector after another."""
    if " pocl " not in run("--list", SPMV_TARGET="pocl").stdout:
        tap.skip("no kernels for PoCL are linked in, or there is no such device")
        return
    for words in (["--columns", "3"], ["--columns", "2", "--order", "column", "--transposed"]):
        done = run(WIDE, "--backend", "opencl", "--method", "csr_scalar", *words, *QUICK,
                   "--details")
        row = table(done).get("csr_scalar", {})
        tap.ok(done.returncode == 0 and row.get("correct") == "yes"
               and float(row["kernels ms"]) > 0, f"on an OpenCL device: {' '.join(words)}",
               said(done))


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
    refused("no vectors", [WIDE, "--columns", "0"], 2, "--columns takes .* 1 to 1024, not '0'")
    refused("too many vectors", [WIDE, "--columns", "1025"], 2, "1 to 1024, not '1025'")
    refused("an order without vectors", [WIDE, "--order", "row"], 2,
            "--order belongs to --columns K")
    refused("an unknown order", [WIDE, "--columns", "2", "--order", "rows"], 2,
            "--order takes .*row.*column.*, not 'rows'")
    refused("a choice for several vectors", [WIDE, "--columns", "2", "--explain"], 2,
            "--columns belongs to a race, and --explain runs none")
    refused("values as wide as the vectors", [WIDE, "--type", "f32", "--values", "f32"], 2,
            "--values f32 belongs to --type f64")
    refused("statistics of rounded values", [WIDE, "--values", "f32", "--statistics"], 2,
            "--values belongs to a race")
    refused("an unknown type", [WIDE, "--values", "f64"], 2, "--values takes .*f16.*, not 'f64'")
    refused("inspect's", ["inspect", WIDE, "--transposed", "--statistics"], 2,
            "--transposed shows a method's choice, and --statistics does not")


def main():
    if not has_kernels():
        tap.skip("no kernels are linked in")
    else:
        test_transposed()
        with tempfile.TemporaryDirectory(prefix="spmvbench-") as holder:
            test_records(pathlib.Path(holder))
            test_column_records(pathlib.Path(holder))
            test_values(pathlib.Path(holder))
        test_columns()
        test_device()
        test_choice()
        test_refusals()
    tap.done()


main()
