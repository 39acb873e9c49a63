#!/usr/bin/env python3
"""bratu.py: times PETSc's SNES example 14, the Bratu problem in three dimensions, for Fig. 16 of
the EVC-HYB paper, and writes records as spmvbench does.

    bratu.py ex14:POINTS... --save FILE.jsonl [--plugin libpetscspmv.so] [--ranks N,N] [--runs N]

Compiles the example where PETSc's package has it. The types aij and aijspmv with evc_hyb take
turns; a run's times are those of -log_view: MatMult's, as `seconds` of a product, and SNESSolve's,
as `solve_seconds`; `mult_flop` and `solve_flop` are their operations. Settings tell the ranks; with
more ranks than cores they share cores.
"""
import argparse
import csv
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

TYPES = {"aij": ["-dm_mat_type", "aij"],
         "evc_hyb": ["-dm_mat_type", "aijspmv", "-mat_aijspmv_method", "evc_hyb",
                     "-mat_aijspmv_least_nonzeros", "1", "-mat_aijspmv_least_row_nonzeros", "0"]}


def stop(text):
    print(f"bratu.py: {text}", file=sys.stderr)
    sys.exit(2)


def output_of(*words, folder=None):
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, env={
            **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    except OSError as error:
        stop(f"{words[0]}: {error.strerror}; on Debian: apt-get install petsc-dev openmpi-bin "
             "'libpetsc3.*-dev-examples'")
    if done.returncode:
        stop(f"{shlex.join(words)}: exit code {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def build(folder):
    """The compiled example."""
    prefix = output_of("pkg-config", "--variable=prefix", "PETSc").strip()
    source = pathlib.Path(prefix, "share/petsc/examples/src/snes/tutorials/ex14.c")
    if not source.is_file():
        stop(f"{source} is not there; on Debian: apt-get install 'libpetsc3.*-dev-examples'")
    flags = shlex.split(output_of("pkg-config", "--cflags", "--libs", "PETSc"))
    output_of("mpicc", "-O2", "-o", str(folder / "ex14"), str(source), *flags, "-lm")
    return folder / "ex14"


def events(path):
    """{event: (count, seconds of the slowest rank, operations of all)}"""
    found = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.reader(file):
            if len(row) > 8 and row[1] in ("MatMult", "SNESSolve"):
                count, seconds, flop = found.get(row[1], (0, 0, 0))
                found[row[1]] = (max(count, int(row[3])), max(seconds, float(row[4])),
                                 flop + float(row[8]))
    return found


def measure(program, points, ranks, options, folder):
    size = [word for axis in "xyz" for word in (f"-da_grid_{axis}", str(points))]
    output_of("mpirun", "--oversubscribe", "-n", str(ranks), str(program), *size, *options,
              "-log_view", ":log.csv:ascii_csv", folder=folder)
    return events(folder / "log.csv")


def summary(method, ranks, runs):
    """The members of a result: medians of runs."""
    mult = [r["MatMult"][1] / r["MatMult"][0] for r in runs]
    solve = [r["SNESSolve"][1] for r in runs]
    return {"method": method, "target": "peer" if method == "aij" else "aijspmv", "set": {},
            "settings": f"ranks={ranks}", "peer": method == "aij", "correct": True,
            "samples": len(runs), "seconds": statistics.median(mult), "low": min(mult),
            "high": max(mult), "mult_flop": runs[0]["MatMult"][2] / runs[0]["MatMult"][0],
            "solve_seconds": statistics.median(solve), "solve_flop": runs[0]["SNESSolve"][2]}


def main():
    parser = argparse.ArgumentParser(prog="papers/bratu.py")
    parser.add_argument("inputs", nargs="+", metavar="ex14:POINTS")
    parser.add_argument("--save", required=True)
    parser.add_argument("--plugin", default="build/integrations/petsc/libpetscspmv.so")
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    plugin = pathlib.Path(args.plugin).resolve()
    if not plugin.is_file():
        stop(f"{plugin} is not there: build with -Dpetsc=enabled (docs/how-to/petsc.md)")
    with tempfile.TemporaryDirectory() as name, open(args.save, "x", encoding="utf-8") as out:
        folder = pathlib.Path(name)
        program = build(folder)
        cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                    if line.startswith("model name")), "CPU")
        petsc = output_of("pkg-config", "--modversion", "PETSc").strip()
        records = [{"record": "run", "cpu": cpu, "compiler": f"PETSc {petsc}",
                    "threads": os.cpu_count(), "command": sys.argv}]
        for text in args.inputs:
            points = int(text.removeprefix("ex14:"))
            key = {"input": text, "type": "f64", "offset": "i32"}
            records.append({"record": "matrix", **key, "name": text, "rows": points**3,
                            "cols": points**3, "nnz": 7 * points**3 - 6 * points**2})
            for ranks in args.ranks.split(","):
                runs = {method: [] for method in TYPES}
                for _ in range(args.runs):
                    for method, options in TYPES.items():
                        runs[method].append(measure(program, points, ranks, [
                            "-dll_append", str(plugin), *options], folder))
                records += [{"record": "result", **key, **summary(method, ranks, of)}
                            for method, of in runs.items()]
        out.write("".join(json.dumps(record) + "\n" for record in records))


main()
