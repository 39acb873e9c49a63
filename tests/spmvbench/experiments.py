"""experiments.py: records with planted numbers, and the figures that spmvbench experiment makes of
them, for the tests of the experiments."""
import csv
import json
import re

from spmvbench import QUICK, run, tap

RATES = {"read_gbytes_per_second": 20.0, "dram_gbytes_per_second": 10.0}


def matrix(name="m", value="f64", rows=10, nnz=100, **of_matrix):
    """A matrix of a file of records, as write() takes it; results are added by result()."""
    return {"record": "matrix", "input": name, "type": value, "offset": "i32", "name": name,
            "rows": rows, "cols": rows, "nnz": nnz, "average_row": nnz / rows, "csr_bytes": 1.0,
            "alpha": 1.0, "beta": 0.0, **RATES, "complete": True, **of_matrix}


def result(of, method, seconds, values=None, **of_result):
    """A correct result of a method on a matrix. values: those of --set."""
    return {"record": "result", **{key: of[key] for key in ("input", "type", "offset")},
            "method": method, "target": "here", "set": values or {}, "settings": "", "module": "m",
            "peer": False, "benchmark_only": False, "correct": True, "left_out": False,
            "failure": "", "samples": 9, "seconds": seconds, "low": seconds, "high": seconds,
            "fastest": seconds, "gflops": 2e-9 * of["nnz"] / seconds, **of_result}


def write(path, *groups):
    """A file of records. groups: a matrix with its results behind it, each."""
    lines = [{"record": "run", "schema": 1, "version": "0", "command": ["spmvbench"],
              "time": "2026-01-01T00:00:00Z", "cpu": "a CPU", "compiler": "cc", "threads": 2}]
    for of, *results in groups:
        lines += [{**of, "results": len(results)}, *results]
    lines.append({"record": "end", "complete": True, "reason": "done", "seconds": 1.0})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def said(done):
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def figure(folder, name, *files, more=()):
    """The numbers of the figure of these files, {(panel, label, series): number}, and the run."""
    path = folder / "figure.csv"
    path.unlink(missing_ok=True)
    done = run("experiment", name, *(word for file in files for word in ("--from", file)),
               "--csv", str(path), *more)
    if not path.exists():
        return {}, done
    with open(path, encoding="utf-8", newline="") as lines:
        return {(row["panel"], row["label"], row["series"]): float(row["number"])
                for row in csv.DictReader(lines)}, done


def is_near(number, expected):
    return number is not None and abs(number - expected) <= 1e-6 * abs(expected)


def found(done, pattern):
    return re.search(f"^found    .*(?:{pattern})", done.stdout, flags=re.M)


def check_lacking(folder, name, file, reason):
    """Records that lack what a figure needs give exit code 1 and the reason."""
    done = figure(folder, name, file)[1]
    tap.ok(done.returncode == 1 and re.search(reason, done.stderr)
           and done.stderr.startswith(f"spmvbench: {name}: "),
           f"{name}: records without what it needs are refused with the reason", said(done))


def check_real(name, inputs, *words, **settings):
    """A real race of the experiment shows its figure."""
    done = run("experiment", name, *inputs, *QUICK, "--plot", "ascii", *words, **settings)
    tap.ok(done.returncode == 0 and done.stdout.startswith(f"{name}: ")
           and re.search("[#|]", done.stdout) and found(done, r"\d"),
           f"{name} races, and shows its figure", said(done))
    return done
