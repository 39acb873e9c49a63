"""programs.py: the distinct programs that spmvgen emits for other devices.

    programs.emit(SPMVGEN, LANGUAGE, FOLDER) -> [(folder of emitted files, symbols)]
    programs.emit(..., half=0)  one half of them; half=1: the other half

A half has two of a text's four pairs of types: each value type once and each row-pointer type once.

Targets with equal parameters have equal programs. Two modules count as one if all compiled text is
equal, for the device and for its host; only their names and tables differ. The module of the first
target, by name, represents all. Each module is emitted alone for the comparison, since the text
that modules of one file share depends on all of them; the folders hold files with all modules.
"""
import collections
import re
import subprocess

import manifests
from root import ROOT


def targets_of(language, data):
    """Names of the targets with that backend that are not abstract."""
    pages = {path.stem: path.read_text(encoding="utf-8")
             for path in (data / "targets").glob("*.lua")}

    def backend(name):
        stated = re.search(r'^backend = "(\w+)"', pages[name], re.MULTILINE)
        parent = re.search(r'^inherit "([\w-]+)"', pages[name], re.MULTILINE)
        return stated[1] if stated else backend(parent[1]) if parent else None

    return [name for name in sorted(pages)
            if backend(name) == language and "abstract = true" not in pages[name]]


def run_spmvgen(spmvgen, data, target, arguments, folder):
    subprocess.run([spmvgen, "--data", str(data), "--target", target, *arguments, "-o",
                    str(folder)], check=True, stdout=subprocess.DEVNULL)
    return manifests.read(folder)[1]


def identity(module):
    """The compiled text of a module that is alone in its file, its program included: everything
    between the banner and the module's tables."""
    text = module.path.read_text(encoding="utf-8")
    compiled = text[text.index("*/"):text.index("\n/* ---- the modules' tables ")]
    return compiled.replace(module.path.stem, "")       # a comment contains the file's name


def identities(spmvgen, target, modules, folder, data):
    """{symbol: identity} of a target's modules."""
    found = {}
    for value, offset in sorted({(module.value_type, module.offset_type) for module in modules}):
        alone = run_spmvgen(spmvgen, data, target, ["--type", value, "--offsets", offset],
                            folder / f"{target}.{value}.{offset}")
        found |= {module.symbol: identity(module) for module in alone}
    return found


def half_of(modules, turns):
    """One module for each method and value type. turns: a counter of earlier calls by method, so
    that each method's next target has the other pairs of types."""
    chosen = []
    for method in dict.fromkeys(module.method for module in modules):
        for i, value in enumerate(["f32", "f64"]):
            pairs = [m for m in modules if (m.method, m.value_type) == (method, value)]
            pairs.sort(key=lambda module: module.offset_type)
            if pairs:
                chosen.append(pairs[(turns[method] + i) % len(pairs)])
        turns[method] += 1
    return chosen


def emit(spmvgen, language, folder, data=ROOT, half=None):
    chosen, seen = [], set()
    turns = collections.defaultdict(lambda: half)
    for target in targets_of(language, data):
        modules = run_spmvgen(spmvgen, data, target, [], folder / target)
        keys = identities(spmvgen, target, modules, folder / "alone", data)
        distinct = []
        for module in modules:
            if keys[module.symbol] not in seen:
                distinct.append(module)
            seen.add(keys[module.symbol])
        if half is not None:
            distinct = half_of(distinct, turns)
        if distinct:
            chosen.append((folder / target, [module.symbol for module in distinct]))
    return chosen
