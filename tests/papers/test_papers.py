"""test_papers.py: papers/: its figures of records with known numbers, and its command lines.

    test_papers.py SOURCE_ROOT SPMVBENCH [SPMVGEN]
"""
import ast
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT, SPMVBENCH = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
SPMVGEN = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "papers")]
sys.dont_write_bytecode = True
import catalog
import race
import tap

# What each paper has, by its text.
CONTENTS = {
    "CSR5": [f"Fig. {n}" for n in range(1, 11)] + [f"Table {n}" for n in (1, 2, 3)] +
            ["section 3.5", "section 3.6"],
    "CSR-Adaptive": [f"Fig. {n}" for n in range(1, 15)] + ["Table I", "Table II", "Table III",
                                                           "section V-C"],
    "EVC-HYB": [f"Fig. {n}" for n in range(1, 17)] + [f"Table {n}" for n in range(1, 5)],
    "speculative": [f"Fig. {n}" for n in range(1, 9)] + [f"Table {n}" for n in (1, 2, 3)],
}
SUITES = {"csr5": 24, "csr5-regular": 14, "csr5-irregular": 10, "csr_adaptive": 32, "evc_hyb": 22,
          "speculative": 20, "stanford_berkeley": 1}
PLOTS = all(importlib.util.find_spec(name) for name in ("matplotlib", "pandas"))


def run(program, *words, **variables):
    return subprocess.run([sys.executable, str(ROOT / "papers" / program), *map(str, words)],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive", **variables})


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


# ---- records with known numbers ------------------------------------------------------------------

def matrix(name, **members):
    return {"record": "matrix", "input": f"lookalike:{name}", "type": "f64", "offset": "i32",
            "rows": 100, "cols": 100, "nnz": 5000, **members}


def result(of, method, seconds, **members):
    group = {key: of[key] for key in ("input", "type", "offset")}
    return {"record": "result", **group, "method": method, "target": "toy", "set": {},
            "settings": "", "correct": True, "seconds": seconds, "low": 0.9 * seconds,
            "high": 1.1 * seconds, **members}


def write(path, *records):
    begin = {"record": "run", "cpu": "Toy CPU", "compiler": "toycc", "threads": 2}
    path.write_text("".join(json.dumps(record) + "\n" for record in (begin, *records)),
                    encoding="utf-8")
    return path


def drawn(folder, name, *records):
    """({(series, x): (value, low, high)} of NAME.csv, the run)"""
    import pandas
    done = run("run", name, "--from", write(folder / "toy.jsonl", *records), "--out", folder)
    try:
        table = pandas.read_csv(folder / f"{name}.csv")
    except OSError:
        return {}, done
    return {(row.series, str(row.x)): (row.value, row.low, row.high)
            for row in table.itertuples()}, done


def computed(folder, name, *records):
    """The same numbers and the sentences, without drawing."""
    import evaluate
    import records as reader
    of, figure = reader.read([write(folder / "toy.jsonl", *records)]), catalog.find(name)
    numbers = {(row.series, str(row.x)): (row.value, row.low, row.high)
               for _, table in evaluate.panels(of, figure)[0] for row in table.itertuples()}
    return numbers, "\n".join(evaluate.found(of, figure))


def near(found, expected):
    return found is not None and abs(found[0] - expected) < 1e-4 * abs(expected) + 1e-9


def test_sigma(folder):
    dc2, cant = matrix("dc2"), matrix("cant")
    def of(where, sigma, seconds, used):
        return result(where, "csr5", seconds, set={"csr5.sigma": sigma}, figures={"sigma": used})
    numbers, done = drawn(folder, "csr5-fig9", dc2, of(dc2, "0", 1.25e-6, 12),
                          of(dc2, "16", 1e-6, 16), of(dc2, "4", 2e-6, 4),
                          cant, of(cant, "0", 2e-6, 8), of(cant, "16", 2.5e-6, 16))
    tap.ok(near(numbers.get(("best sigma", "dc2")), 10) and
           near(numbers.get(("sigma by the rule", "dc2")), 8) and
           near(numbers.get(("best sigma", "cant")), 4), "CSR5, Fig. 9: the rule and the search",
           said(done))
    loss = "-2.5 % (arithmetic mean of 2 matrices; -25 on cant to 20 on dc2)"
    tap.ok(f"loss by the rule, f64: {loss}"
           in done.stdout and "; paper: 4.2" in done.stdout, "its loss stands beside the paper's",
           said(done))
    tap.ok("Toy CPU, toycc, 2 threads" in done.stdout and "2 of 2 are look-alikes" in done.stdout,
           "the machine, and what are look-alikes, are told", said(done))
    value, low, high = numbers.get(("best sigma", "dc2"), (0, 0, 0))
    tap.ok(abs(low - 10 / 1.1) < 1e-3 and abs(high - 10 / 0.9) < 1e-3,
           "error bars are of the times' intervals", f"{low} {value} {high}")
    svg = (folder / "csr5-fig9.svg").read_text(encoding="utf-8")
    tap.ok((folder / "csr5-fig9.png").read_bytes()[:4] == b"\x89PNG" and "<svg" in svg and
           "<dc:date>" not in svg, "a PNG, and an SVG without a date")


def test_solver(folder):
    cant, dc2 = matrix("cant"), matrix("dc2")
    numbers, text = computed(folder, "csr5-table3", cant, result(cant, "csr_scalar", 4e-6),
                          result(cant, "csr_vector", 2e-6),
                          result(cant, "csr5", 1e-6, prepare_seconds=1e-5),
                          dc2, result(dc2, "csr_vector", 3e-6),
                          result(dc2, "csr5", 1e-6, prepare_seconds=2e-5))
    tap.ok(near(numbers.get(("50 iterations", "cant")), 100 / 60),
           "CSR5, Table 3: n T_csr / (T_pre + n T_csr5), the faster CSR code", str(numbers) + text)
    tap.ok("irregular: preparation in own products, f64: 20; paper: 3.69" in text and
           "regular: preparation in own products, f64: 10;" in text,
           "regular and irregular matrices apart", str(numbers) + text)


def test_switches(folder):
    def of(where, rows, short, scalar, multiplier, seconds):
        names = ("num_rows_stream", "short_row", "scalar_rows", "nnz_multiplier")
        values = {f"csr_adaptive.{n}": str(v)
                  for n, v in zip(names, (rows, short, scalar, multiplier))}
        return result(where, "csr_adaptive", seconds, set=values)
    both = [matrix("mip1", type="f32"), matrix("mip1")]
    records = []
    for where, rows, most in ((both[0], 2, 3), (both[1], 3, 2)):
        records += [where, of(where, 2, 0, 1, 0, 8e-6), of(where, rows, 32, 1, 0, 4e-6),
                    of(where, rows, 32, 129, 0, 2e-6), of(where, rows, 32, 129, most, 1e-6)]
    numbers, text = computed(folder, "csr-adaptive-fig10", *records)
    tap.ok([round(numbers.get((name, "mip1"), [0])[0], 6) for name in
            ("Baseline", "NRS+opt", "NRS+LOG", "optimised")] == [1.25, 2.5, 5, 10],
           "CSR-Adaptive, Fig. 10: one optimisation after another", str(numbers) + text)
    tap.ok(all(f"all over Baseline, {t}: 8 times" in text for t in ("f32", "f64")),
           "both types have the paper's values", str(numbers) + text)


def test_bandwidth(folder):
    one = matrix("cant", type="f32", dram_gbytes_per_second=50)
    numbers, text = computed(folder, "csr-adaptive-fig14", one, result(one, "csr_adaptive", 1e-6))
    plus = 1e-3 * (5000 * 8 + 101 * 4 + 200 * 4)
    tap.ok(near(numbers.get(("beta+: matrix, x and y once", "cant")), plus) and
           near(numbers.get(("up to beta-: x from memory for every nonzero", "cant")),
                1e-3 * 4900 * 4),
           "CSR-Adaptive, Fig. 14: two counts of one race", str(numbers) + text)
    numbers, text = computed(folder, "speculative-fig6", one, result(one, "speculative", 1e-6))
    tap.ok(near(numbers.get(("speculative", "cant")), 1e-3 * (5101 * 4 + 10100 * 4)),
           "speculative, Fig. 6: the bytes of its formula (4.3)", str(numbers) + text)


def test_parts(folder):
    one = matrix("Stanford", ones=True)
    times = {"none": 10e-6, "x": 5e-6, "a": 8e-6, "both": 2e-6}
    parts = [result(one, "evc_hyb", t, set={"evc_hyb.constant": c}) for c, t in times.items()]
    numbers, text = computed(folder, "evc-hyb-fig13", one, *parts)
    shares = [numbers.get((name, "Stanford"), [0])[0] for name in ("T_A", "T_X", "T_Y")]
    tap.ok(max(abs(a - b) for a, b in zip(shares, (300 / 11, 600 / 11, 200 / 11))) < 1e-3,
           "EVC-HYB, Fig. 13: T_A, T_X and T_Y of four times", str(numbers) + text)
    numbers, text = computed(folder, "evc-hyb-fig12", one, *parts)
    tap.ok("sum of the parts over the product, f64: 1.1 times" in text,
           "EVC-HYB, Fig. 12: their sum over the product", str(numbers) + text)


def test_model(folder):
    one = matrix("rma10", x_line_bytes=8000, x_l1_line_bytes=32000, stream={"copy": 40})
    own = result(one, "evc_hyb", 1e-5, settings="permuted_y=1", figures={
        "nonzeros of the ELL part": 4000, "padding of the ELL part": 20,
        "nonzeros of the vCSR part": 1000, "padding of the vCSR part": 0})
    numbers, text = computed(folder, "evc-hyb-fig10", one, own)
    volume = 12 * 6000 + 8000 + 16 * 100
    alpha = (volume / (2 * 5000) - 6 * 6000 / 5000 - 8 / 50) / 4
    tap.ok(near(numbers.get(("alpha", "rma10")), alpha) and
           near(numbers.get(("code balance", "rma10")), volume / 10300),
           "EVC-HYB, Fig. 10: alpha and balance by the formulas of 3.2", str(numbers) + text)
    numbers, text = computed(folder, "evc-hyb-fig11", one, own)
    tap.ok(near(numbers.get(("modelled", "rma10")), 40 * 10300 / volume),
           "EVC-HYB, Fig. 11: Copy over the code balance", str(numbers) + text)
    numbers, text = computed(folder, "evc-hyb-fig8", one, own)
    tap.ok(near(numbers.get(("C_X", "rma10")), 110 * 0.9 + 220 * 0.75 * 0.1 + 600 * 0.25 * 0.1),
           "EVC-HYB, Fig. 8: latency of x by its formula", str(numbers) + text)


def test_sweep(folder):
    names = ("cant", "dc2", "ins2")
    of = [matrix(name, type="f32") for name in names]
    records = []
    for index, where in enumerate(of):
        records.append(where)
        for w, seconds in (("4", 2e-6), ("8", (1e-6, 4e-6, 1e-6)[index]), ("16", 5e-6)):
            if w != "16" or index < 2:
                records.append(result(where, "speculative", seconds, set={
                    "speculative.T": "8", "speculative.W": w}))
    import evaluate
    import records as reader
    figure = catalog.find("speculative-fig7")
    figure.panel = figure.panel[:1]
    (_, table), = evaluate.panels(reader.read([write(folder / "w.jsonl", *records)]), figure)[0]
    points = {row.x: row.value for row in table.itertuples()}
    tap.ok(set(points) == {4, 8} and abs(points[8] - 5) < 1e-9 and abs(points[4] - 5) < 1e-9,
           "a sweep's points are harmonic means over all matrices; one that lacks any is left out",
           str(points))


def test_means():
    import evaluate
    tap.ok([round(evaluate.mean(kind, [1, 4]), 9) for kind in
            ("harmonic", "geometric", "arithmetic")] == [1.6, 2, 2.5], "the three means")
    errors = [evaluate.mean_error(kind, [2, 2], [0.3, 0.4]) for kind in
              ("harmonic", "geometric", "arithmetic")]
    tap.ok(all(abs(error - 0.25) < 1e-9 for error in errors), "their errors", str(errors))


# ---- wrong input ---------------------------------------------------------------------------------

def refused(name, done, *parts):
    """The last line of the errors is the only one of papers/run, and says all of it."""
    lines = done.stderr.splitlines() or [""]
    tap.ok(done.returncode == 1 and lines[-1].startswith("papers/run: ") and
           done.stderr.count("papers/run: ") == 1 and "Traceback" not in done.stderr and
           all(part in lines[-1] for part in parts), name, said(done))


def test_wrong_input(folder):
    cant = matrix("cant")
    lacking = write(folder / "lacking.jsonl", cant, result(cant, "csr_vector", 1e-6))
    refused("records without the method are told, with the command",
            run("run", "csr5-table3", "--from", lacking, "--out", folder / "no"), "csr5-table3",
            "lookalike:cant (f64) has no result with method csr5",
            "spmvbench run --method csr5 --method csr_vector")
    lacking = write(folder / "field.jsonl", cant, result(cant, "csr5", 1e-6, prepare_seconds=1))
    refused("records without a field are told",
            run("run", "csr5-storage", "--from", lacking, "--out", folder / "no"),
            "the result of csr5 on lookalike:cant has no 'matrix_bytes'")
    tap.ok(not (folder / "no").exists(), "nothing is written then")
    broken = folder / "broken.jsonl"
    broken.write_text('{"record": "run"}\n{"record": \n', encoding="utf-8")
    refused("a broken record is told by its line",
            run("run", "csr5-fig9", "--from", broken), f"{broken}:2: expected a record")
    wrong = write(folder / "wrong.jsonl", cant, {**result(cant, "csr5", 1), "seconds": "abc"})
    refused("so is a member of another type", run("run", "csr5-fig9", "--from", wrong),
            f"{wrong}:3: ", "its member 'seconds' is \"abc\"")
    refused("--from takes no options of a race",
            run("run", "csr5-fig9", "--from", wrong, "--millions", 1), "--from races nothing")
    refused("a missing file is told", run("run", "csr5-fig9", "--from", folder / "none.jsonl"),
            "none.jsonl: No such file")
    empty = write(folder / "empty.jsonl")
    refused("records without a matrix are told", run("run", "csr5-fig9", "--from", empty),
            "no record of a matrix")
    refused("a program that is not there is told",
            run("run", "csr5-fig9", "--spmvbench", folder / "no", "--millions", 1), "no", "No such")
    refused("so is one that writes no records",
            run("run", "csr5-fig9", "--spmvbench", "/bin/true", "--out", folder / "new"),
            "/bin/true ended with exit code 0 and wrote no records")
    refused("and a folder that cannot be made",
            run("run", "csr5-fig9", "--spmvbench", "/bin/true", "--out", broken / "in"),
            str(broken / "in"))
    (folder / "out").mkdir()
    kept = write(folder / "out" / "records-csr5-sigma.jsonl")
    refused("records that exist are kept",
            run("run", "csr5-fig9", "--spmvbench", SPMVBENCH, "--out", folder / "out"),
            str(kept), "--from")


def test_names(folder):
    done = run("run", "csr5-fig8x")
    refused("an unknown name suggests the nearest", done,
            "no figure is called 'csr5-fig8x'; did you mean 'csr5-fig8'?")
    (folder / "matplotlib.py").write_text("raise ImportError('no', name='matplotlib')\n",
                                          encoding="utf-8")
    refused("without matplotlib the packages are named",
            run("run", "csr5-fig9", "--from", "any.jsonl", PYTHONPATH=str(folder)),
            "has no matplotlib: apt-get install python3-matplotlib python3-pandas")


# ---- the rows ------------------------------------------------------------------------------------

def formulas(figure):
    for row in [*figure.panel, *figure.found,
                *(series for panel in figure.panel for series in panel.get("series", [])),
                *(panel["line"] for panel in figure.panel if "line" in panel)]:
        yield from (row[key] for key in ("formula", "each") if key in row)


def words_of(formula):
    """Names and members that a formula reads."""
    for node in ast.walk(ast.parse(formula)):
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield node.id if isinstance(node, ast.Name) else node.attr


def test_rows(papers):
    for paper in papers:
        if paper.name in CONTENTS:
            shown = {f.where.split(", ")[0] for f in paper.figures}
            missing = [one for one in CONTENTS[paper.name]
                       if one not in shown and one not in paper.without]
            tap.ok(not missing, f"{paper.name}: each figure and table has a row, or a reason why "
                   "not", str(missing))
    figures = [figure for paper in papers for figure in paper.figures]
    names, races = [f.name for f in figures], [r for paper in papers for r in paper.races]
    tap.ok(len(set(names)) == len(names) and len(set(races)) == len(races),
           "names of figures and races are there once")
    sizes = {name: len(set(of)) for paper in papers for name, of in paper.suites.items()}
    tap.ok(sizes == SUITES, "the suites have the papers' numbers of matrices", str(sizes))
    texts = [(ROOT / name).read_text(encoding="utf-8")
             for name in ("docs/reference/records.md", "papers/bratu.py")]
    known = set(re.findall(r"`(\w+)`", "".join(texts))) | {
        "value_bytes", "matrix_in_csr", "own", "min", "max", "steps", "all_steps", "figure"}
    unknown = [f"{f.name}: {word}" for f in figures for text in formulas(f)
               for word in words_of(text) if word not in known | set(f.pick)]
    tap.ok(not unknown, "formulas read members of records alone", "\n".join(unknown))
    done = run("list")
    tap.ok(done.returncode == 0 and all(f"\n  {name} " in done.stdout for name in names),
           "papers/list names all", said(done))
    wrong = [done for done in (run("list", name) for name in names[::7]) if done.returncode]
    tap.ok(not wrong, "papers/list NAME tells all of a row", "".join(map(said, wrong)))


def test_command_lines(papers):
    """Spmvbench reads all options before it looks for inputs, and spmvgen knows the keys."""
    wrong, unknown, keys = [], [], set()
    for one in (r for paper in papers for r in paper.races.values()):
        for line in race.command_lines(one, ["lookalike:nothing"], {}, []):
            words = [SPMVBENCH, *line]
            if one.program:
                words = [sys.executable, str(ROOT / "papers" / one.program), *line, "--save", "no",
                         "--plugin", "nothing"]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 2 or "nothing" not in done.stderr:
                wrong.append(f"{line}\n{said(done)}")
            keys |= {word.split("=")[0] for before, word in zip(line, line[1:])
                     if before == "--set"}
    tap.ok(not wrong, "spmvbench accepts every command line", "\n".join(wrong))
    if not SPMVGEN:
        tap.skip("spmvgen is not built: keys of --set are not checked")
        return
    for key in sorted(keys):
        done = subprocess.run([SPMVGEN, "--target", "generic-c", "--explain", key],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            unknown.append(said(done))
    tap.ok(keys and not unknown, "every key of --set is a parameter", "\n".join(unknown))
    listed = subprocess.run([SPMVBENCH, "--lookalike", "list"], capture_output=True, text=True,
                            check=False).stdout
    absent = [name for paper in papers for of in paper.suites.values() for name in of
              if not re.search(rf"[/ ]{re.escape(name.split('/')[-1])} ", listed)]
    tap.ok(not absent, "every matrix has a look-alike", str(absent))


def test_inputs(folder):
    real = folder / "real"
    (real / "dc2").mkdir(parents=True)
    (real / "cant.mtx.gz").touch()
    (real / "dc2" / "dc2.mtx").touch()
    words = ("--spmvbench", SPMVBENCH, "--dry-run")
    done = run("run", "csr5-fig7", "--matrices", real, "--millions", 5, *words)
    tap.ok(done.returncode == 0 and f"{real}/cant.mtx.gz" in done.stdout and
           f"{real}/dc2/dc2.mtx" in done.stdout and "lookalike:cant" not in done.stdout and
           "lookalike:rma10" in done.stdout and "circuit5M" not in done.stdout,
           "real matrices of a folder replace look-alikes; --millions bounds these", said(done))
    done = run("run", "csr-adaptive-fig11", "--millions", 43, *words)
    other = run("run", "evc-hyb-fig3", "--millions", 43, *words)
    tap.ok("lookalike:csr_adaptive/ldoor" in done.stdout and "ldoor" not in other.stdout,
           "--millions tells the papers' two sizes of ldoor apart", said(done) + said(other))
    (folder / "none").mkdir()
    refused("a folder without a matrix of the suite is told",
            run("run", "csr5-fig9", "--matrices", folder / "none", *words), "none has no matrix")
    done = run("run", "csr5-fig9", "--matrices", "model:dense:9", "--backend", "opencl", "--target",
               "pocl", *words, "--", "--seconds", "0.1")
    tap.ok(done.stdout.rstrip().endswith("--backend opencl --target pocl --seconds 0.1 "
                                         "model:dense:9"),
           "other inputs, a backend, a target and options go to spmvbench", said(done))


def test_race(folder):
    done = run("run", "csr-adaptive-fig11", "csr-adaptive-fig13", "--spmvbench", SPMVBENCH,
               "--out", folder / "race", "--matrices", "model:poisson5:20", "model:dense:40", "--",
               "--repeat", "2", "--dram", "0")
    files = sorted(path.name for path in (folder / "race").glob("*"))
    tap.ok(done.returncode == 0 and done.stderr.count(" run --method") == 1 and
           {"csr-adaptive-fig11.png", "csr-adaptive-fig13.csv",
            "records-csr_adaptive.jsonl"} <= set(files) and "CSR-Adaptive over CSR5" in done.stdout,
           "one race makes two figures", said(done)[-3000:] + str(files))


def has_kernels():
    done = subprocess.run([SPMVBENCH, "--list"], capture_output=True, text=True, check=False)
    return re.search(r"^ *csr_adaptive .* f64 ", done.stdout, re.MULTILINE)


def main():
    papers = catalog.papers()
    test_rows(papers)
    test_command_lines(papers)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_names(folder) if PLOTS else None
        (folder / "matplotlib.py").unlink(missing_ok=True)
        test_inputs(folder)
        if not PLOTS:
            tap.skip("python3-matplotlib or python3-pandas is not installed")
            tap.done()
        test_means()
        for test in (test_sigma, test_solver, test_switches, test_bandwidth, test_parts,
                     test_model, test_sweep, test_wrong_input):
            test(folder)
        if has_kernels():
            test_race(folder)
        else:
            tap.skip("spmvbench has no kernels of this CPU")
    tap.done()


main()
