"""What ./check says of builds and tests that succeed, fail or are not there (machine.py pretends)."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import BUILD_PACKAGES, CROSS_PACKAGES, OPENCL_PACKAGES, PACKAGES, TEST_PACKAGES, Machine


def said(result):
    return f"exit code {result.returncode}\n{result.stdout}{result.stderr}"


def last_line(result):
    return (result.stdout.splitlines() or [""])[-1]


def give_tests(m, **programs):
    """What Meson will say of every build's tests: program=its output."""
    m.write("intro-tests.json", json.dumps([{"name": n, "protocol": "tap"} for n in programs]))
    m.write("testlog.json", "".join(
        json.dumps({"name": name, "stdout": out, "returncode": 1 if "not ok" in out else 0,
                    "result": "FAIL" if "not ok" in out else "OK"}) + "\n"
        for name, out in programs.items()))


def test_command_line():
    with Machine() as m:
        result = m.run("check", "--help")
        tap.ok(result.returncode == 0 and "N passed, N failed, N skipped" in result.stdout,
               "--help prints the usage and exits with 0", said(result))
        result = m.run("check", "quickly")
        tap.ok(result.returncode == 2 and "'quickly'" in result.stderr and "usage:" in result.stderr,
               "an unknown argument is named, with the usage, and exits with 2", said(result))
        result = m.run("check", "--no-install")
        tap.ok(result.returncode == 1
               and all(f"    {p}\n" in result.stderr for p in BUILD_PACKAGES + TEST_PACKAGES
                       if p != "python3")
               and not os.path.exists(os.path.join(m.root, "build-check")),
               "--no-install lists what build and tests lack, and stops", said(result))


def test_result():
    with Machine(PACKAGES) as m:
        give_tests(m, good="ok 1 - adds\nok 2 - subtracts # SKIP no numbers here\n1..2\n")
        result = m.run("check")
        # Of each of the four builds: the build itself, one case that passes, one skipped.
        tap.ok(result.returncode == 0 and last_line(result) == "8 passed, 0 failed, 4 skipped",
               "cases of all builds are counted, and the builds themselves", said(result))
        tap.ok("no numbers here" in result.stdout, "skipped cases are listed with their reason")
        setups = [call for call in m.calls("meson") if call.startswith("setup")]
        tap.ok(len(setups) == 4 and all("-Dwerror=true" in call for call in setups)
               and all("--cross-file" in call for call in setups[1:3])
               and "-Dgenerator=disabled" in setups[3] and "-Dopenmp=disabled" in setups[3],
               "all are built with warnings as errors, the last without generator and threads",
               "\n".join(setups))

        give_tests(m, good="ok 1 - adds\n1..1\n", bad="not ok 1 - divides\n# by 0\n1..1\n")
        result = m.run("check")
        tap.ok(result.returncode == 1 and last_line(result) == "8 passed, 4 failed, 0 skipped"
               and "divides" in result.stdout and "by 0" in result.stdout,
               "failed cases are shown with what was said of them, exit code 1", said(result))

        give_tests(m, good="ok 1 - adds\n1..1\n")
        m.write("ninja.fails", "build-check/full")
        result = m.run("check")
        tap.ok(result.returncode == 1 and last_line(result) == "6 passed, 1 failed, 0 skipped"
               and "error: no luck" in result.stdout,
               "a build that fails is one failed case with the end of its log, and the others are "
               "still tested", said(result))
        m.remove("ninja.fails")

        give_tests(m)
        result = m.run("check")
        tap.ok(last_line(result) == "4 passed, 0 failed, 0 skipped",
               "results of an earlier run are not counted again", said(result))
        tap.ok(len(re.findall(r"\d+ passed, \d+ failed", result.stdout)) == 1,
               "the counting line is there once")


def test_other_cpus():
    lacking = CROSS_PACKAGES[:]
    for name, how, words in (("--no-install", {"apt": True}, ["--no-install"]),
                             ("a system without apt-get", {}, [])):
        with Machine(BUILD_PACKAGES + TEST_PACKAGES, **how) as m:
            give_tests(m, good="ok 1 - adds\n1..1\n")
            result = m.run("check", *words)
            tap.ok(result.returncode == 0 and last_line(result) == "4 passed, 0 failed, 2 skipped"
                   and "build for aarch64-linux-gnu: its gcc" in result.stdout
                   and " ".join(lacking) in result.stderr,
                   f"{name}: without cross compilers their builds are skipped, with the reason",
                   said(result))

    with Machine(set(PACKAGES) - {"libc6-dev-armhf-cross"}) as m:
        give_tests(m, good="ok 1 - adds\n1..1\n")
        result = m.run("check", "--no-install")
        tap.ok(result.returncode == 0 and last_line(result) == "6 passed, 0 failed, 1 skipped"
               and "build for arm-linux-gnueabihf: its gcc, C library" in result.stdout,
               "a compiler without its C library does not count", said(result))

    with Machine(set(PACKAGES) - {"libc6-dev-armhf-cross"}, apt=True) as m:
        give_tests(m, good="ok 1 - adds\n1..1\n")
        result = m.run("check")
        installs = [call for call in m.calls("apt-get") if " install " in f" {call} "]
        tap.ok(result.returncode == 0 and last_line(result) == "8 passed, 0 failed, 0 skipped"
               and installs and installs[-1].endswith("libc6-dev-armhf-cross"),
               "what only other CPUs lack is installed", said(result) + "\n".join(installs))


def test_installing():
    with Machine(BUILD_PACKAGES, apt=True) as m:
        give_tests(m, good="ok 1 - adds\n1..1\n")
        result = m.run("check")
        installs = [call for call in m.calls("apt-get") if " install " in f" {call} "]
        tap.ok(result.returncode == 0 and installs
               and all(p in installs[0].split() for p in TEST_PACKAGES)
               and all(any(p in call.split() for call in installs[1:])
                       for p in CROSS_PACKAGES + OPENCL_PACKAGES)
               and "meson" not in installs[0].split(),
               "what only the tests lack is installed", said(result) + "\n".join(installs))


test_command_line()
test_result()
test_other_cpus()
test_installing()
tap.done()
