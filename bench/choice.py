#!/usr/bin/env python3
"""choice.py: how good the automatic choice is, for few multiplications and for many.

    bench/choice.py SPMVBENCH [--matrix FILE]... [--runs N]... [-- ARGUMENT...]

times every method on the matrices of files, or the 18 of --lookalike all, asks what a plan would choose that expects
N multiplications (1, 2, 3, 5, 10, 20, 50, 100 and 1000 without --runs), and prints, for each matrix and N, the method
that is chosen, the one that would have been best where that is another, and how many times as long preparing and N
multiplications take with the first. What choosing takes is left out: a multiplication or two from 8 expected on. Preparing is the
median of several, as spmvbench has it; the first, whose memory is new, may take twice as long. Arguments
behind -- are handed to spmvbench: -- --type f32 --target x86-64-v3. It takes about two minutes for the 18.

The costs in templates/*/ are fitted by this (docs/performance.md, "The automatic choice").
"""
import argparse
import re
import subprocess
import sys

RUNS = [1, 2, 3, 5, 10, 20, 50, 100, 1000]


def fail(words):
    sys.exit("choice.py: " + words)


def spmvbench(program, matrix, arguments):
    """What it printed, cut at each matrix: {matrix: text}. matrix: the arguments that name it, or several."""
    command = [program, *matrix, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        fail(f"{program} cannot be run: {error.strerror}; expected spmvbench")
    if done.returncode:
        fail(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    parts = re.split(r"^matrix +", done.stdout, flags=re.MULTILINE)[1:]
    if not parts:
        fail(f"{program} printed no matrix; expected spmvbench")
    return {re.match(r"[^:(]*", part)[0].strip(): part for part in parts}


def times(text):
    """{(method, target): (seconds to prepare, seconds to multiply)}, in a unit of their own."""
    found = {}
    head = []
    for line in text.splitlines():
        words = line.replace("of read", "of_read").split()
        if words[:2] == ["method", "target"]:
            head = words
        row = dict(zip(head, words))
        if len(words) == len(head) and row.get("correct") == "yes" and row["target"] != "peer":
            multiply = 1 / max(float(row["GFlop/s"]), 1e-3)
            found[row["method"], row["target"]] = (float(row["prepare"]) * multiply, multiply)
    return found


def chosen(text):
    """Method and target of the module that a plan chose."""
    module = re.search(r"^chosen +spmv_(\w+?)_f(?:32|64)_i(?:32|64)__(\w+)", text, re.MULTILINE)
    if not module:
        fail(f"no line 'chosen' of --explain:\n{text}")
    return module[1], module[2]


def regret(measured, one, runs):
    """The best method, and how many times as long the chosen one takes."""
    total = {(method, re.sub(r"\W", "_", target)): prepare + runs * multiply
             for (method, target), (prepare, multiply) in measured.items()}
    if one not in total:
        fail(f"{' of '.join(one)} is chosen, and not among those timed: {', '.join(sorted(m for m, _ in total))}")
    best = min(total, key=total.get)
    return best[0], total[one] / total[best]


def positive(text):
    number = int(text)
    if not 1 <= number < 2**31:
        raise ValueError
    return number


def read_arguments():
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = argparse.ArgumentParser(usage="choice.py SPMVBENCH [--matrix FILE]... [--runs N]... [-- ARGUMENT...]",
                                      description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", metavar="SPMVBENCH")
    options.add_argument("--runs", metavar="N", type=positive, action="append", help="1 to 2147483647; may repeat")
    options.add_argument("--matrix", metavar="FILE", action="append", help="as spmvbench takes it; may repeat")
    return options.parse_args(words[:split]), words[split + 1:]


def main():
    given, handed = read_arguments()
    matrices = [[file] for file in given.matrix or []] or [["--lookalike", "all"]]

    def printed(arguments):
        found = {}
        for matrix in matrices:
            for name, text in spmvbench(given.program, matrix, [*arguments, *handed]).items():
                if name in found:
                    fail(f"two matrices are called {name}; expected names that differ, without their folders")
                found[name] = text
        return found

    # Before anything is timed, so that wrong arguments are told at once.
    choices = {runs: printed(["--explain", "--runs", str(runs)]) for runs in given.runs or RUNS}
    measured = {name: times(text) for name, text in printed(["--dram", "0", "--seconds", "0.2"]).items()}
    for runs, explained in choices.items():
        regrets = []
        print(f"\n{runs} multiplication{'s' if runs > 1 else ''}")
        print(f"  {'matrix':34} {'chosen':13} {'times the best':>14}  best")
        for name, text in explained.items():
            one = chosen(text)
            best, ratio = regret(measured.get(name, {}), one, runs)
            regrets.append(ratio)
            print(f"  {name:34} {one[0]:13} {ratio:14.2f}  {best if best != one[0] else ''}".rstrip())
        print(f"  {'mean, worst':34} {'':13} {sum(regrets) / len(regrets):14.2f}  {max(regrets):.2f}")


if __name__ == "__main__":
    main()
