"""test_debian.py FOLDER: packaging/build-deb.sh builds Debian packages, which work.

The packages are unpacked, not installed, so this needs no root and changes nothing outside FOLDER.
They are built without symbols for debuggers and by -O0, which takes a quarter of the time. Without
optimisation the macro _FORTIFY_SOURCE, which Debian's flags set, is only a warning in each file.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from installed import QUICK, find, run, runs_quick, said
from machine import SOURCE

PACKAGES = ["libspmv-dev", "libspmv1", "spmvbench", "spmvgen"]


def obstacle():
    """Why packages cannot be built here; None: they can."""
    for program in ("dpkg-buildpackage", "dpkg-checkbuilddeps", "dpkg-deb", "pkg-config"):
        if not shutil.which(program):
            return f"{program} is not installed"
    result = run("dpkg-checkbuilddeps", os.path.join(SOURCE, "packaging/debian/control"))
    return None if result.returncode == 0 else " ".join(result.stderr.split())


def build(folder):
    """Builds with the distribution's compiler, whatever the environment says, by ccache."""
    compilers = {"CC": "gcc", "CXX": "g++"}
    if shutil.which("ccache"):
        # Its folder has to be named, since debhelper changes HOME.
        compilers = {"CC": "ccache gcc", "CXX": "ccache g++",
                     "CCACHE_DIR": run("ccache", "-k", "cache_dir").stdout.strip()}
    log = os.path.join(os.path.dirname(folder), "debian-packages.log")
    with open(log, "w", encoding="utf-8") as file:
        code = subprocess.run(
            [os.path.join(SOURCE, "packaging/build-deb.sh"), "--working-tree", folder],
            stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
            env={**os.environ, **compilers, "DEB_BUILD_OPTIONS": "noautodbgsym",
                 "DEB_CFLAGS_APPEND": "-g0 -O0", "DEB_CXXFLAGS_APPEND": "-g0 -O0",
                 "DEB_CPPFLAGS_APPEND": "-U_FORTIFY_SOURCE"}).returncode
    with open(log, encoding="utf-8") as file:
        text = file.read()
    if not tap.ok(code == 0, "the packages are built", text[-3000:]):
        return False
    tap.ok(re.search(r"example quick +OK", text), "its build runs the examples", text[-3000:])
    compiled = [line for line in text.splitlines() if " -c " in line]
    native = [line for line in compiled if "=native" in line
              and "bench/peers/" not in line]
    tap.ok(len(compiled) > 100 and not native, "only peers, which are not packaged, are "
           "compiled for the CPU of the build", native)
    return True


def test_lintian(folder):
    if not shutil.which("lintian"):
        tap.skip("lintian is not installed")
        return
    result = run("lintian", "--allow-root", *glob.glob(os.path.join(folder, "*.changes")))
    errors = re.findall(r"^E: .*", result.stdout, flags=re.M)
    tap.diag(result.stdout)
    tap.ok(result.returncode in (0, 2) and not errors, "lintian finds no error", said(result))


def field(package, name):
    return run("dpkg-deb", "-f", package, name).stdout.strip()


def test_relations(packages):
    version = field(packages["libspmv1"], "Version")
    tap.ok(f"libspmv1 (= {version})" in field(packages["libspmv-dev"], "Depends"),
           "libspmv-dev needs the library of its own version",
           field(packages["libspmv-dev"], "Depends"))
    needed = field(packages["spmvgen"], "Depends")
    clang = re.search(r"libclang-cpp(\d+)", needed)
    tap.ok(clang and f"libclang-common-{clang[1]}-dev" in needed,
           "spmvgen needs the headers of its Clang", needed)


def on_oldest_cpu():
    """The words before a program that run it on the oldest CPU of this architecture; None: no
    emulator has it."""
    machine = os.uname().machine
    words = {"x86_64": ["qemu-x86_64", "-cpu", "qemu64"]}.get(machine)
    return words if words and shutil.which(words[0]) else None


def test_library(scratch, top):
    libdir = os.path.dirname(find(top, "libspmv.a"))

    def ask(*words):
        return run("pkg-config", *words, "spmv", PKG_CONFIG_PATH="", PKG_CONFIG_SYSROOT_DIR=top,
                   PKG_CONFIG_LIBDIR=os.path.join(libdir, "pkgconfig")).stdout.split()

    program = os.path.join(scratch, "quick")
    result = run("gcc", "-std=c11", QUICK, *ask("--cflags", "--libs"), "-o", program)
    if tap.ok(result.returncode == 0, "a program links libspmv-dev", said(result)):
        runs_quick(program, "with libspmv1", LD_LIBRARY_PATH=libdir)
        emulator = on_oldest_cpu()
        if emulator:
            result = run(*emulator, program, LD_LIBRARY_PATH=libdir, SPMV_TARGET="")
            tap.ok(result.returncode == 0 and "y = 62 74 50 88" in result.stdout
                   and "generic-c" in result.stdout, "on the oldest CPU it picks plain C",
                   said(result))
        else:
            tap.skip("no emulator of the oldest CPU (Debian: qemu-user)")
    if not shutil.which("cmake"):
        tap.skip("cmake is not installed")
        return
    with open(os.path.join(scratch, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write("cmake_minimum_required(VERSION 3.13)\nproject(quick C)\n"
                   f"find_package(spmv REQUIRED)\nadd_executable(quick {QUICK})\n"
                   "target_link_libraries(quick spmv::static)\n")
    made = os.path.join(scratch, "cmake")
    result = run("sh", "-c", 'cmake -G Ninja -S "$1" -B "$2" -DCMAKE_PREFIX_PATH="$3" &&'
                 ' cmake --build "$2"', "sh", scratch, made, os.path.join(top, "usr"))
    if tap.ok(result.returncode == 0, "CMake finds libspmv-dev", said(result)):
        runs_quick(os.path.join(made, "quick"), "by CMake, static", LD_LIBRARY_PATH="")


def test_programs(scratch, top):
    bin_folder = os.path.join(top, "usr/bin")
    output = os.path.join(scratch, "kernels")
    result = run(os.path.join(bin_folder, "spmvgen"), "--target", "generic-c", "-o", output,
                 SPMVGEN_DATA="")
    tap.ok(result.returncode == 0 and os.path.exists(os.path.join(output, "manifest.json")),
           "spmvgen emits kernels", said(result))
    result = run(os.path.join(bin_folder, "spmvbench"), "--poisson", "6", "--method", "csr_scalar",
                 "--seconds", "0.001", "--repeat", "1", "--dram", "1", SPMV_TARGET="")
    tap.ok(result.returncode == 0 and "csr_scalar" in result.stdout, "spmvbench multiplies",
           said(result))
    tap.ok(not find(top, "csr.so"), "no peer of spmvbench is for the CPU of the build")
    with open(find(top, "libspmv.so.0.2.0") or os.devnull, "rb") as file:
        library = file.read()
    sys.path.insert(0, os.path.join(SOURCE, "generated"))
    sys.dont_write_bytecode = True
    import select_targets
    targets = [t.name for t in select_targets.select(os.uname().machine, ["all"])]
    missing = [name for name in targets if name.encode() + b"\0" not in library]
    tap.ok(len(targets) > 1 and not missing, "libspmv1 has all targets of the architecture",
           missing)


def main():
    folder = os.path.abspath(sys.argv[1])
    why = obstacle()
    if why:
        tap.skip("the Debian packages: " + why)
        return
    if not build(folder):
        return
    found = {os.path.basename(path).split("_")[0]: path
             for path in glob.glob(os.path.join(folder, "*.deb"))}
    if not tap.ok(sorted(found) == PACKAGES, "there are four packages", sorted(found)):
        return
    test_lintian(folder)
    test_relations(found)
    with tempfile.TemporaryDirectory() as scratch:
        top = os.path.join(scratch, "root")
        results = [run("dpkg-deb", "-x", path, top) for path in found.values()]
        if tap.ok(all(result.returncode == 0 for result in results), "they can be unpacked"):
            test_library(scratch, top)
            test_programs(scratch, top)


main()
tap.done()
