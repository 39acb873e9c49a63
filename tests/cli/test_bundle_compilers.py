#!/usr/bin/env python3
"""test_bundle_compilers.py SPMVGEN ROOT: bundles of every method, by every compiler and in the ways
of their README."""
import shutil

import cli
from bundles import (BOUNDS, CC, CXX, EVERY, ONE, OPENMP, STRICT, TYPICAL, X86, check_readme,
                     check_size, check_symbols, command, good, links, readme_block)
from cli import check, run, tap


def test_compilers():
    """Only -O3 finds warnings of data flow and loops that are not unrolled, only -O0 functions that
    exist by optimisation alone. Other warnings, and errors of a language, need no code. Code of the
    other row pointers would be the same but for a type."""
    holder, path = cli.folder()
    with holder:
        done = run(path, *(TYPICAL if X86 else EVERY), "--offsets", "i32", "--bundle", "out")
        check(good(done), "the bundle is emitted", done)
        c = [[*CC]] + [[name] for name in ("clang-19",) if shutil.which(name)]
        cxx = [[*CXX]] + [[name] for name in ("clang++-19",) if shutil.which(name)]
        for compiler in c:
            for level in ("-O0", "-O3"):
                built = command(path, *compiler, "-std=c11", level, *STRICT, "-c",
                                "out/spmv_kernels.c", "-o", "c.o")
                check(good(built), f"{compiler[-1]} compiles it as C11 with {level}", built)
        for compiler in cxx:
            for standard, options in (("c++17", ["-fsyntax-only"]), ("c++20", ["-O0", *STRICT])):
                built = command(path, *compiler, f"-std={standard}", *options, "-x", "c++",
                                "-c", "out/spmv_kernels.c", "-o", "cxx.o")
                check(good(built), f"{compiler[-1]} compiles it as {standard}"
                      f"{' without a warning' if STRICT[0] in options else ''}", built)
        built = command(path, *CC, "-fsyntax-only", *STRICT, "-Wconversion",
                        "-Wno-sign-conversion", "-Wshadow", "out/spmv_kernels.c")
        check(good(built), "more warnings find nothing", built)


def test_one_type():
    """Names carry no type then, and in a bundle of one method no method: they could be those of the
    runtime."""
    holder, path = cli.folder()
    with holder:
        methods = sorted(p.parent.name for p in (cli.ROOT / "templates").glob("*/simd.c"))
        for method in ((), *(("-m", m) for m in methods)):
            options = (*EVERY, *method, "--type", "f64", "--offsets", "i32")
            shutil.rmtree(path / "out", ignore_errors=True)
            done = run(path, *options, "--bundle", "out")
            built = command(path, *CC, "-std=c11", "-fsyntax-only", *STRICT, "out/spmv_kernels.c")
            check(good(done) and good(built), f"a bundle of one type compiles: {' '.join(method)}",
                  done, built)


def test_windows():
    holder, path = cli.folder()
    with holder:
        if not X86:
            tap.skip("the kernels are for x86-64")
            return
        cross = "x86_64-w64-mingw32-gcc"
        if not shutil.which(cross):
            tap.skip(f"{cross} is not installed (package gcc-mingw-w64-x86-64)")
            return
        run(path, *TYPICAL, "--bundle", "out")
        built = command(path, cross, "-std=c11", "-O0", "-Wall", "-Wextra", tap.WERROR, "-c",
                        "out/spmv_kernels.c", "-o", "c.o")
        check(good(built), "MinGW compiles it", built)
        (path / "main.c").write_text(readme_block(path / "out", "c"))
        built = command(path, cross, "-O1", "-Iout", "main.c", "c.o", "-o", "main.exe")
        check(good(built), "and links a program", built)


def test_architectures():
    holder, path = cli.folder()
    with holder:
        done = run(path, "--target", "x86-64-v3,aarch64", "-m", "csr_vector", "-m", "strips",
                   "--bundle", "out")
        check(good(done), "a bundle may have targets of several architectures", done)
        for compiler in ([*CC], ["aarch64-linux-gnu-gcc"], ["arm-linux-gnueabihf-gcc"]):
            if not shutil.which(compiler[-1]):
                tap.skip(f"{compiler[-1]} is not installed")
                continue
            built = command(path, *compiler, "-std=c11", "-O0", *STRICT, "-c",
                            "out/spmv_kernels.c", "-o", "c.o")
            if compiler[-1].startswith("arm-"):
                check(not good(built) and "no target of this bundle is for this CPU" in built.err,
                      "another architecture is an error of the preprocessor", built)
            else:
                check(good(built), f"{compiler[-1]} compiles it", built)


def test_program():
    """Every method, type and kind of offsets, with and without threads, against plain loops."""
    holder, path = cli.folder()
    with holder:
        run(path, *(("--target", "generic-c,x86-64-v3") if X86 else EVERY), "--bundle", "out")
        shutil.copy(cli.HERE / "bundle_user.c", path / "user.c")
        openmp = OPENMP if links(path, *OPENMP) else []
        for options in (["-O0"], ["-O0", "-flto", *openmp]):
            built = command(path, *CC, "-std=c11", *options, "-Wall", "-Wextra", tap.WERROR,
                            "-Iout", "user.c", "out/spmv_kernels.c", "-lm", "-o", "user")
            ran = command(path, "./user") if good(built) else built
            check(good(ran), f"a program gets the right results, with {' '.join(options)}",
                  built, ran)


check_size(*BOUNDS[1:])
check_readme("", *ONE, by_tools=True)
check_symbols(*EVERY)
test_compilers()
test_one_type()
test_windows()
test_architectures()
test_program()
tap.done()
