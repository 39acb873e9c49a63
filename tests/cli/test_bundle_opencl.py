#!/usr/bin/env python3
"""test_bundle_opencl.py SPMVGEN ROOT: bundles for OpenCL, in a program that has its own context and
queues. They run on whatever device the OpenCL loader lists first, such as PoCL's."""
import concurrent.futures
import re
import shlex
import shutil

import cli
from bundles import CC, CXX, command, good, readme_block, symbols
from cli import check, run, tap

STRICT = ["-Wall", "-Wextra", tap.WERROR]
METHODS = ["csr_scalar", "csr_vector", "csr_adaptive", "csr5", "evc_hyb", "slices", "speculative"]
LIBRARIES = ["-lOpenCL", "-lm", "-pthread"]
SKIPPED = 77

# Of the programs: language and options, types, and their names in functions. With OpenCL 1.2 a
# matrix has no memory that device and host share.
PROGRAMS = {
    "C11, f64": ([*CC, "-std=c11"], "double", "int32_t", "f64", "f64"),
    "C++17, f32_i64": ([*CXX, "-std=c++17", "-x", "c++"], "float", "int64_t", "f32", "f32_i64"),
    "OpenCL 1.2, f64_i64": ([*CC, "-std=c11", "-DCL_TARGET_OPENCL_VERSION=120"], "double",
                            "int64_t", "f64", "f64_i64"),
}


def missing(path):
    """Why nothing for OpenCL can be compiled here, or None."""
    (path / "cl.c").write_text("#define CL_TARGET_OPENCL_VERSION 200\n#include <CL/cl.h>\n"
                               "int main(void) { return clGetPlatformIDs(0, 0, 0) == 7; }\n")
    return None if good(command(path, *CC, "cl.c", *LIBRARIES, "-o", "cl")) else \
        "no headers or library of OpenCL (Debian: ocl-icd-opencl-dev)"


def build_user(path, folder, name):
    """Compiles a bundle and the program for it. The result of the command that failed, or None."""
    words, real, offset, values, matrix = PROGRAMS[name]
    where = path / f"{folder}-{matrix}"
    where.mkdir()
    flags = [*words, "-O0", *STRICT, f"-I{path / folder}"]
    for step in ([*flags, "-c", path / folder / "spmv_kernels.c", "-o", "kernels.o"],
                 [*flags, "-Wno-deprecated-declarations", f"-DREAL={real}", f"-DOFFSET={offset}",
                  f"-DVALUES={values}", f"-DMATRIX={matrix}", '-DHEADER="spmv_kernels.h"', "-c",
                  cli.HERE / "bundle_opencl_user.c", "-o", "user.o"],
                 [*[w for w in words if w not in ("-x", "c++")], "user.o", "kernels.o", *LIBRARIES,
                  "-o", "user"]):
        done = command(where, *step)
        if not good(done):
            return done
    return None


def run_user(path, folder, name, methods):
    fault = build_user(path, folder, name)
    if fault is not None:
        return fault
    where = path / f"{folder}-{PROGRAMS[name][4]}"
    return command(where, "./user", *methods,
                   env=cli.environment(POCL_CACHE_DIR=str(where / "cache"), HOME=str(where)))


def report(done, name):
    if isinstance(done, cli.Result) and done.code == SKIPPED:
        tap.skip(f"{name}: {done.out.strip()}")
    else:
        check(good(done), name, done)


def test_programs():
    holder, path = cli.folder()
    with holder:
        if reason := missing(path):
            tap.skip(reason)
            return
        done = run(path, "--target", "pocl", "--bundle", "pocl")
        check(good(done) and cli.names(path / "pocl") ==
              ["LICENSE", "README.md", "manifest.json", "spmv_kernels.c", "spmv_kernels.h"],
              "a bundle for OpenCL has the files of one for CPUs", done)
        done = run(path, "--target", "amd-a10-7850k", "-m", "speculative", "--bundle", "kaveri")
        check(good(done), "a page for a GPU makes a bundle", done)
        jobs = [("pocl", "C11, f64", METHODS), ("pocl", "C++17, f32_i64", METHODS),
                ("pocl", "OpenCL 1.2, f64_i64", ["speculative"]),
                ("kaveri", "C11, f64", ["speculative"])]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (folder, name, methods), done in zip(
                    jobs, pool.map(lambda job: run_user(path, *job), jobs)):
                report(done, f"{folder}, {name}: {', '.join(methods)} give the right results")


EXAMPLES = {
    "bundle_opencl": (["--target", "pocl", "--type", "f64", "--offsets", "i32"], [],
                      r"y = 62 74 50 88\n"),
    "speculative_svm": (["--target", "amd-a10-7850k", "--method", "speculative"], ["20000", "3"],
                        r"speculative_clear +\d+\.\d+ ms\nspeculative_tiles +\d+\.\d+ ms\n"
                        r"speculative_repair +\d+\.\d+ ms\n"
                        r".*: 20000 rows, \d+ nonzeros: .* Gflop/s, y is right\n"),
}


def test_examples():
    for name, (options, words, expected) in EXAMPLES.items():
        holder, path = cli.folder()
        with holder:
            if reason := missing(path):
                tap.skip(reason)
                continue
            source = (cli.ROOT / f"examples/{name}.c").read_text()
            check(" ".join(["spmvgen", *options, "--bundle bundle"]) in source,
                  f"examples/{name}.c has its command")
            run(path, *options, "--bundle", "bundle")
            built = command(path, *CC, "-std=c11", "-O1", *STRICT, "-Ibundle",
                            cli.ROOT / f"examples/{name}.c", "bundle/spmv_kernels.c", *LIBRARIES,
                            "-o", "example")
            ran = command(path, "./example", *words) if good(built) else built
            if isinstance(ran, cli.Result) and ran.code == SKIPPED:
                tap.skip(f"{name}: {ran.out.strip()}")
            else:
                check(good(ran) and re.fullmatch(expected, ran.out), f"examples/{name}.c works",
                      built, ran)


def test_symbols():
    holder, path = cli.folder()
    with holder:
        if reason := missing(path):
            tap.skip(reason)
            return
        run(path, "--target", "pocl", "--type", "f64", "--bundle", "out")
        command(path, *CC, "-O1", "-c", "out/spmv_kernels.c", "-o", "kernels.o")
        header = (path / "out/spmv_kernels.h").read_text()
        declared = set(re.findall(r"^[a-z].*?\b\*?(spmv_\w+)\(", header, re.M)) - {
            "spmv_run_part", "spmv_parallel_for"}
        # The last one makes the linker's error name --prefix.
        declared.add("spmv_each_bundle_needs_option_prefix")
        found = symbols(path, "--defined-only", "-g", "kernels.o")
        check(found == declared, "the object exports what the header declares, nothing else",
              found ^ declared)
        banned = {n for n in symbols(path, "-u", "kernels.o") if re.match(
            r"(f?printf|puts|fopen|getenv|secure_getenv|exit|abort|pthread_\w+|dlopen|"
            r"clGetPlatformIDs|clGetDeviceIDs|clCreateContext|clCreateCommandQueue\w*)$", n)}
        check(not banned, "it looks for no device, loads no library and prints nothing", banned)
        built = command(path, *CC, "-O1", *STRICT, "-DCL_TARGET_OPENCL_VERSION=120", "-c",
                        "out/spmv_kernels.c", "-o", "old.o")
        check(good(built) and not any("SVM" in n for n in symbols(path, "-u", "old.o")),
              "with headers of OpenCL 1.2, it needs no functions of OpenCL 2", built)


def test_prefixes():
    holder, path = cli.folder()
    with holder:
        if reason := missing(path):
            tap.skip(reason)
            return
        for prefix in ("one", "two"):
            run(path, "--target", "pocl", "-m", "csr_vector", "--type", "f64", "--prefix", prefix,
                "--bundle", prefix)
        (path / "main.c").write_text("""
#include "one_kernels.h"
#include "two_kernels.h"
int main(void)
{
    one_error error;
    return one_matrix_create_f64(NULL, 0, 0, NULL, NULL, NULL, &error) != NULL ||
           two_matrix_create_f64(NULL, 0, 0, NULL, NULL, NULL, NULL) != NULL;
}
""")
        built = command(path, *CC, "-O1", *STRICT, "-Ione", "-Itwo", "main.c",
                        "one/one_kernels.c", "two/two_kernels.c", *LIBRARIES, "-o", "main")
        check(good(built) and good(command(path, "./main")), "two bundles are in one program",
              built)


# How the README's program is built: files of their own, commands, and the program.
WAYS = {
    "cc": ({}, None, "./main"),
    "make": ({"Makefile": "make"}, [["make", f"CC={' '.join(CC)}"]], "./main"),
    "meson": ({"meson.build": "meson"}, [["meson", "setup", "build"], ["ninja", "-C", "build"]],
              "build/main"),
    "cmake": ({"CMakeLists.txt": "cmake"}, [["cmake", "-B", "build"],
                                            ["cmake", "--build", "build"]], "build/main"),
}


def build_by(path, way):
    """Builds the program of the README in a copy of the bundle, and runs it."""
    files, commands, program = WAYS[way]
    out = path / way
    shutil.copytree(path / "out", out)
    for name, language in {"main.c": "c", **files}.items():
        (out / name).write_text(readme_block(out, language))
    line = readme_block(out, "sh").strip().replace("cc ", " ".join(CC) + " ", 1)
    for words in commands or [shlex.split(line)]:
        done = command(out, *words)
        if not good(done):
            return done
    return command(out, program)


def test_readme():
    holder, path = cli.folder()
    with holder:
        if reason := missing(path):
            tap.skip(reason)
            return
        run(path, "--target", "pocl", "-m", "csr_vector", "--bundle", "out")
        ways = [way for way in WAYS if way == "cc" or shutil.which(way)]
        for way in WAYS.keys() - set(ways):
            tap.skip(f"{way} is not installed")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for way, ran in zip(ways, pool.map(lambda way: build_by(path, way), ways)):
                if isinstance(ran, cli.Result) and "no OpenCL device" in ran.err:
                    tap.skip(f"{way}: there is no OpenCL device")
                else:
                    check(good(ran) and ran.out == "7 6 7\n",
                          f"the program of the README builds by {way} and prints 7 6 7", ran)


def test_errors():
    holder, path = cli.folder()
    with holder:
        done = run(path, "--target", "pocl", "-m", "csr5", "--static", "--bundle", "out")
        check(done.code == 1 and "no bundle for --static" in done.err and
              not (path / "out").exists(), "there is no static bundle for OpenCL", done)
        done = run(path, "--target", "pocl,generic-c", "--bundle", "out")
        check(done.code == 1 and "a bundle has one" in done.err and not (path / "out").exists(),
              "a bundle is for one language", done)
        run(path, "--target", "pocl", "-m", "csr5", "--bundle", "out")
        check(good(run(path, "--check", "out")), "--check accepts a bundle for OpenCL")


if __name__ == "__main__":
    test_programs()
    test_examples()
    test_symbols()
    test_prefixes()
    test_readme()
    test_errors()
    tap.done()
