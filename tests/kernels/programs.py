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
import concurrent.futures
import hashlib
import json
import pathlib
import re
import shutil
import subprocess

import manifests
from locks import locked
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


def emit_distinct(spmvgen, language, folder, data):
    """{target: symbols of its programs that no earlier target has}"""
    def keys_of(target):
        modules = run_spmvgen(spmvgen, data, target, [], folder / target)
        keys = identities(spmvgen, target, modules, folder / "alone", data)
        return {module.symbol: keys[module.symbol] for module in modules}

    distinct, seen = {}, set()
    targets = targets_of(language, data)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for target, keys in zip(targets, pool.map(keys_of, targets)):
            distinct[target] = [symbol for symbol, key in keys.items() if key not in seen]
            seen |= set(keys.values())
    return distinct


def stamp_of(spmvgen, data):
    """A hash of everything that emitted programs depend on."""
    files = [path for folder in ("templates", "targets", "runtime")
             for path in sorted((data / folder).rglob("*")) if path.is_file()]
    stamp = hashlib.sha256()
    for path in [pathlib.Path(shutil.which(spmvgen)), pathlib.Path(__file__), *files]:
        stamp.update(f"{path}\0".encode() + path.read_bytes())
    return stamp.hexdigest()


def emit_once(spmvgen, language, folder, data):
    """As emit_distinct, but emits nothing if the folder has the result for the same input: suites
    share it, and the many emissions take minutes."""
    with locked(folder):
        stamp, path = stamp_of(spmvgen, data), folder / "distinct.json"
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if known.get("stamp") != stamp:
            path.unlink(missing_ok=True)
            known = {"stamp": stamp, "distinct": emit_distinct(spmvgen, language, folder, data)}
            path.write_text(json.dumps(known), encoding="utf-8")
        return known["distinct"]


def emit(spmvgen, language, folder, data=ROOT, half=None):
    """Emits into FOLDER/LANGUAGE, which concurrent suites may share."""
    chosen, folder = [], folder / language
    turns = collections.defaultdict(lambda: half)
    for target, symbols in emit_once(spmvgen, language, folder, data).items():
        distinct = [m for m in manifests.read(folder / target)[1] if m.symbol in symbols]
        if half is not None:
            distinct = half_of(distinct, turns)
        if distinct:
            chosen.append((folder / target, [module.symbol for module in distinct]))
    return chosen
