"""test_page.py BUILD: the commands of docs/how-to/petsc.md work, and show what it says."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../scripts"),
                os.path.join(HERE, "../../integrations/petsc")]

import installed_petsc
import mpi
import pages
import tap
from machine import SOURCE

BUILD = os.path.abspath(sys.argv[1])


def run(folder, commands):
    return subprocess.run(["sh", "-euc", commands], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=mpi.CROWDED, check=False)


def test_linked(folder, commands):
    """Installs into the folder, in place of /usr/local."""
    root = os.path.join(folder, "root")
    install, rest = commands.split("\n", 1)
    installed = run(folder, f"DESTDIR={root} {install} --no-rebuild --quiet")
    found = {name: os.path.join(top, name) for top, _, names in os.walk(root) for name in names
             if name in ("petscspmv.pc", "libpetscspmv.so", "petscspmv.h")}
    tap.ok(len(found) == 3, "header, library and file for pkg-config are installed",
           installed.stdout)
    if len(found) < 3:
        return
    with open(found["petscspmv.pc"], encoding="utf-8") as file:
        config = file.read()
    for name, path in (("libdir", "libpetscspmv.so"), ("includedir", "petscspmv.h")):
        config = re.sub(rf"^{name}=.*$", f"{name}={os.path.dirname(found[path])}", config,
                        flags=re.M)
    with open(found["petscspmv.pc"], "w", encoding="utf-8") as file:
        file.write(config)
    linked = run(folder, f"export PKG_CONFIG_PATH={os.path.dirname(found['petscspmv.pc'])}\n"
                         f"export LD_LIBRARY_PATH={os.path.dirname(found['libpetscspmv.so'])}\n"
                         + rest)
    tap.ok(linked.returncode == 0, "a program links the installed library", linked.stdout)


def main():
    why = installed_petsc.missing()
    if why:
        tap.skip(why)
        tap.done()
    page = pages.read("docs/how-to/petsc.md")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, flags=re.S | re.M)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(BUILD, os.path.join(folder, "build"))
        os.symlink(os.path.join(SOURCE, "integrations"), os.path.join(folder, "integrations"))
        for path, text in pages.shown_files(page).items():
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(text)
        solved = run(folder, blocks[1])
        iterations = re.findall(r"^(\d+) iterations$", solved.stdout, flags=re.M)
        tap.ok(solved.returncode == 0 and len(iterations) == 2 and
               iterations[0] == iterations[1], "both types take the same iterations",
               solved.stdout)
        tap.ok(all(f"rank {rank}, {block} block: " in solved.stdout
                   for rank in (0, 1) for block in ("diagonal", "off-diagonal")),
               "the choices of both ranks are printed", solved.stdout)
        test_linked(folder, blocks[2])
        linked = run(folder, blocks[3])
        tap.ok(linked.returncode == 0, "a program links the library of the build folder",
               linked.stdout)
    tap.done()


main()
