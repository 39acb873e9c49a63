"""test_python_aarch64.py BUILD VERSION: packaging/build-wheel.sh builds a wheel for 64-bit Arm,
which multiplies and solves in Debian's Python for 64-bit Arm, under qemu-user.

BUILD/python-aarch64 stays, so that a compiler cache finds its files.
"""
import glob
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import extension
import python_venv
import tap
from arm64_python import Arm64Python, missing_program
from installed import said
from python_venv import call

BUILD, VERSION = sys.argv[1:]
FOLDER = os.path.join(BUILD, "python-aarch64")


def in_folder(name):
    return os.path.join(FOLDER, name)


def build(project, interpreter):
    result = call(os.path.join(project, "packaging/build-wheel.sh"), "--arch", "aarch64",
                  "--optimize", "0", "--python", interpreter.path, in_folder("out"))
    wheels = glob.glob(in_folder("out/*.whl"))
    name = f"spmvgen-{VERSION}-cp311-abi3-manylinux_2_28_aarch64.whl"
    tap.ok(result.returncode == 0 and [os.path.basename(wheel) for wheel in wheels] == [name],
           "a wheel for 64-bit Arm is built", said(result)[-4000:] + str(wheels))
    return wheels[0] if wheels else None


def main():
    prepared = python_venv.prepare_build(FOLDER)
    if not prepared:
        return
    interpreter, tools, project = prepared
    wheel = build(project, interpreter)
    if not wheel:
        return
    tap.diag(f"{os.path.getsize(wheel)} bytes")
    if missing_program():
        tap.skip(f"the wheel is not run: {missing_program()} is not installed")
        return
    arm64 = Arm64Python(in_folder("python"))
    if arm64.why:
        tap.skip("the wheel is not run: " + arm64.why)
        return
    site = in_folder("site")
    shutil.rmtree(site, ignore_errors=True)
    if tools.installs("pip takes it for that system", "--target", site, *arm64.pip_options(),
                      wheel):
        extension.check(os.path.join(site, "spmvgen/_core.abi3.so"), stripped=True)
        found = python_venv.product("CPython " + arm64.version, arm64.command, VERSION,
                                    PYTHONPATH=site)
        targets = {key.split()[0] for key in found["bits"]} if found else set()
        tap.ok(targets == {"aarch64", "generic-c"}, "plain C and NEON multiply", targets)


sys.dont_write_bytecode = True
main()
tap.done()
