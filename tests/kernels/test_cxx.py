"""test_cxx.py: every emitted C file is both C11 and C++.

gcc and clang compile one target of each instruction set and language as C++20 without a warning,
and as C++17 without an error (designated initializers are C++20, so -Wpedantic warns). Other
targets come from the same texts: gcc or clang, in turn, compiles them as C++20. As C11 files are
compiled by libspmv's builds, with the same warnings as errors; only those for other CPUs, which gcc
alone compiles there, are compiled as C11 here. A C++ program links and runs with a module that was
compiled as C++.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import tempfile

from machines import Machine, tap
from root import ROOT  # makes select_targets importable
import select_targets

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


def standards_of(targets):
    """[(target, its standards, its compilers)]"""
    seen, found, turn = set(), [], 0
    for target in targets:
        kind = target.backend, target.isa
        standards, names = ["c++20"], ["gcc", "clang"]
        if kind not in seen:
            standards.insert(0, "c++17")
        else:
            names = [names[turn % 2]]
            turn += 1
        if target.isa in TRIPLES:
            standards.insert(0, "c11")
        seen.add(kind)
        found.append((target, standards, names))
    return found


def compile_one(compiler, flags, standard, source):
    """The compiler's messages if it fails, else None."""
    language = "c++" if standard.startswith("c++") else "c"
    done = subprocess.run([compiler, *flags, f"-std={standard}", *WARNINGS, *STANDARDS[standard],
                           "-fsyntax-only", "-x", language, str(source)],
                          capture_output=True, text=True, errors="replace", check=False)
    return done.stderr if done.returncode else None


def test_target(target, standards, names, pool):
    compilers = compilers_of(TRIPLES.get(target.isa))
    sources = sorted(target.folder.glob(f"*__{target.name.replace('-', '_')}.c"))
    for standard in standards:
        for name in names:
            compiler, flags = compilers[name, "c++" if standard.startswith("c++") else "c"]
            if compiler is None:
                tap.skip(f"{target.name} as {standard}: {flags}")
                continue
            calls = [pool.submit(compile_one, compiler, flags, standard, one) for one in sources]
            wrong = [call.result() for call in calls if call.result()]
            tap.ok(len(sources) == len(target.methods) + 1 and not wrong,
                   f"{target.name}: {len(sources)} files are {standard} to {compiler}",
                   "".join(wrong)[:3000])


def test_program():
    """Builds and runs examples/vendored.cpp with modules that were compiled as C++."""
    folder = ROOT / "generated/c"
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
    if not shutil.which("g++"):
        tap.skip("g++ is not installed")
        tap.done()
    targets = [target for _, target in sorted(select_targets.committed().items())]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for target, standards, names in standards_of(targets):
            test_target(target, standards, names, pool)
    test_program()
    tap.done()


if __name__ == "__main__":
    main()
