"""select_targets.py: which of the committed targets libspmv links.

    select_targets.py FAMILY NAME...

FAMILY is Meson's name of the host's CPU family. A NAME is a folder beside this file, or

    cpu       plain C and the targets of that family
    all       cpu, and the targets of other devices
    native    the target of the highest rank that this machine's CPU can run

or the absolute path of an emitted folder elsewhere. Prints the chosen folders, one a line and each
once: those of CPUs first, by rank.
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


def flags_of_page(manifest):
    """The words that the target's own page asks for."""
    return set(manifest["targets"][0]["facts"].get("cpu_flags", {}).get("value", "").split())


def flags_of_cpu():
    """The words of /proc/cpuinfo here; none where there is no such file."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    return set(cpuinfo.read_text(encoding="utf-8").split()) if cpuinfo.exists() else set()


class Target:
    def __init__(self, folder, name=None):
        self.name = name or folder.name
        self.manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        first = self.manifest["methods"][0]
        self.isa, self.rank, self.is_cpu = first["isa"], first["rank"], first["backend"] == "c"

    def is_of(self, family):
        return not self.is_cpu or FAMILY_OF_ISA.get(self.isa, family) == family

    def runs_here(self):
        return flags_of_isa(self.isa) | flags_of_page(self.manifest) <= flags_of_cpu()


def best_here(targets, family):
    """The highest rank; the name breaks ties."""
    able = [t for t in targets if t.is_cpu and t.is_of(family) and t.runs_here()]
    return max(able, key=lambda t: (t.rank, t.name)).name


def select(family, names):
    targets = [Target(path.parent) for path in sorted(GENERATED.glob("*/manifest.json"))]
    known = {t.name: t for t in targets}
    chosen = set()
    if not names:
        sys.exit("builtin_targets: no name is given; expected all, cpu, native or folders of "
                 "generated/")
    for name in names:
        if name == "all":
            chosen |= {t.name for t in targets if t.is_of(family)}
        elif name == "cpu":
            chosen |= {t.name for t in targets if t.is_cpu and t.is_of(family)}
        elif name == "native":
            chosen.add(best_here(targets, family))
        elif name.startswith("/") and (pathlib.Path(name) / "manifest.json").exists():
            known[name] = Target(pathlib.Path(name), name)
            chosen.add(name)
        elif name not in known:
            sys.exit(f"builtin_targets: '{name}' is no folder of generated/; expected all, cpu, "
                     f"native, one of {', '.join(known)}, or an emitted folder's absolute path")
        elif not known[name].is_of(family):
            sys.exit(f"builtin_targets: '{name}' does not run on a CPU of the family {family}")
        else:
            chosen.add(name)
    return sorted(chosen, key=lambda name: (not known[name].is_cpu, known[name].rank, name))


if __name__ == "__main__":
    print("\n".join(select(sys.argv[1], sys.argv[2:])))
