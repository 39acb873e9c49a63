#!/usr/bin/env python3
"""test_template_files.py --compiler CC: every file of templates/ compiles on its own, as it stands.

A method's entries are simd.c, simt.c and host.c. Every other file is a header, which includes what
it needs and has a guard. A file compiles with the default parameters of its method; one that
several methods share compiles with the parameters of all methods.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
ENTRIES = ("simd.c", "simt.c", "host.c")
SHARED = ("prelude", "common")
# Up to version 13, gcc only warns of a call of an undeclared function.
FLAGS = ["-std=c11", "-fsyntax-only", "-Werror=implicit-function-declaration",
         "-Werror=implicit-int", "-Werror=int-conversion"]


def parameters_of_all(folder):
    """Writes a params.h with each enumerator of the methods' own."""
    values = {}
    for path in sorted(TEMPLATES.glob("*/params.h")):
        for name, value in re.findall(r"^ {4}([A-Z]\w*) = (-?\d+)", path.read_text(), re.M):
            values.setdefault(name, value)
    body = "".join(f"    {name} = {value},\n" for name, value in values.items())
    (folder / "params.h").write_text(
        "#ifndef ALL_PARAMS_H\n#define ALL_PARAMS_H\n\ntypedef f64 real;\ntypedef i32 offset;\n\n"
        f"enum {{\n{body}}};\n\n#endif\n")


def compile_alone(compiler, path, parameters, times):
    """The compiler's messages for a file that only includes this file, `times` times."""
    text = f'#include "{path}"\n' * times
    command = [*compiler, *FLAGS, f"-I{parameters}", f"-I{ROOT / 'runtime'}", "-x", "c", "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stderr[:2000] or "no message"


def late_includes(text):
    """Includes that follow a declaration other than an enumerator, which may be a shared header's
    parameter."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    code = re.sub(r"\benum \{[^}]*\};", "", code)
    begun = False
    for line in code.splitlines():
        begun = begun or bool(line.strip()) and not line.startswith("#")
        if begun and line.startswith("#include"):
            yield line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", nargs="+", default=["cc"])
    compiler = parser.parse_args().compiler
    with tempfile.TemporaryDirectory() as work:
        parameters_of_all(Path(work))
        for path in sorted(TEMPLATES.glob("*/*.[ch]")):
            name = f"{path.parent.name}/{path.name}"
            is_entry = path.name in ENTRIES
            tap.ok(is_entry or path.suffix == ".h", f"{name}: is an entry or a header")
            parameters = work if path.parent.name in SHARED else path.parent
            said = compile_alone(compiler, path, parameters, 1 if is_entry else 2)
            tap.ok(not said, f"{name}: compiles on its own" + ("" if is_entry else ", twice"), said)
            late = list(late_includes(path.read_text()))
            tap.ok(not late, f"{name}: includes stand first", "\n".join(late))
    tap.done()


main()
