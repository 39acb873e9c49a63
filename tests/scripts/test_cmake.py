"""test_cmake.py BUILD VERSION SANITIZE CC...: find_package(spmv) finds an installed libspmv.

The files are installed below a folder that the build does not know, so a path of the build's prefix
would not be found. examples/quick.c is built against each target, and runs.
"""
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import pages
import tap
from installed import QUICK, find, install, missing_program, remove_shared, run, runs_quick, said

BUILD, VERSION, SANITIZE, *CC = sys.argv[1:]
MAJOR, MINOR, PATCH = (int(number) for number in VERSION.split("."))

DOCUMENTED = pages.shown_files(pages.read("docs/how-to/install.md"))["quick-cmake/CMakeLists.txt"]
PROJECT = """
find_package(spmv REQUIRED)
add_executable(shared {source})
target_link_libraries(shared spmv::spmv)
add_executable(static {source})
target_link_libraries(static spmv::static)
"""

VERSIONS = {
    "": True, VERSION: True, f"{MAJOR}.{MINOR}": True,
    f"{MAJOR}.{MINOR}.{PATCH + 1}": False, f"{MAJOR}.{MINOR + 1}": False, f"{MAJOR + 1}": False,
    f"{VERSION} EXACT": True, f"{MAJOR}.{MINOR}.{PATCH + 1} EXACT": False,
}
# Older versions of CMake read a range as its first version.
RANGES = {
    f"{MAJOR}.{MINOR}...<{MAJOR}.{MINOR + 1}": True, f"{MAJOR}.{MINOR}...{VERSION}": True,
    f"0...<{VERSION}": False, f"{MAJOR}.{MINOR + 1}...{MAJOR + 1}": False,
}


def configure(folder, prefix, language, text):
    """Configures a project of one language; returns the result and the build folder."""
    return configure_file(folder, prefix, language, "cmake_minimum_required(VERSION 3.13...3.25)\n"
                          f"project(quick {language})\n{text}")


def configure_file(folder, prefix, language, text):
    os.makedirs(folder)
    with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    build = os.path.join(folder, "build")
    compilers = {"CC": " ".join(CC)} if language == "C" else {}
    return run("cmake", "-G", "Ninja", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
               **compilers), build


def test_targets(folder, prefix, libdir, language, source):
    """A project in one language links both targets; without the shared library, static runs."""
    result, build = configure(folder, prefix, language, PROJECT.format(source=source))
    if tap.ok(result.returncode == 0, f"{language}: find_package finds it", said(result)):
        result = run("cmake", "--build", build)
        if tap.ok(result.returncode == 0, f"{language}: both targets link", said(result)):
            runs_quick(os.path.join(build, "shared"), f"{language}, shared", LD_LIBRARY_PATH="")
            os.rename(libdir, libdir + "-elsewhere")
            result = run(os.path.join(build, "shared"), LD_LIBRARY_PATH="")
            tap.ok(result.returncode != 0 and "libspmv.so" in result.stderr,
                   f"{language}, shared: it needs the shared library", said(result))
            runs_quick(os.path.join(build, "static"), f"{language}, static", LD_LIBRARY_PATH="")
            os.rename(libdir + "-elsewhere", libdir)


def test_documented(folder, installed):
    """The project that docs/how-to/install.md shows works, also where lib is a link to usr/lib."""
    shutil.copytree(os.path.dirname(QUICK), os.path.join(folder, "examples"))
    prefix = os.path.join(folder, "linked")
    os.mkdir(prefix)
    for name in os.listdir(installed):
        if name.startswith("lib"):
            os.symlink(os.path.join(installed, name), os.path.join(prefix, name))
    result, build = configure_file(os.path.join(folder, "quick"), prefix, "C", DOCUMENTED)
    if tap.ok(result.returncode == 0, "the documented project is configured", said(result)):
        result = run("cmake", "--build", build)
        if tap.ok(result.returncode == 0, "the documented project is built", said(result)):
            runs_quick(os.path.join(build, "quick"), "the documented project", LD_LIBRARY_PATH="")


def test_versions(folder, prefix):
    asked = dict(VERSIONS)
    result = run("cmake", "--version")
    if [int(n) for n in result.stdout.split()[2].split(".")[:2]] >= [3, 19]:
        asked.update(RANGES)
    result, _ = configure(folder, prefix, "C", "".join(
        f"find_package(spmv {words} QUIET)\n"
        f'message(STATUS "asked for <{words}>: ${{spmv_FOUND}} ${{spmv_VERSION}}")\n'
        for words in asked))
    for words, found in asked.items():
        wanted = f"asked for <{words}>: 1 {VERSION}" if found else f"asked for <{words}>: 0"
        tap.ok(result.returncode == 0 and wanted in result.stdout,
               f"version '{words}' is {'found' if found else 'refused'}", said(result))


def test_missing_parts(folder, prefix, libdir):
    """An installation may lack one of the libraries."""
    remove_shared(libdir)
    result, _ = configure(os.path.join(folder, "one"), prefix, "C", """
find_package(spmv REQUIRED)
if(TARGET spmv::spmv OR NOT TARGET spmv::static)
  message(FATAL_ERROR "wrong targets")
endif()
""")
    tap.ok(result.returncode == 0, "without the shared library there is the static one",
           said(result))
    os.remove(os.path.join(libdir, "libspmv.a"))
    result, _ = configure(os.path.join(folder, "none"), prefix, "C",
                          "find_package(spmv REQUIRED)\n")
    tap.ok(result.returncode != 0 and "has neither libspmv.so" in " ".join(result.stderr.split()),
           "without libraries, find_package says so", said(result))


def test_all(scratch):
    destination = os.path.join(scratch, "installed")
    if not install(BUILD, destination):
        return
    header = find(destination, "spmv.h", "include")
    prefix = os.path.dirname(os.path.dirname(header))
    libdir = os.path.dirname(find(destination, "libspmv.a"))
    for name in ("spmv-config.cmake", "spmv-config-version.cmake"):
        with open(find(destination, name), encoding="utf-8") as file:
            text = file.read()
        tap.ok("@" not in text and BUILD not in text and os.path.relpath(prefix, destination)
               not in text, f"{name} names no folder of this installation", text)
    test_versions(os.path.join(scratch, "versions"), prefix)
    if SANITIZE != "none":
        tap.skip("a library with sanitizers needs a program with the same: " + SANITIZE)
    else:
        test_documented(os.path.join(scratch, "documented"), prefix)
        test_targets(os.path.join(scratch, "c"), prefix, libdir, "C", QUICK)
        source = os.path.join(scratch, "version.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(CPLUSPLUS)
        if shutil.which(os.environ.get("CXX", "c++").split()[0]):
            test_targets(os.path.join(scratch, "cxx"), prefix, libdir, "CXX", source)
        else:
            tap.skip("a project in C++: there is no C++ compiler")
    test_missing_parts(os.path.join(scratch, "parts"), prefix, libdir)


# Prints the line of examples/quick.c, with that library.
CPLUSPLUS = r"""
#include <cstdint>
#include <cstdio>
#include <spmv.h>

int main()
{
    const std::int32_t row_ptr[] = {0, 1, 2, 3, 4}, col_idx[] = {0, 1, 2, 3};
    const double val[] = {1, 1, 1, 1}, x[] = {62, 74, 50, 88};
    double y[4] = {};
    spmv_csr a = {};
    a.rows = a.cols = a.nnz = 4;
    a.row_ptr = row_ptr, a.col_idx = col_idx, a.val = val;
    a.offset_type = SPMV_I32, a.value_type = SPMV_F64;
    spmv_device *device = nullptr;
    spmv_plan *plan = nullptr;
    if (spmv_device_open(nullptr, &device, nullptr) != SPMV_OK ||
        spmv_plan_create(device, &a, nullptr, &plan, nullptr) != SPMV_OK ||
        spmv_execute(plan, 1, x, 0, y, nullptr) != SPMV_OK)
        return 1;
    std::printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
}
"""

if not missing_program("cmake"):
    with tempfile.TemporaryDirectory() as top:
        test_all(top)
tap.done()
