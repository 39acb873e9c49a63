"""test_fetches.py: compilers keep every prefetch of the committed modules.

    test_fetches.py --compiler CC

A lost prefetch changes no result, so no other test can notice it. GCC 12.2 removes calls of a
function that only prefetches, unless it inlined the function before (INLINED of
templates/prelude/base.h); GCC 12.4 and 14.2 keep them. The modules must keep their prefetches under
every compiler.

The test compiles one module of each file twice, without the file's others, which would hide a
loss: as it stands, and with an asm statement, which no compiler may remove, in place of each
prefetch. Both must contain equally many prefetch instructions. The first
may contain a tenth fewer, since a compiler may unroll or duplicate the two texts differently.
Planted losses show that the comparison notices when the prefetches of one function are missing.
"""
import argparse
import re
import shlex
import subprocess

from machines import tap
from root import ROOT  # makes program_text importable

import program_text

FOLDER = ROOT / "generated/c"
TARGET = "zen4"                  # other instruction sets have the same functions that prefetch
TYPES = "_f64_i32__"
# A function for all types prefetches, and one for each value type.
PLANTED = FOLDER / f"spmv_speculative__{TARGET}.c"
PLANTED_TYPES = ["_f64_i32__", "_f32_i32__"]
BUILTIN = "__builtin_prefetch("
INSTRUCTION = re.compile(r"^\s*prefetch\w*\s", re.MULTILINE)
STAYS = ['-D__builtin_prefetch(p,...)=__asm__ volatile("prefetcht0 (%0)" :: "r"(p))']


def keep_module(text, types):
    """The file's text with only the module of these types: compilers drop functions that are used
    only by static tables."""
    return re.sub(r"^extern const spmv_module (\w+);\n(?=const spmv_module \1 )",
                  lambda m: m[0] if types in m[1] else "static ", text, flags=re.MULTILINE)


def count_fetches(compiler, text, folder, options=()):
    """The number of prefetch instructions of a compiled text; None: it does not compile."""
    done = subprocess.run([*compiler, "-std=gnu11", "-O2", f"-I{folder}", *options,
                           "-S", "-o", "-", "-x", "c", "-"],
                          input=text, capture_output=True, text=True, check=False)
    return len(INSTRUCTION.findall(done.stdout)) if done.returncode == 0 else None


def keeps_fetches(kept, expected):
    return kept is not None and expected is not None and 10 * kept >= 9 * expected


def test_planted(compiler):
    """Each prefetch of one file is removed in turn."""
    parts = program_text.read_source(PLANTED).split(BUILTIN)
    tap.ok(len(parts) == 2 + len(PLANTED_TYPES), f"{PLANTED.stem}: several functions prefetch",
           str(len(parts) - 1))

    def count(text, options):
        return [count_fetches(compiler, keep_module(text, types), FOLDER, options)
                for types in PLANTED_TYPES]

    expected = count(BUILTIN.join(parts), STAYS)
    for lost in range(1, len(parts)):
        text = BUILTIN.join(parts[:lost]) + "LOST(" + BUILTIN.join(parts[lost:])
        kept = count(text, ["-DLOST(...)=((void)0)"])
        tap.ok(None not in kept + expected and not all(map(keeps_fetches, kept, expected)),
               f"{PLANTED.stem}: the loss of prefetch {lost} is noticed", f"{kept} of {expected}")


def test_committed(compiler):
    sources = sorted(FOLDER.glob(f"spmv_*__{TARGET}.c"))
    tap.ok(sources, f"there are files for {TARGET}")
    for source in sources:
        if source.name.startswith("spmv_modules__"):
            continue
        text = keep_module(program_text.read_source(source), TYPES)
        kept, expected = (count_fetches(compiler, text, FOLDER, options)
                          for options in ([], STAYS))
        fetches = "csr_transposed" not in source.name
        tap.ok(keeps_fetches(kept, expected) and (kept > 0) == fetches,
               f"{source.stem}: every prefetch is kept", f"{kept} of {expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    compiler = shlex.split(parser.parse_args().compiler)
    target = subprocess.run([*compiler, "-dumpmachine"], capture_output=True, text=True,
                            check=False).stdout.strip()
    if target.startswith("x86_64"):
        test_planted(compiler)
        test_committed(compiler)
    else:
        tap.skip("the modules are for x86-64, the compiler is for "
                 f"{target or 'an unknown target'}")
    tap.done()


if __name__ == "__main__":
    main()
