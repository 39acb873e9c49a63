"""test_python_manylinux.py BUILD VERSION: packaging/build-wheel.sh builds a wheel for this machine.

It runs on every CPython found here. The newest one with the newest NumPy and SciPy, and the oldest
one with the oldest, pass the tests of tests/python. Its products have the same bits as those of the
package in BUILD, which another compiler built. BUILD/python-manylinux stays, so that a compiler
cache finds its files.
"""
import glob
import os
import shutil
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import extension
import python_venv
import tap
from installed import said
from machine import SOURCE
from python_venv import Venv, call

BUILD, VERSION = sys.argv[1:]
FOLDER = os.path.join(BUILD, "python-manylinux")
OLDEST = ["numpy==1.24.*", "scipy==1.10.*"]
LARGEST = 8_000_000              # by -O0; -O1 makes it 1.7 MB


def in_folder(name):
    return os.path.join(FOLDER, name)


def build(project, interpreter):
    result = call(os.path.join(project, "packaging/build-wheel.sh"), "--optimize", "0", "--python",
                  interpreter.path, in_folder("out"))
    wheels = glob.glob(in_folder("out/*.whl"))
    if not tap.ok(result.returncode == 0 and len(wheels) == 1, "the wheel is built",
                  said(result)[-4000:]):
        return None
    arch = os.uname().machine
    tap.ok(os.path.basename(wheels[0]) ==
           f"spmvgen-{VERSION}-cp311-abi3-manylinux_2_28_{arch}.whl",
           "it is for manylinux_2_28 and the stable ABI from CPython 3.11 on", wheels)
    tap.ok(len(glob.glob(in_folder("out/*.tar.gz"))) == 1, "the source distribution is there")
    return wheels[0]


def test_contents(wheel):
    size = os.path.getsize(wheel)
    tap.diag(f"{size} bytes")
    tap.ok(size < LARGEST, f"it has less than {LARGEST} bytes", size)
    shutil.rmtree(in_folder("contents"), ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(in_folder("contents"))
    libraries = [name for name in names if ".so" in name]
    tap.ok(libraries == ["spmvgen/_core.abi3.so"], "the extension is its only library", libraries)
    path = in_folder("contents/spmvgen/_core.abi3.so")
    extension.check(path, stripped=True)
    sys.path.insert(0, os.path.join(SOURCE, "generated"))
    import select_targets
    with open(path, "rb") as file:
        text = file.read()
    missing = [target.name for target in select_targets.select(os.uname().machine, ["cpu"])
               if target.name.encode() + b"\0" not in text]
    tap.ok(not missing, "it has the targets of all CPUs of the architecture", missing)


def test_abi3(wheel, venv):
    if venv.pip("install", "--quiet", "abi3audit").returncode != 0:
        tap.skip("pip does not install abi3audit")
        return
    result = call(venv.python, "-m", "abi3audit", "--strict", "--verbose", wheel)
    tap.ok(result.returncode == 0, "abi3audit finds no symbol outside of the stable ABI",
           said(result))


def of_build():
    """The products of the package in the build folder; None: it does not run here."""
    folder = os.path.join(BUILD, "integrations", "python")
    result = call(sys.executable, "-c", "import spmvgen", PYTHONPATH=folder)
    if result.returncode != 0:
        tap.skip("the build folder has no package to compare with")
        return None
    return python_venv.product("in the build folder", sys.executable, VERSION, PYTHONPATH=folder)


def test_targets(name, found):
    """A case: the package has a kernel for each target that this CPU can run."""
    import select_targets
    wanted = {target.name for target in select_targets.select(os.uname().machine, ["cpu"])
              if target.runs_here()}
    targets = {key.split()[0] for key in found["bits"]} if found else set()
    tap.ok(targets == wanted, f"{name}: all targets that this CPU can run multiply",
           f"{sorted(targets)}, expected {sorted(wanted)}")


def test_installed(wheel, interpreters, reference):
    for interpreter in interpreters:
        name = f"CPython {interpreter.version}"
        venv = Venv(in_folder("venv"), interpreter)
        if not venv.installs(f"{name}: pip installs it", wheel, "pytest"):
            continue
        found = python_venv.product(name, venv.python, VERSION)
        test_targets(name, found)
        python_venv.same_bits(f"{name}, as in the build folder", found, reference)
        if interpreter is interpreters[-1]:
            python_venv.run_pytest(name, venv)
    if tuple(interpreters[0].minor) != (3, 11):
        tap.skip("the oldest NumPy needs CPython 3.11, which is not installed")
        return
    venv = Venv(in_folder("oldest"), interpreters[0])
    if venv.installs("pip installs it with the oldest NumPy and SciPy", wheel, "pytest", *OLDEST):
        python_venv.product("oldest NumPy and SciPy", venv.python, VERSION)
        python_venv.run_pytest("oldest NumPy and SciPy", venv)


def main():
    prepared = python_venv.prepare_build(FOLDER)
    if not prepared:
        return
    interpreter, tools, project = prepared
    wheel = build(project, interpreter)
    if wheel:
        test_contents(wheel)
        test_abi3(wheel, tools)
        test_installed(wheel, python_venv.interpreters(), of_build())


sys.dont_write_bytecode = True
main()
tap.done()
