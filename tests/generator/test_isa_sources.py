"""test_isa_sources.py ROOT: the C files that dialects and instruction sets name compile by
themselves, for each value type, without a warning.

A table states the instructions that its text may use: in its preamble, `#pragma GCC
target("avx2,fma")`, and in the arguments of its parse, "-triple". The compiler gets the same.
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

TARGETS = pathlib.Path(sys.argv[1]) / "targets"
TYPES = ["F32", "F64"]
WARNINGS = ["-Wall", "-Wextra", tap.WERROR]
CLANGS = ["clang-19", "clang-18", "clang-17", "clang-16", "clang"]


def find(names):
    return next((name for name in names if shutil.which(name)), None)


def machine(compiler):
    done = subprocess.run([compiler, "-dumpmachine"], capture_output=True, text=True)
    return done.stdout.split("-")[0]


def opencl(table):
    """Clang with the triple and the language version of the table's parse."""
    words = re.findall(r'"([^"]*)"', re.search(r"\bargs = \{(.*?)\}", table, re.S).group(1))
    clang = find(CLANGS)
    if not clang:
        return [], "needs clang"
    flags = ["-x", "cl", "-target", words[words.index("-triple") + 1], "-nogpulib",
             "-Xclang", "-finclude-default-header"]
    if "-target-cpu" in words:
        flags.append("-mcpu=" + words[words.index("-target-cpu") + 1])
    return [[clang] + flags + [w for w in words if w.startswith("-cl-std=")]], ""


def c(table):
    """gcc and clang, native or for the table's triple."""
    triple = re.search(r'"-triple", "([^-"]*)-', table)
    cpu = triple.group(1) if triple else "x86_64"
    pragma = re.search(r'#pragma GCC target\("([^"]*)"\)', table)
    flags = ["-m" + word for word in pragma.group(1).split(",")] if pragma else []
    native = [name for name in [find(["gcc"]), find(CLANGS)] if name and machine(name) == cpu]
    compilers = native or [name for name in [find([cpu + "-linux-gnu-gcc"])] if name]
    return [[name, "-std=c11"] + flags for name in compilers], f"needs gcc or clang for {cpu}"


def check(source, table):
    commands, reason = opencl(table) if source.suffix == ".cl" else c(table)
    if not commands:
        tap.skip(f"{source.name}: {reason}")
    for command in commands:
        # Clang warns of inline functions of the main file that nothing calls, as intended here.
        quiet = [] if "gcc" in command[0] else ["-Wno-unused-function"]
        for kind in TYPES:
            run = subprocess.run(command + WARNINGS + quiet + ["-DREAL_IS_" + kind,
                                 "-fsyntax-only", str(source)], capture_output=True, text=True)
            tap.ok(run.returncode == 0, f"{source.name} for {kind} by {command[0]}", run.stderr)


seen = 0
for page in sorted([*TARGETS.glob("isa/*.lua"), *TARGETS.glob("dialects/*.lua")]):
    text = page.read_text()
    named = re.search(r'^\s*source = "([^"]*)"', text, re.M)
    if named:
        seen += 1
        check(page.parent / named.group(1), text)
tap.ok(seen > 0, "some tables name C files")
tap.done()
