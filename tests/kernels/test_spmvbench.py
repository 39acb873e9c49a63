"""test_spmvbench.py: spmvbench's command line, its answers and its exit codes, not its figures.

    test_spmvbench.py SPMVBENCH SOURCE_ROOT
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "tests"))
import tap

QUICK = ["--repeat", "1", "--threads", "2", "--dram", "0"]


def run(*arguments, **settings):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive", **settings})


def refused(name, arguments, code, message):
    done = run(*arguments)
    tap.ok(done.returncode == code and re.search(message, done.stderr) and not done.stdout
           and done.stderr.startswith("spmvbench: ") and done.stderr.count("\n") == 1,
           f"{name}: exit code {code} and one line that says why",
           f"exit code {done.returncode}\n{done.stdout}{done.stderr}")


def rows_of(output):
    """The table, as dictionaries."""
    lines = output.splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("method")]
    if len(heads) != 1:
        return []
    names = [name.strip() for name in re.split(r"\s{2,}", lines[heads[0]].strip())]
    end = lines.index("", heads[0]) if "" in lines[heads[0]:] else len(lines)
    return [dict(zip(names, re.split(r"\s{2,}", line.strip()))) for line in lines[heads[0] + 1:end]]


def test_refusals(folder):
    refused("an unknown option", ["--fast"], 2, "unknown option '--fast'.*--help")
    refused("a missing value", ["--type"], 2, "--type needs a value: --type f32.f64")
    refused("a wrong type", ["--type", "f16"], 2, "--type takes f32.f64, not 'f16'")
    refused("a wrong number", ["--threads=0"], 2, "--threads takes a whole number from 1 to")
    refused("text for a number", ["--alpha", "1x"], 2, "--alpha takes a finite number, not '1x'")
    refused("an infinite number", ["--beta", "inf"], 2, "finite")
    refused("a value for a flag", ["--list=all"], 2, "--list takes no value")
    refused("two matrices", ["a.mtx", "--poisson", "5"], 2, "one matrix at a time")
    refused("two files", ["a.mtx", "b.mtx"], 2, "two files: 'a.mtx' and 'b.mtx'")
    refused("a size without a shape", ["--size", "5"], 2, "--size belongs to --shape")
    refused("an unknown shape", ["--shape", "round"], 1, "no shape is called 'round'; --list")
    refused("a shape that is too small", ["--shape", "poisson-2d", "--size", "0"], 1,
            "--size 1 or more")
    refused("a missing file", [str(folder / "none.mtx")], 1, r"none\.mtx")
    refused("an unknown method", ["--poisson", "3", "--method", "fastest"], 1,
            "method fastest.*--list")
    refused("an unknown target", ["--poisson", "3", "--target", "pdp-11"], 1, "pdp-11")
    refused("missing modules", ["--modules", str(folder / "none.so")], 1, r"none\.so")
    (folder / "bad.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
                                    encoding="utf-8")
    refused("a malformed file", [str(folder / "bad.mtx")], 1, r"bad\.mtx:3: ")


def test_answers():
    done = run("--help")
    tap.ok(done.returncode == 0 and "Usage: spmvbench" in done.stdout
           and "--poisson N" in done.stdout and not done.stderr, "--help explains itself")
    tap.ok(max(map(len, done.stdout.splitlines())) <= 100, "--help fits 100 columns")
    done = run("--version")
    tap.ok(re.fullmatch(r"spmvbench \d+\.\d+\.\d+\n", done.stdout), "--version is one line")
    done = run("--list")
    tap.ok(done.returncode == 0 and "poisson-3d" in done.stdout and "giant-middle" in done.stdout,
           "--list shows the shapes")
    return [line.split() for line in done.stdout.splitlines()
            if re.search(r" f(32|64) +i(32|64)$", line)]


def test_tables(folder, modules):
    methods = sorted({module[0] for module in modules})
    targets = sorted({module[1] for module in modules})
    for matrix in (["--poisson", "8"], ["--shape", "skewed", "--size", "3000", "--seed", "9"],
                   ["--shape", "no-rows"], ["--shape", "no-columns"], ["--shape", "all-empty"]):
        for types in (["--type", "f32"], ["--type", "f64", "--offset", "i64"]):
            for scalars in ([], ["--alpha", "-2", "--beta", "0.5"], ["--alpha", "0"]):
                done = run(*matrix, *types, *scalars, *QUICK)
                rows = rows_of(done.stdout)
                shown = sorted(row["method"].rstrip("*") for row in rows)
                tap.ok(done.returncode == 0 and shown == methods
                       and all(row["correct"] == "yes" for row in rows),
                       " ".join(matrix + types + scalars) + ": each method once, all correct",
                       done.stdout + done.stderr)

    done = run("--poisson", "8", "--all", *QUICK)
    tap.ok(len(rows_of(done.stdout)) == len(methods) * len(targets),
           "--all shows every target's kernels", done.stdout)
    done = run("--poisson", "8", "--method", methods[0], "--target", targets[0], *QUICK)
    rows = rows_of(done.stdout)
    tap.ok(len(rows) == 1 and rows[0]["method"].rstrip("*") == methods[0]
           and rows[0]["target"] == targets[0], "--method and --target choose one", done.stdout)
    done = run("--poisson", "8", *QUICK[:-1], "80")
    tap.ok("GB/s from one of 84 MB" in done.stdout, "--dram sets the size of the large array",
           done.stdout)
    tap.ok(done.stdout.isascii() and max(map(len, done.stdout.splitlines())) <= 130,
           "the table is plain ASCII")

    (folder / "good.mtx").write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 1 -1\n3 3 4\n",
        encoding="utf-8")
    done = run(str(folder / "good.mtx"), *QUICK)
    tap.ok(done.returncode == 0
           and "good.mtx: 3 x 3, 4 nonzeros, rows of 1 / 1.33 / 2" in done.stdout,
           "a file is read, symmetric entries twice", done.stdout + done.stderr)


def test_json(folder):
    path = folder / "figures.json"
    done = run("--poisson", "6", "--json", str(path), *QUICK)
    figures = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    tap.ok(done.returncode == 0 and figures.get("matrix", {}).get("rows") == 216
           and all(result["correct"] and result["seconds"] > 0 and result["error_over_bound"] <= 1
                   for result in figures.get("results", [{}])),
           "--json writes what the table shows",
           path.read_text(encoding="utf-8") if path.exists() else done.stderr)
    done = run("--poisson", "6", "--json", str(folder / "none/figures.json"), *QUICK)
    tap.ok(done.returncode == 1 and "cannot write" in done.stderr,
           "JSON that cannot be written is told")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_refusals(folder)
        modules = test_answers()
        if modules:
            test_tables(folder, modules)
            test_json(folder)
        else:
            tap.skip("no kernels are linked in")
    tap.done()


main()
