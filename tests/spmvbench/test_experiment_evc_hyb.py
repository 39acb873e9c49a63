"""test_experiment_evc_hyb.py: experiments of the EVC-HYB paper: the numbers of figures
made of planted records, and a tiny run of each. spmvbench.py describes the arguments; behind them
stand the program spmvgen, or nothing, and a compiler.
"""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from spmvbench import PROGRAM, run, tap

SPMVGEN, COMPILER = ((os.path.abspath(sys.argv[5]), sys.argv[6]) if len(sys.argv) > 6
                     else (None, None))
TINY = ["--seconds", "0.01", "--repeat", "1", "--dram", "0", "--threads", "1"]


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def result(method, seconds, nnz, settings="", sets=None, **changes):
    return {"method": method, "target": "here", "set": sets or {}, "settings": settings,
            "module": "m", "peer": False, "benchmark_only": False, "correct": True,
            "left_out": False, "failure": "", "samples": 9, "seconds": seconds, "low": seconds,
            "high": seconds, "fastest": seconds, "ratio": 4e-3 / seconds,
            "ratio_low": 4e-3 / seconds, "ratio_high": 4e-3 / seconds,
            "gflops": 2e-9 * nnz / seconds, "prepare_seconds": 10 * seconds,
            "layout_bytes": 1200000, "workspace_bytes": 0, **changes}


def write(path, matrices):
    """A file of records. matrices: {input: (members of its matrix, results)}."""
    lines = [{"record": "run", "schema": 1, "version": "0", "command": ["spmvbench"],
              "time": "2026-01-01T00:00:00Z", "cpu": "a CPU", "compiler": "cc", "threads": 2}]
    for name, (changes, results) in matrices.items():
        group = {"input": name, "type": "f64", "offset": "i32"}
        lines.append({"record": "matrix", **group, "name": name, "rows": 10000, "cols": 10000,
                      "nnz": 100000, "average_row": 10.0, "max_row": 200, "beta": 0.0,
                      "csr_bytes": 1400000.0, "read_gbytes_per_second": 2.0,
                      "plain_csr_seconds": 4e-3, "x_line_bytes": 160000, "complete": True,
                      **changes})
        lines += [{"record": "result", **group, **one} for one in results]
    lines.append({"record": "end", "complete": True, "reason": "done", "seconds": 1.0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def numbers(folder, name, *words, **settings):
    """{(panel, label, series): number} of a figure, and the run of the program."""
    path = folder / "figure.csv"
    path.unlink(missing_ok=True)
    done = run("experiment", name, "--csv", str(path), *words, **settings)
    if not path.exists():
        return {}, done
    with open(path, encoding="utf-8", newline="") as file:
        return {(row["panel"], row["label"], row["series"]): float(row["number"])
                for row in csv.DictReader(file)}, done


def near(found, expected):
    """Whether the figure has these numbers, to the digits of its file."""
    return all(abs(found.get(key, float("nan")) - number) <= 1e-6 * abs(number) + 1e-12
               for key, number in expected.items())


def check(folder, name, path, expected, words=(), absent=()):
    found, done = numbers(folder, name, "--from", path)
    tap.ok(done.returncode == 0 and near(found, expected) and all(w in done.stdout for w in words)
           and not any(key in found for key in absent),
           f"{name}: the numbers are those computed by hand", f"{found}\n{said(done)}")


FIGURES = {"padding of the ELL part": 2.5, "rows of the ELL part": 9000,
           "nonzeros of the ELL part": 60000, "rows of the vCSR part": 1000,
           "nonzeros of the vCSR part": 40000, "bytes, relative to CSR": 103.0}


def test_planted(folder):
    natural = result("evc_hyb", 2e-3, 100000, "permuted_x=0,permuted_y=0", figures=FIGURES)
    path = write(folder / "planted.jsonl", {
        "lookalike:m1": ({}, [
            natural,
            result("evc_hyb", 1e-3, 100000, "permuted_x=0,permuted_y=1"),
            result("evc_hyb", 0.5e-3, 100000, "permuted_x=1,permuted_y=1"),
            result("csr_vector", 4e-3, 100000)]),
        "m2": ({"x_line_bytes": 40000}, [
            {**natural, "figures": {**FIGURES, "rows of the vCSR part": 0,
                                    "padding of the ELL part": None}},
            result("evc_hyb", 4e-3, 100000, "permuted_x=0,permuted_y=1"),
            result("csr_vector", 1e-3, 100000)])})
    parts = "Parts of the matrices"
    check(folder, "evc-hyb-matrices", path, {
        (parts, "m1", "rows in ELL"): 90, (parts, "m1", "nonzeros in ELL"): 60,
        (parts, "m1", "rows in vCSR"): 10, (parts, "m1", "nonzeros in vCSR"): 40,
        (parts, "m1", "padding of ELL"): 2.5, (parts, "m1", "bytes over CSR"): 3,
        ("Matrices", "m1", "longest row"): 200},
        ["1 of 2 matrices are all in the ELL part", "most padding: 2.5 %"],
        absent=[(parts, "m2", "padding of ELL")])
    gain = "Speed over the plain CSR loop"
    cost = "Preparation, in multiplications of the plain CSR loop"
    check(folder, "evc-hyb-gain", path, {
        (gain, "m1", "csr_vector"): 1, (gain, "m2", "csr_vector"): 4,
        (cost, "m1", "csr_vector"): 10},
        ["csr_vector: 2 times the plain CSR loop"])
    check(folder, "evc-hyb-speed", path, {
        ("Speed of a multiplication", "m2", "csr_vector"): 0.2},
        ["evc_hyb is the fastest on 1 of 2 matrices",
         "csr_vector: 0.08 GFlop/s (harmonic mean)"])
    share = "Bandwidth, as a share of the reading rate"
    check(folder, "evc-hyb-bandwidth", path, {
        ("Bandwidth of a multiplication", "m1", "csr_vector"): 0.35,
        (share, "m1", "csr_vector"): 17.5, (share, "m2", "csr_vector"): 70},
        ["csr_vector: 35 % of the rate of reading"])
    gains = "Speed over that with y scattered"
    check(folder, "evc-hyb-order", path, {
        (gains, "m1", "sorted, y too"): 2, (gains, "m1", "sorted, x and y too"): 4,
        (gains, "m2", "sorted, y too"): 0.5, (gains, "m1", "rows in order (csr_vector)"): 0.5},
        ["sorted, y too: 1 times", "sorted, x and y too: 4 times"])
    # 2e9 bytes/s * 2 ms = 4 MB; less 1.2 MB of the layout and 80 kB of y: 2.72 MB for 800 kB of x.
    alpha, loads = "alpha: values of x that come for each nonzero", "Loads of each entry of x"
    check(folder, "evc-hyb-alpha", path, {
        (alpha, "m1", "least"): 0.1, (alpha, "m1", "cache model"): 0.2,
        (alpha, "m1", "of the time"): 3.4, (loads, "m1", "cache model"): 2,
        (loads, "m1", "of the time"): 34, (alpha, "m2", "cache model"): 0.1},
        ["each entry of x is loaded 1.41 times by the cache model, and 34 times would explain"])
    balance, bound = "Code balance", "Speed beside its bounds"
    check(folder, "evc-hyb-roofline", path, {
        (balance, "m1", "x once"): 6.8, (balance, "m1", "cache model"): 7.2,
        (balance, "m1", "x for each nonzero"): 10.4, (balance, "m1", "of the time"): 20,
        (bound, "m1", "bound, x once"): 2 / 6.8, (bound, "m1", "evc_hyb"): 0.1,
        ("Share of the bounds", "m1", "of the bound, x once"): 34},
        ["34 % of the bound, x once"])


def test_targets(folder):
    """A method on two targets is two series, also where both have the same settings."""
    other = {**result("csr_vector", 1e-3, 100000), "target": "there"}
    path = write(folder / "targets.jsonl", {"m": ({}, [
        result("evc_hyb", 2e-3, 100000), result("csr_vector", 4e-3, 100000), other])})
    for name, panel, expected in (
            ("evc-hyb-gain", "Speed over the plain CSR loop", (1, 4)),
            ("evc-hyb-bandwidth", "Bandwidth of a multiplication", (0.35, 1.4))):
        check(folder, name, path, {(panel, "m", "csr_vector here"): expected[0],
                                   (panel, "m", "csr_vector there"): expected[1]})
    check(folder, "evc-hyb-density", path, {
        ("Speed by density", "10", "csr_vector here"): 0.05,
        ("Speed by density", "10", "csr_vector there"): 0.2})


def test_density(folder):
    def both(own, other):
        return [result("evc_hyb", own, 1000), result("csr_vector", other, 1000)]

    path = write(folder / "density.jsonl", {
        "dense": ({"average_row": 500.0}, both(1e-3, 1e-3)),
        "sparse": ({"average_row": 1.0}, both(4e-3, 1e-3)),
        "between": ({"average_row": 20.0}, both(1e-3, 3e-3))})
    found, done = numbers(folder, "evc-hyb-density", "--from", path)
    labels = [label for _, label, series in found if series == "evc_hyb"]
    tap.ok(labels == ["1", "20", "500"], "the sparsest matrix comes first", said(done))
    tap.ok(all(text in done.stdout for text in (
        "sparsest: 1 nonzeros a row (0.01 % of the places), evc_hyb 0.25 times",
        "densest: 500 nonzeros a row (5 % of the places), evc_hyb 1 times",
        "greatest gain: 20 nonzeros a row (0.2 % of the places), evc_hyb 3 times")),
        "the ends and the greatest gain are told", said(done))


def test_sweep(folder):
    def swept(*seconds):
        return [result("evc_hyb", time, 1000, sets={"evc_hyb.boundary": value})
                for value, time in zip(("128", "16", "9"), seconds)]

    path = write(folder / "sweep.jsonl", {"a": ({}, swept(2e-3, 1e-3, 4e-3)),
                                          "b": ({}, swept(1e-3, 4e-3, 2e-3))})
    found, done = numbers(folder, "evc-hyb-boundary", "--from", path)
    curve = "Speed relative to the fastest value of each matrix"
    tap.ok(near(found, {(curve, "128", "geometric mean"): 100 * 0.5 ** 0.5,
                        (curve, "128", "slowest matrix"): 50,
                        (curve, "16", "geometric mean"): 50,
                        (curve, "16", "slowest matrix"): 25}), "means are over all matrices",
           f"{found}\n{said(done)}")
    tap.ok([label for panel, label, series in found
            if panel == curve and series == "slowest matrix"] == ["9", "16", "128"],
           "values ascend as numbers, whatever the order of the race", said(done))
    tap.ok("best on average: evc_hyb.boundary=128, 70.7 % of the fastest" in done.stdout
           and "the paper's evc_hyb.boundary=128: 70.7 %" in done.stdout,
           "the best value and the paper's are named", said(done))
    done = run("experiment", "evc-hyb-alignment", "--from", path)
    tap.ok(done.returncode == 1 and "no correct result has a value of evc_hyb.alignment"
           in done.stderr, "a race without the parameter is an error that names it", said(done))


def refused(name, words, code, *texts):
    done = run("experiment", *words)
    tap.ok(done.returncode == code and all(text in done.stderr for text in texts), name,
           said(done))


def test_refusals(folder):
    path = write(folder / "none.jsonl", {"a": ({}, [result("csr_vector", 1e-3, 1000)])})
    refused("parts: no evc_hyb", ["evc-hyb-matrices", "--from", path], 1, "--figures")
    refused("order: no evc_hyb", ["evc-hyb-order", "--from", path], 1, "permuted_y=0,1")
    refused("alpha: no evc_hyb", ["evc-hyb-alpha", "--from", path], 1, "no correct result of")
    refused("times: no race", ["evc-hyb-times", "--from", path], 2, "measures without a race")
    refused("times: nothing to save", ["evc-hyb-times", "--save", str(folder / "x.jsonl")], 2,
            "--csv keeps the figure")
    refused("times: no sweep", ["evc-hyb-times", "--set", "evc_hyb.boundary=8", *TINY,
                                "model:poisson5:20"], 1, "takes no --set")
    refused("bratu: another matrix", ["evc-hyb-bratu", "model:rmat:8:4"], 1,
            *(["model:poisson5:SIDE"] if has_petsc() else ["-Dpetsc=enabled"]))
    done = run("experiment", "evc-hyb-bratu", SPMV_PETSC=str(folder))
    tap.ok(done.returncode == 1 and str(folder) in done.stderr
           and "evc-hyb-bratu-matrix needs no PETSc" in done.stderr,
           "bratu: a folder without PETSc is named, with what to do", said(done))


def has_petsc():
    beside = pathlib.Path(sys.argv[1]).resolve().parent / "../integrations/petsc"
    folder = pathlib.Path(os.environ.get("SPMV_PETSC") or beside)
    return (folder / "bench/petscbench").exists() and (folder / "libpetscspmv.so").exists()


def test_runs(folder):
    """A tiny run of each race: the figure has numbers above 0 for every matrix."""
    matrices = ["model:poisson5:20", "model:random:300:4"]
    for name in ("matrices", "gain", "speed", "order", "bandwidth", "alpha", "roofline", "times",
                 "density", "bratu-matrix"):
        found, done = numbers(folder, f"evc-hyb-{name}", *TINY, *matrices)
        labels = {label for panel, label, _ in found if panel != "Speed over the matrices"}
        tap.ok(done.returncode == 0 and len(labels) == 2 and max(found.values(), default=0) > 0
               and "found    " in done.stdout, f"evc-hyb-{name}: a run makes its figure",
               said(done))
    parts = {}
    found, done = numbers(folder, "evc-hyb-times", *TINY, matrices[0])
    for (panel, _, series), number in found.items():
        if panel.startswith("Times apart"):
            parts[series] = number
    tap.ok(len(parts) == 5 and min(parts.values()) > 0 and
           abs(parts["T_A"] + parts["T_X"] + parts["T_Y"] - parts["sum"]) < 1e-6 * parts["sum"],
           "evc-hyb-times: T_A, T_X and T_Y add up to the sum", said(done))


def test_interrupt(folder):
    """Ctrl-C ends a measurement, with its own exit code. The heading is printed once the program
    listens."""
    table = folder / "interrupted.csv"
    with subprocess.Popen([PROGRAM, "experiment", "evc-hyb-times", "--seconds", "1000", "--threads",
                           "1", "--dram", "0", "--csv", str(table), "model:poisson5:20"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        heading = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate()
    tap.ok(process.returncode == 130 and "interrupted" in stderr and not table.exists(),
           "evc-hyb-times: Ctrl-C ends it with exit code 130, and no figure is written",
           f"exit code {process.returncode}\n{heading}{stdout}{stderr}")


def test_petsc(folder):
    if not has_petsc():
        tap.skip("evc-hyb-bratu: this build has no petscbench (-Dpetsc=enabled)")
        return
    found, done = numbers(folder, "evc-hyb-bratu", "--repeat", "1", "model:poisson5:12",
                          "model:poisson7:6")
    products = {(label, series) for panel, label, series in found if panel.startswith("MatMult")}
    tap.ok(done.returncode == 0 and min(found.values(), default=0) > 0 and products == {
        (label, series) for label in ("12 x 12", "6 x 6 x 6")
        for series in ("aij", "sell", "evc_hyb")},
        "evc-hyb-bratu: MatMult of PETSc's types and of evc_hyb", said(done))


def test_emitted(folder):
    """The sweeps of one parameter, with kernels that are compiled without optimisation. CPUs sort
    all rows together."""
    if not SPMVGEN:
        tap.skip("the runs of sweeps: this build has no spmvgen for this machine")
        return
    for name, least in (("boundary", {"8", "512"}), ("alignment", {"8", "16"}),
                        ("rows-per-item", {"1", "4"}), ("items-per-row", {"8", "16"}),
                        ("sort-window", {"0"})):
        found, done = numbers(folder, f"evc-hyb-{name}", *TINY, "--target", "generic-c",
                              "model:rmat:8:8", SPMVGEN=SPMVGEN, CC=f"{COMPILER} -O0",
                              CFLAGS="-O0", SPMV_CACHE=str(folder / "cache"))
        values = {label for panel, label, _ in found if panel.startswith("Speed relative")}
        tap.ok(done.returncode == 0 and least <= values, f"evc-hyb-{name}: a run has a curve",
               said(done))


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for test in (test_planted, test_targets, test_density, test_sweep, test_refusals, test_runs,
                     test_interrupt, test_petsc, test_emitted):
            test(folder)
    tap.done()


if __name__ == "__main__":
    main()
