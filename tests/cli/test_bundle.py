#!/usr/bin/env python3
"""test_bundle.py SPMVGEN ROOT [whole]: bundles, one header and one source with kernels and runtime.
Without `whole` it tries one compiler, and bundles of one method."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import cli
from bundles import CC, CXX, EVERY, STRICT, command, good, readme_block, symbols
from cli import check, run, tap

TYPICAL = ("--target", "x86-64-v3,x86-64-v4", "--type", "f64", "-m", "strips", "-m", "csr_vector",
           "-m", "csr_adaptive")
ONE = (*EVERY, "-m", "csr_vector")
WHOLE = len(sys.argv) > 3
X86 = os.uname().machine == "x86_64"


def links(path, *options):
    """Whether the compiler makes a program with these options."""
    (path / "empty.c").write_text("int main(void) { return 0; }\n")
    return good(command(path, *CC, *options, "empty.c", "-o", "empty"))


OPENMP = ["-fopenmp"]
CLASH = "spmv_each_bundle_needs_option_prefix"
program = (cli.HERE / "bundle_user.c").read_text()


# ---- what is written -------------------------------------------------------------------------

def test_files():
    holder, path = cli.folder()
    with holder:
        done = run(path, *TYPICAL, "--bundle", "out")
        check(good(done) and cli.names(path / "out") ==
              ["LICENSE", "README.md", "manifest.json", "spmv_kernels.c", "spmv_kernels.h"],
              "a bundle is a header, a source, LICENSE, README and the manifest", done)
        source = (path / "out/spmv_kernels.c").read_text()
        header = (path / "out/spmv_kernels.h").read_text()
        check("_f32(" not in header and "float *" not in header and "_f64_i64(" in header,
              "the header has the types of the bundle alone")
        check(max(map(len, (source + header).splitlines())) <= 100,
              "no line is longer than 100 columns",
              *[l for l in (source + header).splitlines() if len(l) > 100][:5])
        check("SPMV_BUNDLE" not in source + header and '#include "runtime' not in source,
              "nothing of how it was put together is left")
        check("--target x86-64-v3 --target x86-64-v4" in source and "--bundle DIR" in source,
              "the banner has the command")
        run(path, "--target", "generic-c,x86-64-v2", "--type", "f64", "--offsets", "i32",
            "--bundle", "many")
        banner = (path / "many/spmv_kernels.c").read_text().split("*/")[0]
        check(max(map(len, banner.splitlines())) <= 100 and
              "Targets: generic-c, x86-64-v2. Methods: csr5, " in banner and "symmetric." in banner,
              "a long list of methods is wrapped", banner)
        again = run(path, *TYPICAL, "--bundle", "out", "-v")
        check(good(again) and "up to date" in again.out, "a second run changes nothing", again)
        before = cli.contents(path / "out")
        other = run(path, *TYPICAL, "--bundle", "elsewhere", "-j", "1")
        now = cli.contents(path / "elsewhere")
        check(good(other) and {k: v for k, v in before.items() if ".spmvgen" not in k} ==
              {k: v for k, v in now.items() if ".spmvgen" not in k},
              "the files do not depend on folder and threads", other)
        some = run(path, *TYPICAL[:-2], "--bundle", "out")
        methods = {m["method"] for m in json.loads((path / "out/manifest.json").read_text())
                   ["methods"]}
        check(good(some) and methods == {"strips", "csr_vector"},
              "a bundle has the methods of the last run alone", some)


def gcc_version():
    """The major version of a gcc; 0: the compiler is another."""
    result = subprocess.run([*CC, "-dM", "-E", "-"], input="", capture_output=True, text=True,
                            check=False)
    defined = dict(re.findall(r"^#define (\w+) (.*)$", result.stdout, re.M))
    return 0 if "__clang__" in defined else int(defined.get("__GNUC__", 0))


def test_size():
    """Bounds that users of the typical bundle were promised, in bytes; those of code for each gcc
    that was tried. gcc 14 inlines more than gcc 12: the same bundle has 4 % more code."""
    holder, path = cli.folder()
    with holder:
        least = ("--offsets", "i32", "--one-vector", "--set", "strips.narrow_values=no")
        bounds = [(least, 520_000, {12: 125_000, 14: 130_000}),
                  (("--offsets", "i32"), 660_000, {12: 300_000, 14: 300_000}),
                  ((), 690_000, {12: 320_000, 14: 320_000})]
        gcc = gcc_version()
        for options, text, by_gcc in bounds[:2 + WHOLE]:
            done = run(path, *TYPICAL, *options, "--bundle", "out")
            size = sum((path / "out" / f"spmv_kernels.{e}").stat().st_size for e in "ch")
            check(good(done) and size <= text,
                  f"the typical bundle is at most {text} bytes of text", done, size)
            if not X86 or gcc not in by_gcc:
                tap.skip("bytes of code are known for x86-64 by gcc 12 and 14")
                continue
            code = by_gcc[gcc]
            built = command(path, *CC, "-O2", "-c", "out/spmv_kernels.c", "-o", "kernels.o")
            sizes = command(path, "size", "-A", "kernels.o")
            total = sum(int(m) for m in re.findall(r"^\.(?:text|rodata|data|bss)\S*\s+(\d+)",
                                                   sizes.out, re.M))
            check(good(built) and 0 < total <= code,
                  f"and at most {code} bytes of code and data by gcc {gcc}", built, total)


# ---- compilers -------------------------------------------------------------------------------

def test_compilers():
    """Only -O3 finds warnings of data flow and loops that are not unrolled, only -O0 functions that
    exist by optimisation alone. Other warnings, and errors of a language, need no code."""
    holder, path = cli.folder()
    with holder:
        done = run(path, *(TYPICAL if X86 else EVERY), "--bundle", "out")
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
        for method in ((), *(("-m", m) for m in methods)) if WHOLE else ((),):
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


# ---- the README ------------------------------------------------------------------------------

def test_readme(name, *options, every_way=False):
    holder, path = cli.folder()
    with holder:
        run(path, *options, "--bundle", "out")
        out = path / "out"
        (out / "main.c").write_text(readme_block(out, "c"))
        (out / "Makefile").write_text(readme_block(out, "make"))
        (out / "meson.build").write_text(readme_block(out, "meson"))
        (out / "CMakeLists.txt").write_text(readme_block(out, "cmake"))
        line = readme_block(out, "sh").strip()
        ways = [("cc", [shlex.split(line.replace("cc ", " ".join(CC) + " ", 1))], "./main"),
                ("make", [["make", f"CC={' '.join(CC)}"]], "./main"),
                ("meson", [["meson", "setup", "build-meson"], ["ninja", "-C", "build-meson"]],
                 "build-meson/main"),
                ("cmake", [["cmake", "-B", "build-cmake"], ["cmake", "--build", "build-cmake"]],
                 "build-cmake/main")]
        for way, commands, result in ways:
            if way != "cc" and not every_way:
                continue
            if way != "cc" and not shutil.which(way):
                tap.skip(f"{way} is not installed")
                continue
            for words in commands:
                done = command(out, *words)
                if not good(done):
                    break
            ran = command(out, result) if good(done) else done
            check(good(ran) and ran.out == "7 6 7\n",
                  f"the program of the README {name} builds by {way} and prints 7 6 7", done, ran)
            if way == "cmake":
                flags = command(out, "grep", "-r", "C_FLAGS", "build-cmake/CMakeFiles/main.dir")
                check(good(flags) and "-O" in flags.out,
                      f"the README {name} has CMake optimise by default", flags)
            for left in ("main", "main.o", "spmv_kernels.o"):
                (out / left).unlink(missing_ok=True)


def missing_names(header):
    """What the comments of a header name, and its code lacks."""
    known = re.findall(r"\w+", re.sub(r"/\*.*?\*/", " ", header, flags=re.S))
    named = {member or name for comment in re.findall(r"/\*.*?\*/", header, re.S)
             for member, name in re.findall(r"\b(?:options|\w+_info)\.(\w+)|\b(spmv_\w+|SPMV_\w+)",
                                            comment)} - {"spmv_kernels"}
    return {name for name in named
            if name not in known and not (name.endswith("_") and
                                          any(word.startswith(name) for word in known))}


def test_names():
    check(missing_names("/* spmv_f, spmv_g_..., options.a, options.b */ spmv_g_f64(a)") ==
          {"spmv_f", "b"}, "names that a header lacks are found")
    holder, path = cli.folder()
    with holder:
        for options in (EVERY, (*EVERY, "--static"), ("--target", "generic-cuda"),
                        ("--target", "generic-opencl")):
            folder = path / "-".join(options[1:])
            done = run(path, *options, "-m", "csr_scalar", "--bundle", folder)
            missing = missing_names((folder / "spmv_kernels.h").read_text())
            check(good(done) and not missing,
                  f"{folder.name}: the header has what its comments name", done, missing)


def test_text():
    """Comments and headings of a bundle are for its users, who have no other file."""
    holder, path = cli.folder()
    with holder:
        run(path, *TYPICAL, "--bundle", "out")
        header, code = ((path / f"out/spmv_kernels.{kind}").read_text() for kind in "hc")
        text = "".join(line for line in (header + code).splitlines(True)
                       if not line.startswith("#include"))
        # spmv_module.h stands in an assertion of the contract, which its hash covers.
        files = set(re.findall(r"\b[a-z_/]+\.[ch]\b", text)) - {
            "spmv_kernels.h", "spmv_kernels.c", "spmv_module.h"}
        check(not files, "a bundle names no file that it lacks", files)
        check("\n\n\n" not in header + code, "no two lines in a row are empty")
        check(all(f"/* ---- {title}" in code for title in
                  ("the kernels", "the modules' tables", "creating a plan in stages")),
              "the parts of the C file have headings")
        check(header.count("creating a matrix --") == 1 and "*/\n/*" not in header,
              "the header has each heading once, and no comment follows another")


# ---- what a program sees ---------------------------------------------------------------------

def test_symbols():
    holder, path = cli.folder()
    with holder:
        run(path, *(EVERY if WHOLE else ONE), "--bundle", "out")
        command(path, *CC, "-O0", "-c", "out/spmv_kernels.c", "-o", "kernels.o")
        header = (path / "out/spmv_kernels.h").read_text()
        declared = set(re.findall(r"^[a-z].*?\b\*?(spmv_\w+)\(", header, re.M)) - {
            "spmv_run_part", "spmv_parallel_for"} | {CLASH}
        found = symbols(path, "--defined-only", "-g", "kernels.o")
        check(found == declared, "the object has what the header declares, and a name for errors",
              found ^ declared)
        needed = symbols(path, "-u", "kernels.o")
        banned = {n for n in needed if re.match(
            r"(f?printf|puts|fopen|open|read|write|getenv|secure_getenv|exit|abort|pthread_\w+|"
            r"dlopen|__printf_chk|__fprintf_chk)$", n)}
        check(not banned, "it opens no file, reads no environment and prints nothing", banned)


def test_prefixes():
    holder, path = cli.folder()
    with holder:
        for prefix in ("one", "Two"):
            done = run(path, *EVERY, "-m", "csr_vector", "--prefix", prefix, "--bundle", prefix)
            check(good(done) and f"{prefix}_kernels.c" in cli.names(path / prefix),
                  f"--prefix {prefix} names files", done)
            text = "".join((path / prefix / f"{prefix}_kernels.{e}").read_text() for e in "ch")
            check(not re.search(r"\bspmv_|\bSPMV_", text), "no name begins with spmv_",
                  *re.findall(r"\b(?:spmv|SPMV)_\w+", text)[:9])
        shutil.copy(path / "board.lua", path / "spmv_page.lua")
        done = run(path, "--target", "spmv_page.lua", "-m", "csr_vector", "--prefix", "spmv_own",
                   "--bundle", "own")
        out = path / "own"
        (out / "main.c").write_text(readme_block(out, "c"))
        line = readme_block(out, "sh").strip().replace(" -fopenmp", "")
        built = command(out, *shlex.split(line.replace("cc ", " ".join(CC) + " ", 1)))
        ran = command(out, "./main") if good(built) else built
        check(good(done) and good(ran) and ran.out == "7 6 7\n",
              "a prefix may begin with spmv_", done, built, ran)
        for name in ("spmv_own_kernels.c", "README.md"):
            check("--target spmv_page.lua " in (out / name).read_text() and
                  "--prefix spmv_own " in (out / name).read_text(),
                  f"{name} has the command as it was given")
        (path / "main.c").write_text("""
#include "one_kernels.h"
#include "Two_kernels.h"
int main(void)
{
    const int32_t row_ptr[] = { 0, 1 }, col_idx[] = { 0 };
    const double val[] = { 2 }, x[] = { 3 };
    double y[2] = { 0, 0 };
    one_error error;
    Two_error other;
    one_matrix *a = one_matrix_create_f64(1, 1, row_ptr, col_idx, val, &error);
    Two_matrix *b = Two_matrix_create_f64(1, 1, row_ptr, col_idx, val, &other);
    int bad = !a || !b || one_multiply_f64(a, 1, x, 0, y) != ONE_OK ||
              Two_multiply_f64(b, 2, x, 0, y + 1) != TWO_OK;
    one_matrix_destroy(a);
    Two_matrix_destroy(b);
    return bad || y[0] != 6 || y[1] != 12;
}
""")
        built = command(path, *CC, "-O1", "-Wall", tap.WERROR, "-Ione", "-ITwo", "main.c",
                        "one/one_kernels.c", "Two/Two_kernels.c", "-lm", "-o", "main")
        ran = command(path, "./main") if good(built) else built
        check(good(ran), "two bundles are in one program", built, ran)


def test_without_prefix():
    """Two bundles of default names: in two libraries of a program each serves its own library; in
    one program the linker's error says what to do."""
    holder, path = cli.folder()
    with holder:
        for method in ("csr_vector", "csr5"):
            done = run(path, *EVERY, "-m", method, "--type", "f64", "--offsets", "i32",
                       "--one-vector", "--bundle", method)
            (path / f"{method}.c").write_text(f"""
#include "{method}/spmv_kernels.h"
const char *method_of_{method}(void);
const char *method_of_{method}(void)
{{
    static const int32_t row_ptr[] = {{ 0, 1 }}, col_idx[] = {{ 0 }};
    static const double val[] = {{ 2 }};
    static spmv_error error;
    spmv_matrix_info info = {{ 0 }};
    spmv_matrix *a = spmv_matrix_create_f64(1, 1, row_ptr, col_idx, val, &error);
    if (a == 0 || spmv_matrix_query(a, &info) != SPMV_OK)
        return error.text;
    spmv_matrix_destroy(a);
    return info.method;
}}
""")
            built = command(path, *CC, "-O0", "-shared", "-fPIC", f"{method}.c",
                            f"{method}/spmv_kernels.c", "-lm", "-o", f"lib{method}.so")
            check(good(done) and good(built), f"a library has a bundle of {method}", done, built)
        (path / "main.c").write_text("""
#include <stdio.h>
const char *method_of_csr_vector(void);
const char *method_of_csr5(void);
int main(void)
{
    printf("%s %s\\n", method_of_csr_vector(), method_of_csr5());
    return 0;
}
""")
        for libraries in (("-lcsr_vector", "-lcsr5"), ("-lcsr5", "-lcsr_vector")):
            built = command(path, *CC, "main.c", "-L.", *libraries, "-Wl,-rpath,$ORIGIN", "-o",
                            "main")
            ran = command(path, "./main") if good(built) else built
            check(good(ran) and ran.out == "csr_vector csr5\n",
                  f"with {' '.join(libraries)}, each library uses its own bundle", built, ran)
        built = command(path, *CC, "-O0", "main.c", "csr_vector.c", "csr5.c",
                        "csr_vector/spmv_kernels.c", "csr5/spmv_kernels.c", "-lm", "-o", "main")
        check(built.code != 0 and "option_prefix" in built.err.split("definition")[1],
              "the linker's first error for two bundles in a program names the prefix", built)
        command(path, *CC, "-O0", "-shared", "-fPIC", "-DSPMV_API=", "csr5/spmv_kernels.c", "-lm",
                "-o", "open.so")
        check("spmv_matrix_query" in symbols(path, "-D", "open.so") and
              "spmv_matrix_query" not in symbols(path, "-D", "libcsr5.so"),
              "a library exports the functions with -DSPMV_API= alone")


def test_unload():
    """A plug-in that is linked as the README says can be unloaded while OpenMP's threads live."""
    holder, path = cli.folder()
    with holder:
        if not links(path, *OPENMP, "-Wl,-z,nodelete"):
            tap.skip("the compiler has no OpenMP, or the linker no -z nodelete")
            return
        run(path, *ONE, "--type", "f64", "--offsets", "i32", "--bundle", "out")
        out = path / "out"
        (out / "plugin.c").write_text("""
#include "spmv_kernels.h"
int multiply(void);
int multiply(void)
{
    enum { ROWS = 200000 };
    static int32_t row_ptr[ROWS + 1], col_idx[ROWS];
    static double val[ROWS], x[ROWS], y[ROWS];
    for (int i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = i + 1;
        col_idx[i] = i;
        val[i] = 2;
        x[i] = 3;
    }
    const spmv_matrix_options options = { .threads = 3 };
    spmv_matrix *a = spmv_matrix_create_f64_with(ROWS, ROWS, row_ptr, col_idx, val, &options, 0);
    int good = a != 0;
    good = good && spmv_multiply_f64(a, 1.0, x, 0.0, y) == SPMV_OK && y[ROWS - 1] == 6;
    spmv_matrix_destroy(a);
    return good;
}
""")
        (out / "main.c").write_text("""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    for (int i = 0; i < 40; i++) {
        void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL), *at;
        int (*multiply)(void);
        if (plugin == NULL || (at = dlsym(plugin, "multiply")) == NULL)
            return 1;
        memcpy(&multiply, &at, sizeof multiply);
        if (!multiply() || dlclose(plugin) != 0)
            return 2;
    }
    puts("40 rounds");
    return 0;
}
""")
        line = re.search(r"^cc (.*nodelete.*)$", (out / "README.md").read_text(), re.M).group(1)
        built = command(out, *CC, *shlex.split(line.replace("-O3", "-O0")))
        linked = command(out, *CC, "main.c", "-ldl", "-o", "main") if good(built) else built
        # Threads that spin run code of the plug-in's libraries when it is closed.
        ran = command(out, "./main", env={**os.environ, "OMP_WAIT_POLICY": "active"}) \
            if good(linked) else linked
        check(good(ran) and ran.out == "40 rounds\n",
              "a plug-in with OpenMP, linked as the README says, is unloaded 40 times", built, ran)


def test_program():
    """Every method, type and kind of offsets, with and without threads, against plain loops."""
    holder, path = cli.folder()
    with holder:
        run(path, *(("--target", "generic-c,x86-64-v3") if X86 else EVERY), "--bundle", "out")
        (path / "user.c").write_text(program)
        openmp = OPENMP if links(path, *OPENMP) else []
        for options in (["-O0"], ["-O1", "-flto", *openmp]):
            built = command(path, *CC, "-std=c11", *options, "-Wall", "-Wextra", tap.WERROR,
                            "-Iout", "user.c", "out/spmv_kernels.c", "-lm", "-o", "user")
            ran = command(path, "./user") if good(built) else built
            check(good(ran), f"a program gets the right results, with {' '.join(options)}",
                  built, ran)


def test_wrong_types():
    holder, path = cli.folder()
    with holder:
        run(path, *EVERY, "-m", "csr_vector", "--bundle", "out")
        begin = '#include "spmv_kernels.h"\nspmv_status f(spmv_matrix *a, float *x, double *y)\n'
        for name, call in (("x", "spmv_multiply_f64(a, 1, x, 0, y)"),
                           ("y", "spmv_multiply_f32(a, 1, x, 0, y)"),
                           ("new values", "spmv_matrix_update_f64(a, x, 0)")):
            (path / "wrong.cpp").write_text(begin + "{ return " + call + "; }\n")
            built = command(path, *CXX, "-Iout", "-c", "wrong.cpp", "-o", "wrong.o")
            check(isinstance(built, cli.Result) and built.code != 0 and "cannot convert" in
                  built.err or "no matching" in str(built), f"{name} of the wrong type do not "
                  "compile", built)


def test_static():
    holder, path = cli.folder()
    with holder:
        done = run(path, *EVERY, "-m", "csr5", "--type", "f32", "--static", "--bundle", "out")
        check(good(done), "--static emits a bundle", done)
        command(path, *CC, "-O1", "-c", "out/spmv_kernels.c", "-o", "kernels.o")
        banned = symbols(path, "-u", "kernels.o") & {
            "malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "printf"}
        check(not banned, "it allocates nothing", banned)
        done = run(path, *EVERY, "-m", "csr5", "-m", "strips", "--static", "--bundle", "two")
        check(done.code == 1 and "one method" in done.err and not (path / "two").exists(),
              "--static with two methods is an error", done)


def test_documents():
    source = (cli.ROOT / "generator/words/table_load.c").read_text()
    fields = set(re.findall(r'{ "(\w+)", &out->\w+, (?:true|false) }', source))
    dialects = (cli.ROOT / "docs/reference/dialects.md").read_text()
    section = dialects.split("\n## Bundles\n")[1].split("\n## ")[0]
    rows = set(re.findall(r"^\| `(\w+)` \|", section, re.M))
    tap.ok(len(fields) > 6 and fields == rows,
           "docs/reference/dialects.md has a row for each field of `bundle`", fields ^ rows)
    holder, path = cli.folder()
    with holder:
        done = run(path, *ONE, "--prefix", "mine", "--bundle", "out")
        manifest = json.loads((path / "out/manifest.json").read_text())
        text = (path / "out" / manifest["methods"][0]["file"]).read_text()
        symbols = [m["symbol"] for m in manifest["methods"][0]["modules"]] + [manifest["table"]]
        missing = [s for s in symbols if f" {s.replace('spmv_', 'mine_', 1)}" not in text]
        check(good(done) and not missing, "the C file has the names that the manifest lists",
              missing)
        run(path, "--target", "generic-cuda", "-m", "csr_scalar", "--bundle", "cuda")
        manifest = json.loads((path / "cuda/manifest.json").read_text())
        check([m["program"] for m in manifest["methods"]] == ["spmv_kernels.cu"] and
              manifest["methods"][0]["file"] == "spmv_kernels.c",
              "the manifest of a bundle for CUDA names the file of programs", manifest["methods"])


test_files()
test_size()
test_names()
test_text()
test_readme("", *ONE, every_way=WHOLE)
test_readme("of other types", *ONE, "--type", "f32", "--offsets", "i64")
test_readme("of --static", *EVERY, "-m", "csr5", "--type", "f32", "--static")
test_prefixes()
test_without_prefix()
test_unload()
test_symbols()
test_wrong_types()
test_static()
test_one_type()
test_documents()
if WHOLE:
    test_compilers()
    test_windows()
    test_architectures()
    test_program()
tap.done()
