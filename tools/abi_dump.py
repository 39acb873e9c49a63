#!/usr/bin/env python3
"""abi_dump.py [--root ROOT] [--compiler COMMAND] OUTPUT: writes libspmv's ABI to a file.

Compiles the files that define exported functions, with debug information, and lets abidw (Debian:
abigail-tools) list these functions and the types of the two public headers. Paths in the output are
relative to ROOT; compiler, time and machine leave no trace in it. CONTRIBUTING.md says when to
write tests/runtime/libspmv-*.abi again.
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HEADERS = ("spmv.h", "spmv_module.h")
ABIDW_OPTIONS = ("--drop-private-types", "--exported-interfaces-only", "--no-corpus-path",
                 "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed")


def run(command, folder):
    """Runs a command in a folder; a RuntimeError has the output of one that fails."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{command[0]} failed with exit code {result.returncode}:\n"
                           + result.stdout[-2000:] + result.stderr[-2000:])


def exporting_sources(root):
    """The files that define a function which runtime/spmv.map lists."""
    script = (root / "runtime" / "spmv.map").read_text(encoding="utf-8")
    names = "|".join(re.findall(r"\b(spmv_\w+);", script))
    definition = re.compile(rf"^\w[\w *]*\b(?:{names})\(", re.M)
    return [str(path.relative_to(root)) for path in sorted(root.glob("runtime/**/*.c"))
            if definition.search(path.read_text(encoding="utf-8"))]


def write_dump(root, compiler, output):
    """root: the folder that holds runtime/. compiler: a command, as a list."""
    build = (root / "runtime" / "meson.build").read_text(encoding="utf-8")
    soname = "libspmv.so." + re.search(r"soversion: '(\d+)'", build)[1]
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        library = scratch / "libspmv.so"
        run([*compiler, "-std=c11", "-g", "-O0", "-w", "-fPIC", "-shared", "-fvisibility=hidden",
             "-I.", *exporting_sources(root), "-o", str(library), "-Wl,-soname," + soname,
             "-Wl,--version-script=runtime/spmv.map"], root)
        # abidw takes a folder of public headers, and runtime/ has others in its folders.
        public = scratch / "public"
        public.mkdir()
        for header in HEADERS:
            shutil.copy(root / "runtime" / header, public)
        run(["abidw", "--headers-dir", str(public), *ABIDW_OPTIONS,
             "--out-file", str(output), str(library)], root)


def main():
    parser = argparse.ArgumentParser(description="Writes libspmv's ABI to a file.")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[1],
                        help="the tree whose runtime/ is compiled (default: this script's)")
    parser.add_argument("--compiler", default="cc", help="the C compiler's command (default: cc)")
    parser.add_argument("output", type=pathlib.Path)
    options = parser.parse_args()
    if shutil.which("abidw") is None:
        sys.exit("abi_dump.py: abidw was not found: install abigail-tools")
    try:
        write_dump(options.root.resolve(), shlex.split(options.compiler), options.output.resolve())
    except RuntimeError as error:
        sys.exit(f"abi_dump.py: {error}")


if __name__ == "__main__":
    main()
