"""programs.py: the programs that spmvgen emits for other devices, each distinct one once.

    programs.emit(SPMVGEN, LANGUAGE, FOLDER) -> [(folder of emitted files, symbols)]

Pages share texts: what they have in common gives the same parameters. Two modules are one where all
that is compiled is the same, for the device and for the CPU beside it: they differ in their names
and in what they tell of themselves. The one of the first target, by name, stands for all.
"""
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

def targets_of(language, data):
    """Pages of that backend that can be emitted for, by name."""
    pages = {path.stem: path.read_text(encoding="utf-8")
             for path in (data / "targets").glob("*.lua")}

    def backend(name):
        stated = re.search(r'^backend = "(\w+)"', pages[name], re.MULTILINE)
        parent = re.search(r'^inherit "([\w-]+)"', pages[name], re.MULTILINE)
        return stated[1] if stated else backend(parent[1]) if parent else None

    return [name for name in sorted(pages)
            if backend(name) == language and "abstract = true" not in pages[name]]


def identity(folder, module):
    """What is compiled of a module: its C file, which embeds the program, between the banner and the
    tables that describe it."""
    text = (folder / module["file"]).read_text(encoding="utf-8")
    compiled = text[text.index("*/"):text.index("\nstatic const spmv_program ")]
    return compiled.replace(module["symbol"], "")       # a comment there has it


def emit(spmvgen, language, folder, data=ROOT):
    chosen, seen = [], set()
    for target in targets_of(language, data):
        out = folder / target
        subprocess.run([spmvgen, "--data", str(data), "--target", target, "-o", str(out)],
                       check=True, stdout=subprocess.DEVNULL)
        symbols = []
        for module in json.loads((out / "manifest.json").read_text(encoding="utf-8"))["modules"]:
            key = identity(out, module)
            if key not in seen:
                symbols.append(module["symbol"])
            seen.add(key)
        if symbols:
            chosen.append((out, symbols))
    return chosen
