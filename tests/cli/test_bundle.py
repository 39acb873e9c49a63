#!/usr/bin/env python3
"""test_bundle.py SPMVGEN ROOT: bundles, one header and one source with kernels and runtime: their
texts, and programs that use bundles of one method. test_bundle_compilers.py has larger ones."""
import json
import os
import re
import shlex
import shutil

import cli
from bundles import (BOUNDS, CC, CXX, EVERY, ONE, OPENMP, TYPICAL, check_readme, check_size,
                     check_symbols, command, good, links, readme_block, readme_command, symbols)
from cli import check, run, tap


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


# ---- the README ------------------------------------------------------------------------------

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
                  ("the kernels", "the modules' tables", "building the plan of a chosen module")),
              "the parts of the C file have headings")
        check(header.count("creating a matrix --") == 1 and "*/\n/*" not in header,
              "the header has each heading once, and no comment follows another")


# ---- what a program sees ---------------------------------------------------------------------

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
        built = command(out, *[w for w in readme_command(out) if w != "-fopenmp"])
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
        built = command(path, *CC, "-O0", "-Wall", tap.WERROR, "-Ione", "-ITwo", "main.c",
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
test_names()
test_text()
check_size(*BOUNDS[:1])
check_readme("", *ONE)
check_readme("of other types", *ONE, "--type", "f32", "--offsets", "i64")
check_readme("of --static", *EVERY, "-m", "csr5", "--type", "f32", "--static")
check_symbols(*ONE)
test_prefixes()
test_without_prefix()
test_unload()
test_wrong_types()
test_static()
test_documents()
tap.done()
