"""modules.py: collects the modules that are linked into a test program.

    modules.collect(SOURCES, WORK, SPMVGEN, MODULES) -> whether all were found

run_suite.py describes sources. Programs for other devices are written as C or C++, for the shim
(shim.h).
"""
import argparse
import pathlib
import re
import subprocess

import manifests
import pages
import programs
import select_targets
import tap
from compiling import Unit, WARNINGS, from_root, write_if_changed
from locks import locked
from root import ROOT


class Modules:
    """Units that define modules, the tables that list them, and the names of all modules."""

    def __init__(self):
        self.units, self.tables, self.names = [], [], []
        self.binaries = []       # tables of the modules' programs, compiled (embed_binaries.py)
        self.folders = []        # of the modules' files
        self.needs = {}          # name -> what a CPU must have: (isa, the page's flags)
        self.programs = {}       # symbol -> module (manifests.py), for other devices

    def add_folder(self, folder, extra=()):
        manifest = self.add_modules(folder, extra)
        table = manifest["table"]
        if table in self.tables:
            raise SystemExit(f"{folder}: {table} is given twice")
        self.add_unit(pathlib.Path(folder).resolve() / f"{table}.c", extra)
        self.tables.append(table)

    def add_binaries(self, path):
        """Adds compiled programs, so that the program need not compile them on the device."""
        self.units.append(Unit(path))
        self.binaries.append("spmv_cuda_binaries")

    def add_selected(self, work, folder, selection):
        """Adds the modules of a folder that `selection` selects (select), and a table of them."""
        names = [module.symbol for module in select(manifests.read(folder)[1], selection)]
        if not names:
            raise SystemExit(f"{folder}: no module is {' '.join(selection)}")
        if set(names) & set(self.names):
            raise SystemExit(f"{folder}: {min(set(names) & set(self.names))} is given twice")
        self.add_modules(folder, only=names)
        self.add_table(work, f"selected_{len(self.tables)}", names)

    def add_modules(self, folder, extra=(), only=None):
        """Adds a folder's modules, or only the modules named by `only`, without its table; returns
        its manifest. A file is compiled with all of its modules."""
        manifest, modules = manifests.read(folder)
        self.folders.append(pathlib.Path(folder).resolve())
        for module in modules:
            name = module.symbol
            if only is not None and name not in only:
                continue
            self.add_unit(module.path, extra)
            self.names.append(name)
            self.needs[name] = (module.isa,
                                select_targets.flags_of_page(manifest, module.target))
            if module.is_program():
                self.programs[name] = module
        return manifest

    def add_unit(self, path, extra):
        unit = Unit(path, [*WARNINGS, f"-I{from_root(path.parent)}", *extra])
        if unit not in self.units:
            self.units.append(unit)

    def add_table(self, work, table, names):
        """Writes and adds a table of added modules."""
        text = '#include "runtime/spmv_module.h"\n'
        text += "".join(f"extern const spmv_module {name};\n" for name in names)
        text += f"extern const spmv_module *const {table}[];\n"
        text += f"const spmv_module *const {table}[] = {{ "
        text += " ".join(f"&{name}," for name in names) + " 0 };\n"
        write_if_changed(work / f"{table}.c", text)
        self.units.append(Unit(work / f"{table}.c"))
        self.tables.append(table)

    def write_shims(self, work):
        """Writes the programs as C or C++ for the shim (shim.h), and their list; returns the
        units."""
        units, listed = [Unit(work / "shims" / "programs.c")], ""
        for symbol, module in self.programs.items():
            language = SHIM_LANGUAGES[module.backend]
            source = work / "shims" / f"{symbol}.{language[0]}"
            write_if_changed(source, shim_of(module, language))
            # Texts have code for CUDA before 9 and from 9 on: each row-pointer type tests one of
            # them.
            version = ["-D__CUDACC_VER_MAJOR__=9"] if module.offset_type == "i64" else []
            flags = ["-Wno-unknown-pragmas", "-Wno-attributes", *language[3], *version]
            units.append(Unit(source, flags))
            listed += f"extern const shim_kernel shim_{symbol}[];\n"
        entries = "".join(f'    {{ "{symbol}", shim_{symbol} }},\n' for symbol in self.programs)
        write_if_changed(work / "shims" / "programs.c", f"""#include "tests/kernels/shim.h"

{listed}static const shim_program programs[] = {{
{entries}    {{ 0, 0 }},
}};
const shim_program *shim_programs = programs;
""")
        return units

    def add_templates(self, work):
        """Adds each simd.c unchanged; only the types in params.h are replaced. Each method has each
        value type and each row-pointer type once, the next method the other pairs."""
        for turn, template in enumerate(sorted(ROOT.glob("templates/*/simd.c"))):
            method = template.parent.name
            params = (template.parent / "params.h").read_text(encoding="utf-8")
            for i, real in enumerate(["f32", "f64"]):
                offset = ["i32", "i64"][(turn + i) % 2]
                self.add_template(work, template, method, params, real, offset)
        self.add_table(work, "template_table", self.names)

    def add_template(self, work, template, method, params, real, offset):
        name = f"{method}_{real}_{offset}__template"
        folder = work / name
        typed = re.sub(r"typedef f64 real;", f"typedef {real} real;", params)
        typed = re.sub(r"typedef i32 offset;", f"typedef {offset} offset;", typed)
        typed = typed.replace('"../prelude/', '"templates/prelude/')    # from another folder
        found = re.findall(r"^\s+([A-Z]\w*) = (\d+)", params, re.MULTILINE)
        # No params.lua declares FIGURES.
        values = [(key, value) for key, value in found if key != "FIGURES"]
        write_if_changed(folder / "params.h", typed)
        write_if_changed(folder / "template_params.h",
                         "".join(f'{{ "{key.lower()}", {value}, "params.h" }},\n'
                                 for key, value in values))
        self.units.append(Unit(ROOT / "tests/kernels/template_module.c",
                               [f"-iquote{from_root(folder)}", f"-DMODULE={name}",
                                f"-DMETHOD={method}",
                                f'-DTEMPLATE="{template.relative_to(ROOT)}"']))
        self.names.append(name)


def select(modules, selection):
    """The modules that options such as --type f64 --method csr5 select; all without options."""
    options = argparse.ArgumentParser(add_help=False)
    for word in "--type", "--offsets", "--method", "--target":
        options.add_argument(word, action="append")
    wanted = options.parse_args(selection)
    return [m for m in modules
            if (not wanted.type or m.value_type in wanted.type)
            and (not wanted.offsets or m.offset_type in wanted.offsets)
            and (not wanted.method or m.method in wanted.method)
            and (not wanted.target or m.target in wanted.target)]


# How a program's text is compiled for the shim, by language: ending, header with the language's
# words, keyword of local arrays, flags, text before and after, linkage of the list of kernels.
SHIM_LANGUAGES = {
    "opencl": ("c", "opencl_shim.h", "__local", [], "", "", "extern "),
    "cuda": ("cpp", "cuda_shim.h", "__shared__",
            ["-std=gnu++98", "-fno-exceptions", "-fno-rtti"],
            "#define SPMV_LINKAGE static\nnamespace {\n", "}\n", 'extern "C" '),
}
SHIM_LANGUAGES["hip"] = SHIM_LANGUAGES["cuda"]


def shim_of(module, language):
    """A program's text for this CPU: declarations of local arrays become calls of shim_local, and
    each kernel gets a function that takes pointers to its arguments."""
    _, header, local, _, before, behind, linkage = language
    text = re.sub(rf"^( +){local} ([\w ]+) (\w+)\[(.+)\];",
                  r"\1\2 *const \3 = (\2 *)shim_local(sizeof(\2) * (\4));", module.text(),
                  flags=re.MULTILINE)
    calls, entries = "", ""
    for kernel in module.kernels:
        name = kernel["symbol"]
        arguments = []
        for i, argument in enumerate(kernel["arguments"]):
            kind = argument["type"] if argument["access"] == "value" else \
                re.sub(r"(__)?restrict(__)?", "", argument["type"]).rstrip() + " const"
            arguments.append(f"*({kind} const *)argument[{i}]" if argument["access"] == "value"
                             else f"*({kind} *)argument[{i}]")
        calls += f"""
static void call_{name}(const void *const *argument)
{{
    {name}({(","+chr(10)+"        ").join(arguments)});
}}
"""
        entries += f'    {{ "{name}", call_{name} }},\n'
    return f"""#include "tests/kernels/{header}"
{before}
{text}{calls}
{behind}{linkage}const shim_kernel shim_{module.symbol}[];
const shim_kernel shim_{module.symbol}[] = {{
{entries}    {{ 0, 0 }},
}};
"""


# ---- emitting ----------------------------------------------------------------------------------

def run_spmvgen(spmvgen, data, target, arguments, folder):
    """Runs spmvgen; returns its output if it failed, else None."""
    done = subprocess.run([spmvgen, "--data", str(data), "--target", str(target), *arguments,
                           "--figures", "-o", str(folder)], capture_output=True, text=True,
                          check=False)
    return done.stdout + done.stderr if done.returncode else None


# Modules of pages are not optimised: a page's vectors may be far wider than a CPU's, and optimising
# instrumented modules would take minutes. Without optimisation gcc's intrinsics convert signs.
# Modules of targets are compiled by the level that the suite names.
PAGE_FLAGS = ["-O0", "-Wno-sign-conversion"]


HALVES = {(): None, ("--half", "0"): 0, ("--half", "1"): 1}


def add_programs(words, work, spmvgen, modules, data):
    language, *options = words.split()
    if tuple(options) not in HALVES:
        raise SystemExit(f"programs:{words}: found '{' '.join(options)}', expected --half 0, "
                         "--half 1 or nothing")
    names = []
    for folder, symbols in programs.emit(spmvgen, language, work.parent / "programs", data,
                                         HALVES[tuple(options)]):
        modules.add_modules(folder, only=symbols)
        names += symbols
    modules.add_table(work, f"distinct_{language}", names)


ONE_VECTOR = "--one-vector"      # the only option of a selection that has no value


def emit_target(name, selection, work, spmvgen, data, shared):
    """Emits the selected modules of a target; returns (the folder, an error or None). The project's
    own targets are emitted once for all suites."""
    is_own = (ROOT / f"targets/{name}.lua").exists() or name == "host"
    words = [word.removeprefix("--") for word in selection
             if not word.startswith("--") or word == ONE_VECTOR]
    folder = (shared if is_own else work / "emitted") / ".".join([name, *words])
    with locked(folder):
        return folder, run_spmvgen(spmvgen, ROOT if is_own else data, name, selection, folder)


def collect(sources, work, spmvgen, modules, data=ROOT, shared=None):
    """Adds the modules of all sources, emitted from `data`; False: a source failed. `shared` is the
    folder of targets emitted for all suites."""
    for source in sources:
        kind, colon, rest = source.partition(":")
        if source == "templates":
            modules.add_templates(work)
        elif colon and kind == "programs":
            add_programs(rest, work, spmvgen, modules, data)
        elif colon and kind == "pages":
            for page, arguments in pages.write(work / "pages", rest):
                folder = work / "emitted" / page.stem
                error = run_spmvgen(spmvgen, data, page, arguments, folder)
                if not tap.ok(error is None, f"spmvgen emits {page.stem}", error or ""):
                    return False
                modules.add_folder(folder, PAGE_FLAGS)
        elif colon and kind == "target":
            name, *selection = rest.split()
            folder, error = emit_target(name, selection, work, spmvgen, data,
                                        shared or work.parent / "targets")
            if not tap.ok(error is None, f"spmvgen emits {rest}", error or ""):
                return False
            modules.add_selected(work, folder, [])
        else:
            folder, *selection = source.split(" ")
            modules.add_selected(work, pathlib.Path(folder), selection)
    return True
