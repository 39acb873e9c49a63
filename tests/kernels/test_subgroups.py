"""test_subgroups.py: programs that exchange values within subgroups, and programs with the same
parameters that exchange them through local memory, give the same bits.

    test_subgroups.py --work DIR --spmvgen SPMVGEN

Each page is compared with a page that inherits it and states that there are no subgroups. The shim
(shim.h) runs both.
"""
import argparse
import pathlib
import re

import compiling
import machines
import pages
import test_same_bits
from machines import tap
from modules import Modules, run_spmvgen
from root import ROOT

WITHOUT = """isa = ""
subgroups = false
"""

METHODS = ["--method", "csr_vector", "--method", "csr5", "--method", "csr_adaptive", "--method",
           "evc_hyb", "--method", "speculative"]
EXCHANGE = re.compile(r"shuffle\w*\(|sub_group_\w+\(")


def sources(work):
    """[(page, arguments for spmvgen)] for all comparisons."""
    return [(ROOT / "targets/generic-opencl-32.lua",
             [*METHODS, "--type", "f64", "--offsets", "i32"]),
            (ROOT / "targets/gfx1100.lua", [*METHODS, "--type", "f32", "--offsets", "i64"]),
            (ROOT / "targets/gfx90a.lua",
             "--method speculative --method slices --type f64 --offsets i64".split()),
            *pages.write(work / "pages", "generic-opencl-8")]


def emit(args, page, arguments, modules):
    """Emits a page and adds its modules; returns the programs' texts, joined, and their symbols."""
    folder = args.work / "emitted" / page.stem
    error = run_spmvgen(args.spmvgen, ROOT, page, arguments, folder)
    if not tap.ok(error is None, f"spmvgen emits {page.stem}", error or ""):
        tap.done()
    known = set(modules.programs)
    modules.add_folder(folder)
    own = set(modules.programs) - known
    return "".join(modules.programs[symbol].text() for symbol in own), own


def stem(symbols, bits):
    """{method and types: hash} of these symbols."""
    return {symbol.split("__")[0]: bits[symbol] for symbol in symbols}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()

    machine = machines.Machine()
    compiler, why = machine.find_compiler("cc")
    if not compiler or machine.cpu != "x86_64":
        tap.skip(why if not compiler else "the shim has fibers for x86-64 alone")
        tap.done()
    modules = Modules()
    pairs = []
    for page, arguments in sources(args.work):
        without = args.work / "pages" / f"{page.stem}-without.lua"
        compiling.write_if_changed(without.parent / page.name, page.read_text(encoding="utf-8"))
        compiling.write_if_changed(without, f'inherit "{page.stem}"\n{WITHOUT}')
        text, symbols = emit(args, page, arguments, modules)
        plain, others = emit(args, without, arguments, modules)
        tap.ok(EXCHANGE.search(text) and not EXCHANGE.search(plain),
               f"{page.stem} has shuffles, and without subgroups it has none")
        pairs.append((page.stem, symbols, others))
    flags = machine.with_openmp(compiler, ["-O1"], args.work)
    bits, output = test_same_bits.bits_of(args.work / "build", machine, compiler, flags, modules)
    if not tap.ok(bits is not None, f"{len(modules.names)} modules are built, and run", output):
        tap.done()
    for name, symbols, others in pairs:
        found, expected = stem(symbols, bits), stem(others, bits)
        other = sorted(module for module in expected if found.get(module) != expected[module])
        tap.ok(not other and len(found) == len(expected) > 0,
               f"{name}: with and without subgroups the same bits, {len(found)} modules",
               "other bits:\n" + "\n".join(other))
    tap.done()


if __name__ == "__main__":
    main()
