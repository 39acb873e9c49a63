"""test_strips.py ...: the storage that the method strips chooses for matrices of each kind.
spmvbench.py describes the arguments.

The test checks, for every target that this CPU can run, that each storage of strips is used for the
matrices that it is meant for, and that their results are right.
"""
import pathlib
import platform
import re
import sys
import tempfile

from spmvbench import QUICK, run, tap

# Figures of the method strips.
LANES, DIAGONALS, RUNS = ("nonzeros in lanes and long rows", "nonzeros in diagonals",
                          "nonzeros in runs")
SHARED = "with the columns of others"
NARROW, LONG = "of lanes, with 16-bit columns", "in long rows"
SEGMENTS, WIDE = "of these, with 16-bit columns", "with 32-bit columns"
# Matrices; by value type, figures and the least share of the nonzeros that each must count.
EXPECTED = [
    (["--shape", "stencil-27", "--size", "30000"], {"f32": [(DIAGONALS, 0.7), (SHARED, 0.4)]}),
    # Slices with one list, and diagonals at both borders.
    (["values:random:model:banded:10000:8"], {"f64": [(DIAGONALS, 1)], "f32": [(DIAGONALS, 1)]}),
    (["--shape", "dense", "--size", "600"],
     {"f64": [(RUNS, 1), (SHARED, 0.9)], "f32": [(RUNS, 1), (SHARED, 0.9)]}),
    (["--shape", "irregular", "--size", "40000"], {"f64": [(NARROW, 1)], "f32": [(NARROW, 1)]}),
    (["--shape", "uniform", "--size", "200000"], {"f64": [(LANES, 1), (WIDE, 0.99)]}),
    (["--shape", "blocks", "--size", "12000"], {"f32": [(RUNS, 0.5)]}),
    (["--lookalike", "boyd2"], {"f64": [(LONG, 0.0001)]}),
    (["--lookalike", "rajat21"],
     {"f64": [(LONG, 0.0004), (SEGMENTS, 0.0004)], "f32": [(LONG, 0.0004)]}),
]


def figures_of(output):
    """{target: {figure: value}}, from the output of --details, but times."""
    found = {}
    for part in re.split(r"^spmv_strips_", output, flags=re.MULTILINE)[1:]:
        target = part.split("\n", 1)[0].split("__")[1].replace("_", "-")
        found[target] = {name.strip(): float(value) for name, value in
                         re.findall(r"^  (\S.*?)  +([0-9.e+-]+) (?!\w?s$)\S+$", part,
                                    flags=re.MULTILINE)}
    return found


def test_matrix(arguments, of_type):
    name = " ".join(arguments[1::2] or arguments)
    for value_type, expected in of_type.items():
        done = run(*arguments, "--type", value_type, "--method", "strips", "--all", "--details",
                   *QUICK)
        nnz = int(re.search(r" (\d+) nonzeros", done.stdout)[1]) if done.returncode == 0 else 0
        found = {t: f for t, f in figures_of(done.stdout).items()
                 if platform.machine() == "x86_64" and t != "generic-c"}
        rows = re.findall(r"^strips +(\S+) .* (yes|NO)$", done.stdout, flags=re.MULTILINE)
        tap.ok(done.returncode == 0 and rows and all(right == "yes" for _, right in rows),
               f"{name}, {value_type}: right on {len(rows)} targets", done.stdout + done.stderr)
        if not found:
            tap.skip(f"{name}, {value_type}: the expected storages are those of x86-64's vectors, "
                     "and no such kernel runs here")
            continue
        for figure, share in expected:
            shares = {t: f.get(figure, 0) / max(nnz, 1) for t, f in found.items()}
            tap.ok(all(s >= 0.999 * share for s in shares.values()),
                   f"{name}, {value_type}: {figure}: {share:.2%} or more",
                   f"{shares}\n{done.stdout}")


def test_same_layout():
    """The number of threads does not change the layout."""
    outputs = [run("--shape", "circuit", "--size", "60000", "--method", "strips", "--details",
                   "--threads", n, *QUICK).stdout for n in ("1", "2")]
    tap.ok(figures_of(outputs[0]) == figures_of(outputs[1]) != {},
           "the layout does not depend on threads", "".join(outputs))


def test_count():
    """A small matrix has few strips, unless it has diagonals."""
    for model, expected in (("random:1000:12:uniform", 1), ("random:2000:12:uniform", 4),
                            ("random:4000:12:uniform", 8), ("random:8000:12:uniform", 16),
                            ("banded:1500:15", 16)):
        done = run(f"model:{model}", "--method", "strips", "--all", "--details", *QUICK)
        counts = {t: f.get("strips") for t, f in figures_of(done.stdout).items()
                  if platform.machine() == "x86_64" and t != "generic-c"}
        if not counts:
            tap.skip(f"{model}: the storages of x86-64's vectors decide, and no such kernel "
                     "runs here")
            continue
        tap.ok(set(counts.values()) == {expected}, f"{model}: {expected} strips",
               f"{counts}\n{done.stdout}{done.stderr}")


def test_values():
    """A pattern's values take no bytes, and random ones all of theirs."""
    with tempfile.TemporaryDirectory() as folder:
        pattern = pathlib.Path(folder) / "pattern.mtx"
        rows = 9000
        entries = [(i, j) for i in range(1, rows + 1) for j in (i - 1, i, i + 1) if 0 < j <= rows]
        pattern.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                           f"{rows} {rows} {len(entries)}\n" +
                           "".join(f"{i} {j}\n" for i, j in entries), encoding="ascii")
        for value_type, size in (("f64", 8), ("f32", 4)):
            of = [run(*arguments, "--type", value_type, "--method", "strips", "--all", "--details",
                      *QUICK) for arguments in ([str(pattern)], ["--shape", "irregular",
                                                                 "--size", "9000"])]
            equal, other = (figures_of(done.stdout).values() for done in of)
            tap.ok(equal and all(f["with equal values"] == len(entries) and
                                 f["bytes of a value"] < 0.1 for f in equal) and
                   all(f["with equal values"] == 0 and f["bytes of a value"] == size
                       for f in other),
                   f"{value_type}: values of a pattern take no bytes, others {size}",
                   "".join(done.stdout + done.stderr for done in of))
            tap.ok(all(0 < f["bytes of a column"] < 1.5 for f in equal) and
                   all(2 <= f["bytes of a column"] < 2.5 for f in other),
                   f"{value_type}: diagonals take few bytes for columns, lanes two",
                   "".join(done.stdout + done.stderr for done in of))


def test_explain():
    """--explain and inspect say how a plan stores columns and values."""
    for command in ([], ["inspect", "--plot", "none"]):
        for values, expected in (("1", r"values take 0\.\d\d bytes of 8: equal 100 %"),
                                 ("random", r"values take 8\.\d\d bytes of 8: as they are 100 %")):
            done = run(*command, f"values:{values}:model:poisson7:24", "--type", "f64",
                       *([] if command else ["--explain"]))
            text = " ".join(done.stdout.split())
            if "chosen spmv_strips" not in text:
                tap.skip(f"{values}: no plan of this CPU chooses strips for a Poisson problem")
                continue
            tap.ok(re.search(r"stored columns take [01]\.\d\d bytes a nonzero: diagonals \d",
                             text) and re.search(expected, text),
                   f"{command[:1]} values:{values}: {expected}", done.stdout + done.stderr)


def test_cost():
    """The cost counts split rows: no multiplication is estimated at less than its values' bytes."""
    done = run("--shape", "giant-middle", "--size", "400000", "--type", "f64", "--explain")
    found = re.search(r" (\d+) nonzeros.*^strips +\S+ +([0-9.]+)", done.stdout,
                      flags=re.MULTILINE | re.DOTALL)
    tap.ok(found and 1e6 * float(found[2]) > 8 * int(found[1]),
           "a matrix with one giant row costs more than its values", done.stdout + done.stderr)


def main():
    if "strips" not in run("--list").stdout:
        tap.skip("no kernels of strips are linked in")
        tap.done()
        return
    for arguments, of_type in EXPECTED:
        test_matrix(arguments, of_type)
    test_same_layout()
    test_count()
    test_values()
    test_explain()
    test_cost()
    tap.done()


if __name__ == "__main__":
    sys.exit(main())
