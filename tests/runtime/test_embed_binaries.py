"""test_embed_binaries.py SCRIPT INCLUDE CC...: generated/embed_binaries.py, with a fake nvcc whose
output is its arguments."""
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
esac
for word; do
    case ${before-} in
    -o) out=$word ;;
    *) case $word in -o | *.cu) ;; *) all="$all $word" ;; esac ;;
    esac
    before=$word
done
text=$(cat "$before")
case $text in *bad*) echo "bad.cu(3): error: nothing is right" >&2; exit 2 ;; esac
printf '%s %s' "$all" "$text" >"$out"
"""

# The program in a module's file: the texts of its parts, which modules share, and their tables.
TEXT = """static const char *const module_text{suffix}[] = {{
{lines}}};

"""
PROGRAM = """static const spmv_program_part module_parts{suffix}[] = {{
{parts}}};

static const spmv_program module_program{suffix} = {{
    .language = "cuda",
    .parts = module_parts{suffix},
    .options = "{options}",
{capability}}};

"""


def put_method(folder, methods, name, texts=None, types=(("f64", "i32"),), backend="cuda",
               capability=0, options="--fmad=false"):
    """texts: the C strings of each part by its suffix."""
    stated = f"    .capability = {capability},\n" if capability else ""
    texts = {"": [name + "\\n"]} if texts is None else texts
    source = "".join(TEXT.format(suffix=suffix, lines="".join(f'    "{line}",\n' for line in lines))
                     for suffix, lines in texts.items())
    modules = []
    for value, offset in types:
        serving = [s for s in texts if set(s.split("_")[1:]) <= {value, offset}]
        parts = "".join(f"    {{ module_text{s}, {len(texts[s])} }},\n" for s in serving)
        source += PROGRAM.format(suffix=f"_{value}_{offset}" if len(types) > 1 else "",
                                 options=options, capability=stated, parts=parts)
        modules.append({"symbol": f"{name}_{value}_{offset}", "value_type": value,
                        "offset_type": offset,
                        "source_hash": f"{16 * len(methods) + len(modules) + 1:016x}"})
    with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
        file.write(source)
    methods.append({"backend": backend, "target": "gpu", "file": name + ".c", "program": None,
                    "modules": modules})


def run(scratch, methods):
    with open(os.path.join(scratch, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"methods": methods}, file)
    output = os.path.join(scratch, "out.c")
    result = subprocess.run([sys.executable, SCRIPT, "--nvcc", os.path.join(scratch, "nvcc"),
                             "--output", output, scratch, "gpu"], capture_output=True, text=True,
                            check=False)
    text = ""
    if os.path.exists(output):
        with open(output, encoding="utf-8") as file:
            text = file.read()
    return result, text


PRINTS = """#include "runtime/device/binaries.h"
#include <stdio.h>
extern const spmv_binary spmv_cuda_binaries[];
int main(void)
{
    for (const spmv_binary *b = spmv_cuda_binaries; b->module != NULL; b++)
        printf("%s %d %d:%.*s\\n", b->module, (int)b->source_hash, (int)b->capability,
               (int)b->bytes, (const char *)b->image);
    return 0;
}
"""


def test_good(scratch):
    methods = []
    put_method(scratch, methods, "first", capability=90, options="--fmad=false --std=c++11")
    put_method(scratch, methods, "other", backend="opencl")
    put_method(scratch, methods, "shared",
               {"": ["all\\t\\042"], "_f32": [" single"], "_i64": [" wide"],
                "_f64": [" double\\\\"], "_f64_i64": [" both"]},
               [("f32", "i64"), ("f64", "i32"), ("f64", "i64")])
    put_method(scratch, methods, "old", capability=32)
    result, text = run(scratch, methods)
    tap.ok(result.returncode == 0 and text, "a folder is compiled", result.stderr)
    tap.ok("old.c: this nvcc does not know compute capability 3.2" in result.stdout,
           "a program for a device that nvcc does not know is skipped with a message",
           result.stdout)
    with open(os.path.join(scratch, "print.c"), "w", encoding="utf-8") as file:
        file.write(PRINTS)
    built = subprocess.run([*CC, "-std=c11", "-Wall", "-Wextra", "-Wmissing-prototypes", tap.WERROR,
                            "-I", INCLUDE, "-I", os.path.dirname(INCLUDE),
                            "-o", os.path.join(scratch, "print"),
                            os.path.join(scratch, "print.c"), os.path.join(scratch, "out.c")],
                           capture_output=True, text=True, check=False)
    tap.ok(built.returncode == 0, "the table compiles", built.stderr)
    lines = subprocess.run([os.path.join(scratch, "print")], capture_output=True, text=True,
                           check=False).stdout.splitlines() if built.returncode == 0 else []
    asked = "-fatbin -x cu -m64 --fmad=false{} -gencode arch=compute_{},code=[sm_{},compute_{}]"
    least = asked.format("", 60, 60, 60)
    expected = [
        f"first_f64_i32 1 90: {asked.format(' --std=c++11', 90, 90, 90)} first",
        f'shared_f32_i64 33 60: {least} all\t" single wide',
        f'shared_f64_i32 34 60: {least} all\t" double\\',
        f'shared_f64_i64 35 60: {least} all\t" wide double\\ both',
    ]
    tap.ok(lines == expected,
           "it holds nvcc's output for each module's text, by name, hash and capability",
           "\n".join(lines))
    again, same = run(scratch, methods)
    tap.ok(again.returncode == 0 and same == text, "and is the same the next time")


def test_bad(scratch):
    methods = []
    put_method(scratch, methods, "good")
    put_method(scratch, methods, "bad")
    result, text = run(scratch, methods)
    tap.ok(result.returncode == 1 and not text and "nvcc cannot compile" in result.stderr and
           "bad.cu(3): error: nothing is right" in result.stderr,
           "a program that does not compile is an error that shows nvcc's message", result.stderr)


def test_no_text(scratch):
    methods = []
    put_method(scratch, methods, "apart", {})
    result, text = run(scratch, methods)
    tap.ok(result.returncode == 1 and not text and
           "holds no program of apart_f64_i32; emit it without --program-files" in result.stderr,
           "a program in a file of its own is an error that says what to do", result.stderr)


for test in (test_good, test_bad, test_no_text):
    with tempfile.TemporaryDirectory() as folder:
        nvcc = os.path.join(folder, "nvcc")
        with open(nvcc, "w", encoding="utf-8") as script:
            script.write(NVCC)
        os.chmod(nvcc, 0o755)
        test(folder)
tap.done()
