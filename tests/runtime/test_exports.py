"""test_exports.py HEADER MAP LIBRARY: the header declares, the map lists and the shared library
exports the same functions. The library gives each of them the map's version, unless LIBRARY is
followed by --without-versions: its linker has no version scripts."""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap

COMMENT = re.compile(r"/\*.*?\*/", re.S)


def read(path):
    return COMMENT.sub("", pathlib.Path(path).read_text(encoding="utf-8"))


def read_map(text):
    """Of each function, the node of the version script that lists it."""
    versions = {}
    for node, body in re.findall(r"(\w[\w.]*)\s*\{(.*?)\}", text, flags=re.S):
        for name in re.findall(r"\b(\w+);", body):
            versions[name] = node
    return versions


def read_exports(library):
    """Of each exported symbol, its default version; the nodes themselves are absolute symbols."""
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                             capture_output=True, text=True).stdout
    symbols = [line.split() for line in listing.splitlines()]
    return dict((name.split("@@") + [""])[:2] for _, kind, name in symbols if kind != "A")


header, script, library = sys.argv[1:4]
without_versions = "--without-versions" in sys.argv[4:]
declared = set(re.findall(r"^(?!typedef)\w[\w \*]*?\b(spmv_\w+)\(", read(header), flags=re.M))
versions = read_map(read(script))
tap.ok(len(declared) > 10, "the header declares functions", declared)
tap.ok(set(versions) == declared, "the map lists the functions that the header declares",
       f"declared alone {declared - set(versions)}, listed alone {set(versions) - declared}: "
       "add a new function to the node of the next release in runtime/spmv.map")
if shutil.which("nm") is None:
    tap.skip("needs nm")
else:
    exports = read_exports(library)
    if without_versions:
        exports = {name: versions.get(name) for name in exports if name not in ("_init", "_fini")}
    tap.ok(not declared - set(exports), "every declared function is exported",
           declared - set(exports))
    tap.ok(not set(exports) - declared, "nothing else is exported", set(exports) - declared)
    tap.ok(exports == versions, "each function has the version that the map states",
           set(exports.items()) ^ set(versions.items()))
tap.done()
