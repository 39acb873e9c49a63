"""test_explain.py: spmvbench --explain: costs of methods, and the choice of one.
spmvbench.py describes the arguments.
"""
import pathlib
import random
import re
import tempfile
from math import isclose

from spmvbench import LIBRARY, listed_modules, refused, rows_of, run, tap


def costs_of(lengths):
    """The cost of a multiplication in each method, for rows of these lengths in 4 columns."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows.mtx"
        entries = [f"{row + 1} {col + 1} 1" for row, length in enumerate(lengths)
                   for col in range(length)]
        path.write_text("\n".join(["%%MatrixMarket matrix coordinate real general",
                                   f"{len(lengths)} 4 {len(entries)}", *entries, ""]),
                        encoding="utf-8")
        done = run(str(path), "--explain", "--threads", "1")
        return {row["method"]: float(row["cost MB"]) for row in rows_of(done.stdout)}


def test_uneven():
    """Rows whose ends are predictable cost less than equally many rows and nonzeros with
    unpredictable ends."""
    shuffled = random.Random(1).sample([1, 3] * 1000, 2000)
    even, uneven = costs_of([2] * 2000), costs_of(shuffled)
    counted = ("csr_scalar", "csr_vector", "csr_adaptive", "speculative", "csr5", "evc_hyb")
    tap.ok(all(even[m] < uneven[m] for m in counted), "uneven rows cost more", f"{even}\n{uneven}")
    half = costs_of([2] * 1000 + shuffled[:1000])
    tap.ok(all(even[m] < half[m] < uneven[m] for m in counted), "by how many they are", f"{half}")
    few = [costs_of(lengths) for lengths in ([], [0], [3], [1] * 16, [1] * 17, [0] * 50)]
    tap.ok(all(cost >= 0 for costs in few for cost in costs.values()),
           "no rows, one row and empty rows have a cost too", f"{few}")


def test_explain(modules):
    done = run("--modules", LIBRARY, "--poisson", "4", "--explain")
    rows = rows_of(done.stdout)
    chosen = re.search(r"^chosen   (\S+)$", done.stdout, flags=re.M)
    tap.ok(done.returncode == 0 and "reason   the cheapest of" in done.stdout and chosen
           and chosen[1].startswith(rows[0]["method"]) and "GFlop" not in done.stdout,
           "--explain says what a plan takes, first of its candidates, and runs nothing",
           done.stdout + done.stderr)
    totals = [float(row["total MB"]) for row in rows]
    tap.ok(len(rows) >= 2 and totals == sorted(totals)
           and all(isclose(float(row["total MB"]),
                           float(row["prepare MB"]) + 1000 * float(row["cost MB"]), rel_tol=2e-3)
                   for row in rows) and "measured us" not in rows[0],
           "the cheaper candidates stand first, by preparing and all multiplications", done.stdout)
    again = f"{rows[1]['method']}, the next, is at "
    ratio = re.search(re.escape(again) + r"([\d.e+]+) times", done.stdout)
    tap.ok(ratio and isclose(float(ratio[1]), totals[1] / totals[0], rel_tol=1e-2),
           "the reason tells how near the next one is", done.stdout)
    stencil = ["--shape", "stencil-27", "--size", "30000", "--explain", "--runs"]
    done = run(*stencil, "100000")
    pays = {row["method"]: row["pays from"] for row in rows_of(done.stdout)}
    fewer = {m: run(*stencil, str(int(n) - 1)).stdout
             for m, n in pays.items() if n not in ("-", "1")}
    once = re.search(r"^chosen   spmv_(\w+?)_f64_", run(*stencil, "1").stdout, flags=re.M)
    tap.ok(once and pays.get(once[1]) == "1" and fewer
           and all(f"chosen   spmv_{m}_" not in out for m, out in fewer.items()),
           "with fewer runs than a method pays from it is not chosen", f"{pays}\n{done.stdout}")
    done = run(*stencil, "3")
    left = re.findall(r"^left out (.*): it converts the matrix", done.stdout, flags=re.M)
    shown = [row["method"] for row in rows_of(done.stdout)]
    tap.ok(len(left) == 1 and "strips" in left[0].split(", ")
           and not set(shown) & set(left[0].split(", "))
           and f"the cheapest of {len(shown)} methods" in done.stdout,
           "methods that are left out stand below, behind their reason", done.stdout)
    test_uneven()
    same = [run("--modules", LIBRARY, "--poisson", "4", "--explain", "--threads", n).stdout
            for n in ("1", "2")]
    tap.ok(same[0] == same[1], "and they are the same with any number of threads")
    done = run("--modules", LIBRARY, "--poisson", "4", "--explain", "--measure", "--runs", "7")
    timed = [row["measured us"] for row in rows_of(done.stdout)]
    totals = [float(row["build us"]) + 7 * float(row["measured us"]) for row in rows_of(done.stdout)
              if row["measured us"] != "-"]
    tap.ok(totals and totals[0] <= 1.001 * min(totals),
           "the candidate with the least time for building and running is chosen", done.stdout)
    tap.ok(done.returncode == 0 and "measured: " in done.stdout
           and " and 7 multiplications of " in done.stdout and timed[0] != "-",
           "--measure times the cheapest candidates, for the runs that --runs expects",
           done.stdout + done.stderr)
    refused("--runs without --explain", ["--poisson", "4", "--runs", "7"], 2,
            "belongs to --explain")
    refused("--runs 0", ["--poisson", "4", "--explain", "--runs", "0"], 2, "--runs")
    for option in (["--method", "toy_rows"], ["--peers"], ["--json", "x.json"],
                   ["--setting", "a=1"], ["--details"], ["--all"]):
        refused(f"--explain {option[0]}", ["--poisson", "4", "--explain", *option], 2,
                "how a plan chooses")
    if modules:
        done = run("--shape", "one-row-of-many", "--explain")
        borrowing = {row["method"]: row["borrows"] for row in rows_of(done.stdout)}
        tap.ok(done.returncode == 0 and borrowing.get("csr_vector") == "CSR"
               and borrowing.get("csr5") == "row_ptr", "arrays that a plan borrows are listed",
               done.stdout + done.stderr)


test_explain(listed_modules())
tap.done()
