"""test_other_cpus.py: a module gives the same bits on every CPU.

    test_other_cpus.py --work DIR --spmvgen SPMVGEN

And so do the modules of two instruction sets whose vectors have as many lanes and whose r_fma rounds
as often, "fused" among them: the prelude's own words with a fused r_fma, which says in plain C in
which order everything is added. CPUs other than this one are qemu-user's. Programs for other devices, which
the shim runs here (shim.h), give the bits of C with equal parameters, where their templates say so.
"""
import argparse
import pathlib
import shutil

import run_suite
import test_same_bits
from run_suite import tap

# Targets, where they run, and the compiler: all of a group must give the same bits.
X86, ARM64, ARM32 = "x86_64-linux-gnu", "aarch64-linux-gnu", "arm-linux-gnueabihf"
GROUPS = [
    [("generic-c", X86, "cc"), ("generic-c", ARM64, "cc"), ("generic-c", ARM32, "cc")],
    [("x86-64-v3", X86, "cc"), ("aarch64", ARM64, "cc"), ("aarch64", ARM64, "clang"),
     ("fused-v3", X86, "cc")],
    [("x86-64-v4", X86, "cc"), ("fused-v4", X86, "cc")],
    [("pocl --method csr_scalar --method csr_vector", X86, "cc"),
     ("fused-pocl --method csr_scalar --method csr_vector", X86, "cc")],
]

# C with the parameters that targets/pocl.lua gives to programs.
FUSED_POCL = """backend = "c"
isa = "fused"
simd_bits = 256
csr_vector.lanes = 8
csr_vector.accumulators = 2
csr_vector.scalar_below = 0
"""

FUSED_ISA = """return {
    name = "fused", usable = "1", cpu_flags = {}, preamble = "#include <math.h>\\n",
    words = { r_fma = { f32 = "fmaf($1, $2, $3)", f64 = "fma($1, $2, $3)" } },
}
"""


def write_fused(work):
    """Data with pages fused-v3 and fused-v4: as x86-64-v3 and x86-64-v4, but for the instruction set."""
    data = work / "data"
    shutil.rmtree(data, ignore_errors=True)
    for folder in "templates", "targets", "runtime":
        shutil.copytree(run_suite.ROOT / folder, data / folder)
    (data / "targets/isa/fused.lua").write_text(FUSED_ISA, encoding="utf-8")
    for level in "v3", "v4":
        (data / f"targets/fused-{level}.lua").write_text(
            f'inherit "x86-64-{level}"\nisa = "fused"\n', encoding="utf-8")
    (data / "targets/fused-pocl.lua").write_text(FUSED_POCL, encoding="utf-8")
    return data


def bits_of(args, data, target, triple, name):
    """({method and types: hash}, ""); None and the reason where that cannot be had."""
    machine = run_suite.Machine(triple)
    work = args.work / triple / name / target.split()[0]
    compiler, flags = machine.find_compiler(name)
    if not compiler:
        return None, flags
    if not machine.has_working(compiler, flags, work):
        return None, f"{compiler} makes no program that runs"
    modules = run_suite.Modules()
    if not run_suite.collect([f"target:{target}"], work, args.spmvgen, modules, data):
        tap.done()
    bits, output = test_same_bits.bits_of(work, machine, compiler, [*flags, "-O2"], modules)
    if not tap.ok(bits is not None, f"{target} is built for {triple} by {name}, and runs", output):
        tap.done()
    return {name.split("__")[0]: found for name, found in bits.items()}, "the CPU cannot run it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()

    data = write_fused(args.work)
    for group in GROUPS:
        first = expected = None
        for target, triple, compiler in group:
            name = f"{target} on {triple} by {compiler}"
            bits, why = bits_of(args, data, target, triple, compiler)
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
