"""test_experiment.py: `spmvbench experiment`: its figures of records with known numbers,
and every experiment once on small matrices. spmvbench.py describes the arguments."""
import pathlib
import re
import sys
import tempfile

import experiments
from experiments import is_near, matrix, result, said, write
from spmvbench import QUICK, run, tap


def figure_of(folder, name, results, *more):
    """{(panel, label, series): number} of an experiment's figure, and the run. results: (input,
    method, seconds, values of --set, further members), 500 nonzeros each."""
    groups = {}
    for of, method, seconds, values, members in results:
        group = groups.setdefault(of, [matrix(of, nnz=500)])
        group.append(result(group[0], method, seconds, values, **members))
    return experiments.figure(folder, name, write(folder / "run.jsonl", *groups.values()),
                              more=more)


def test_list():
    done = run("experiment", "list")
    rows = [re.split(r"\s{2,}", line.strip()) for line in done.stdout.splitlines()]
    names = [row[0] for row in rows[1:]]
    tap.ok(done.returncode == 0 and rows[0] == ["experiment", "paper", "figure", "shows"] and
           all(len(row) == 4 for row in rows), "the list has four columns", said(done))
    tap.ok(len(set(names)) == len(names), "every name is there once", said(done))
    page = (pathlib.Path(sys.argv[2]) / "docs/papers.md").read_text(encoding="utf-8")
    missing = [name for name in names if f"| `{name}` |" not in page]
    tap.ok(not missing, "docs/papers.md has a row for every experiment", str(missing))


def test_speed(folder):
    numbers, done = figure_of(folder, "csr5-regular", [
        ("lookalike:cant", "csr5", 1e-6, {}, {}),
        ("lookalike:cant", "csr_vector", 2e-6, {}, {}),
        ("lookalike:cant", "csr_scalar", 4e-6, {}, {}),
        ("b.mtx", "csr5", 3e-6, {}, {}),
        ("b.mtx", "csr_vector", 1.5e-6, {}, {})])
    over = "Speed of csr5 over the best other method"
    tap.ok(is_near(numbers.get((over, "cant", "csr5")), 2) and
           is_near(numbers.get((over, "b.mtx", "csr5")), 0.5), "csr5 over the best other",
           said(done))
    tap.ok(is_near(numbers.get(("Speed of a multiplication", "cant", "csr_scalar")), 0.25),
           "a look-alike has its matrix's name; 2 nnz / t", said(done))
    tap.ok("0.8 (harmonic mean), 0.5 to 2" in done.stdout, "means and extremes", said(done))


def of_sigma(sigma, seconds, used):
    return "a", "csr5", seconds, {"csr5.sigma": sigma}, {"figures": {"sigma": used}}


def test_sigma(folder):
    results = [of_sigma("16", 1e-6, 16), of_sigma("4", 2e-6, 4), of_sigma("0", 1.25e-6, 12)]
    numbers, done = figure_of(folder, "csr5-sigma", results)
    tap.ok([label for (_, label, series) in numbers if series == "slowest matrix"] ==
           ["0", "4", "16"], "values of a parameter ascend as numbers", said(done))
    tap.ok("best on average: csr5.sigma=16, 100 % of the fastest" in done.stdout,
           "the best is told", said(done))
    numbers, done = figure_of(folder, "csr5-rule", results)
    tap.ok(is_near(numbers.get(("Rule over search", "a", "speed")), 0.8) and
           numbers.get(("Rule over search", "a", "sigma by the rule")) == 12 and
           numbers.get(("Rule over search", "a", "sigma by search")) == 16,
           "the rule beside the search", said(done))
    slower = [(*of_sigma("0", 4e-6, 12)[:4], {"target": "there", "figures": {"sigma": 12}})]
    numbers, done = figure_of(folder, "csr5-rule", results + slower)
    tap.ok(is_near(numbers.get(("Rule over search", "a", "speed")), 0.8),
           "of several targets the fastest counts, for the rule and for the search", said(done))
    numbers, done = figure_of(folder, "csr5-rule", results[:2])
    tap.ok(done.returncode == 1 and "a has no result with sigma = 0" in done.stderr,
           "a race without the rule is told", said(done))


def test_preparation(folder):
    steps = {"build_tile_ptr": 1e-6, "build_tile_desc": 2e-6, "build_tile_columns": 1e-6,
             "place_tile_columns": 1e-6, "transpose_columns": 3e-6, "transpose_val": 4e-6}
    results = [("a", "csr5", 2e-6, {}, {"prepare_seconds": 1e-5, "build_steps": steps}),
               ("a", "csr_vector", 3e-6, {}, {})]
    numbers, done = figure_of(folder, "csr5-conversion", results)
    parts = {series: number for (_, _, series), number in numbers.items()}
    tap.ok(is_near(parts.get("all"), 6) and is_near(parts.get("columns"), 2.5) and
           is_near(parts.get("tile descriptors"), 1), "the conversion in multiplications",
           said(done))
    numbers, done = figure_of(folder, "csr5-solver", results)
    speed = {series: number for (_, _, series), number in numbers.items()}
    tap.ok(is_near(speed.get("n = 50"), 150 / 110) and is_near(speed.get("n = 500"), 1500 / 1010),
           "a solver's speed, conversion included", said(done))


def test_narrow_values(folder):
    """Narrowed strips are compared with wide ones of the same matrix, and with no other setting."""
    def of(wide, seconds, prepare, **members):
        return ("values:6:a.mtx", "strips", seconds, {}, {
            "settings": f"wide_values={wide}", "prepare_seconds": prepare,
            "update_seconds": prepare / 2, **members})
    results = [of(1, 4e-6, 1e-5), of(0, 2e-6, 1.5e-5, figures={"bytes of a value": 1,
                                                               "bytes of a column": 2}),
               ("values:6:a.mtx", "strips", 1e-6, {}, {})]
    numbers, done = figure_of(folder, "narrow-values", results)
    of_matrix = {series: number for (panel, _, series), number in numbers.items()
                 if panel != "Speed of a multiplication"}
    tap.ok(is_near(of_matrix.get("speed"), 2) and is_near(of_matrix.get("preparing"), 1.5) and
           is_near(of_matrix.get("new values"), 1.5) and of_matrix.get("values") == 1 and
           of_matrix.get("columns") == 2, "narrow-values: narrowed over wide", said(done))
    _, done = figure_of(folder, "narrow-values", results[1:])
    tap.ok(done.returncode == 1 and "--setting wide_values=1,0" in done.stderr,
           "narrow-values: records without wide values are refused", said(done))
    done = run("experiment", "narrow-values", *QUICK, "--target", "generic-c",
               "values:1:model:poisson7:8")
    tap.ok(done.returncode == 0 and "found  " in done.stdout, "narrow-values races", said(done))


def test_plots(folder):
    results = [of_sigma("4", 2e-6, 4), of_sigma("8", 1e-6, 8)]
    image = folder / "figure.svg"
    _, done = figure_of(folder, "csr5-sigma", results, "--plot", "ascii", "--svg", str(image))
    text = image.read_text(encoding="utf-8") if image.exists() else ""
    tap.ok(text.startswith("<svg") and text.count("<circle") == 4 and 'class="curve"' in text,
           "an image has a curve with its numbers", said(done))
    tap.ok(">Speed of csr5 by sigma" in text, "its title begins with a capital", text)
    tap.ok(done.stdout.isascii() and re.search(r"a  geometric mean$", done.stdout, re.MULTILINE),
           "in ASCII, with a legend", said(done))
    image.write_text("mine", encoding="utf-8")
    _, done = figure_of(folder, "csr5-sigma", results, "--svg", str(image))
    tap.ok(done.returncode == 2 and image.read_text(encoding="utf-8") == "mine",
           "a file of another kind stays", said(done))


def test_failures(folder):
    """A figure that cannot be made replaces no file; one that is cut says so."""
    table = folder / "figure.csv"
    figure_of(folder, "csr5-rule", [of_sigma("0", 1e-6, 16)])
    before = table.read_bytes()
    lacking = write(folder / "run.jsonl", [matrix("a"), result(matrix("a"), "csr5", 1e-6)])
    done = run("experiment", "csr5-rule", "--from", lacking, "--csv", str(table))
    tap.ok(done.returncode == 1 and table.read_bytes() == before,
           "a figure that cannot be made leaves the file of an older one", said(done))
    _, done = figure_of(folder, "csr5-regular", [
        ("a", "csr5", 1e-6, {}, {"correct": False, "failure": "wrong"})])
    tap.ok(done.returncode == 1 and "csr5-regular: no record has" in done.stderr
           and not table.exists(), "an empty figure is a failure", said(done))
    _, done = figure_of(folder, "csr5-regular", [
        ("a", "csr5", 1e-6, {"csr5.sigma": str(sigma)}, {}) for sigma in range(4, 21)])
    tap.ok("a panel shows 16 series, and the others are left out" in done.stderr,
           "series beyond the room of a panel are told", said(done))


def refused(name, words, message):
    done = run("experiment", *words)
    tap.ok(done.returncode == 2 and re.search(message, done.stderr) and not done.stdout
           and done.stderr.count("\n") == 1, f"{name}: exit code 2 and a line that says why",
           said(done))


def test_refusals():
    refused("no name", [], "experiment what.*experiment list")
    refused("an unknown name", ["csr5-sigm"], "did you mean 'csr5-sigma'")
    refused("a method's name", ["csr_adaptive"], "there are csr-adaptive-rows, .*-storage; ")
    refused("a word behind list", ["list", "csr5"], "list takes no other words, but 'csr5'")
    refused("an input beside --from", ["csr5-regular", "--from", "a.jsonl", "model:poisson7:8"],
            "--from shows the matrices of its file")
    refused("an option of run alone", ["csr5-sigma", "--explain"], "unknown option '--explain'")
    refused("an unknown suite", ["csr5-sigma", "suite:csr"], "no suite is called 'csr'")
    refused("no millions", ["csr5-sigma", "suite:csr5:x"], "MILLIONS")
    done = run("experiment", "csr5-sigma", "--from", "missing.jsonl")
    tap.ok(done.returncode == 1 and "missing.jsonl" in done.stderr, "a missing file is told",
           said(done))


def test_heading(folder):
    """The claim of the paper is broken at the columns of the terminal."""
    a = matrix("a")
    file = write(folder / "run.jsonl", (a, result(a, "csr5", 1e-6), result(a, "csr_vector", 2e-6)))
    done = run("experiment", "csr5-regular", "--from", file, COLUMNS="40")
    heading = done.stdout.split("\n\n")[0].splitlines()
    tap.ok(done.returncode == 0 and max(map(len, heading)) <= 40
           and any(line.startswith("  ") for line in heading), "the heading fits the terminal",
           said(done))


def test_runs(_):
    """The experiments of CSR5 race. Those of the other papers have suites of their own."""
    for name in ("csr5-regular", "csr5-irregular", "csr5-conversion", "csr5-solver"):
        done = run("experiment", name, *QUICK, "--target", "generic-c", "model:poisson7:8")
        tap.ok(done.returncode == 0 and "found  " in done.stdout, f"{name} races", said(done))


def main():
    test_list()
    with tempfile.TemporaryDirectory() as folder:
        for test in (test_speed, test_sigma, test_preparation, test_narrow_values, test_plots,
                     test_heading, test_failures, test_runs):
            test(pathlib.Path(folder))
    test_refusals()
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
