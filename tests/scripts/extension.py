"""extension.py: what the tests of the Python package ask of its extension, an ELF file."""
import re
import subprocess

import tap

# Every Linux has these; a wheel brings no library of its own, and no OpenMP.
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0",
                    "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], text=True, capture_output=True,
                          check=True).stdout


def needed(path):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf(path, "-d")))


def exported(path):
    """The names of the dynamic symbols that the file defines."""
    found = set()
    for line in readelf(path, "--dyn-syms").splitlines():
        words = line.split()
        if len(words) >= 8 and words[0].endswith(":") and words[6] not in ("UND", "Ndx"):
            found.add(words[7].split("@")[0])
    return found


def check(path, stripped):
    """Cases: the extension needs and exports only what a wheel's may."""
    tap.ok(path.endswith("_core.abi3.so"), "its name says that it uses the stable ABI", path)
    more = needed(path) - SYSTEM_LIBRARIES
    tap.ok(not more, "it needs libraries of the system alone, and none of OpenMP", more)
    tap.ok(exported(path) == {"PyInit__core", "spmvgen_thread_limit"},
           "it exports the module's entry, and the symbol that threadpoolctl looks for, alone",
           exported(path))
    if stripped:
        sections = set(re.findall(r"\] (\.\S+)", readelf(path, "-S")))
        more = {name for name in sections if name.startswith(".debug") or name == ".symtab"}
        tap.ok(not more, "it has no symbols for debuggers", more)
