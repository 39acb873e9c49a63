"""test_declines.py: a method may decline matrices.

    test_declines.py --work DIR --spmvgen SPMVGEN --spmvbench SPMVBENCH [--compiler CC]

The method "diagonals" of data/templates supports few matrices. It passes the suite of kernels,
which counts the matrices that it declines. A method that declines every matrix fails, and so does a
method that declines new values. spmvbench prints "declines", which is no failure.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

from machines import tap
from root import ROOT

DIAGONALS = ["--method", "diagonals"]
METHOD = "templates/diagonals/simd.c"
TEST = "if (count < 0 || count_entries(csr, offsets, count) != csr->nnz)"


def emit(args, name, condition=TEST):
    """Emits the method's modules of plain C, with another condition for declining."""
    work = args.work / name
    shutil.rmtree(work, ignore_errors=True)
    for folder in "templates", "targets", "runtime":
        shutil.copytree(ROOT / folder, work / "data" / folder)
    shutil.copytree(ROOT / "tests/kernels/data/templates", work / "data/templates",
                    dirs_exist_ok=True)
    source = work / "data" / METHOD
    text = source.read_text(encoding="utf-8")
    assert text.count(TEST) == 1
    source.write_text(text.replace(TEST, condition), encoding="utf-8")
    done = subprocess.run([args.spmvgen, "--data", work / "data", "--target", "generic-c",
                           "--method", "diagonals", "--method", "csr_scalar", "-o", work / "out"],
                          capture_output=True, text=True, check=False)
    tap.ok(done.returncode == 0, f"{name}: spmvgen emits it", done.stdout + done.stderr)
    return work / "out"


def run_suite(args, folder, *selection):
    return subprocess.run([sys.executable, ROOT / "tests/kernels/run_suite.py", "--work",
                           folder.parent / "suite", "--compiler", args.compiler, "--optimise", "1",
                           "--effort", "brief", " ".join([str(folder), *DIAGONALS, *selection])],
                          capture_output=True, text=True, check=False)


def test_suite(args):
    done = run_suite(args, emit(args, "diagonals"))
    told = re.findall(r"^ok \d+ - \S+: declines (\d+) of (\d+) matrices$", done.stdout,
                      re.MULTILINE)
    tap.ok(done.returncode == 0 and "not ok" not in done.stdout,
           "a method that declines most matrices passes the suite",
           "\n".join(re.findall(r"^(?!ok).*", done.stdout, re.MULTILINE))[-3000:])
    tap.ok(len(told) == 4 and all(0 < int(few) < int(all_) for few, all_ in told),
           "which says how many it declines", str(told))
    tap.ok("the method declines all matrices for it" in done.stdout,
           "and which properties had no matrix")


def test_too_much(args):
    done = run_suite(args, emit(args, "everything", "if (count < 2000)"), "--type f64")
    tap.ok(done.returncode == 1 and re.search(r"not ok \d+ - \S+: declines", done.stdout),
           "one that declines every matrix fails", done.stdout[-1500:])
    by_values = f"{TEST[:-1]} || (csr->nnz && csr_val(layout)[0] < 0))"
    done = run_suite(args, emit(args, "values", by_values), "--type f64")
    tap.ok(done.returncode == 1 and re.search(r"not ok \d+ - \S+: new values give", done.stdout),
           "one that declines new values of a matrix that it took fails", done.stdout[-1500:])


def bench(args, library, *matrix):
    return subprocess.run([args.spmvbench, "--modules", library, "--repeat", "1", "--threads", "2",
                           "--dram", "0", *matrix], capture_output=True, text=True, check=False)


def outcomes(output):
    return dict(re.findall(r"^(diagonals|csr_scalar) .*? (yes|no|declines)\b", output,
                           re.MULTILINE))


def test_bench(args):
    folder = args.work / "diagonals/out"
    library = args.work / "diagonals.so"
    done = subprocess.run([args.compiler, "-O1", "-fPIC", "-shared", "-DSPMV_MODULE_TABLE_EXPORT",
                           f"-I{folder}", *sorted(folder.glob("*.c")), "-o", library, "-lm"],
                          capture_output=True, text=True, check=False)
    if not tap.ok(done.returncode == 0, "its modules are a shared object", done.stderr[:2000]):
        return
    diagonal = args.work / "diagonal.mtx"
    diagonal.write_text("%%MatrixMarket matrix coordinate real general\n500 500 500\n" +
                        "".join(f"{i} {i} {i}\n" for i in range(1, 501)), encoding="utf-8")
    done = bench(args, library, diagonal)
    tap.ok(done.returncode == 0 and
           outcomes(done.stdout) == {"diagonals": "yes", "csr_scalar": "yes"},
           "spmvbench runs it on what it takes", done.stdout + done.stderr)
    report = args.work / "report.json"
    report.unlink(missing_ok=True)
    done = bench(args, library, "--poisson", "8", "--json", report)
    tap.ok(done.returncode == 0 and
           outcomes(done.stdout) == {"diagonals": "declines", "csr_scalar": "yes"},
           "and says that it declines another matrix, which is no failure",
           done.stdout + done.stderr)
    tap.ok("does not take this matrix" in done.stdout and not done.stderr,
           "with a note that says so", done.stdout + done.stderr)
    results = json.loads(report.read_text(encoding="utf-8"))["results"] if report.exists() else []
    tap.ok([r["left_out"] for r in results if r["method"] == "diagonals"] == [True],
           "in JSON it is left out", str(results)[:500])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    parser.add_argument("--spmvbench")
    parser.add_argument("--compiler", default="cc")
    args = parser.parse_args()
    args.work = args.work.resolve()
    args.work.mkdir(parents=True, exist_ok=True)
    test_suite(args)
    test_too_much(args)
    if args.spmvbench:
        test_bench(args)
    else:
        tap.skip("spmvbench is not built")
    tap.done()


if __name__ == "__main__":
    main()
