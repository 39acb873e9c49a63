"""test_commands.py SPMVGEN BUILD: the commands of README.md and docs/ work, in the order of a page.

Every block of commands, ```sh, is run; above one that is not stands a line "Not run by the tests:
REASON". A page has a folder of its own that looks like a clone after ./quickstart; files that the
page shows under <!-- file: PATH --> are written there first. `cc` is called with -O0 behind its
options, which takes a fifth of the time, and generated/c has one target and one pair of types,
which takes a quarter.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
import pages
from machine import SOURCE

NOT_RUN = re.compile(r"\*Not run by the tests: [^*]{10,}\.\*\n\n$")
COMMAND = re.compile(r"^ {4}(?:spmvgen|spmvbench|cc|c\+\+|meson|ninja|python3|cp|mkdir|export"
                     r"|\.?[\w./-]*/(?:spmvgen|spmvbench|quickstart|check|\w+\.py|\w+\.sh)) ", re.M)


def blocks(text):
    """(line, commands, whether they are run)"""
    found = []
    for block in re.finditer(r"^```sh\n(.*?)^```$", text, flags=re.S | re.M):
        found.append((text[:block.start()].count("\n") + 2, block[1],
                      not NOT_RUN.search(text[:block.start()])))
    return found


def clone(folder, build, kernels):
    """A folder like a clone that was built: what pages write into is a copy, as is what they search
    by find, which follows no link. kernels: the folder that it has as generated/c."""
    for name in ("LICENSE", "bench", "docs", "examples", "tests"):
        os.symlink(os.path.join(SOURCE, name), os.path.join(folder, name))
    for name in ("common", "runtime", "targets", "templates"):
        shutil.copytree(os.path.join(SOURCE, name), os.path.join(folder, name))
    shutil.copytree(kernels, os.path.join(folder, "generated/c"))
    os.symlink(build, os.path.join(folder, "build"))
    tools = os.path.join(folder, "tools-of-the-test")
    os.mkdir(tools)
    with open(os.path.join(tools, "cc"), "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {shutil.which("cc")} "$@" -O0\n')
    os.chmod(os.path.join(tools, "cc"), 0o755)
    return tools


def test_page(name, text, spmvgen, build, kernels):
    run = [(line, commands) for line, commands, is_run in blocks(text) if is_run]
    if not run:
        return
    with tempfile.TemporaryDirectory() as folder:
        tools = clone(folder, build, kernels)
        for path, shown in pages.shown_files(text).items():
            path = os.path.join(folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(shown)
        script = "set -eu\n" + "".join(f"echo '@ line {line}' >&2\n{commands}"
                                       for line, commands in run)
        environment = {**os.environ, "SPMVGEN_DATA": folder, "OMP_WAIT_POLICY": "passive",
                       "SPMV_CACHE": os.path.join(folder, "cache"),
                       "PATH": os.pathsep.join([tools, os.path.dirname(spmvgen),
                                                os.path.join(build, "bench"), os.environ["PATH"]])}
        # Meson lets a test find the libraries of the build; a reader's shell does not.
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(
            place for place in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
            if place and not place.startswith(build))
        done = subprocess.run(["sh", "-c", script], cwd=folder, env=environment, text=True,
                              capture_output=True, check=False)
        shown = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        tap.ok(done.returncode == 0, f"{name}: its {len(run)} blocks of commands work", shown)
        for line in re.findall(r"It prints `(.*?)`", text):
            tap.ok(line in done.stdout, f"{name}: they print {line}", shown)


def main():
    texts = {name: pages.read(name) for name in pages.all_pages()
             if name == "README.md" or name.startswith("docs/")}
    for name, text in texts.items():
        bare = COMMAND.findall(re.sub(r"^ *```.*?^ *```$", "", text, flags=re.S | re.M))
        tap.ok(not bare, f"{name}: commands stand in blocks that say whether they are run", bare)
    tap.ok([is_run for *_, is_run in blocks("```sh\na\n```\n\n"
                                            "*Not run by the tests: it is long.*\n\n"
                                            "```sh\nb\n```\n")] == [True, False],
           "a block that is not run is told from others")
    if len(sys.argv) < 3:
        tap.skip("the pages' commands: spmvgen is not part of this build")
    else:
        spmvgen, build = map(os.path.abspath, sys.argv[1:])
        with tempfile.TemporaryDirectory() as kernels:
            subprocess.run([spmvgen, "--data", SOURCE, "--target", "generic-c", "--type", "f64",
                            "--offsets", "i32", "-o", kernels], check=True, capture_output=True)
            for name, text in texts.items():
                test_page(name, text, spmvgen, build, kernels)
    tap.done()


main()
