"""test_embed_binaries.py SCRIPT INCLUDE CC...: generated/embed_binaries.py, with an nvcc of our own that
writes down what it was asked for."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap

SCRIPT, INCLUDE, CC = sys.argv[1], sys.argv[2], sys.argv[3:]

NVCC = """#!/bin/sh
if [ "$1" = --list-gpu-arch ]; then printf 'compute_70\\ncompute_60\\n'; exit; fi
case "$*" in
*compute_32*) echo "nvcc fatal : Unsupported gpu architecture 'compute_32'" >&2; exit 1 ;;
*bad.cu*) echo "bad.cu(3): error: nothing is right" >&2; exit 2 ;;
esac
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && out=$2
    all="$all $1"
    shift
done
printf '%s' "$all" | sed "s| -o [^ ]*||; s| [^ ]*/| |" >"$out"
"""

MODULE = """static const spmv_program module_program = {{
    .language = "cuda",
    .options = "{options}",
{capability}}};
"""


def put_module(folder, modules, name, backend="cuda", capability=0, options="--fmad=false"):
    stated = f"    .capability = {capability},\n" if capability else ""
    with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
        file.write(MODULE.format(options=options, capability=stated))
    modules.append({"symbol": name, "source_hash": f"{len(modules) + 1:016x}", "backend": backend,
                    "file": name + ".c", "program": name + ".cu"})


def run(scratch, modules):
    with open(os.path.join(scratch, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"modules": modules}, file)
    output = os.path.join(scratch, "out.c")
    result = subprocess.run([sys.executable, SCRIPT, "--nvcc", os.path.join(scratch, "nvcc"),
                             "--output", output, scratch], capture_output=True, text=True,
                            check=False)
    text = ""
    if os.path.exists(output):
        with open(output, encoding="utf-8") as file:
            text = file.read()
    return result, text


PRINTS = """#include "binaries.h"
#include <stdio.h>
extern const spmv_binary spmv_cuda_binaries[];
int main(void)
{
    for (const spmv_binary *b = spmv_cuda_binaries; b->module != NULL; b++)
        printf("%s %d %d:%.*s\\n", b->module, (int)b->source_hash, (int)b->capability, (int)b->bytes,
               (const char *)b->image);
    return 0;
}
"""


def test_good(scratch):
    modules = []
    put_module(scratch, modules, "first", capability=90, options="--fmad=false --std=c++11")
    put_module(scratch, modules, "other", backend="opencl")
    put_module(scratch, modules, "any")
    put_module(scratch, modules, "old", capability=32)
    result, text = run(scratch, modules)
    tap.ok(result.returncode == 0 and text, "a folder is compiled", result.stderr)
    tap.ok("old.cu: this nvcc does not know compute capability 3.2" in result.stdout,
           "a program for a device that nvcc does not know is left out, with a word", result.stdout)
    with open(os.path.join(scratch, "print.c"), "w", encoding="utf-8") as file:
        file.write(PRINTS)
    built = subprocess.run([*CC, "-std=c11", "-Wall", "-Wextra", "-Wmissing-prototypes", "-Werror",
                            "-I", INCLUDE, "-o", os.path.join(scratch, "print"),
                            os.path.join(scratch, "print.c"), os.path.join(scratch, "out.c")],
                           capture_output=True, text=True, check=False)
    tap.ok(built.returncode == 0, "the table compiles", built.stderr)
    lines = subprocess.run([os.path.join(scratch, "print")], capture_output=True, text=True,
                           check=False).stdout.splitlines() if built.returncode == 0 else []
    expected = [
        "first 1 90: -fatbin -x cu -m64 --fmad=false --std=c++11 -gencode "
        "arch=compute_90,code=[sm_90,compute_90] first.cu",
        "any 3 60: -fatbin -x cu -m64 --fmad=false -gencode "
        "arch=compute_60,code=[sm_60,compute_60] any.cu",
    ]
    tap.ok(lines == expected, "it holds what nvcc made, by name, hash and capability", lines)
    again, same = run(scratch, modules)
    tap.ok(again.returncode == 0 and same == text, "and is the same the next time")


def test_bad(scratch):
    modules = []
    put_module(scratch, modules, "good")
    put_module(scratch, modules, "bad")
    result, text = run(scratch, modules)
    tap.ok(result.returncode == 1 and not text and "nvcc cannot compile" in result.stderr and
           "bad.cu(3): error: nothing is right" in result.stderr,
           "a program that does not compile is an error that shows nvcc's words", result.stderr)


for test in (test_good, test_bad):
    with tempfile.TemporaryDirectory() as folder:
        nvcc = os.path.join(folder, "nvcc")
        with open(nvcc, "w", encoding="utf-8") as script:
            script.write(NVCC)
        os.chmod(nvcc, 0o755)
        test(folder)
tap.done()
