"""programs.py: the distinct programs that spmvgen emits for other devices.

    programs.emit(SPMVGEN, LANGUAGE, FOLDER) -> [(folder of emitted files, symbols)]

Targets with equal parameters have equal programs. Two modules count as one if all compiled text is
equal, for the device and for its host; only their names and tables differ. The module of the first
target, by name, represents all. Each module is emitted alone for the comparison, since the text
that modules of one file share depends on all of them; the folders hold files with all modules.
"""
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


def emit(spmvgen, language, folder, data=ROOT):
    chosen, seen = [], set()
    for target in targets_of(language, data):
        modules = run_spmvgen(spmvgen, data, target, [], folder / target)
        keys = identities(spmvgen, target, modules, folder / "alone", data)
        symbols = []
        for module in modules:
            if keys[module.symbol] not in seen:
                symbols.append(module.symbol)
            seen.add(keys[module.symbol])
        if symbols:
            chosen.append((folder / target, symbols))
    return chosen
