"""test_page.py BUILD: the commands of docs/how-to/petsc.md work, and show what it says."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "scripts"))

import pages
import tap

BUILD = os.path.abspath(sys.argv[1])
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1")


def run(folder, commands):
    return subprocess.run(["sh", "-euc", commands], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT, check=False)


def missing():
    for tool in ("mpicc", "mpirun", "pkg-config"):
        if subprocess.run(["sh", "-c", f"command -v {tool}"], stdout=subprocess.DEVNULL,
                          check=False).returncode:
            return f"there is no {tool}"
    if subprocess.run(["pkg-config", "--exists", "PETSc"], check=False).returncode:
        return "pkg-config does not know PETSc"
    return ""


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
    if missing():
        tap.skip(missing())
        tap.done()
    page = pages.read("docs/how-to/petsc.md")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, flags=re.S | re.M)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(BUILD, os.path.join(folder, "build"))
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
    tap.done()


main()
