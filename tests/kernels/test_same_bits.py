"""test_same_bits.py: a module gives the same bits from every compiler and options.

    test_same_bits.py --work DIR [--spmvgen SPMVGEN] SOURCE...        sources as in run_suite.py

Each way of compiling must give the bits of the first one, or be refused by the emitted file. clang
-ffp-contract=fast is not tried: it overrides the pragma in the emitted files, and changes bits.
"""
import argparse
import pathlib
import subprocess

import compiling
import machines
from machines import tap
from modules import Modules, collect

REFUSAL = "compile this file "

# For all files; the flags of modules follow it. So most ways share the suite's compiled files.
SHARED = "-O1"

# name, compiler, flags for modules. What -O2 does, -O3 does too.
BUILDS = [
    ("gcc -O0", "gcc", ["-O0"]),
    ("gcc -O3 for this CPU, contracting", "gcc",
     ["-O3", "-march=native", "-ffp-contract=fast"]),
    ("gcc with associative math", "gcc",
     ["-O3", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"]),
    ("gcc -ffast-math", "gcc", ["-O3", "-ffast-math"]),
    ("clang -O3 for this CPU, contracting", "clang",
     ["-O3", "-march=native", "-ffp-contract=on"]),
    ("clang with associative math", "clang",
     ["-O3", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"]),
    ("clang -ffast-math", "clang", ["-O3", "-ffast-math"]),
]


def may_be_refused(module_flags):
    """Whether the flags allow other results than C does."""
    return any("-math" in flag for flag in module_flags)


def bits_of(work, machine, compiler, flags, modules, *arguments):
    """Returns ({module: hash}, ""), or (None, an error). arguments: of module_bits."""
    built, output = compiling.build(work, compiler, flags, modules, "module_bits")
    if not built:
        return None, output
    done = subprocess.run([*machine.command(work / "module_bits"), *arguments],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stdout + done.stderr
    return dict(line.split() for line in done.stdout.splitlines()), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen")
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()
    work = args.work.resolve()

    expected = None
    modules = Modules()
    if not collect(args.sources, work, args.spmvgen, modules):
        tap.done()
    # run_suite.py tests warnings.
    plain = [[flag for flag in unit.flags if flag not in compiling.WARNINGS]
             for unit in modules.units]
    machine = machines.Machine()
    for index, (name, compiler, module_flags) in enumerate(BUILDS):
        program, why = machine.find_compiler(compiler)
        if not program:
            tap.skip(f"{name}: {why}")
            continue
        for unit, own in zip(modules.units, plain):
            unit.flags = own + module_flags
        zeros = ["any-zero"] if "-fno-signed-zeros" in module_flags else []
        flags = machine.with_openmp(program, [SHARED], work)
        build = work / f"way-{index}", machine, program, flags, modules
        bits, output = bits_of(*build, *zeros)
        if bits is None:
            tap.ok(may_be_refused(module_flags) and REFUSAL in output,
                   f"{name}: refused, with the reason", output)
            continue
        if not expected:
            expected = {(): bits, ("any-zero",): bits_of(*build, "any-zero")[0]}
        wanted = expected[tuple(zeros)]
        other = sorted(module for module in wanted if bits.get(module) != wanted[module])
        tap.ok(not other and bits, f"{name}: the bits of {len(bits)} modules",
               "other bits:\n" + "\n".join(other))
    tap.done()


if __name__ == "__main__":
    main()
