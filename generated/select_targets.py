"""select_targets.py: which of the committed targets libspmv links.

    select_targets.py FAMILY NAME...

FAMILY is Meson's name of the host's CPU family. A NAME is a target of a folder beside this file, or

    cpu       plain C and the targets of that family
    all       cpu, and the targets of other devices
    native    the target of the highest rank that this machine's CPU can run

or the absolute path of an emitted folder elsewhere, for its targets. Prints the chosen targets, one
a line and each once, those of CPUs first, by rank: name, language, folder and its C files, with
tabs between.
"""
import json
import pathlib
import re
import sys

GENERATED = pathlib.Path(__file__).resolve().parent
# Which family runs what an instruction set's page emits; the scalar one runs everywhere.
FAMILY_OF_ISA = {"avx2": "x86_64", "avx512": "x86_64", "neon": "aarch64"}


def flags_of_isa(isa):
    """The words of /proc/cpuinfo that an instruction set asks for."""
    text = (GENERATED.parent / f"targets/isa/{isa}.lua").read_text(encoding="utf-8")
    return set(re.findall(r'"(\w+)"', re.search(r"cpu_flags = \{(.*?)\}", text)[1]))


def flags_of_page(manifest, name):
    """The words that the target's own page asks for."""
    facts = next(t["facts"] for t in manifest["targets"] if t["name"] == name)
    return set(facts.get("cpu_flags", {}).get("value", "").split())


def flags_of_cpu():
    """The words of /proc/cpuinfo here; none where there is no such file."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    return set(cpuinfo.read_text(encoding="utf-8").split()) if cpuinfo.exists() else set()


class Target:
    def __init__(self, folder, manifest, name):
        self.folder, self.manifest, self.name = folder, manifest, name
        self.methods = [m for m in manifest["methods"] if m["target"] == name]
        first = self.methods[0]
        self.isa, self.rank, self.backend = first["isa"], first["rank"], first["backend"]
        self.is_cpu = self.backend == "c"

    def is_of(self, family):
        return not self.is_cpu or FAMILY_OF_ISA.get(self.isa, family) == family

    def runs_here(self):
        flags = flags_of_page(self.manifest, self.name)
        return flags_of_isa(self.isa) | flags <= flags_of_cpu()


def targets_of(folder):
    """The targets of an emitted folder, by name."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return {t["name"]: Target(folder, manifest, t["name"]) for t in manifest["targets"]}


def committed():
    """The targets of all folders beside this file, by name."""
    found = {}
    for path in sorted(GENERATED.glob("*/manifest.json")):
        found |= targets_of(path.parent)
    return found


def best_here(targets, family):
    """The highest rank; the name breaks ties."""
    able = [t for t in targets if t.is_cpu and t.is_of(family) and t.runs_here()]
    return max(able, key=lambda t: (t.rank, t.name)).name


def select(family, names):
    known = committed()
    targets = list(known.values())
    chosen = set()
    if not names:
        sys.exit("builtin_targets: no name is given; expected all, cpu, native or targets of "
                 "generated/")
    for name in names:
        if name == "all":
            chosen |= {t.name for t in targets if t.is_of(family)}
        elif name == "cpu":
            chosen |= {t.name for t in targets if t.is_cpu and t.is_of(family)}
        elif name == "native":
            chosen.add(best_here(targets, family))
        elif name.startswith("/") and (pathlib.Path(name) / "manifest.json").exists():
            elsewhere = targets_of(pathlib.Path(name))
            known |= elsewhere
            chosen |= set(elsewhere)
        elif name not in known:
            sys.exit(f"builtin_targets: '{name}' is no target of generated/; expected all, cpu, "
                     f"native, one of {', '.join(known)}, or an emitted folder's absolute path")
        elif not known[name].is_of(family):
            sys.exit(f"builtin_targets: '{name}' does not run on a CPU of the family {family}")
        else:
            chosen.add(name)
    return sorted((known[name] for name in chosen), key=lambda t: (not t.is_cpu, t.rank, t.name))


if __name__ == "__main__":
    for target in select(sys.argv[1], sys.argv[2:]):
        print(target.name, target.backend, target.folder,
              *(method["file"] for method in target.methods), sep="\t")
