"""test_other_cpus.py: a module gives the same bits on every CPU.

    test_other_cpus.py --work DIR --spmvgen SPMVGEN

And so do the modules of two instruction sets whose vectors have as many lanes and whose r_fma rounds
as often. CPUs other than this one are qemu-user's.
"""
import argparse
import pathlib

import run_suite
import test_same_bits
from run_suite import tap

# Targets, and where they run: all of a group must give the same bits.
GROUPS = [
    [("generic-c", "x86_64-linux-gnu"), ("generic-c", "aarch64-linux-gnu"),
     ("generic-c", "arm-linux-gnueabihf")],
    [("x86-64-v3", "x86_64-linux-gnu"), ("aarch64", "aarch64-linux-gnu")],
]


def bits_of(args, target, triple):
    """({method and types: hash}, ""); None and the reason where that cannot be had."""
    machine = run_suite.Machine(triple)
    work = args.work / triple / target
    compiler, flags = machine.find_compiler("cc")
    if not compiler:
        return None, flags
    if not machine.has_working(compiler, flags, work):
        return None, f"{compiler} makes no program that runs"
    modules = run_suite.Modules()
    if not run_suite.collect([f"target:{target}"], work, args.spmvgen, modules):
        tap.done()
    bits, output = test_same_bits.bits_of(work, machine, compiler, [*flags, "-O2"], modules)
    if not tap.ok(bits is not None, f"{target} is built for {triple}, and runs", output):
        tap.done()
    return {name.split("__")[0]: found for name, found in bits.items()}, "the CPU cannot run it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()

    for group in GROUPS:
        first = expected = None
        for target, triple in group:
            name = f"{target} on {triple}"
            bits, why = bits_of(args, target, triple)
            if not bits:
                tap.skip(f"{name}: {why}")
            elif expected is None:
                first, expected = name, bits
            else:
                differ = sorted(module for module in expected if bits.get(module) != expected[module])
                tap.ok(not differ and len(bits) == len(expected),
                       f"{name}: the bits of {first}, {len(bits)} modules",
                       "other bits:\n" + "\n".join(differ))
    tap.done()


if __name__ == "__main__":
    main()
