"""test_cxx.py: every emitted C file is both C11 and C++.

    test_cxx.py [--slice]

gcc and clang compile one folder of each instruction set and language as C++20 without a warning,
and as C++17 without an error (designated initializers are C++20, so -Wpedantic warns). Other
folders come from the same texts: gcc or clang, in turn, compiles them as C++20. As C11 files are
compiled by libspmv's builds, with the same warnings as errors; only those for other CPUs, which gcc
alone compiles there, are compiled as C11 here. A C++ program links and runs with a module that was
compiled as C++. --slice: a few folders, as C++20 by gcc, as C++17 by clang.
"""
import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import tempfile

import manifests
from machines import Machine, tap
from root import ROOT

SLICE = ["aarch64", "generic-c", "pocl", "x86-64-v4"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic"]

# Standards, with the flags that make warnings errors, or none.
STANDARDS = {"c11": [tap.WERROR], "c++17": [], "c++20": [tap.WERROR]}

# Triples of other machines by instruction set; programs of devices have this machine as their host.
TRIPLES = {"neon": "aarch64-linux-gnu"}


def compilers_of(triple):
    """{(name, language): (compiler, flags), or (None, the reason why there is none)}."""
    machine = Machine(triple)
    found = {}
    for name, plus in ("gcc", "g++"), ("clang", "clang++"):
        compiler, flags = machine.find_compiler(name)
        found[name, "c"] = compiler, flags
        if compiler is None:
            found[name, "c++"] = compiler, flags
            continue
        cxx = compiler.replace(name, plus)
        if not shutil.which(cxx):
            found[name, "c++"] = None, f"{cxx} is not installed"
        elif triple and name == "clang":         # emitted files need headers of C alone
            found[name, "c++"] = cxx, [*flags, "-nostdinc++"]
        else:
            found[name, "c++"] = cxx, flags
    return found


def triple_of(folder):
    return next((TRIPLES[m.isa] for m in manifests.read(folder)[1] if m.isa in TRIPLES), None)


def standards_of(folders, is_slice):
    """[(folder, its standards, its compilers)]"""
    if is_slice:
        return [(folder, [standard], [name]) for folder in folders
                for standard, name in (("c++20", "gcc"), ("c++17", "clang"))]
    seen, found, turn = set(), [], 0
    for folder in folders:
        kinds = {(module.backend, module.isa) for module in manifests.read(folder)[1]}
        standards, names = ["c++20"], ["gcc", "clang"]
        if not kinds <= seen:
            standards.insert(0, "c++17")
        else:
            names = [names[turn % 2]]
            turn += 1
        if triple_of(folder):
            standards.insert(0, "c11")
        seen |= kinds
        found.append((folder, standards, names))
    return found


def compile_one(compiler, flags, standard, source):
    """The compiler's messages if it fails, else None."""
    language = "c++" if standard.startswith("c++") else "c"
    done = subprocess.run([compiler, *flags, f"-std={standard}", *WARNINGS, *STANDARDS[standard],
                           "-fsyntax-only", "-x", language, str(source)],
                          capture_output=True, text=True, errors="replace", check=False)
    return done.stderr if done.returncode else None


def test_folder(folder, standards, names, pool):
    triple = triple_of(folder)
    compilers = compilers_of(triple)
    sources = sorted(folder.glob("*.c"))
    for standard in standards:
        for name in names:
            compiler, flags = compilers[name, "c++" if standard.startswith("c++") else "c"]
            if compiler is None:
                tap.skip(f"{folder.name} as {standard}: {flags}")
                continue
            calls = [pool.submit(compile_one, compiler, flags, standard, one) for one in sources]
            wrong = [call.result() for call in calls if call.result()]
            tap.ok(sources and not wrong,
                   f"{folder.name}: {len(sources)} files are {standard} to {compiler}",
                   "".join(wrong)[:3000])


def test_program():
    """Builds and runs examples/vendored.cpp with modules that were compiled as C++."""
    folder = ROOT / "generated/generic-c"
    with tempfile.TemporaryDirectory() as work:
        program = pathlib.Path(work) / "vendored"
        done = subprocess.run(["g++", "-std=c++17", *WARNINGS, "-Wno-c++20-extensions", tap.WERROR,
                               f"-I{folder}", "-x", "c++", ROOT / "examples/vendored.cpp",
                               folder / "spmv_csr5__generic_c.c", "-o", program],
                              capture_output=True, text=True, check=False)
        if not tap.ok(done.returncode == 0, "a program of C++ links with a module as C++",
                      done.stderr[:2000]):
            return
        said = subprocess.run([program], capture_output=True, text=True, check=False)
        tap.ok(said.stdout == "y = 62 74 50 88\n", "and runs", said.stdout + said.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slice", action="store_true", help="a few folders")
    args = parser.parse_args()
    if not shutil.which("g++"):
        tap.skip("g++ is not installed")
        tap.done()
    folders = [m.parent for m in sorted((ROOT / "generated").glob("*/manifest.json"))
               if not args.slice or m.parent.name in SLICE]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for folder, standards, names in standards_of(folders, args.slice):
            test_folder(folder, standards, names, pool)
    test_program()
    tap.done()


if __name__ == "__main__":
    main()
