"""test_experiment_speculative.py: the experiments of the speculative paper, on records
with planted numbers and in small races. spmvbench.py describes the first arguments; behind them
stand SPMVGEN and COMPILER in builds that have the generator."""
import os
import pathlib
import sys
import tempfile

from experiments import check_lacking, check_real, figure, found, is_near, matrix, result, said, \
    write
from spmvbench import tap

SMALL = ["model:poisson7:6", "model:rmat:6:4"]
METHODS = ["csr_scalar", "csr_vector", "csr_adaptive", "speculative"]


def test_speed(folder):
    a, b = matrix("a"), matrix("b")
    file = write(folder / "speed.jsonl",
                 (a, result(a, "csr_vector", 4e-7), result(a, "speculative", 1e-7)),
                 (b, result(b, "csr_vector", 1e-7), result(b, "speculative", 1e-7),
                  result(b, "csr_scalar", 1e-9, correct=False)))
    numbers, done = figure(folder, "speculative-speed-f64", file)
    tap.ok(done.returncode == 0
           and is_near(numbers.get(("Speed of a multiplication", "a", "csr_vector")), 0.5)
           and is_near(numbers.get(("Speed over the matrices", "csr_vector", "harmonic mean")),
                       2 / (1 / 0.5 + 1 / 2))
           and is_near(numbers.get(("Speed over the matrices", "speculative", "harmonic mean")), 2)
           and not any("csr_scalar" in key for key in numbers),
           "speeds of correct results, and their harmonic means", f"{numbers}\n{said(done)}")
    tap.ok(is_near(numbers.get(("Speed over other methods", "a", "over csr_vector")), 4)
           and found(done, r"speculative over csr_vector: 2 times \(geometric mean\), 1 \(b\) "
                           r"to 4 \(a\)"),
           "speed-ups, with their mean and extremes", f"{numbers}\n{said(done)}")
    alone = write(folder / "alone.jsonl", (a, result(a, "csr_vector", 4e-7)))
    check_lacking(folder, "speculative-speed-f32", alone, "both of speculative and of another")


def test_bandwidth(folder):
    a = matrix("a", rows=10, nnz=100)
    counted = (10 + 1 + 100) * 4 + (100 + 100 + 10) * 8
    file = write(folder / "bandwidth.jsonl", (a, result(a, "speculative", 1e-6)))
    numbers, done = figure(folder, "speculative-bandwidth", file)
    key = "Bandwidth utilisation", "a", "speculative"
    tap.ok(is_near(numbers.get(key), 100 * counted / (1e-6 * 10e9))
           and "was not measured" not in done.stdout,
           "the paper's count over the bandwidth of memory", f"{numbers}\n{said(done)}")
    b = matrix("a", value="f32", rows=10, nnz=100, dram_gbytes_per_second=None)
    file = write(folder / "bandwidth.jsonl", (b, result(b, "speculative", 1e-6)))
    numbers, done = figure(folder, "speculative-bandwidth", file)
    tap.ok(is_near(numbers.get(key), 100 * (counted - 210 * 4) / (1e-6 * 20e9))
           and found(done, "memory itself was not measured"),
           "without it the rate of reading as much, and it says so; f32 has smaller values",
           f"{numbers}\n{said(done)}")
    c = matrix("a", dram_gbytes_per_second=None, read_gbytes_per_second=None)
    file = write(folder / "bandwidth.jsonl", (c, result(c, "speculative", 1e-6)))
    check_lacking(folder, "speculative-bandwidth", file, "no rate of reading was measured")


def swept(of, speeds, **of_result):
    """Results by W and S: {(W, S): GFlop/s}."""
    return [result(of, "speculative", 2e-9 * of["nnz"] / speed,
                   {"speculative.W": str(w), "speculative.S": str(s)}, **of_result)
            for (w, s), speed in speeds.items()]


def test_sweep(folder):
    a, b = matrix("a"), matrix("b")
    file = write(folder / "sweep.jsonl",
                 (a, result(a, "csr_scalar", 1e-9),
                  *swept(a, {(16, 1): 4, (4, 1): 2, (16, 2): 1, (8, 1): 9}),
                  *swept(a, {(32, 1): 9}, correct=False)),
                 (b, *swept(b, {(16, 1): 2, (4, 1): 2, (16, 2): 1, (32, 1): 9})))
    panel = "Harmonic mean of the speed, f64"
    expected = {(4, 1): 2, (16, 1): 2 / (1 / 4 + 1 / 2), (16, 2): 1}
    for name, key in (("speculative-workload", lambda w, s: (panel, str(w), f"S={s}")),
                      ("speculative-tiles", lambda w, s: (panel, str(s), f"W={w}"))):
        numbers, done = figure(folder, name, file)
        tap.ok(done.returncode == 0 and numbers.keys() == {key(*of) for of in expected}
               and all(is_near(numbers[key(*of)], speed) for of, speed in expected.items())
               and found(done, "here f64: fastest at .*=.*, 2.67 GFlop/s; slowest at .*, 1$"),
               f"{name}: means of the combinations that every matrix has", f"{numbers}{said(done)}")
    values = [key[1] for key in figure(folder, "speculative-workload", file)[0]]
    tap.ok(values == sorted(values, key=int), f"values ascend: {values}")
    alone = write(folder / "alone.jsonl", (a, result(a, "speculative", 1e-6)))
    check_lacking(folder, "speculative-tiles", alone, "no result has both")


def test_types_and_targets(folder):
    a, b = matrix("a", value="f32"), matrix("a")
    file = write(folder / "types.jsonl", (a, *swept(a, {(8, 1): 4})),
                 (b, *swept(b, {(8, 1): 2}), *swept(b, {(8, 1): 1}, target="there")))
    numbers, done = figure(folder, "speculative-workload", file)
    tap.ok({key[0][-3:] + " " + key[2]: number for key, number in numbers.items()}
           == {"f32 S=1 here": 4, "f64 S=1 here": 2, "f64 S=1 there": 1},
           "types have panels, and targets curves of their own", f"{numbers}{said(done)}")


def test_races(folder):
    for name in ("speed-f32", "speed-f64", "bandwidth"):
        done = check_real("speculative-" + name, SMALL)
        tap.ok(all(method in done.stdout for method in METHODS), f"{name} has every method")
    if len(sys.argv) < 7:
        tap.skip("the sweeps need spmvgen")
        return
    settings = {"SPMVGEN": os.path.abspath(sys.argv[5]), "CC": sys.argv[6], "CFLAGS": "-O0",
                "SPMV_CACHE": str(folder / "cache")}
    words = ["--target", "generic-c", "--type", "f64", "--set", "speculative.W=8",
             "--set=speculative.S=1,2"]
    done = check_real("speculative-workload", SMALL[:1], *words, **settings)
    tap.ok("S=1  " in done.stdout and "S=2\n" in done.stdout and "S=4" not in done.stdout,
           "--set of the command line takes the place of the experiment's", said(done))
    check_real("speculative-tiles", SMALL[:1], *words, **settings)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_speed(folder)
        test_bandwidth(folder)
        test_sweep(folder)
        test_types_and_targets(folder)
        test_races(folder)
    tap.done()


main()
