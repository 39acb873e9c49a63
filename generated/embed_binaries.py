#!/usr/bin/env python3
"""embed_binaries.py --nvcc NVCC --output FILE.c [--symbol NAME] [--bits 32|64] (FOLDER TARGET)...

Compiles the CUDA programs of targets of emitted folders with nvcc and writes them as a C table that
libspmv links (runtime/device/binaries.h). Each binary holds code for the compute capability that
the program states, and PTX for later devices. A program that states none is compiled for the lowest
that nvcc knows. A program for a device that this nvcc no longer or not yet knows is left out, with
a message: its text is compiled when a plan is made. Any other refusal of nvcc is an error, and
nothing is written.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

from program_text import STRING, program_table, program_text, read_source

OLDEST = 52                     # of an nvcc that does not tell, CUDA 11 and 12 know it


def programs(folder, target):
    """(symbol, hash, capability, options, name, text of the program) of each module for CUDA."""
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as manifest:
        methods = json.load(manifest)["methods"]
    for method in methods:
        if method["backend"] != "cuda" or method["target"] != target:
            continue
        path = os.path.join(folder, method["file"])
        source = read_source(path)
        for module in method["modules"]:
            types = module["value_type"], module["offset_type"]
            table = program_table(source, *types)
            options = re.search(rf"^    \.options = {STRING},$", table, flags=re.M)
            text = program_text(source, *types)
            if not options or not text:
                sys.exit(f"embed_binaries.py: {path} holds no program of {module['symbol']}; emit "
                         "it without --program-files")
            capability = re.search(r"^    \.capability = (\d+),$", table, flags=re.M)
            yield (module["symbol"], module["source_hash"],
                   int(capability[1]) if capability else 0, options[1].split(), path, text)


def least_known(nvcc):
    """The least compute capability that it compiles for."""
    result = subprocess.run([nvcc, "--list-gpu-arch"], capture_output=True, text=True, check=False)
    known = [int(number) for number in re.findall(r"^compute_(\d+)$", result.stdout, flags=re.M)]
    return min(known, default=OLDEST)


def compile_program(args, capability, options, program, text, output):
    """The bytes; None: nvcc does not know the device."""
    source = output + ".cu"
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    result = subprocess.run(
        [args.nvcc, "-fatbin", "-x", "cu", f"-m{args.bits}", *options, "-gencode",
         f"arch=compute_{capability},code=[sm_{capability},compute_{capability}]", "-o", output,
         source], capture_output=True, text=True, check=False)
    if result.returncode == 0:
        with open(output, "rb") as file:
            return file.read()
    said = result.stdout + result.stderr
    if re.search(r"unsupported gpu architecture", said, flags=re.I):
        return None
    raise SystemExit(f"embed_binaries.py: nvcc cannot compile {program} for compute capability "
                     f"{capability // 10}.{capability % 10}:\n{said}")


def c_array(name, data):
    lines = [f"static const _Alignas(8) unsigned char {name}[] = {{"]
    for start in range(0, len(data), 20):
        lines.append("    " + ",".join(str(byte) for byte in data[start:start + 20]) + ",")
    return "\n".join(lines) + "\n};\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--symbol", default="spmv_cuda_binaries")
    parser.add_argument("--bits", default="64")
    parser.add_argument("targets", nargs="+", metavar="FOLDER TARGET")
    args = parser.parse_args()
    arrays, entries = [], []
    least = least_known(args.nvcc)
    todo = [program for pair in zip(args.targets[::2], args.targets[1::2])
            for program in programs(*pair)]
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as crew:
        binaries = crew.map(lambda i: compile_program(args, todo[i][2] or least, *todo[i][3:],
                                                      os.path.join(scratch, f"{i}.fatbin")),
                            range(len(todo)))
        for (symbol, source_hash, capability, _, program, _), data in zip(todo, binaries):
            used = capability or least
            if data is None:
                print(f"{program}: this nvcc does not know compute capability "
                      f"{used // 10}.{used % 10}; its text is compiled when it is used")
                continue
            arrays.append(c_array(f"binary_{len(arrays)}", data))
            entries.append(f'    {{ "{symbol}", UINT64_C(0x{source_hash}), {used}, '
                           f"binary_{len(entries)}, {len(data)} }},\n")
    text = ('/* Programs of emitted modules, compiled by nvcc: by embed_binaries.py, when the '
            'library is built. */\n#include "runtime/device/binaries.h"\n\n' + "\n".join(arrays) +
            f"\nextern const spmv_binary {args.symbol}[];\n\n"
            f"const spmv_binary {args.symbol}[] = {{\n" +
            "".join(entries) + "    { NULL, 0, 0, NULL, 0 },\n};\n")
    with open(args.output, "w", encoding="utf-8") as file:
        file.write(text)


main()
