"""test_gpubench.py [PROGRAM]: gpubench with the CUDA and cuSPARSE of fake_cuda.h.

Their clock is exact. A multiplication takes 1 ms by cuSPARSE and 0.5 ms by libspmv, and 0.25 ms
more if the one before had another y. So each mode of timing has one right answer.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import special_files
import tap

if len(sys.argv) < 2:
    tap.skip("gpubench: cuda_runtime_api.h and cusparse.h, of CUDA 12 or later, are not there")
    tap.done()
PROGRAM = sys.argv[1]
# Blocks of 3, 12 MB in f32, which the fake's L2 holds; one target is enough.
MATRIX = ["--matrix", "raefsky3", "--type", "f32", "--target", "generic-c"]
CUSPARSE, SPMV, COLD = 1000e-6, 500e-6, 250e-6


def run(*words, fake=""):
    return subprocess.run([PROGRAM, *words], text=True, capture_output=True, check=False,
                          stdin=subprocess.DEVNULL,
                          env={**os.environ, "FAKE_CUDA": fake, "OMP_WAIT_POLICY": "passive"})


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def multiply(folder, fake="", words=(), matrix=tuple(MATRIX)):
    """Returns the run and its report; None: it wrote none."""
    path = folder / "report.json"
    path.unlink(missing_ok=True)
    done = run(*matrix, "--json", str(path), *words, fake=fake)
    return done, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def named(report, name):
    return [result for result in report["results"] if result["name"] == name]


def near(value, expected):
    return abs(value - expected) < 1e-3 * expected


def left_nothing(done):
    return "fake: 0 objects are left" in done.stderr


def test_figures(folder):
    done, report = multiply(folder)
    if not tap.ok(done.returncode == 0 and report and left_nothing(done),
                  "a matrix is multiplied, and all that was taken is given back", said(done)):
        return
    results = report["results"]
    tap.ok(all(result["correct"] and not result["failure"] and result["error_over_bound"] <= 1
               for result in results), "every result is right", said(done))
    algorithms = report["device"]["algorithms"]
    known = set(re.findall(r"[A-Z]+_ALG\d", algorithms))
    tap.ok({result["name"] for result in results if result["family"] == "cusparse"} == known
           and {"CSR_ALG1", "CSR_ALG2", "COO_ALG1", "COO_ALG2"} <= known,
           "every algorithm of this cuSPARSE takes part", algorithms)
    spmv = [result for result in results if result["family"] == "spmv"]
    tap.ok(len({result["name"] for result in spmv}) >= 6
           and any(result["detail"] == "permuted_y=1" for result in spmv),
           "so does every method, and y in a method's own order", said(done))
    test_times(report, results)
    blocks = [result["detail"] for result in named(report, "BSR_ALG1")]
    stored = {result["detail"]: result["stored_over_nnz"] for result in results}
    tap.ok("BSR_ALG1" not in known or ("blocks of 3" in blocks and stored["blocks of 3"] < 1.5),
           "blocks of 3 are of the matrix's kind", str(stored))


def test_times(report, results):
    """In L2 all multiplications have the same y; beyond it, with replicas, the y changes."""
    wrong = []
    for result in results:
        fastest = SPMV if result["family"] == "spmv" else CUSPARSE
        for mode in "launches", "graph", "chain":
            for where, expected in ("in_l2", fastest), ("beyond", fastest + COLD):
                times = result["times"].get(f"{mode}_{where}")
                if not (times and near(times["median"], expected) and times["samples"] == 15
                        and times["least"] <= times["lower_quartile"] <= times["median"]
                        <= times["upper_quartile"]
                        and times["multiplications"] * times["median"] >= 2e-3):
                    wrong.append((result["name"], mode, where, times))
    tap.ok(report["replicas"] >= 2 and not wrong,
           "times are those of the clock in all six modes: in L2 the same data, beyond it replicas "
           "in turns", wrong[:5])
    replicas, lengths = report["replicas"], {}
    for result in results:
        seconds = (SPMV if result["family"] == "spmv" else CUSPARSE) + COLD
        least = min(20, int(20e-3 / seconds))
        lengths[result["name"]] = (result["times"]["chain_beyond"]["multiplications"],
                                   -(-least // replicas) * replicas)
    tap.ok(all(found == expected for found, expected in lengths.values()),
           "chains are whole rounds of the replicas, 20 multiplications or what 20 ms hold",
           lengths)


def test_wrong(folder):
    done, report = multiply(folder, "wrong-COO_ALG1")
    result = named(report, "COO_ALG1")[0]
    tap.ok(done.returncode == 0 and not result["correct"] and not result["times"]
           and "wrong result: replica 0: 1 rows" in result["failure"]
           and named(report, "COO_ALG2")[0]["times"] and left_nothing(done),
           "a wrong algorithm of cuSPARSE is reported and not timed, the others are", said(done))
    done, report = multiply(folder, "wrong-csr5")
    result = named(report, "csr5")[0]
    tap.ok(done.returncode == 1 and not result["correct"] and not result["times"],
           "one of libspmv makes the exit code 1", said(done))
    done, report = multiply(folder, "refused-CSR_ALG2")
    result = named(report, "CSR_ALG2")[0]
    tap.ok(done.returncode == 0 and "not supported" in result["failure"] and left_nothing(done),
           "what the library refuses is reported with its own words", said(done))
    done, report = multiply(folder, "no-capture")
    modes = {mode for result in report["results"] for mode in result["times"]}
    tap.ok(done.returncode == 0 and modes == {"launches_in_l2", "launches_beyond"}
           and all("capturing" in result["no_graph"] for result in report["results"]),
           "without graphs launches are timed, and the reason is reported", said(done))


def spent(result):
    """The least time of a contender's samples."""
    return sum(times["samples"] * times["multiplications"] * times["least"]
               for times in result["times"].values())


def test_slow(folder):
    done, report = multiply(folder, "slow-csr_scalar,slow-CSR_ALG1")
    slow = [*named(report, "csr_scalar"), *named(report, "CSR_ALG1")] if report else []
    tap.ok(done.returncode == 0 and len(slow) == 2 and report["complete"]
           and all(0 < spent(result) <= 10 for result in slow)
           and all("chain_beyond" in result["times"] for result in slow),
           "a variant of 0.6 s a product gets ten seconds at the most",
           [(spent(result), result["times"]) for result in slow])
    tap.ok(all(times["multiplications"] == (report["replicas"] if "beyond" in mode else 1)
               for result in slow for mode, times in result["times"].items()),
           "its chains are as short as they can be", [result["times"] for result in slow])
    others = [result for result in report["results"] if result not in slow]
    tap.ok(others and all(times["samples"] == 15 for result in others
                          for times in result["times"].values())
           and all(len(result["times"]) == 6 for result in others),
           "the others get all of their samples")


def test_hanging(folder):
    """Results from before the fault are kept."""
    faults = folder / "hanging"
    words = ["--faults", str(faults), "--patience", "500"]
    small = ["--shape", "rmat", "--size", "2000", "--target", "generic-c"]
    done, report = multiply(folder, "hangs-CSR_ALG1", words, small)
    tap.ok(done.returncode == 4 and report is None
           and (faults.read_text(encoding="utf-8")
                == "CSR_ALG1 cusparse: did not end within 500 s\n"),
           "a variant that does not come back ends the run, and is listed", said(done))
    done, report = multiply(folder, "hangs-CSR_ALG1", words, small)
    tap.ok(done.returncode == 0 and report["complete"]
           and named(report, "CSR_ALG1")[0]["failure"] == "did not end within 500 s"
           and named(report, "CSR_ALG2")[0]["times"], "the next run leaves it out", said(done))
    done, report = multiply(folder, "hangs-late-CSR_ALG2", ["--patience", "500"], small)
    modes = {mode for result in (report or {"results": []})["results"] for mode in result["times"]}
    tap.ok(done.returncode == 1 and report and not report["complete"] and 0 < len(modes) < 6
           and report["results"][0]["times"],
           "the results of each mode are written when it is done", said(done) + str(modes))


def test_broken(folder):
    faults = folder / "faults"
    words = ["--faults", str(faults)]
    done, report = multiply(folder, "broken-CSR_ALG2", words)
    lines = faults.read_text(encoding="utf-8").splitlines() if faults.exists() else []
    tap.ok(done.returncode == 4 and report is None and len(lines) == 1
           and lines[0].startswith("CSR_ALG2 cusparse: ") and "illegal memory access" in lines[0],
           "a variant that leaves the GPU unusable ends the run, and is listed",
           said(done) + str(lines))
    done, report = multiply(folder, "broken-CSR_ALG2", words)
    result = named(report, "CSR_ALG2")[0] if report else {}
    tap.ok(done.returncode == 0 and "illegal memory access" in result.get("failure", "")
           and named(report, "CSR_ALG1")[0]["times"],
           "the next run leaves it out, tells why and times the others", said(done))
    done, report = multiply(folder, "broken-CSR_ALG1")
    tap.ok(done.returncode == 1 and report is None, "without a list to write to, exit code 1",
           said(done))


def test_lacking(folder):
    done, report = multiply(folder, "no-spmv")
    tap.ok(done.returncode == 1 and "libcuda.so.1 is not there" in report["no_modules"]
           and named(report, "CSR_ALG1")[0]["times"],
           "without a device of libspmv's cuSPARSE is timed alone, and the reason is reported",
           said(done))
    done, report = multiply(folder, "no-device")
    tap.ok(done.returncode == 1 and report is None and "no CUDA-capable device" in done.stderr,
           "without a GPU there is a sentence", said(done))
    done, report = multiply(folder, "old-driver")
    tap.ok(done.returncode == 1 and report is None
           and "the driver is for CUDA 11.8, and gpubench was built with CUDA" in done.stderr
           and "build it with CUDA 11, or take a newer driver" in done.stderr,
           "a driver that is too old is named, with what to do", said(done))
    done, report = multiply(folder, "no-memory")
    failure = named(report, "CSR_ALG1")[0]["failure"]
    tap.ok(done.returncode == 0 and left_nothing(done) and named(report, "csr5")[0]["times"]
           and re.search(r"preparing: cudaMalloc: .*; 1\.1 of 4\.3 GB of the GPU's memory are free"
                         r"; an array has \d+\.\d MB$", failure),
           "a variant for which the memory does not suffice says what it wanted and what is free",
           failure)
    done, report = multiply(folder, words=["--offset", "i64"])
    details = {result["detail"] for result in report["results"] if result["family"] == "cusparse"}
    names = {result["name"] for result in report["results"] if result["family"] == "cusparse"}
    tap.ok(done.returncode == 0 and details == {"", "columns of 64 bits"}
           and names - {"SPMVOP_ALG1", "SPMVOP_ALG2"} == {"CSR_ALG1", "CSR_ALG2"}
           and all(result["correct"] for result in report["results"]),
           "with 64-bit row pointers CSR takes part, with columns of both widths", said(done))
    done, report = multiply(folder, words=["--beta", "0.5"])
    tap.ok(done.returncode == 0 and report["beta"] == 0.5 and report["results"][0]["times"],
           "y may be read, too", said(done))


def test_bandwidth(folder):
    path = folder / "bandwidth.json"
    done = run("--bandwidth", "--json", str(path))
    report = json.loads(path.read_text(encoding="utf-8"))
    expected = 2 * report["bytes"] / 1e-3 * 1e-9
    tap.ok(done.returncode == 0 and near(report["copy_gbytes_per_second"], expected)
           and report["copies"][0]["how"] == "cudaMemcpyAsync" and left_nothing(done),
           "the bandwidth of a copy counts what is read and what is written", said(done))
    tap.ok(near(report["read_gbytes_per_second"], expected * 0.8) and len(report["copies"]) == 2
           and "reading alone" in done.stdout, "that of reading counts what is read", str(report))
    done = run(*MATRIX, "--json", __file__)
    tap.ok(done.returncode == 1 and "not a JSON report of gpubench" in done.stderr,
           "a file that is no report is not replaced", said(done))
    special_files.check("gpubench --json", "x.json", lambda path: run(
        "--bandwidth", "--json", str(path)), refused=False)


def test_command_line():
    done = run("--help")
    tap.ok(done.returncode == 0 and "--faults FILE" in done.stdout, "--help lists the options",
           said(done))
    for words, expected in (([], "give one of --matrix NAME"),
                            (["--matrix", "raefsky3", "--shape", "rmat"], "give one of"),
                            (["--matrix", "raefsky3", "--size", "9"], "--size is for --shape"),
                            (["--matrix", "raefsky3", "--bandwidth"], "give one of"),
                            (["--matirx", "raefsky3"], "did you mean '--matrix'?"),
                            (["--matrix"], "--matrix needs a value"),
                            (["--matrix", "raefsky3", "--type", "f16"], "takes f32|f64, not 'f16'"),
                            (["--matrix", "raefsky3", "--patience", "-1"], "takes 0 to 3600"),
                            (["--matrix", "raefsky3", "--beta", "much"], "takes a finite number"),
                            (["--probe=yes"], "takes no value")):
        done = run(*words)
        tap.ok(done.returncode == 2 and expected in done.stderr,
               f"gpubench {' '.join(words)}: {expected}", said(done))
    done = run("--matrix", "raefski3", "--describe")
    tap.ok(done.returncode == 1 and "did you mean 'raefsky3'" in done.stderr,
           "an unknown look-alike is refused, with the nearest name", said(done))
    for words, expected in ((["ratm"], "no shape is called 'ratm'"),
                            (["rmat", "--size", "0"], "a whole number from 1 on, not 0"),
                            (["rmat", "--size", "1.5"], "a whole number from 1 on, not 1.5")):
        done = run("--shape", *words, "--describe")
        tap.ok(done.returncode == 1 and expected in done.stderr,
               f"gpubench --shape {' '.join(words)}: {expected}", said(done))
    done = run("--shape", "rmat", "--size", "1000", "--describe")
    tap.ok(done.returncode == 0 and "rmat 1000 (shape): 1024 x 1024" in done.stdout,
           "a shape is described by its name and size", said(done))
    one, same, other = (run("--matrix", "dc2", "--describe", *seed).stdout
                        for seed in ([], ["--seed", "1"], ["--seed", "2"]))
    tap.ok(one == same != other and "dc2" in other, "--seed makes another matrix, 1 the same",
           one + other)
    done = run("--matrix", "raefsky3", "--describe", fake="no-device")
    tap.ok(done.returncode == 0 and re.search(r"BSR, blocks of 3 +1\.\d+ values", done.stdout),
           "--describe needs no GPU", said(done))
    done = run("--probe")
    tap.ok(done.returncode == 0 and done.stdout == 'Fake "GPU", sm_90, CUDA 13.0\n',
           "--probe says what the GPU is", said(done))


def test_selection(folder):
    done, report = multiply(folder, words=("--only", "CSR_ALG"))
    names = {result["name"] for result in report["results"]} if report else None
    tap.ok(done.returncode == 0 and names == {"CSR_ALG1", "CSR_ALG2"} and left_nothing(done),
           "--only leaves the variants whose label has its text", said(done))
    done, report = multiply(folder, words=("--only", "SELL,CSR_ALG2"))
    names = {result["name"] for result in report["results"]} if report else None
    tap.ok(done.returncode == 0 and names == {"CSR_ALG2", "SELL_ALG1"} and left_nothing(done),
           "or one of several texts", said(done))
    done, report = multiply(folder, words=("--only", "CSR_ALG1", "--modes", "1"))
    times = report and report["results"][0]["times"]
    tap.ok(done.returncode == 0 and list(times or []) == ["chain_beyond"] and left_nothing(done),
           "--modes leaves the first ways", said(done))
    done, report = multiply(folder, words=("--matrix-on-device", "--modes", "1"))
    tap.ok(done.returncode == 0 and report and left_nothing(done)
           and all(result["correct"] for result in report["results"]),
           "plans are created from a matrix on the device", said(done))
    done, report = multiply(folder, words=("--only", "no such"))
    tap.ok(done.returncode == 1 and not report and left_nothing(done)
           and "no variant's label has 'no such' in it" in done.stderr,
           "--only of no variant is refused", said(done))
    done, report = multiply(folder, words=("--only", "csr", "--profile"))
    profiled = done.stdout.splitlines()
    tap.ok(done.returncode == 0 and not report and left_nothing(done)
           and profiled == ["csr5 generic-c", "csr_adaptive generic-c", "csr_scalar generic-c",
                            "csr_vector generic-c"]
           and done.stderr.count("fake: profiled 1 multiplication") == len(profiled),
           "--profile runs each variant once between the calls for a profiler", said(done))
    done, _ = multiply(folder, words=("--only", "CSR_ALG1", "--profile"), fake="wrong-CSR_ALG1")
    tap.ok("CSR_ALG1 cusparse: not profiled: wrong result" in done.stdout
           and "fake: profiled" not in done.stderr, "a wrong variant is not profiled", said(done))


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    test_selection(scratch)
    test_figures(scratch)
    test_wrong(scratch)
    test_slow(scratch)
    test_hanging(scratch)
    test_broken(scratch)
    test_lacking(scratch)
    test_bandwidth(scratch)
    test_command_line()
tap.done()
