"""test_python_install.py BUILD VERSION CC...: pip installs the Python package from a clone, from
the source distribution, and from a wheel that pip makes of it.

Each time in a fresh virtual environment, where it multiplies and solves. It is compiled by -O0 and
with the kernels of this CPU alone, which takes a fraction of the time; test_python_manylinux.py has
those of every CPU. BUILD/python-install stays, so that a compiler cache finds
its files again; pip unpacks the source distribution below it, so the cache has that of the clone.
"""
import glob
import os
import re
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import extension
import python_venv
import tap
from installed import said
from python_venv import Venv, call

BUILD, VERSION, *CC = sys.argv[1:]
FOLDER = os.path.join(BUILD, "python-install")
FEWER_KERNELS = "--config-settings=setup-args=-Dbuiltin_targets=generic-c,native"
COMPILER = {"CC": shlex.join(CC), "CFLAGS": "-O0", "TMPDIR": os.path.join(FOLDER, "tmp")}


def in_folder(name):
    return os.path.join(FOLDER, name)


def make_sources(project, builder):
    """The source distribution, which Meson makes from a git repository; None: it is not made."""
    if not shutil.which("git"):
        tap.skip("the source distribution: git is not installed")
        return None
    if not python_venv.make_repository(project):
        return None
    if not builder.installs("pip installs build", "build"):
        return None
    shutil.rmtree(in_folder("dist"), ignore_errors=True)
    result = call(builder.python, "-m", "build", "--sdist", "--outdir", in_folder("dist"), project,
                  **COMPILER)
    tap.ok(result.returncode == 0, "the source distribution is made", said(result)[-4000:])
    found = glob.glob(in_folder("dist/*.tar.gz"))
    return found[0] if found else None


def test_clone(project, interpreter):
    venv = Venv(in_folder("clone"), interpreter)
    if not venv.installs(f"CPython {interpreter.version}: pip install .", FEWER_KERNELS, project,
                         **COMPILER):
        return None
    found = python_venv.product("from a clone", venv.python, VERSION)
    if found:
        extension.check(os.path.join(found["folder"], "_core.abi3.so"), stripped=True)
    return found


def test_wheel(sources, builder, interpreters, of_clone):
    shutil.rmtree(in_folder("wheels"), ignore_errors=True)
    result = builder.pip("wheel", "--quiet", "--no-deps", "--wheel-dir", in_folder("wheels"),
                         FEWER_KERNELS, sources, **COMPILER)
    wheels = glob.glob(in_folder("wheels/*.whl"))
    if not tap.ok(result.returncode == 0 and len(wheels) == 1,
                  "pip builds a wheel of the source distribution", said(result)[-4000:]):
        return
    tap.diag(f"{os.path.getsize(wheels[0])} bytes")
    tap.ok(re.fullmatch(rf"spmvgen-{re.escape(VERSION)}-cp3\d+-abi3-linux_\w+\.whl",
                        os.path.basename(wheels[0])), "it is for the stable ABI", wheels)
    for interpreter in interpreters:
        venv = Venv(in_folder("wheel"), interpreter)
        name = f"CPython {interpreter.version}"
        if venv.installs(f"{name}: pip install ./*.whl", wheels[0]):
            found = python_venv.product(name, venv.python, VERSION)
            python_venv.same_bits(f"{name}, as from a clone", found, of_clone)


def main():
    os.makedirs(COMPILER["TMPDIR"], exist_ok=True)
    interpreters = python_venv.interpreters()
    able = [interpreter for interpreter in interpreters if interpreter.has_headers]
    if not able:
        tap.skip("no Python 3.11 or later has venv and headers (Debian: python3-venv, python3-dev)")
        return
    builder = Venv(in_folder("builder"), able[0])
    why = python_venv.why_no_pypi(builder)
    if why:
        tap.skip(why)
        return
    project = in_folder("project")
    python_venv.copy_project(project)
    of_clone = test_clone(project, able[-1])
    sources = make_sources(project, builder)
    if sources:
        test_wheel(sources, builder, interpreters[interpreters.index(able[0]):], of_clone)


main()
tap.done()
