"""./quickstart on fake machines that lack packages or have other targets (machine.py)."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import BUILD_PACKAGES, TEST_PACKAGES, Machine, terminal_obstacle


def said(result):
    return f"exit code {result.returncode}\n{result.stdout}{result.stderr}"


def test_command_line():
    with Machine() as m:
        result = m.run("quickstart", "--help")
        tap.ok(result.returncode == 0 and "--no-install" in result.stdout and not result.stderr,
               "--help prints the usage and exits with 0", said(result))
        for words, name in ((["--fast"], "an unknown option"),
                            (["--type", "f16"], "an unknown type"),
                            (["--type"], "--type without a value"),
                            (["a.mtx", "b.mtx"], "a second matrix")):
            result = m.run("quickstart", *words)
            tap.ok(result.returncode == 2 and "usage:" in result.stderr
                   and words[-1] in result.stderr,
                   f"{name} is named, with the usage, and exits with 2", said(result))
        result = m.run("quickstart", "--seconds", "0.1")
        tap.ok("unknown option '--seconds'; spmvbench's options go after --\n" in result.stderr,
               "for an unknown option the place of spmvbench's options is named", said(result))
        for name in ("no such.mtx", "tools"):
            result = m.run("quickstart", name)
            tap.ok(result.returncode == 1 and name in result.stderr,
                   f"a matrix that is no readable file ({name}) is named", said(result))
        tap.ok(not os.path.exists(os.path.join(m.root, "build")), "nothing is written before that")


def test_missing_packages():
    lacking = BUILD_PACKAGES[:]
    lacking.remove("python3")    # machine.py itself needs it
    for name, how, words in (
            ("--no-install", {"apt": True}, ["--no-install"]),
            ("a system without apt-get", {}, []),
            ("an ordinary user without sudo", {"apt": True, "uid": 1000}, [])):
        with Machine(**how) as m:
            result = m.run("quickstart", *words)
            listed = [line.strip() for line in result.stderr.splitlines()
                      if line.startswith("    ")]
            tap.ok(result.returncode == 1 and listed[:len(lacking)] == lacking
                   and not set(listed) & set(TEST_PACKAGES),
                   f"{name}: packages that the build lacks are listed, and the run stops",
                   said(result))
            tap.ok(not m.calls("apt-get") and not os.path.exists(os.path.join(m.root, "build")),
                   f"{name}: nothing is installed, nothing is written")

    with Machine(set(BUILD_PACKAGES) - {"meson", "libclang-cpp19-dev"}) as m:
        result = m.run("quickstart", "--no-install")
        tap.ok(result.returncode == 1
               and "install --no-install-recommends meson libclang-cpp19-dev\n" in result.stderr,
               "only what is missing is listed, as a command to copy", said(result))
        m.script("bin/llvm-config-19",
                 'case $1 in --version) echo 15.0.1 ;; *) echo "$MACHINE/llvm" ;; esac')
        result = m.run("quickstart", "--no-install")
        tap.ok("llvm-19-dev" in result.stderr, "an LLVM that is too old does not count",
               said(result))

    with Machine(BUILD_PACKAGES) as m:
        result = m.run("quickstart", "--no-install")
        tap.ok(result.returncode == 0 and "spmvbench got" in result.stdout,
               "--no-install with everything there builds and runs", said(result))


def test_installing():
    with Machine(apt=True) as m:
        result = m.run("quickstart")
        tap.ok(result.returncode == 0 and "spmvbench got" in result.stdout,
               "as root, missing packages are installed, then all is built and run", said(result))
        installs = [call for call in m.calls("apt-get") if " install " in f" {call} "]
        tap.ok(len(installs) == 1 and all(p in installs[0].split() for p in BUILD_PACKAGES[:4])
               and not m.calls("sudo"), "apt-get is asked once, without sudo", "\n".join(installs))
        result = m.run("quickstart")
        tap.ok(result.returncode == 0 and not m.calls("apt-get"),
               "with everything there apt-get is not asked", said(result))
    with Machine(set(BUILD_PACKAGES) - {"zlib1g-dev"}, uid=1000, apt=True, sudo=True) as m:
        result = m.run("quickstart")
        asked = m.calls("sudo")
        tap.ok(result.returncode == 0 and asked
               and all("zlib1g-dev" in call for call in asked if " install " in call)
               and all("gcc" not in call for call in asked),
               "an ordinary user installs through sudo, and only what is missing", said(result))
    with Machine(apt=True) as m:
        m.script("bin/apt-get", 'echo "E: no route to the mirror"; exit 100')
        result = m.run("quickstart")
        tap.ok(result.returncode == 1 and "E: no route to the mirror" in result.stderr
               and "ninja-build" in result.stderr,
               "if apt-get fails, its output and the packages are shown", said(result))


def test_running():
    with Machine(BUILD_PACKAGES) as m:
        m.write("else where/my matrix.mtx", "the matrix's text\n")
        result = m.run("../a project/quickstart", "my matrix.mtx", cwd=m.path("else where"))
        tap.ok(result.returncode == 0 and "got <my matrix.mtx>" in result.stdout
               and "the matrix's text" in result.stdout,
               "from another folder, a relative file with spaces reaches spmvbench", said(result))
        tap.ok("got <--type>\nspmvbench got <f64>" in result.stdout, "the type is f64 unless told")
        first = (m.calls("meson"), m.calls("cc"))
        tap.ok(any(call.startswith("setup") for call in first[0])
               and any("-DSPMV_MODULE_TABLE_EXPORT" in call for call in first[1]),
               "the first run sets up a build and compiles the kernels", repr(first))

        result = m.run("quickstart", "--type=f32", "--", "--seconds", "0.5")
        tap.ok(result.returncode == 0 and "got <f32>" in result.stdout
               and "got <--seconds>\nspmvbench got <0.5>" in result.stdout,
               "--type, and options after --, reach spmvbench", said(result))
        tap.ok("--type f32" in m.calls("spmvgen")[0] and "f32-kernels.so>" in result.stdout,
               "kernels of that type are emitted, beside those of the other", said(result))
        m.run("quickstart")
        tap.ok(m.calls("meson") == ["--version"] and m.calls("cc") == ["--version"],
               "the second run sets up and compiles nothing",
               repr((m.calls("meson"), m.calls("cc"))))

        m.write("template.changed", "")
        m.run("quickstart")
        tap.ok(len(m.calls("cc")) == 3, "kernels that changed are compiled again", m.calls("cc"))
        m.write("cc.version", "cc 2.0\n")
        m.run("quickstart")
        tap.ok(any(call.startswith("setup") for call in m.calls("meson")),
               "another compiler gets a new build folder")
        m.write("bench.code", "1")
        tap.ok(m.run("quickstart").returncode == 1, "spmvbench's exit code is quickstart's")


def test_progress():
    """Steps that take minutes are announced; later runs print nothing."""
    with Machine(BUILD_PACKAGES) as m:
        result = m.run("quickstart")
        build = os.path.join(m.root, "build")
        words = [f"setting up {build}", f"building in {build}: the first time it takes two minutes",
                 f"emitting kernels for host into {build}/host-f64-kernels",
                 f"compiling the kernels in {build}/host-f64-kernels"]
        tap.ok(result.stderr.splitlines() == words,
               "a line says what begins: setting up, building, emitting, compiling", said(result))
        with open(os.path.join(build, "ninja.log"), encoding="utf-8") as file:
            tap.ok(file.read() ==
                   "[1/2] Compiling\nx.c: a warning\n[2/2] Compiling\nx.c: a warning\n",
                   "all output of the build is in its log")
        result = m.run("quickstart")
        tap.ok(not result.stderr, "with nothing to do nothing is printed", said(result))
    obstacle = terminal_obstacle()
    if obstacle:
        tap.skip(f"the count on a terminal: no pseudo-terminal can be opened ({obstacle})")
        return
    with Machine(BUILD_PACKAGES) as m:
        shown = m.run_on_terminal("quickstart")
        tap.ok(re.search(r"building in [^\r]*\r\n\r +\[1/2\] \r +\[2/2\] \r +\remitting", shown),
               "on a terminal the build's progress is shown, then erased", repr(shown))
        m.write("ninja.fails", "build")
        os.remove(os.path.join(m.root, "build/bench/spmvbench"))
        shown = m.run_on_terminal("quickstart")
        tap.ok("x.c:1: error: no luck" in shown, "and a failure shows its output", repr(shown))


def test_cache():
    with Machine(BUILD_PACKAGES) as m:
        result = m.run("quickstart")
        tap.ok(f"keeps binaries in <{m.root}/build/opencl-cache>" in result.stdout,
               "compiled programs are kept in build/", said(result))
        for own in (m.path("mine"), ""):
            m.environment["SPMV_CACHE"] = own
            result = m.run("quickstart")
            tap.ok(f"keeps binaries in <{own}>" in result.stdout,
                   f"SPMV_CACHE='{own and 'mine'}' is not changed", said(result))


def test_opencl_target(m):
    m.write("a project/targets/cards.lua", 'backend = "opencl"   -- all of them\n')
    m.write("a project/targets/card.lua", 'inherit "cards"\n')
    m.environment["SPMV_TARGET"] = "card"
    result = m.run("quickstart", "--no-install")
    tap.ok(result.returncode == 1 and not m.calls("spmvgen") and not m.calls("ninja")
           and "--no-install-recommends ocl-icd-libopencl1 pocl-opencl-icd\n" in result.stderr
           and "the same, then run" in result.stderr,
           "without OpenCL, a target in OpenCL is refused before anything is built", said(result))
    m.write("vendors/other.icd", "")
    result = m.run("quickstart", "--no-install")
    tap.ok(result.returncode == 1 and "recommends ocl-icd-libopencl1\n" in result.stderr,
           "also with a driver, but without a loader", said(result))
    m.remove("vendors/other.icd")
    result = m.run("quickstart")
    tap.ok(result.returncode == 0 and os.path.exists(m.path("vendors/pocl.icd"))
           and os.path.exists(m.path("libraries/libOpenCL.so.1")),
           "missing packages are installed: a loader, and a device that works on every machine",
           said(result))
    tap.ok("--target card" in m.calls("spmvgen")[0] and "is on <opencl>" in result.stdout,
           "SPMV_TARGET's kernels are emitted, and programs run on an OpenCL device", said(result))


def test_target():
    with Machine(BUILD_PACKAGES, apt=True) as m:
        result = m.run("quickstart")
        tap.ok("--target host" in m.calls("spmvgen")[0] and "is on <>" in result.stdout
               and not m.calls("apt-get"), "without SPMV_TARGET, kernels are for the host",
               said(result))
        test_opencl_target(m)
        m.environment["SPMV_TARGET"] = "nvidia"
        result = m.run("quickstart")
        tap.ok("is on <cuda>" in result.stdout, "programs in CUDA run on a CUDA device",
               said(result))
        m.environment["SPMV_TARGET"] = "amd"
        result = m.run("quickstart")
        tap.ok(result.returncode == 1 and "nothing here runs HIP" in result.stderr
               and "spmvbench got" not in result.stdout,
               "HIP is emitted, with the advice to vendor it", said(result))
        m.environment["SPMV_TARGET"] = "card"
        m.environment["SPMV_DEVICE"] = "opencl:Fast"
        result = m.run("quickstart")
        tap.ok("is on <opencl:Fast>" in result.stdout and not m.calls("apt-get"),
               "SPMV_DEVICE is not changed", said(result))
        m.environment["SPMV_TARGET"] = "../elsewhere"
        result = m.run("quickstart")
        tap.ok(result.returncode == 1 and "../elsewhere" in result.stderr
               and not m.calls("spmvgen"),
               "a target that is not a page's name is refused before anything is emitted",
               said(result))


def test_build_folder():
    with Machine(BUILD_PACKAGES) as m:
        m.run("quickstart")
        os.rename(m.root, m.path("moved"))
        m.root = m.path("moved")
        result = m.run("quickstart")
        tap.ok(result.returncode == 0 and any(c.startswith("setup") for c in m.calls("meson")),
               "a tree that was moved gets a new build folder", said(result))
        m.remove("moved/build/build.ninja")
        result = m.run("quickstart")
        tap.ok(result.returncode == 0, "a folder whose setup was interrupted is set up again",
               said(result))
        m.write("ninja.fails", "moved")
        result = m.run("quickstart")
        tap.ok(result.returncode != 0 and "x.c:1: error: no luck" in result.stderr
               and "spmvbench got" not in result.stdout,
               "a build that fails shows the end of its log and stops", said(result))
    with Machine(BUILD_PACKAGES) as m:
        m.write("a project/build/meson-private/coredata.dat", "by hand")
        result = m.run("quickstart")
        tap.ok(result.returncode == 1 and "set up by hand" in result.stderr
               and os.path.exists(m.path("a project/build/meson-private/coredata.dat")),
               "a folder that was set up by hand is never removed", said(result))


def test_discard():
    """build_discard is the only place that removes folders."""
    with Machine(BUILD_PACKAGES) as m:
        for place in ("a project/build", "a project/tools", "build", "a project/build-check"):
            m.write(f"{place}/setup.stamp", "")
        os.makedirs(os.path.join(m.root, "build-check/full"))
        os.symlink(m.path("build"), os.path.join(m.root, "build-check/plain"))

        def discards(place):
            subprocess.run(["sh", "-c", 'root=$1; . "$1/tools/build_folder.sh"; build_discard "$2"',
                            "sh", m.root, place], check=False, capture_output=True)
            return not os.path.lexists(place)

        for place, why in ((f"{m.root}/tools", "another folder of the project"),
                           (f"{m.root}/build-check", "the folder above builds"),
                           (m.path("build"), "a folder outside the project"),
                           (f"{m.root}/build-check/full", "a folder without a stamp"),
                           (f"{m.root}/build-check/plain", "a link to a folder")):
            tap.ok(not discards(place), f"{why} is not removed")
        tap.ok(discards(f"{m.root}/build"), "a build folder with a stamp is removed")


test_command_line()
test_missing_packages()
test_installing()
test_running()
test_progress()
test_cache()
test_target()
test_build_folder()
test_discard()
tap.done()
