"""./check and .ci/run with builds and tests that succeed, fail or are missing, on a fake machine
(machine.py)."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import (ABI_PACKAGES, BUILD_PACKAGES, CROSS_PACKAGES, OPENCL_PACKAGES, PACKAGES,
                     PETSC_PACKAGES, PYTHON_PACKAGES, SOURCE, TEST_PACKAGES, Machine)


def said(result):
    return f"exit code {result.returncode}\n{result.stdout}{result.stderr}"


def last_line(result):
    return (result.stdout.splitlines() or [""])[-1]


def give_tests(m, tiers=None, first=None, **programs):
    """Sets the tests that the fake Meson runs in every build: program=output. Programs that `tiers`
    does not name are in both tiers. The program `first` has a higher priority than the others."""
    m.write("a project/tests/suites.txt", "# name | tier | purpose\n" + "".join(
        f"{name} | {(tiers or {}).get(name, 'fast')} | what {name} shows\n" for name in programs))
    m.write("intro-tests.json", json.dumps(
        [{"name": n, "protocol": "tap", "priority": int(n == first)} for n in programs]))
    m.write("testlog.json", "".join(
        json.dumps({"name": name, "stdout": out, "returncode": 1 if "not ok" in out else 0,
                    "result": "FAIL" if "not ok" in out else "OK", "duration": len(name)}) + "\n"
        for name, out in programs.items()))


def setups_of(m):
    return [call for call in m.calls("meson") if call.startswith("setup")]


def tested(m):
    """The suites that Meson ran, one string for each build."""
    return [call.split("--no-rebuild ")[1] for call in m.calls("meson") if call.startswith("test ")]


def test_command_line():
    with Machine(["python3"]) as m:
        give_tests(m, adds="", divides="")
        result = m.run("check", "--help")
        tap.ok(result.returncode == 0 and "N passed, N failed, N skipped" in result.stdout,
               "--help prints the usage and exits with 0", said(result))
        result = m.run("check", "--quickly")
        tap.ok(result.returncode == 2 and "'--quickly'" in result.stderr
               and "usage:" in result.stderr,
               "an unknown option is named, with the usage, and exits with 2", said(result))
        result = m.run("check", "divide")
        tap.ok(result.returncode == 2 and "no suite is called 'divide'" in result.stderr
               and "did you mean 'divides'?" in result.stderr and "--list" in result.stderr,
               "an unknown suite is named, with the nearest, and exits with 2", said(result))
        result = m.run("check", "--list")
        tap.ok(result.returncode == 0
               and re.search(r"^adds +both +what adds shows$", result.stdout, re.M)
               and not os.path.exists(os.path.join(m.root, "build-check/ccache")),
               "--list shows name, tier and purpose of every suite", said(result))
        result = m.run("check", "--no-install")
        tap.ok(result.returncode == 1
               and all(f"    {p}\n" in result.stderr for p in BUILD_PACKAGES + TEST_PACKAGES
                       if p != "python3")
               and not os.path.exists(os.path.join(m.root, "build-check/fast")),
               "--no-install lists what build and tests lack, and stops", said(result))
        m.remove("bin/dpkg")
        result = m.run("check", "--no-install")
        tap.ok("dpkg-dev" not in result.stderr and "    meson\n" in result.stderr,
               "only Debian needs Debian's tools", said(result))


def test_result():
    with Machine(PACKAGES) as m:
        give_tests(m, good="ok 1 - adds\nok 2 - subtracts # SKIP no numbers here\n1..2\n")
        result = m.run("check")
        # The build itself, one case that passes, one skipped.
        tap.ok(result.returncode == 0 and last_line(result) == "2 passed, 0 failed, 1 skipped",
               "cases are counted, and the build itself", said(result))
        tap.ok("no numbers here" in result.stdout, "skipped cases are listed with their reason")
        tap.ok(len(setups_of(m)) == 1 and "-Dwerror=false" in setups_of(m)[0]
               and "-Dbuiltin_targets=generic-c,native,pocl" in setups_of(m)[0],
               "there is one build, of few targets, whose warnings are no errors",
               "\n".join(setups_of(m)))

        give_tests(m, good="ok 1 - adds\n1..1\n", bad="not ok 1 - divides\n# by 0\n1..1\n")
        result = m.run("check")
        tap.ok(result.returncode == 1 and last_line(result) == "2 passed, 1 failed, 0 skipped"
               and "divides" in result.stdout and "by 0" in result.stdout,
               "failed cases are shown with their comments, exit code 1", said(result))

        give_tests(m, good="ok 1 - adds\n1..1\n")
        m.write("ninja.fails", "build-check/fast")
        result = m.run("check")
        tap.ok(result.returncode == 1 and last_line(result) == "0 passed, 1 failed, 0 skipped"
               and "error: no luck" in result.stdout,
               "a build that fails is one failed case with the end of its log", said(result))
        m.remove("ninja.fails")

        give_tests(m, good="ok 1 - adds\n1..1\n")
        with open(os.path.join(m.root, "tests/suites.txt"), "a", encoding="utf-8") as listed:
            listed.write("elsewhere | fast | a suite that no build here has\n")
        result = m.run("check")
        tap.ok(result.returncode == 0 and last_line(result) == "2 passed, 0 failed, 1 skipped"
               and "suite 'elsewhere'" in result.stdout,
               "a suite that is listed and in no build is a skipped case", said(result))

        give_tests(m, never="")
        m.write("testlog.json", "")
        result = m.run("check")
        tap.ok(result.returncode == 1 and last_line(result) == "1 passed, 1 failed, 0 skipped",
               "a suite that did not run is a failure; an earlier run's result is not counted",
               said(result))
        tap.ok(len(re.findall(r"\d+ passed, \d+ failed", result.stdout)) == 1,
               "the counting line is there once")


def test_tiers():
    """Which suites run, in which builds."""
    passes = "ok 1 - x\n1..1\n"
    with Machine(PACKAGES) as m:
        give_tests(m, {"whole": "full", "part": "slice"}, good=passes, part=passes, whole=passes)
        m.run("check")
        tap.ok(tested(m) == ["good part"], "check runs suites of both tiers, and slices", tested(m))
        result = m.run("check", "--all", "--werror")
        tap.ok(tested(m) == 4 * ["good whole"],
               "check --all runs suites of both tiers and of its own, in four builds", tested(m))
        tap.ok(len(setups_of(m)) == 4 and all("-Dwerror=true" in call for call in setups_of(m))
               and all("--cross-file" in call for call in setups_of(m)[1:3])
               and "-Dgenerator=disabled" in setups_of(m)[3]
               and "-Dthreads=none" in setups_of(m)[3],
               "--werror makes warnings errors in all; the last is without generator and threads",
               "\n".join(setups_of(m)))
        tap.ok(result.returncode == 0 and re.match(r"\d+ passed, 0 failed", last_line(result))
               and re.search(r"^slowest of 8 suites, in seconds:\n +5\.0  plain: whole$",
                             result.stdout, re.M),
               "the slowest suites are shown", said(result))
        result = m.run("check", "w*", "good")
        tap.ok(tested(m) == ["good", "whole"],
               "names and patterns choose suites of both tiers, each in the build that has it",
               tested(m))
        give_tests(m, first="long", brief=passes, long=passes, other=passes)
        m.run("check")
        tap.ok(tested(m) == ["long brief other"],
               "suites of high priority start first, in whatever order they are listed", tested(m))
        give_tests(m, {"whole": "full", "part": "slice"}, good=passes, part=passes, whole=passes)
        m.write("ninja.fails", "build-check/full")
        os.remove(os.path.join(m.root, "build-check/full/build.ninja"))
        result = m.run("check", "--all")
        tap.ok(result.returncode == 1 and "1 failed" in last_line(result)
               and "error: no luck" in result.stdout and len(tested(m)) == 3,
               "if a build fails, the others are still tested", said(result))


def test_system():
    passes = "ok 1 - x\n1..1\n"
    with Machine(PACKAGES) as m:
        give_tests(m, {"cli whole": "full"}, **{name: passes for name in (
            "cli part", "cli whole", "example wrapper", "gpu", "python", "runtime", "scripts")})
        result = m.run("check", "--system", "--werror")
        tap.ok(tested(m) == ["cli part example wrapper gpu python scripts", "example wrapper"],
               "check --system runs suites of ./check that depend on the system, one by clang, too",
               tested(m))
        tap.ok(result.returncode == 0 and last_line(result) == "8 passed, 0 failed, 0 skipped"
               and len(setups_of(m)) == 2 and all("-Dwerror=true" in call for call in setups_of(m))
               and not any("builtin_targets" in call for call in setups_of(m)),
               "it compiles all committed kernels by both", said(result) + str(setups_of(m)))


def counted(file, *lines):
    """A report of gcov. A line: its number, how often it ran, how often each branch was taken."""
    return {"file": file, "lines": [
        {"line_number": number, "count": count, "branches": [
            {"count": taken, "throw": False, "fallthrough": False} for taken in branches]}
        for number, count, *branches in lines]}


def test_coverage():
    with Machine(PACKAGES) as m:
        give_tests(m, good="ok 1 - adds\n1..1\n", bad="not ok 1 - divides\n1..1\n",
                   **{"scripts cmake": "not ok 1 - links\n1..1\n"})
        result = m.run("check", "--coverage")
        tap.ok("expected a build with -Db_coverage=true" in result.stderr
               and last_line(result) == "2 passed, 2 failed, 0 skipped"
               and re.search("-Db_coverage=true .*-Dc_args=.*-atomic", setups_of(m)[0])
               and tested(m) == ["good bad"],
               "check --coverage builds with counters; that nothing is counted is a failure",
               said(result))
        build = os.path.join(m.root, "build-check/coverage")
        for name in "a.gcno", "old.gcda":
            m.write(f"a project/build-check/coverage/{name}", "")
        # One file is compiled twice, the second time with a sanitizer's branches.
        reports = (counted("../../runtime/plan/plan.c", (1, 9), (2, 9, 9, 0), (3, 0)),
                   counted("../../runtime/plan/plan.c", (1, 9), (2, 9, 0, 3, 0, 0), (3, 2)),
                   counted("../../runtime/spmv.c", (1, 0, 0, 0)),
                   counted("../../bench/a.c", (1, 1)),
                   counted("tests/kernels/made/spmv_x.c", (1, 1)))
        m.write("reports", "".join(json.dumps({"current_working_directory": build, "files": [r]})
                                   + "\n" for r in reports))
        m.script("bin/gcov", 'cat "$MACHINE/reports"')
        result = m.run("check", "--coverage")
        rows = {row[0]: row[1:] for row in re.findall(
            r"^(\S+) +(\d+) of +(\d+) +\S+ % +(\d+) of +(\d+)", result.stdout, re.M)}
        tap.ok(rows == {"emitted": ("1", "1", "0", "0"), "runtime": ("3", "4", "1", "4"),
                        "runtime/plan": ("3", "3", "1", "2")},
               "statements and branches are counted once, by folder", said(result))
        tap.ok(result.returncode == 1 and last_line(result) == "2 passed, 1 failed, 0 skipped"
               and not os.path.exists(os.path.join(build, "old.gcda")),
               "the exit code is that of the tests; counts of an earlier run are removed",
               said(result))


def test_other_cpus():
    passes = "ok 1 - adds\n1..1\n"
    for name, how, words in (("--no-install", {"apt": True}, ["--no-install"]),
                             ("a system without apt-get", {}, [])):
        with Machine(BUILD_PACKAGES + TEST_PACKAGES, **how) as m:
            give_tests(m, good=passes)
            result = m.run("check", "--all", *words)
            tap.ok(result.returncode == 0 and last_line(result) == "4 passed, 0 failed, 2 skipped"
                   and "build for aarch64-linux-gnu: its gcc" in result.stdout
                   and " ".join(CROSS_PACKAGES) in result.stderr,
                   f"{name}: without cross compilers their builds are skipped, with the reason",
                   said(result))

    with Machine(set(PACKAGES) - {"libc6-dev-armhf-cross"}) as m:
        give_tests(m, good=passes)
        result = m.run("check", "--all", "--no-install")
        tap.ok(result.returncode == 0 and last_line(result) == "6 passed, 0 failed, 1 skipped"
               and "build for arm-linux-gnueabihf: its gcc, C library" in result.stdout,
               "a compiler without its C library does not count", said(result))

    with Machine(set(PACKAGES) - {"libc6-dev-armhf-cross"}, apt=True) as m:
        give_tests(m, good=passes)
        result = m.run("check", "--all")
        installs = [call for call in m.calls("apt-get") if " install " in f" {call} "]
        tap.ok(result.returncode == 0 and last_line(result) == "8 passed, 0 failed, 0 skipped"
               and installs and installs[-1].endswith("libc6-dev-armhf-cross"),
               "a package that only other CPUs need is installed",
               said(result) + "\n".join(installs))


def test_installing():
    with Machine(BUILD_PACKAGES, apt=True) as m:
        give_tests(m, good="ok 1 - adds\n1..1\n")
        result = m.run("check")
        installs = [call for call in m.calls("apt-get") if " install " in f" {call} "]
        tap.ok(result.returncode == 0 and installs
               and all(p in installs[0].split() for p in TEST_PACKAGES)
               and all(any(p in call.split() for call in installs[1:])
                       for p in OPENCL_PACKAGES + PYTHON_PACKAGES)
               and not any(p in call.split() for call in installs
                       for p in CROSS_PACKAGES + ABI_PACKAGES + PETSC_PACKAGES)
               and "meson" not in installs[0].split(),
               "packages that only tests need are installed, without those of the second tier",
               said(result) + "\n".join(installs))
    with Machine([], apt=True) as m:
        result = m.run("check", "--packages")
        installed = " ".join(call for call in m.calls("apt-get")
                             if " install " in f" {call} ").split()
        tap.ok(result.returncode == 0 and set(PACKAGES) - {"python3"} <= set(installed)
               and not os.path.exists(os.path.join(m.root, "build-check/fast")),
               "--packages installs the packages of both tiers, and stops",
               said(result) + str(installed))


def test_petsc():
    """PETSc is large, so only the second tier installs it; its examples' name has a version."""
    listed = set(PACKAGES) - set(PETSC_PACKAGES)
    with Machine(listed, apt=True) as m:
        give_tests(m, good="ok 1 - adds\n1..1\n")
        result = m.run("check")
        tap.ok(result.returncode == 0 and not any("petsc" in call for call in m.calls("apt-get")),
               "check installs no PETSc", said(result) + "\n".join(m.calls("apt-get")))
        result = m.run("check", "--all")
        installs = [call for call in m.calls("apt-get") if " install " in f" {call} "]
        tap.ok(result.returncode == 0
               and installs[-1].split()[-len(PETSC_PACKAGES):] == PETSC_PACKAGES
               and "(petsc)" not in result.stderr,
               "check --all installs PETSc with its examples", said(result) + "\n".join(installs))
        result = m.run("check", "--all")
        tap.ok(not any("petsc" in call for call in m.calls("apt-get")),
               "and finds them the next time", "\n".join(m.calls("apt-get")))
    with Machine(listed) as m:
        give_tests(m, good="ok 1 - adds\n1..1\n")
        result = m.run("check", "--all")
        tap.ok(result.returncode == 0 and "some tests (petsc) will be skipped" in result.stderr,
               "check --all goes on without PETSc, and says so", said(result))


def run_ci(check, debian):
    """.ci/run beside a check and a bare-debian.sh that print and exit as these scripts say."""
    with tempfile.TemporaryDirectory() as top:
        for name, body in (("check", check), ("tools/bare-debian.sh", debian),
                           ("tools/packages.sh", "packages_offer() { :; }")):
            path = os.path.join(top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{body}\n")
            os.chmod(path, 0o755)
        os.mkdir(os.path.join(top, ".ci"))
        shutil.copy(os.path.join(SOURCE, ".ci/run"), os.path.join(top, ".ci/run"))
        return subprocess.run([os.path.join(top, ".ci/run")], capture_output=True, text=True,
                              check=False)


def test_ci():
    good = 'echo "got <$*>"; echo "5 passed, 0 failed, 2 skipped"'
    bad = good.replace("0 failed", "1 failed") + "; exit 1"
    result = run_ci(good, f"{good}; echo 'kept: a folder'")
    tap.ok(result.returncode == 0 and last_line(result) == "10 passed, 0 failed, 4 skipped"
           and "got <--all --werror>" in result.stdout
           and "got <--reuse --run ./check --system --werror 13>" in result.stdout,
           ".ci/run checks this system and Debian 13, and adds the cases of both", said(result))
    for where, scripts in (("this system", [bad, good]), ("Debian 13", [good, bad])):
        result = run_ci(*scripts)
        tap.ok(result.returncode == 1 and last_line(result) == "10 passed, 1 failed, 4 skipped"
               and f"{where}: 5 passed, 1 failed, 2 skipped, exit code 1" in result.stdout,
               f"a failure on {where} fails .ci/run, which says where", said(result))
    for where, scripts in (("this system", ["exit 1", good]), ("Debian 13", [good, "exit 137"])):
        result = run_ci(*scripts)
        tap.ok(result.returncode == 1 and last_line(result) == "5 passed, 1 failed, 2 skipped",
               f"a check on {where} that ends without counts is a failure", said(result))
    result = run_ci(good, "echo 'bare-debian.sh: debootstrap failed' >&2; exit 3")
    tap.ok(result.returncode == 0 and last_line(result) == "5 passed, 0 failed, 3 skipped"
           and "Debian 13: skipped: bare-debian.sh: debootstrap failed" in result.stdout,
           "without a folder of Debian 13 a case is skipped, with the reason", said(result))


test_command_line()
test_result()
test_tiers()
test_system()
test_coverage()
test_other_cpus()
test_installing()
test_petsc()
test_ci()
tap.done()
