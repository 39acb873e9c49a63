#!/usr/bin/env python3
"""teams.py: times a multiplication with threads of OpenMP, of libspmv, and of the program.

    bench/teams.py BUILD [--threads N] [--rounds N] [--seconds S] [NNZ]...

runs the programs teambench_openmp and teambench_pthreads of a build in turns, so that noise affects
both alike, on matrices of 10^4, 10^5 and 10^7 nonzeros or of NNZ. It prints microseconds: the
median of the rounds' medians and, in brackets, the fastest sample. parallel_for is an OpenMP loop
of the program's own.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

TEAMS = ["one", "openmp", "pthreads", "parallel_for"]


def run(program, nnz, args):
    """{team: (median, fastest)} of one run."""
    done = subprocess.run([program, str(nnz), str(args.threads), str(args.seconds)],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"teams.py: {program} ended with {done.returncode}: {done.stderr.strip()}")
    return {team: (float(median), float(fastest))
            for team, median, fastest in map(str.split, done.stdout.splitlines())}


def cell(times):
    """times: of one team, a pair for each round."""
    medians, fastest = zip(*times)
    return f"{statistics.median(medians):.4g} ({min(fastest):.4g})"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("nnz", nargs="*", type=int)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3)
    args = parser.parse_args()
    programs = [args.build / "bench" / f"teambench_{team}" for team in ("openmp", "pthreads")]
    for program in programs:
        if not program.exists():
            sys.exit(f"teams.py: no {program}; build it: ninja -C {args.build} teams")
    print("| nonzeros | one thread | OpenMP | pthreads | parallel_for |\n|---|---|---|---|---|")
    for nnz in args.nnz or [10**4, 10**5, 10**7]:
        times = {team: [] for team in TEAMS}
        for turn in range(args.rounds):
            for program in programs if turn % 2 else programs[::-1]:
                for team, time in run(program, nnz, args).items():
                    times[team].append(time)
        print(f"| {nnz} | " + " | ".join(cell(times[team]) for team in TEAMS) + " |", flush=True)


if __name__ == "__main__":
    main()
