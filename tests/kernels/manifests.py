"""manifests.py: the modules of emitted files, as manifest.json lists them.

    manifests.read(FOLDER) -> (the manifest, its modules)
"""
import json
import pathlib

import root  # makes program_text importable
import program_text


class Module:
    """One value type and one row-pointer type; a file holds all modules of a method and target."""

    def __init__(self, folder, method, module):
        self.path = folder / method["file"]
        self.method, self.backend, self.isa = method["method"], method["backend"], method["isa"]
        self.target = method["target"]
        self.symbol = module["symbol"]
        self.kernels = [kernel for kernel in method["kernels"]
                        if kernel["symbol"] in module["kernels"]]
        self.value_type, self.offset_type = module["value_type"], module["offset_type"]
        self.bits = module["bits"]

    def is_program(self):
        return self.backend != "c"

    def text(self):
        """The text of the module's program, as libspmv compiles it."""
        text = program_text.program_text(program_text.read_source(self.path), self.value_type,
                                         self.offset_type)
        if not text:
            raise SystemExit(f"{self.path} holds no program of {self.symbol}; emit it without "
                             "--program-files")
        return text


def read(folder):
    folder = pathlib.Path(folder).resolve()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return manifest, [Module(folder, method, module) for method in manifest["methods"]
                      for module in method["modules"]]
