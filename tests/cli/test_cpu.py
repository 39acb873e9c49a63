#!/usr/bin/env python3
"""test_cpu.py SPMVGEN ROOT [zig]: modules for x86 run where the CPU and its system have their
instructions, whatever compiler built them. With `zig`, that compiler comes from PyPI."""
import os
import re
import shutil
import sys

import cli
from bundles import CC, CXX, command, good
from cli import check, run, tap

PAGES = ("x86-64-v3", "x86-64-v4", "zen2", "zen4", "sapphire-rapids", "generic-c")
EMIT = ("--target", ",".join(PAGES), "-m", "csr_scalar", "--type", "f64", "--offsets", "i32",
        "--one-vector", "--bundle", "out")
X86 = os.uname().machine == "x86_64"
ZIG = "ziglang==0.17.1"
READ = "        x86_read(registers);\n"

# Prints the features, then the target of the first module that the CPU can run.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>

static char **word;

#include "SOURCE"

int main(int count, char **argument)
{
    word = argument + 1;
    (void)count;
    for (int bit = 0; bit < 31; bit++)
        printf("%d", x86_has(1u << bit));
    for (int i = 0; spmv_modules[i] != NULL; i++)
        if (spmv_modules[i]->usable() != 0) {
            printf(" %s\\n", spmv_modules[i]->target);
            return 0;
        }
    return 1;
}
"""

# Leaf 1: FMA, OSXSAVE. Leaf 7: BMI1, AVX2, then AVX-512 F, DQ, BW and VL, CLWB, FP16; BF16.
FMA, OSXSAVE, BMI1, AVX2, CLWB, FP16, BF16, SSE4A = (1 << bit for bit in
                                                     (12, 27, 3, 5, 24, 23, 5, 6))
AVX512 = 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31
ALL = 0xffffffff
MODELS = [                               # leaf 1 ecx, 7 ebx, 7 edx, 7.1 eax, 0x80000001 ecx, xcr0
    ("a CPU without AVX", (0, 0, 0, 0, 0, 0), "generic-c"),
    ("Haswell", (FMA | OSXSAVE, BMI1 | AVX2, 0, 0, 0, 7), "x86-64-v3"),
    ("Haswell without BMI1", (FMA | OSXSAVE, AVX2, 0, 0, 0, 7), "generic-c"),
    ("Haswell without FMA", (OSXSAVE, BMI1 | AVX2, 0, 0, 0, 7), "generic-c"),
    ("a system that keeps no ymm registers", (ALL, ALL, ALL, ALL, 0, 3), "generic-c"),
    ("a system without xgetbv", (FMA, BMI1 | AVX2, 0, 0, 0, 0), "generic-c"),
    ("a system that keeps no zmm registers", (ALL, ALL, ALL, ALL, 0, 7), "x86-64-v3"),
    ("a system that keeps half of the zmm registers", (ALL, ALL, ALL, ALL, 0, 0x67), "x86-64-v3"),
    ("Skylake-X", (FMA | OSXSAVE, BMI1 | AVX2 | AVX512, 0, 0, 0, 0xe7), "x86-64-v4"),
    ("Knights Landing", (FMA | OSXSAVE, BMI1 | AVX2 | 1 << 16, 0, 0, 0, 0xe7), "x86-64-v3"),
    ("Cooper Lake", (FMA | OSXSAVE, BMI1 | AVX2 | AVX512 | CLWB, 0, BF16, 0, 0xe7), "x86-64-v4"),
    ("Sapphire Rapids", (FMA | OSXSAVE, BMI1 | AVX2 | AVX512 | CLWB, FP16, BF16, 0, 0xe7),
     "sapphire-rapids"),
    ("Zen", (FMA | OSXSAVE, BMI1 | AVX2, 0, 0, SSE4A, 7), "x86-64-v3"),
    ("Zen 2", (FMA | OSXSAVE, BMI1 | AVX2 | CLWB, 0, 0, SSE4A, 7), "zen2"),
    ("Zen 4", (FMA | OSXSAVE, BMI1 | AVX2 | AVX512 | CLWB, 0, BF16, SSE4A, 0xe7), "zen4"),
    ("a CPU of AMD with every feature", (ALL, ALL, ALL, ALL, SSE4A, 0xe7), "zen4"),
]
EMULATED = [("Nehalem", "generic-c"), ("Haswell", "x86-64-v3"), ("EPYC", "x86-64-v3"),
            ("EPYC-Rome", "zen2")]


def features():
    """Names as /proc/cpuinfo has them, by their bits."""
    text = (cli.ROOT / "targets/isa/x86_cpu.h").read_text()
    found = {name.lower(): int(value) for name, value in re.findall(r"X86_(\w+) = (\d+)", text)}
    return {value.bit_length() - 1: name for name, value in found.items() if name != "is_read"}


def write_programs(path):
    done = run(path, *EMIT)
    source = (path / "out/spmv_kernels.c").read_text()
    fake = "".join(f"        registers[{i}] = (uint32_t)strtoul(word[{i}], NULL, 0);\n"
                   for i in range(6))
    check(good(done) and source.count(READ) == 1,
          "a bundle reads registers of the CPU at one place", done)
    (path / "out/faked.c").write_text(source.replace(READ, fake))
    for name, text in (("real", "spmv_kernels.c"), ("fake", "faked.c")):
        (path / f"out/{name}.c").write_text(PROGRAM.replace("SOURCE", text))


def check_compiler(path, name, words):
    """The program's answers about this CPU are those of the system."""
    built = command(path / "out", *words, "-O0", "real.c", "-lm", "-o", "real")
    ran = command(path / "out", "./real") if good(built) else built
    check(good(ran), f"{name}: a bundle finds a module to run", built, ran)
    if not good(ran):
        return None
    bits, target = ran.out.split()
    flags = re.search(r"^flags\s*: (.*)$", open("/proc/cpuinfo").read(), re.M).group(1).split()
    wrong = [f for bit, f in features().items() if (bits[bit] == "1") != (f in flags)]
    check(not wrong, f"{name}: the features found are the flags of /proc/cpuinfo", wrong, bits)
    return target


def test_models(path):
    built = command(path / "out", *CC, "-O0", "fake.c", "-lm", "-o", "fake")
    check(good(built), "a bundle of all targets for x86 compiles", built)
    for name, words, target in MODELS:
        ran = command(path / "out", "./fake", *map(hex, words))
        check(good(ran) and ran.out.split()[1] == target, f"{name} runs {target}", ran)


def test_emulated(path):
    if not shutil.which("qemu-x86_64"):
        tap.skip("qemu-x86_64 is not installed (package qemu-user)")
        return
    for model, target in EMULATED:
        ran = command(path / "out", "qemu-x86_64", "-cpu", model, "./real")
        check(good(ran) and ran.out.split()[1] == target, f"qemu's {model} runs {target}", ran)


def zig(path):
    """The command of zig's C compiler, or None."""
    done = command(path, sys.executable, "-m", "pip", "install", "--target", path / "zig",
                   "--quiet", "--disable-pip-version-check", ZIG)
    if not good(done):
        tap.skip(f"pip cannot install {ZIG}: {str(done)[-200:]}")
        return None
    os.environ.update(PYTHONPATH=str(path / "zig"), ZIG_GLOBAL_CACHE_DIR=str(path / "cache"))
    return [sys.executable, "-m", "ziglang", "cc"]


def test_all():
    if not X86:
        tap.skip("the modules are for x86")
        return
    holder, path = cli.folder()
    with holder:
        write_programs(path)
        if len(sys.argv) > 3:
            compilers = [("zig", zig(path))]
        else:
            compilers = [("C++", [*CXX, "-x", "c++", "-std=c++17"]),
                         *((name, [name]) for name in ("clang-14", "clang-19")), ("cc", CC)]
        targets = {check_compiler(path, name, words) for name, words in compilers
                   if words and shutil.which(words[0])}
        check(len(targets) < 2, "all compilers lead to one module", targets)
        if len(sys.argv) == 3:
            test_models(path)
            test_emulated(path)


test_all()
tap.done()
