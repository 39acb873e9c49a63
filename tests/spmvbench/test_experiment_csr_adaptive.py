"""test_experiment_csr_adaptive.py: the experiments of the CSR-Adaptive papers, on records
with planted numbers and in small races. spmvbench.py describes the first arguments; behind them
stand SPMVGEN and COMPILER in builds that have the generator."""
import os
import pathlib
import re
import sys
import tempfile

from experiments import check_lacking, check_real, figure, found, is_near, matrix, result, said, \
    write
from spmvbench import refused, tap

SMALL = ["model:poisson7:6", "model:rmat:6:4"]


def test_speed(folder):
    a = matrix("a")
    file = write(folder / "speed.jsonl", (a, result(a, "csr_adaptive", 2e-7),
                                          result(a, "csr5", 3e-7), result(a, "csr5", 6e-7,
                                                                          target="there")))
    for name in ("csr-adaptive-speed-f32", "csr-adaptive-speed-f64", "csr-adaptive-csr5"):
        numbers, done = figure(folder, name, file)
        tap.ok(done.returncode == 0
               and is_near(numbers.get(("Speed over other methods", "a", "over csr5")), 1.5)
               and found(done, "csr_adaptive over csr5: 1.5 times"),
               f"{name}: the fastest of each method counts", f"{numbers}\n{said(done)}")
    alone = write(folder / "alone.jsonl", (a, result(a, "csr_adaptive", 2e-7)))
    check_lacking(folder, "csr-adaptive-csr5", alone, "both of csr_adaptive and of another")


def of_rows(of, num_rows_stream, gflops):
    return result(of, "csr_adaptive", 2e-9 * of["nnz"] / gflops,
                  {"csr_adaptive.nnz_per_wg": "1024",
                   "csr_adaptive.num_rows_stream": num_rows_stream})


def test_rows(folder):
    """Rows of 700, 341 and 8 nonzeros: 1, 3 and 128 in a block of 1024."""
    groups = []
    for length, stream, vector in ((700, 1, 3), (341, 2, 2), (8, 5, 1)):
        of = matrix(f"m{length}", rows=100, nnz=100 * length)
        groups.append((of, of_rows(of, "1", stream), of_rows(of, "257", vector)))
    numbers, done = figure(folder, "csr-adaptive-rows", write(folder / "rows.jsonl", *groups))
    curves = {key[1:]: number for key, number in numbers.items()}
    tap.ok(done.returncode == 0 and len(curves) == 6
           and all(is_near(curves.get(key), number) for key, number in
                   {("1", "CSR-Stream"): 1, ("1", "CSR-Vector"): 3, ("3", "CSR-Stream"): 2,
                    ("128", "CSR-Stream"): 5, ("128", "CSR-Vector"): 1}.items())
           and found(done, "f64: CSR-Stream is at least as fast, to 2 %, from 3 rows of a block"),
           "both curves, and the number of rows where they cross", f"{curves}\n{said(done)}")
    file = write(folder / "rows.jsonl", groups[0])
    done = figure(folder, "csr-adaptive-rows", file)[1]
    tap.ok(found(done, "f64: CSR-Vector is faster even with the most rows"),
           "it says if they do not cross", said(done))
    a = matrix("a")
    alone = write(folder / "alone.jsonl", (a, result(a, "csr_adaptive", 2e-7)))
    check_lacking(folder, "csr-adaptive-rows", alone, "nnz_per_wg and num_rows_stream")


# Values of num_rows_stream, scalar_rows, short_row, nnz_multiplier.
KEYS = ["num_rows_stream", "scalar_rows", "short_row", "nnz_multiplier"]
STEPS = ["+ few rows by CSR-Vector", "+ logarithmic reduction", "+ long rows apart",
         "+ CSR-VectorL"]


def switched(of, values, seconds, **of_result):
    return result(of, "csr_adaptive", seconds,
                  {"csr_adaptive." + key: value for key, value in zip(KEYS, values.split())},
                  **of_result)


def test_switches(folder):
    a = matrix("a")
    for off in ("1 1 1 64", "1 1 0 0"):
        o, on = off.split(), "3 129 32 2".split()
        path = [" ".join(on[:n] + o[n:]) for n in range(5)]
        beside = " ".join(o[:3] + on[3:])        # the last alone: not of the figure
        file = write(folder / "switches.jsonl",
                     (a, switched(a, beside, 1e-9), *(switched(a, values, 12e-7 / (n + 1))
                                                      for n, values in enumerate(path)),
                      switched(a, path[1], 1e-9, correct=False)))
        numbers, done = figure(folder, "csr-adaptive-switches", file)
        expected = {("Speed over all off", "a", step): n + 2 for n, step in enumerate(STEPS)}
        tap.ok(done.returncode == 0 and numbers.keys() == expected.keys()
               and all(is_near(numbers[key], expected[key]) for key in expected)
               and found(done, r"\+ CSR-VectorL: 5 times"),
               f"one after another is on, with {off} for off", f"{numbers}\n{said(done)}")
    alone = write(folder / "alone.jsonl", (a, switched(a, path[1], 1e-7)))
    check_lacking(folder, "csr-adaptive-switches", alone, "all optimisations off")


def test_plans(folder):
    a, b = matrix("a"), matrix("b", rows=10, nnz=100)
    file = write(folder / "plans.jsonl",
                 (a, result(a, "csr_adaptive", 3e-6, prepare_seconds=3e-6, layout_bytes=0),
                  result(a, "csr5", 1e-6, prepare_seconds=23e-6, layout_bytes=1244)),
                 (b, result(b, "csr_adaptive", 3e-6, prepare_seconds=6e-6, layout_bytes=-1),
                  result(b, "csr5", 4e-6, prepare_seconds=1e-6, layout_bytes=622)))
    numbers, done = figure(folder, "csr-adaptive-preparation", file)
    tap.ok({key[1:]: round(number, 6) for key, number in numbers.items()}
           == {("a", "csr_adaptive"): 1, ("a", "csr5"): 23, ("b", "csr_adaptive"): 2,
               ("b", "csr5"): 0.25}, "the time of plans in multiplications", said(done))
    numbers, done = figure(folder, "csr-adaptive-break-even", file)
    tap.ok(list(numbers.values()) == [10] and "a" in next(iter(numbers))
           and found(done, "csr5 is never ahead of csr_adaptive on 1 of 2 matrices"),
           "multiplications until the faster method is ahead", f"{numbers}\n{said(done)}")
    numbers, done = figure(folder, "csr-adaptive-storage", file)
    csr_bytes = 100 * 12 + 11 * 4
    tap.ok({key[1:]: round(number, 6) for key, number in numbers.items()}
           == {("a", "csr_adaptive"): 0, ("a", "csr5"): round(100 * 1244 / csr_bytes, 6),
               ("b", "csr5"): 50}, "bytes of layouts over those of CSR", f"{numbers}{said(done)}")


def test_beta(folder):
    without, beta = matrix("a"), matrix("a", beta=0.5)
    first = write(folder / "first.jsonl", (without, result(without, "csr_adaptive", 2e-6),
                                           result(without, "csr5", 2e-6)))
    second = write(folder / "second.jsonl", (beta, result(beta, "csr_adaptive", 3e-6)))
    name = "csr-adaptive-beta"
    numbers, done = figure(folder, name, first, second)
    tap.ok(done.returncode == 0 and {key[1:]: round(number, 6) for key, number in numbers.items()}
           == {("a", "csr_adaptive beta-"): 0.1, ("a", "csr_adaptive beta+"): round(0.2 / 3, 6),
               ("a", "csr_adaptive"): 1.5}, "contenders of both races, with the cost of beta",
           f"{numbers}\n{said(done)}")
    check = "the first race needs beta = 0 and the second another beta, not 0.5 and 0"
    numbers, done = figure(folder, name, second, first)
    tap.ok(done.returncode == 1 and not numbers and check in done.stderr,
           "the files in the wrong order are refused", said(done))
    refused("one file for two races", ["experiment", name, "--from", first], 2,
            "has 2 races, so --from stands 2 times, not 1")
    refused("two files for one race", ["experiment", "csr-adaptive-storage", "--from", first,
                                       "--from", second], 2, "1 race, so --from stands 1 time,")
    refused("one file to save of two races", ["experiment", name, "--save", "x.jsonl"], 2,
            "two races, so there is no one run for --save")


def test_races(folder):
    for name in ("speed-f32", "speed-f64", "csr5", "preparation", "storage", "beta"):
        check_real("csr-adaptive-" + name, SMALL)
    check_real("csr-adaptive-break-even", SMALL[:1])
    if len(sys.argv) < 7:
        tap.skip("the sweeps need spmvgen")
        return
    settings = {"SPMVGEN": os.path.abspath(sys.argv[5]), "CC": sys.argv[6], "CFLAGS": "-O0",
                "SPMV_CACHE": str(folder / "cache")}
    words = ["--target", "generic-c", "--type", "f64"]
    check_real("csr-adaptive-rows", ["model:random:100:700:constant"], *words, **settings)
    done = check_real("csr-adaptive-switches", SMALL[:1], *words,
                      "--set", "csr_adaptive.scalar_rows=129", "--set", "csr_adaptive.short_row=32",
                      "--set", "csr_adaptive.nnz_multiplier=3", **settings)
    tap.ok(found(done, re.escape(STEPS[0])) and not found(done, "reduction|apart|VectorL"),
           "an optimisation with one value is no step", said(done))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_speed(folder)
        test_rows(folder)
        test_switches(folder)
        test_plans(folder)
        test_beta(folder)
        test_races(folder)
    tap.done()


main()
