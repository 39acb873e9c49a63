"""compiling.py: compiles a test program by ninja: its files and their flags.

    compiling.build(WORK, COMPILER, FLAGS, MODULES, PROGRAM, SANITIZER) -> (built, output)

The runtime, the suite and the modules of a program get the same compiler and flags. Compilers run
in the root of the sources with relative paths, and through ccache if it is installed, so that two
suites that compile a file in the same way share the result.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from root import ROOT

import tap

PROGRAMS = {
    "kernel_suite": ["bare", "bare_build", "bare_steps", "cases", "columns_test", "device_test",
                     "faults_test", "fibers", "figures_test", "guard", "huge_test",
                     "isolation_test", "kernel_suite", "launch", "once_test", "parallel_test",
                     "plans_test", "settings_test", "shapes_test", "shim", "speculation_test",
                     "suite", "symmetrising", "tile_bound", "transposing", "trap"],
    "module_bits": ["bare", "bare_build", "bare_steps", "cases", "fibers", "guard", "launch",
                    "module_bits", "shim", "symmetrising", "transposing", "trap"],
    "random_suite": ["fibers", "random_suite", "shim", "symmetrising"],
}
DATA = ["matrices/adversarial", "matrices/drawing", "matrices/matrix", "matrices/models",
        "matrices/permutation", "matrices/random", "matrices/rmat", "matrices/shapes",
        "matrices/sort", "matrices/stencil", "race/reference"]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", tap.WERROR]

# "address" does not work under qemu-user: the suite's mappings leave no room for its shadow.
SANITIZERS = {
    "none": [],
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                "-fno-omit-frame-pointer"],
    "undefined": ["-fsanitize=undefined", "-fno-sanitize-recover=all"],
    "thread": ["-fsanitize=thread"],
}
# The suite, the reference and the matrices take most of the time and are not under test. So they
# are optimised and not instrumented, for every way to compile modules and runtime. With "thread"
# they are instrumented, since their accesses can take part in races.
HARNESS_FLAGS = {
    "none": ["-O2"],
    "address": ["-O2", "-fno-sanitize=all", "-DHAVE_ASAN"],      # guard.c still poisons its bands
    "undefined": ["-O2", "-fno-sanitize=all"],
    "thread": [],
}

# The code that switches between work-items is not instrumented: it reports fibers to
# ThreadSanitizer.
FIBERS = ["fibers", "shim"]
FIBERS_FLAGS = {
    "none": [], "address": [], "undefined": [],
    "thread": ["-O2", "-fno-sanitize=thread", "-DFIBERS_TSAN"],
}


def from_root(path):
    """A path relative to the root, where compilers run; a path outside the root stays absolute."""
    path = pathlib.Path(path).resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


class Unit:
    """A file of C or C++ to compile, with its own flags."""

    def __init__(self, source, flags=()):
        self.source = from_root(source)
        self.flags = list(flags)

    def __eq__(self, other):
        return (self.source, self.flags) == (other.source, other.flags)

    def language_flags(self):
        return self.flags if self.source.endswith(".cpp") else ["-std=c11", *self.flags]

    def object(self):
        key = hashlib.sha256("\0".join([self.source] + self.flags).encode()).hexdigest()[:12]
        return f"{pathlib.Path(self.source).stem}.{key}.o"


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def quote(words):
    """Words for a shell, within a line of build.ninja."""
    safe = [word if re.fullmatch(r"[\w./=,+:@%-]+", word) else "'" + word + "'" for word in words]
    return " ".join(safe).replace("$", "$$").replace("\n", " ")


def compiler_command(compiler):
    """The words that call a compiler, through ccache if it is installed. Links are resolved, since
    ccache treats names of one program as different compilers."""
    found = shutil.which(compiler) or compiler
    own = os.path.realpath(found)
    if os.path.basename(own) == "ccache":       # a folder of its links is in PATH
        return [compiler]
    cache = shutil.which("ccache")
    return [*([cache] if cache else []), own if os.path.isabs(own) else compiler]


# Line numbers for the reports of sanitizers. Information on variables would take a third of gcc's
# time.
DEBUG_INFORMATION = "-g1"


def write_build(work, compiler, flags, modules, program, sanitizer):
    """Writes work/build.ninja, for a ninja that runs in the root of the sources."""
    common = [DEBUG_INFORMATION, *flags, "-I.", "-Iruntime"]
    tables = {"builtin.c": ("SPMV_BUILTIN_TABLES", modules.tables),
              "builtin_binaries.c": ("SPMV_BUILTIN_BINARIES", modules.binaries)}
    lists = {file: [f"-D{macro}(T)=" + " ".join(f"T({name})" for name in names)]
             for file, (macro, names) in tables.items()}
    harness = HARNESS_FLAGS[sanitizer]
    units = [Unit(ROOT / f"tests/kernels/{name}.c", FIBERS_FLAGS[sanitizer] or harness
                  if name in FIBERS else harness) for name in PROGRAMS[program]]
    units += [Unit(ROOT / f"bench/{name}.c", harness) for name in DATA]
    units += [Unit(source, lists.get(source.name, []))
              for source in sorted([*ROOT.glob("runtime/**/*.c"), *ROOT.glob("common/base/*.c")])
              if "bundle" not in source.relative_to(ROOT).parts]  # kernels.c includes the others
    units += modules.units + modules.write_shims(work)
    cc = quote([*compiler_command(compiler), *common])
    place = from_root(work)
    lines = [f"builddir = {quote([place])}",
             f"rule cc\n  command = {cc} $flags -MD -MF $out.d -c $in -o $out"
             "\n  depfile = $out.d\n  deps = gcc",
             f"rule link\n  command = {quote([compiler, *flags])} $in -o $out -lm -ldl -lpthread"]
    lines += [f"build {place}/{unit.object()}: cc {unit.source}"
              f"\n  flags = {quote(unit.language_flags())}" for unit in units]
    lines.append(f"build {place}/{program}: link " +
                 " ".join(f"{place}/{unit.object()}" for unit in units))
    write_if_changed(work / "build.ninja", "\n".join(lines) + "\n")


def build(work, compiler, flags, modules, program, sanitizer="none", jobs=2):
    """Returns (whether it was built, the compiler's output)."""
    write_build(work, compiler, flags, modules, program, sanitizer)
    # ccache's key omits the working directory, which only debug information records.
    done = subprocess.run(["ninja", f"-j{jobs}", "-C", str(ROOT), "-f", str(work / "build.ninja"),
                           f"{from_root(work)}/{program}"], capture_output=True, text=True,
                          errors="replace", check=False, env=dict(os.environ, CCACHE_NOHASHDIR="1"))
    return done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
