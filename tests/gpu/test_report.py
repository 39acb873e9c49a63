"""bench/gpu/report.py joins the results of many matrices. The numbers of the fixture are chosen so
that every ratio, rate and share can be computed by hand."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap

SCRIPT = os.path.join(os.path.dirname(__file__), "../../bench/gpu/report.py")
DEVICE = {"name": "GPU of the fixture", "capability": 90, "multiprocessors": 132,
          "l2_bytes": 50 << 20, "memory_bytes": 80 << 30, "driver": 13000, "runtime": 13000,
          "cusparse": 12603, "algorithms": "CSR_ALG1, CSR_ALG2"}
HEAD = {"version": "0.1.0", "cpu": "a CPU", "compiler": "gcc 1", "device": DEVICE}


def times(seconds):
    return {"samples": 15, "multiplications": 20, "median": seconds, "least": seconds,
            "lower_quartile": seconds, "upper_quartile": seconds}


def contender(family, name, microseconds, **other):
    """microseconds: {mode: time of one multiplication}."""
    return {"family": family, "name": name, "target": "sm_90" if family == "spmv" else "cusparse",
            "detail": "", "correct": True, "failure": "", "no_graph": "", "error_over_bound": 0.25,
            "stored_over_nnz": 1, "first_seconds": 1, "prepare_seconds": 0.002,
            "analysis_seconds": 0.001,
            "times": {mode: times(us * 1e-6) for mode, us in microseconds.items()}, **other}


def matrix(name, results, **other):
    return {"gpubench": "matrix", **HEAD,
            "matrix": {"name": name, "suitesparse": name, "class": "fem", "rows": 10, "cols": 10,
                       "nnz": 100, "min_row": 1, "max_row": 20, "empty_rows": 0},
            "type": "f64", "offset": "i32", "alpha": 1, "beta": 0, "floor_bytes": 200e6,
            "replicas": 2,
            "no_modules": "", "results": results, **other}


# A file of Nsight Compute, with columns that are not asked for, and without most that are.
NCU = '''==PROF== Connected to process 77
csr5 sm_90
==PROF== Profiling "csr5_tiles": 0%....100% - 3 passes
"ID","Kernel Name","Context","dram__bytes_read.sum","gpu__time_duration.sum",\
"lts__t_sector_hit_rate.pct"
"","","","byte","ns","%"
"0","csr5_tiles(int, const double *)","1","63,200,000","27,712","49.5"
"1","void cusparse::csrmv<int, 2>(T1)","1","73,800,000","31,600.5","n/a"
'''


def make(folder):
    """Copies have 4000 GB/s: 50 us for 200 MB. Ours take 100 and 200 us, cuSPARSE's best 150."""
    files = {
        "bandwidth.json": {"gpubench": "bandwidth", **HEAD, "bytes": 1 << 30, "samples": 25,
                           "fastest": "cudaMemcpyAsync", "copy_gbytes_per_second": 4000.0,
                           "read_gbytes_per_second": 4500.0,
                           "copies": []},
        # Ranked after consph, though its name comes first.
        "time/cage14-f64-i32.json": matrix("cage14", [
            contender("spmv", "csr5", {"chain_beyond": 200, "launches_beyond": 210}),
            contender("cusparse", "CSR_ALG2", {"chain_beyond": 150, "launches_beyond": 420}),
        ]),
        "time/consph-f64-i32.json": matrix("FEM/Spheres", [
            contender("spmv", "csr5", {"chain_beyond": 100, "launches_beyond": 120,
                                       "chain_in_l2": 40, "launches_in_l2": 60}),
            contender("spmv", "evc_hyb", {"launches_beyond": 90}, no_graph="its host takes part"),
            contender("spmv", "speculative", {}, correct=False, failure="wrong result: row 3"),
            contender("cusparse", "CSR_ALG1", {"chain_beyond": 150, "launches_beyond": 180,
                                               "chain_in_l2": 50, "launches_in_l2": 80}),
            contender("cusparse", "CSR_ALG2", {"chain_beyond": 300, "chain_in_l2": 30}),
        ]),
        # rmat has only a partial result; cage14 has a complete one as well, which counts.
        "time/rmat-f64-i32.part": matrix("rmat 1000000", [
            contender("spmv", "csr5", {"chain_beyond": 400}),
        ], complete=False),
        "time/cage14-f64-i32.part": matrix("cage14", [], complete=False),
        "profile/cage14-f64-i32.csv": NCU,
        "profile/rail4284-f64-i32.failed": "did not end within 60 s\n",
        "sweep/consph-f64-i32.json": matrix("FEM/Spheres", [
            contender("spmv", "slices", {"chain_beyond": 80}),
            contender("spmv", "slices", {"chain_beyond": 70.5}, target="turn-8"),
            contender("spmv", "slices", {}, target="lanes-16", correct=False, failure="no room"),
        ]),
        "seconds": "time 60\nsuite 14\ntime 25\n",
        "checks/refused": "no tool\n",
        "checks/memcheck/csr5_f64_i32__sm_90.json": {"tool": "memcheck", "module": "csr5",
                                                     "good": True,
                                                     "reason": "", "cases": 40},
        "checks/memcheck/evc_hyb_f64_i32__sm_90.json": {"tool": "memcheck", "module": "evc_hyb",
                                                        "good": False, "reason": "2 errors",
                                                        "cases": 2},
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "time/consph-f64-i32.before").write_text("1980 MHz, 40\n", encoding="utf-8")
    (folder / "time/mip1-f64-i32.failed").write_text("log\nexit code 139: fell over\n",
                                                     encoding="utf-8")


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *map(str, words)], text=True,
                          capture_output=True,
                          check=False)


def near(value, expected):
    return value is not None and abs(value - expected) < 1e-9 * abs(expected)


def test_figures(report):
    consph, rmat, cage = report["matrices"]
    times_of_rmat = rmat["results"][0]["times"]
    tap.ok(not rmat["complete"] and near(times_of_rmat["chain_beyond"]["microseconds"], 400),
           "what was cut is reported as far as it is known")
    tap.ok([run["item"] for run in report["matrices"]]
           == ["consph-f64-i32", "rmat-f64-i32", "cage14-f64-i32"],
           "matrices come in the order of their ranking")
    chain = consph["results"][0]["times"]["chain_beyond"]
    tap.ok(near(chain["microseconds"], 100) and near(chain["gbytes_per_second"], 2000)
           and near(chain["share_of_copy"], 0.5) and near(chain["best_cusparse_over_this"], 1.5),
           "rate, share of the copy, and ratio to the best of cuSPARSE, beyond L2", chain)
    in_l2 = consph["results"][0]["times"]["chain_in_l2"]
    tap.ok(near(in_l2["best_cusparse_over_this"], 0.75) and in_l2["share_of_copy"] is None,
           "in L2 the best is another one, and memory no measure", in_l2)
    launches = consph["results"][1]["times"]["launches_beyond"]
    tap.ok(near(launches["best_cusparse_over_this"], 2),
           "launches are held against launches", launches)
    tap.ok(near(consph["results"][0]["analysis_multiplications"], 10)
           and near(consph["results"][0]["prepare_multiplications"], 20)
           and consph["results"][2]["analysis_multiplications"] is None,
           "analysis and preparation in multiplications")
    tap.ok(cage["clocks"] == {"before": "", "after": ""}
           and consph["clocks"]["before"] == "1980 MHz, 40",
           "what nvidia-smi said stands beside it")


def test_summary(report):
    """Beyond: consph 2.0 (by launches, the only mode of evc_hyb), cage14 0.75; in L2: 0.75."""
    summary = report["summary"]
    tap.ok(near(summary["beyond"]["geometric_mean"], 1.5 ** 0.5)
           and summary["beyond"]["matrices"] == 2
           and near(summary["beyond"]["least"], 0.75) and near(summary["in_l2"]["least"], 0.75)
           and summary["in_l2"]["matrices"] == 1, "geometric means and the least", summary)
    tap.ok([text.split(":")[0] for text in summary["below_least_ratio"]]
           == ["cage14-f64-i32 beyond", "consph-f64-i32 in l2"],
           "matrices on which cuSPARSE is faster are named", summary)
    tap.ok(report["failed"] == {"mip1-f64-i32": "exit code 139: fell over"}, "what failed is named")
    tap.ok(report["checks"]["memcheck"] == {"modules": 2, "cases": 42,
                                            "wrong": ["evc_hyb: 2 errors"]},
           "so is what the checks found", report["checks"])


def test_profile(report, text):
    first, second = report["profile"]["items"]["cage14-f64-i32"]
    tap.ok(first["kernel"] == "csr5_tiles" and near(first["gpu__time_duration.sum"], 27.712)
           and near(first["dram__bytes_read.sum"], 63.2)
           and first["smsp__inst_executed.sum"] is None
           and second["kernel"] == "void cusparse::csrmv<int, 2>"
           and second["lts__t_sector_hit_rate.pct"] is None,
           "counters of kernels: numbers with commas, and those that the GPU does not have", first)
    tap.ok(re.search(r"profile of cage14-f64-i32\n +kernel +us .*\n +csr5_tiles +27\.7 +- ", text)
           and "FAILED: profile of rail4284-f64-i32: did not end within 60 s" in text,
           "the table has them, and what failed", text)


def test_sweep(report, text):
    sweep = report["sweep"]
    tap.ok(near(sweep["items"]["consph-f64-i32"]["slices turn-8"], 70.5)
           and sweep["failed"] == {"consph-f64-i32, slices lanes-16": "no room"}
           and re.search(r"sweep, us +consph-f64-i32\nslices sm_90 +80\.00\nslices turn-8 +70\.50\n"
                         "FAILED: sweep of consph-f64-i32, slices lanes-16: no room", text),
           "a sweep has a line for each variant, and names those that failed", sweep)


def test_slowest(folder):
    """cage14 has the ratio 0.75, consph 2; rmat has no cuSPARSE."""
    done = run(folder, "--slowest", 1)
    tap.ok(done.stdout == "cage14-f64-i32 csr5 sm_90,CSR_ALG2 cusparse,slices\n",
           "where cuSPARSE is the fastest beside the best of libspmv, with the two", said(done))
    done = run(folder, "--slowest", 3)
    tap.ok([line.split(" ", 1) for line in done.stdout.splitlines()]
           == [["cage14-f64-i32", "csr5 sm_90,CSR_ALG2 cusparse,slices"],
               ["consph-f64-i32", "evc_hyb sm_90,CSR_ALG1 cusparse,slices"]],
           "the slowest first, and no matrix without a ratio", said(done))


def said(done):
    return done.stdout + done.stderr


def test_table(text):
    for pattern, meaning in (
            (r"csr5 sm_90 +100\.00 +120\.00 +2000\.0 +0\.500 +1\.500 +40\.00 +60\.00 +0\.750 "
             r"+1\.00 +10 ",
             "a variant's row"),
            (r"evc_hyb sm_90 \(no graph\) +90\.00 +90\.00 ", "one that cannot be captured"),
            (r"not timed: speculative sm_90: wrong result: row 3", "one that is wrong"),
            (r"no graph: evc_hyb sm_90: its host takes part", "why there is no graph"),
            (r"copy +4000\.0 GB/s", "the yardstick"),
            (r"incomplete: timed in 1 ways(?s:.*)\nINCOMPLETE: rmat-f64-i32\n", "what was cut"),
            (r"seconds  time 85, suite 14\n", "the seconds of the stages, of all calls"),
            (r"sanitize none: no tool\n", "why no tool watched"),
            (r"read +4500\.0 GB/s", "the rate of reading alone"),
            (r"memcheck +2 modules, 42 cases: 1 WRONG\n +evc_hyb: 2 errors",
             "a tool that found something"),
            (r"FAILED: mip1-f64-i32: exit code 139", "a matrix that failed"),
            (r"below 0\.95: cage14-f64-i32 beyond: csr5 sm_90, 0\.750", "a ratio that is too low"),
            (r"GPU of the fixture, sm_90, 132 multiprocessors, L2 50 MiB, 80 GiB", "the device")):
        tap.ok(re.search(pattern, text), f"the table has {meaning}", text)


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    done = run(scratch)
    tap.ok(done.returncode == 1 and "nothing was measured" in done.stderr
           and not (scratch / "gpu.json").exists(), "without results there is no report",
           done.stderr)
    make(scratch)
    done = run(scratch)
    report = json.loads((scratch / "gpu.json").read_text(encoding="utf-8"))
    text = (scratch / "gpu.txt").read_text(encoding="utf-8")
    tap.ok(done.returncode == 0 and done.stdout == text, "the table is printed, too", done.stderr)
    test_figures(report)
    test_summary(report)
    test_profile(report, text)
    test_table(text)
    test_sweep(report, text)
    test_slowest(scratch)
    first = (scratch / "gpu.json").read_bytes(), text
    run(scratch)
    tap.ok(first == ((scratch / "gpu.json").read_bytes(),
                     (scratch / "gpu.txt").read_text(encoding="utf-8")),
                     "a second time, the same bytes")
    other = json.loads((scratch / "time/cage14-f64-i32.json").read_text(encoding="utf-8"))
    other["device"]["name"] = "another GPU"
    (scratch / "time/cage14-f64-i32.json").write_text(json.dumps(other), encoding="utf-8")
    done = run(scratch)
    tap.ok(done.returncode == 1 and "several devices" in done.stderr
           and (scratch / "gpu.json").read_bytes() == first[0],
           "results of several devices are not mixed", done.stderr)
tap.done()
