"""test_contraction.py: no compiler can contract a product and a sum of a CUDA text to a
multiply-add.

    test_contraction.py --work DIR --spmvgen SPMVGEN

nvcc and Clang contract by default, and bits would depend on that option. Clang compiles each
distinct text, in each value type once, to PTX twice: with contraction and without it. Both must
have the same arithmetic instructions. Only mul.rn may stand for mul: PTX writes it where ptxas may
not contract either.
"""
import argparse
import pathlib
import re
import subprocess

import machines
import manifests
import programs
from machines import tap
from root import ROOT

# Declarations for Clang in place of the toolkit's headers.
PREFIX = re.search(r"prefix = \[\[\n(.*?)\]\]",
                   (ROOT / "targets/dialects/cuda.lua").read_text(encoding="utf-8"),
                   re.DOTALL)[1]
ARITHMETIC = re.compile(r"^\s*((?:fma|mul|add|sub)\S*f(?:32|64)) ", re.MULTILINE)


def compile_to_ptx(clang, prefix, text, contract):
    """(the PTX or None, the compiler's output)"""
    command = [clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_52", "-nocudainc",
               "-nocudalib", "-std=c++98", "-O3", "-S", f"-ffp-contract={contract}",
               "-Wno-everything", "-Xclang", "-target-feature", "-Xclang", "+ptx80",
               "-include", str(prefix), str(text), "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None, done.stderr


def arithmetic_of(ptx):
    return [name.replace(".rn", "") for name in ARITHMETIC.findall(ptx)]


def check_finds(clang, prefix, work):
    """Shows that the test can fail, with a text that can be contracted."""
    text = work / "contracted.cu"
    text.write_text('extern "C" __global__ void k(double *a) { a[0] = a[1] * a[2] + a[3]; }\n',
                    encoding="utf-8")
    ptx = [compile_to_ptx(clang, prefix, text, contract)[0] for contract in ("off", "fast")]
    tap.ok(all(ptx) and arithmetic_of(ptx[0]) == ["mul.f64", "add.f64"] and
           arithmetic_of(ptx[1]) == ["fma.f64"], "a product and a sum become a multiply-add",
           str(ptx)[:1500])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    clang, _ = machines.Machine().find_compiler("clang")
    if not clang:
        tap.skip("clang is not installed")
        tap.done()
    args.work.mkdir(parents=True, exist_ok=True)
    prefix = args.work / "prefix.h"
    prefix.write_text(PREFIX, encoding="utf-8")
    check_finds(clang, prefix, args.work)
    for folder, symbols in programs.emit(args.spmvgen, "cuda", args.work.parent / "programs",
                                         half=0):
        for module in manifests.read(folder)[1]:
            symbol = module.symbol
            if symbol not in symbols:
                continue
            text = args.work / f"{symbol}.cu"
            text.write_text(module.text(), encoding="utf-8")
            off, output = compile_to_ptx(clang, prefix, text, "off")
            fast, _ = compile_to_ptx(clang, prefix, text, "fast")
            tap.ok(off and fast and arithmetic_of(off) == arithmetic_of(fast) != [],
                   f"{symbol}: nothing can be contracted", output[-1500:])
    tap.done()


if __name__ == "__main__":
    main()
