"""test_wrapper.py BUILD SANITIZE: runtime/spmv.hpp in C++17 and C++20, by g++ and clang++.

Each compiler builds wrapper.cpp, whose cases it runs, and examples/quick.cpp, by the warnings of
strict programs. They link the libspmv of the build. Programs that pass temporaries do not compile.
"""
import pathlib
import shutil
import sys
import tempfile

from example import run, said, tap

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow",
            "-Wold-style-cast", tap.WERROR]


def relay(name, done):
    lines = done.stdout.splitlines()
    for line in lines:
        if line.startswith(("ok", "not ok")):
            tap.ok(line.startswith("ok"), f"{name}: {line.split(' - ', 1)[1]}")
    tap.ok(done.returncode == 0 and lines and lines[-1] == f"1..{len(lines) - 1}",
           f"{name}: the cases run to their end", said(done))


def test_compiler(compiler, standard, library, scratch):
    name = f"{compiler}, C++{standard}"
    program = f"{scratch}/program"
    for source in "tests/examples/wrapper.cpp", "examples/quick.cpp":
        done = run(compiler, f"-std=c++{standard}", "-pedantic-errors", *WARNINGS, "-c", source,
                   "-Iruntime", "-o", program + ".o")
        base = pathlib.Path(source).name
        if not tap.ok(done.returncode == 0, f"{name}: {base} compiles without warnings",
                      said(done)):
            continue
        done = run(compiler, program + ".o", library, f"-Wl,-rpath,{library.parent}", "-o", program)
        if not tap.ok(done.returncode == 0, f"{name}: {base} links", said(done)):
            continue
        done = run(program)
        if base == "wrapper.cpp":
            relay(name, done)
        else:
            tap.ok(done.returncode == 0 and done.stdout == "y = 62 74 50 88\n",
                   f"{name}: {base} prints its result", said(done))


def test_temporaries(compiler, standard):
    """A temporary that owns its elements is refused in each place, by a text that says why."""
    arrays = ["offsets", "columns", "val"]
    for i, array in enumerate(arrays):
        passed = ", ".join(arrays[:i] + [f"std::vector({array})"] + arrays[i + 1:])
        done = run(compiler, f"-std=c++{standard}", "-fsyntax-only", "-Iruntime",
                   f"-DARRAYS={passed}", "tests/examples/wrapper.cpp")
        tap.ok(done.returncode != 0 and "give it a name that lives as long" in done.stderr,
               f"{compiler}, C++{standard}: a temporary for {array} is refused", said(done))


def main():
    build, sanitize = sys.argv[1:]
    clang = "clang++" if shutil.which("clang++") else "clang++-19"
    compilers = [c for c in ("g++", clang) if shutil.which(c)]
    if sanitize != "none":
        tap.skip("a library with sanitizers needs a program with the same: " + sanitize)
        tap.done()
    for compiler in sorted({"g++", clang} - set(compilers)):
        tap.skip(f"{compiler} is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        for compiler in compilers:
            test_temporaries(compiler, "17")
            for standard in "17", "20":
                test_compiler(compiler, standard,
                              pathlib.Path(build).resolve() / "runtime/libspmv.so", scratch)
    tap.done()


main()
