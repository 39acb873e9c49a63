"""test_32_bit.py SOURCE-ROOT WORK COMPILER...: libspmv where size_t has 32 bits.

Builds the runtime, without emitted modules, and some of its tests for a 32-bit machine, and runs
them: with the build's compiler and -m32 where that works, else with a cross compiler and qemu.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap

TESTS = ["hash", "file", "matrix_check", "hostile", "plan", "layout", "contract", "choice", "saved"]
PROBE = """#include <stdint.h>
int main(void) { return sizeof(void *) != 4 || SIZE_MAX >> 31 != 1; }
"""

root, work = Path(sys.argv[1]), Path(sys.argv[2])
CANDIDATES = [
    (sys.argv[3:] + ["-m32"], []),
    (["arm-linux-gnueabihf-gcc", "-static"], ["qemu-arm"]),
    (["i686-linux-gnu-gcc", "-static"], ["qemu-i386"]),
]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


def find_machine():
    """A compiler's command, and what its programs are run by; None where there is no such pair."""
    probe = work / "probe.c"
    probe.write_text(PROBE)
    for compiler, runner in CANDIDATES:
        if all(shutil.which(command[0]) for command in (compiler, runner) if command):
            built = run(compiler + [str(probe), "-o", str(work / "probe")])
            if built.returncode == 0 and run(runner + [str(work / "probe")]).returncode == 0:
                return compiler, runner
    return None


def main():
    work.mkdir(parents=True, exist_ok=True)
    machine = find_machine()
    if machine is None:
        tap.skip("no compiler for a 32-bit machine whose programs run here: neither "
                 f"'{' '.join(CANDIDATES[0][0])}' nor a cross compiler with qemu")
        return
    compiler, runner = machine
    compiler = compiler + ["-std=c11", "-O1", "-Wall", "-Werror", f"-I{root}/runtime"]
    tests = root / "tests" / "runtime"
    sources = sorted((root / "runtime").glob("*.c"))
    sources += [tests / name for name in ("toy.c", "toy_sorted.c", "sample.c", "folder.c")]
    objects = [str(work / (source.stem + ".o")) for source in sources]
    for source, made in zip(sources, objects):
        built = run(compiler + ["-c", str(source), "-o", made])
        tap.ok(built.returncode == 0, f"{source.name} compiles for 32 bits", built.stderr[-2000:])
    for name in TESTS:
        program = work / f"test_{name}"
        built = run(compiler + [str(tests / f"test_{name}.c")] + objects +
                    ["-o", str(program), "-pthread", "-lm", "-ldl"])
        if not tap.ok(built.returncode == 0, f"{name} builds", built.stderr[-2000:]):
            continue
        ran = run(runner + [str(program)])
        passed = len(re.findall(r"^ok ", ran.stdout, re.M))
        tap.ok(ran.returncode == 0 and passed > 0,
               f"{name}: {passed} cases pass where size_t has 32 bits",
               "\n".join(re.findall(r"^(?:not ok|#).*", ran.stdout, re.M)) + ran.stderr)


main()
tap.done()
