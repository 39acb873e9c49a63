"""test_other_cpus.py: a module gives the same bits on every CPU.

    test_other_cpus.py --work DIR --spmvgen SPMVGEN

Modules for different instruction sets also give the same bits, if their vectors have equally many
lanes and their r_fma rounds equally often. One such set is "fused": the prelude's words in plain C,
with a fused r_fma. Other CPUs are emulated by qemu-user; programs for other devices run in the shim
(shim.h). The manifests' statements are tested too: modules of one method and value type, on any
device, with equal "bits" in their manifests give the same bits.
"""
import argparse
import pathlib
import shutil

import machines
import manifests
import pages
import test_same_bits
from machines import tap
from modules import Modules, collect
from root import ROOT

# Target, machine and compiler; all modules of a group must give the same bits.
X86, ARM64, ARM32 = "x86_64-linux-gnu", "aarch64-linux-gnu", "arm-linux-gnueabihf"
GROUPS = [
    [("generic-c", X86, "cc"), ("generic-c", ARM64, "cc"), ("generic-c", ARM32, "cc")],
    [("x86-64-v3", X86, "cc"), ("aarch64", ARM64, "cc"), ("aarch64", ARM64, "clang"),
     ("fused-v3", X86, "cc")],
    [("x86-64-v4", X86, "cc"), ("table-v4", X86, "cc"), ("fused-v4", X86, "cc")],
]
# The types of modules, unless a target names its own: each once. module_bits multiplies one vector.
TYPES = ["--type f64 --offsets i32 --one-vector", "--type f32 --offsets i64 --one-vector"]
# Further targets, for the comparison by manifests.
ALONE = [("pocl", X86, "cc"), ("fused-pocl", X86, "cc"),
         ("other-pocl --method evc_hyb --type f64", X86, "cc"),
         ("fused-other --method evc_hyb --type f64", X86, "cc")]

# Plain C with the parameters of targets/pocl.lua that affect bits; then both with other values.
# Parameters that do not affect bits differ.
FUSED = {"": 'backend="c" isa="fused" simd_bits=256'}
SLICES = "alignment=32 items_per_row=32 boundary=3 chunk_weight=64 work_group_size=64"
# name: (parent, {method: its parameters}), as in pages.py.
PAGES = {
    # Parameters that pages of single CPUs set, and that do not affect bits.
    "table-v4": ("x86-64-v4", {
        "strips": 'prefetch_level="second" expand_with_table="yes" x_ahead=8 x_far=0'}),
    "fused-pocl": (None, {
        **FUSED,
        "csr_scalar": "chunk_weight=77",
        "evc_hyb": "lanes=8 items_per_row=8 chunk_weight=512 alignment=8 rows_per_item=2"}),
    "other-pocl": ("pocl", {"evc_hyb": SLICES + ' rows_by_longest="yes" vcsr_alignment=32'}),
    "fused-other": (None, {**FUSED, "evc_hyb": SLICES + " lanes=32 rows_per_item=1"}),
}
# Methods whose simt form gives the bits of their simd form.
IN_BOTH_FORMS = {"csr_scalar", "evc_hyb"}

FUSED_ISA = """return {
    name = "fused", usable = "1", rounds_once = true, cpu_flags = {},
    preamble = "#include <math.h>\\n",
    words = { r_fma = { f32 = "fmaf($1, $2, $3)", f64 = "fma($1, $2, $3)" } },
}
"""


def write_fused(work):
    """Data with the pages fused-v3 and fused-v4: x86-64-v3 and x86-64-v4 with another instruction
    set."""
    data = work / "data"
    shutil.rmtree(data, ignore_errors=True)
    for folder in "templates", "targets", "runtime":
        shutil.copytree(ROOT / folder, data / folder)
    (data / "targets/isa/fused.lua").write_text(FUSED_ISA, encoding="utf-8")
    for level in "v3", "v4":
        (data / f"targets/fused-{level}.lua").write_text(
            f'inherit "x86-64-{level}"\nisa = "fused"\n', encoding="utf-8")
    for name, (parent, methods) in PAGES.items():
        (data / f"targets/{name}.lua").write_text(pages.text_of(name, parent, methods),
                                                  encoding="utf-8")
    return data


class Stated:
    """The hashes of results, by the statements of manifests."""

    def __init__(self):
        self.found = {}          # (method, value type, "bits") -> {hash: names of modules}
        self.forms = {}          # the same -> forms of templates

    def add(self, folder, bits):
        for module in manifests.read(folder)[1]:
            key = module.method, module.value_type, module.bits
            name = module.symbol
            if name not in bits:         # this CPU cannot run it
                continue
            self.found.setdefault(key, {}).setdefault(bits[name], []).append(name)
            self.forms.setdefault(key, set()).add("simt" if module.is_program() else "simd")

    def report(self):
        for key, hashes in self.found.items():
            count = sum(map(len, hashes.values()))
            if count > 1:
                tap.ok(len(hashes) == 1,
                       f"{key[0]} {key[1]}, {key[2]}: the same bits, {count} modules",
                       "\n".join(f"{bits}: {' '.join(names)}" for bits, names in hashes.items()))
        both = {key[0] for key, forms in self.forms.items() if len(forms) == 2}
        tap.ok(both == IN_BOTH_FORMS, "vectors and work-items: manifests state the same bits for " +
               ", ".join(sorted(IN_BOTH_FORMS)), ", ".join(sorted(both)))


def bits_of(args, data, target, triple, name, stated):
    """({method and types: hash}, ""), or (None, the reason why there is none)."""
    machine = machines.Machine(triple)
    work = args.work / triple / name / target.split()[0]
    compiler, flags = machine.find_compiler(name)
    if not compiler:
        return None, flags
    if not machine.has_working(compiler, flags, work):
        return None, f"{compiler} makes no program that runs"
    modules = Modules()
    sources = [f"target:{target} {types}" for types in ([""] if "--type" in target else TYPES)]
    if not collect(sources, work, args.spmvgen, modules, data, args.work.parent / "targets"):
        tap.done()
    if not machine.triple:       # test_same_bits.py tests that optimisation changes no bit here
        for unit in modules.units:
            unit.flags = [*unit.flags, "-O0", "-Wno-sign-conversion"]
    flags = machine.with_openmp(compiler, [*flags, "-O1"], work)
    bits, output = test_same_bits.bits_of(work, machine, compiler, flags, modules)
    if not tap.ok(bits is not None, f"{target} is built for {triple} by {name}, and runs", output):
        tap.done()
    for folder in modules.folders:
        stated.add(folder, bits)
    return {name.split("__")[0]: found for name, found in bits.items()}, "the CPU cannot run it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()

    data = write_fused(args.work)
    stated = Stated()
    for target, triple, compiler in ALONE:
        bits_of(args, data, target, triple, compiler, stated)
    for group in GROUPS:
        first = expected = None
        for target, triple, compiler in group:
            name = f"{target} on {triple} by {compiler}"
            bits, why = bits_of(args, data, target, triple, compiler, stated)
            if not bits:
                tap.skip(f"{name}: {why}")
            elif expected is None:
                first, expected = name, bits
            else:
                differ = sorted(module for module in expected
                                if bits.get(module) != expected[module])
                tap.ok(not differ and len(bits) == len(expected),
                       f"{name}: the bits of {first}, {len(bits)} modules",
                       "other bits:\n" + "\n".join(differ))
    stated.report()
    tap.done()


if __name__ == "__main__":
    main()
