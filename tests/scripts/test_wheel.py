"""test_wheel.py BUILD DEBUG SANITIZE: pyproject.toml, and the Python extension in a build folder.
"""
import os
import re
import shutil
import sys
import tomllib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import extension
import tap
from machine import SOURCE

BUILD, DEBUG, SANITIZE = sys.argv[1:]


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def test_metadata(project):
    tap.ok("version" in project["dynamic"] and "version" not in project,
           "pyproject.toml: the version is that of meson.build")
    links = re.findall(r"\]\((?!https?://)[^)]*\)", read(project["readme"]))
    tap.ok(not links, "the package's README has no link to another file", links)
    oldest = int(re.search(r"Py_LIMITED_API=(0x\w+)", read("integrations/python/meson.build"))[1],
                 16)
    tap.ok(project["requires-python"] == f">={oldest >> 24}.{oldest >> 16 & 255}",
           "the oldest Python is that of the limited API", project["requires-python"])
    missing = [name for name in project["license-files"] + [project["readme"]]
               if not os.path.exists(os.path.join(SOURCE, name))]
    tap.ok(not missing, "the files that it names exist", missing)


def test_targets(arguments):
    """A wheel has plain C and the targets of its architecture's CPUs, and none of other devices."""
    sys.path.insert(0, os.path.join(SOURCE, "generated"))
    import select_targets
    words = [argument.split("=", 1)[1] for argument in arguments
             if argument.startswith("-Dbuiltin_targets=")]
    for family, wanted in (("x86_64", ["generic-c", "sapphire-rapids", "x86-64-v3", "x86-64-v4",
                                       "zen2", "zen4"]),
                           ("aarch64", ["aarch64", "generic-c"])):
        chosen = sorted(t.name for t in select_targets.select(family, words[0].split(",")))
        tap.ok(chosen == wanted, f"a wheel for {family} has the targets of its CPUs", chosen)


sys.dont_write_bytecode = True
pyproject = tomllib.loads(read("pyproject.toml"))
test_metadata(pyproject["project"])
test_targets(pyproject["tool"]["meson-python"]["args"]["setup"])
path = os.path.join(BUILD, "integrations/python/spmvgen/_core.abi3.so")
if not os.path.exists(path):
    tap.skip("the Python package is not part of this build")
elif SANITIZE != "none":
    tap.skip("an extension with sanitizers needs their library: " + SANITIZE)
elif not shutil.which("readelf"):
    tap.skip("readelf is not installed")
else:
    extension.check(path, stripped=DEBUG == "false")
tap.done()
