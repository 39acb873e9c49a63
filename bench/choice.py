#!/usr/bin/env python3
"""choice.py: how good the automatic choice is, for few multiplications and for many.

    bench/choice.py SPMVBENCH [--runs N]... [-- ARGUMENT...]

times every method on the 18 look-alikes, asks what a plan would choose that expects N multiplications (1, 2, 3, 5, 10,
20, 50, 100 and 1000 without --runs), and prints, for each matrix and N, the method that is chosen, the one that
would have been best where that is another, and how many times as long preparing and N multiplications
take with the first. Arguments behind -- are handed to spmvbench: -- --type f32 --target x86-64-v3. About two minutes.

The costs in templates/*/ are fitted by this (docs/performance.md, "The automatic choice").
"""
import argparse
import re
import subprocess
import sys

RUNS = [1, 2, 3, 5, 10, 20, 50, 100, 1000]


def spmvbench(program, arguments):
    """What it printed, cut at each matrix: {matrix: text}."""
    try:
        done = subprocess.run([program, "--lookalike", "all", *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"choice.py: {program} cannot be run: {error.strerror}; expected spmvbench")
    if done.returncode:
        sys.exit(f"choice.py: {program} {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
    parts = re.split(r"^matrix +", done.stdout, flags=re.MULTILINE)[1:]
    if not parts:
        sys.exit(f"choice.py: {program} printed no matrix; expected spmvbench")
    return {re.match(r"[^:(]*", part)[0].strip(): part for part in parts}


def times(text):
    """{method: (seconds to prepare, seconds to multiply)}, in a unit of their own."""
    found = {}
    for line in text.splitlines():
        column = line.split()
        if len(column) == 10 and column[-1] == "yes" and column[1] != "peer":
            multiply = 1 / float(column[2])
            found[column[0]] = (float(column[5]) * multiply, multiply)
    return found


def chosen(text):
    method = re.search(r"^chosen +spmv_(\w+?)_f(?:32|64)_", text, re.MULTILINE)
    if not method:
        sys.exit(f"choice.py: no line 'chosen' of --explain:\n{text}")
    return method[1]


def regret(measured, method, runs):
    """The best method, and how many times as long `method` takes."""
    total = {name: prepare + runs * multiply for name, (prepare, multiply) in measured.items()}
    best = min(total, key=total.get)
    return best, total[method] / total[best]


def main():
    options = argparse.ArgumentParser(usage="choice.py SPMVBENCH [--runs N]... [-- ARGUMENT...]")
    options.add_argument("program")
    options.add_argument("--runs", type=int, action="append")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    given = options.parse_args(words[:split])
    handed = words[split + 1:]
    measured = {name: times(text) for name, text in
                spmvbench(given.program, ["--dram", "0", "--seconds", "0.2", *handed]).items()}
    for runs in given.runs or RUNS:
        regrets = []
        print(f"\n{runs} multiplications")
        explained = spmvbench(given.program, ["--explain", "--runs", str(runs), *handed])
        for name, text in explained.items():
            method = chosen(text)
            best, ratio = regret(measured[name], method, runs)
            regrets.append(ratio)
            print(f"  {name:34} {method:13} {ratio:5.2f}  {best if best != method else ''}".rstrip())
        print(f"  {'mean, worst':34} {'':13} {sum(regrets) / len(regrets):5.2f}  {max(regrets):.2f}")


if __name__ == "__main__":
    main()
