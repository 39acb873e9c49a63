"""run_suite.py: builds kernel_suite with some modules linked in, runs it, and relays its TAP lines.

    run_suite.py --work DIR [options] SOURCE...

A SOURCE is where modules come from:

    FOLDER            emitted files, with their manifest.json
    target:NAME       what spmvgen emits for a target of targets/ (needs --spmvgen)
    pages:NAME        what it emits for pages with extreme parameters (pages.py) that inherit NAME
    templates         the templates as they stand, in all types, without the generator

Everything in one program: runtime, suite and modules get the same compiler and flags, warnings of
the modules are errors. --cross TRIPLE builds for another CPU, and runs under qemu-user. Modules that
the CPU cannot run, and compilers and emulators that are missing, are SKIP. DIR is kept: a second run
compiles what changed. At most two compilers run at the same time.
"""
import argparse
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests/kernels"))
import pages
import tap

PROGRAMS = {
    "kernel_suite": ["bare", "cases", "faults_test", "figures_test", "guard", "huge_test",
                     "isolation_test", "kernel_suite", "parallel_test", "plans_test",
                     "settings_test", "shapes_test", "suite", "trap"],
    "module_bits": ["bare", "cases", "guard", "module_bits", "trap"],
    "random_suite": ["random_suite"],
}
DATA = ["adversarial", "matrix", "models", "order", "random", "reference", "shapes"]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]

# Under qemu-user "address" finds no room for its shadow once the suite has mapped what it maps.
SANITIZERS = {
    "none": [],
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                "-fno-omit-frame-pointer"],
    "undefined": ["-fsanitize=undefined", "-fno-sanitize-recover=all"],
    "thread": ["-fsanitize=thread"],
}
# What the programs need besides what the caller has set. Their stacks must not be the sanitizer's own:
# gcc gives vectors of 64 bytes no aligned place there (its bug 110027).
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",       # seven threads on two cores should not spin
    "ASAN_OPTIONS": "allow_user_segv_handler=1:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


class Unit:
    """A C file to compile, with the flags of its own."""

    def __init__(self, source, flags=()):
        self.source = str(source)
        self.flags = list(flags)

    def object(self):
        key = hashlib.sha256("\0".join([self.source] + self.flags).encode()).hexdigest()[:12]
        return f"{pathlib.Path(self.source).stem}.{key}.o"


class Modules:
    """Units that define modules, the tables that list them, and the names of all."""

    def __init__(self):
        self.units, self.tables, self.names = [], [], []
        self.hashes = set()

    def add_folder(self, folder, extra=()):
        folder = pathlib.Path(folder).resolve()
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        table = "spmv_modules__" + re.sub(r"\W", "_", manifest["target"])
        if table in self.tables:
            raise SystemExit(f"{folder}: target {manifest['target']} is given twice")
        flags = WARNINGS + [f"-I{folder}", *extra]
        self.units += [Unit(folder / entry["file"], flags) for entry in manifest["files"]
                       if entry["file"].endswith(".c")]
        self.names += [module["symbol"] for module in manifest["modules"]]
        self.tables.append(table)

    def add_templates(self, work):
        """Each simd.c as it stands; the types of params.h are the only thing that changes."""
        for template in sorted(ROOT.glob("templates/*/simd.c")):
            method = template.parent.name
            params = (template.parent / "params.h").read_text(encoding="utf-8")
            for real in "f32", "f64":
                for offset in "i32", "i64":
                    self.add_template(work, template, method, params, real, offset)
        text = '#include "runtime/spmv_module.h"\n'
        text += "".join(f"extern const spmv_module {name};\n" for name in self.names)
        text += "extern const spmv_module *const template_table[];\n"
        text += "const spmv_module *const template_table[] = { "
        text += " ".join(f"&{name}," for name in self.names) + " 0 };\n"
        write_if_changed(work / "template_table.c", text)
        self.units.append(Unit(work / "template_table.c"))
        self.tables.append("template_table")

    def add_template(self, work, template, method, params, real, offset):
        name = f"{method}_{real}_{offset}__template"
        folder = work / name
        typed = re.sub(r"typedef f64 real;", f"typedef {real} real;", params)
        typed = re.sub(r"typedef i32 offset;", f"typedef {offset} offset;", typed)
        values = re.findall(r"^\s+([A-Z]\w*) = (\d+)", params, re.MULTILINE)
        write_if_changed(folder / "params.h", typed)
        write_if_changed(folder / "template_params.h",
                         "".join(f'{{ "{key.lower()}", {value}, "params.h" }},\n'
                                 for key, value in values))
        self.units.append(Unit(ROOT / "tests/kernels/template_module.c",
                               [f"-iquote{folder}", f"-DMODULE={name}", f"-DMETHOD={method}",
                                f'-DTEMPLATE="{template.relative_to(ROOT)}"']))
        self.names.append(name)


# ---- building ----------------------------------------------------------------------------------

def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def quote(words):
    """Words for a shell, within a line of build.ninja."""
    safe = [word if re.fullmatch(r"[\w./=,+:@%-]+", word) else "'" + word + "'" for word in words]
    return " ".join(safe).replace("$", "$$").replace("\n", " ")


def write_build(work, compiler, flags, modules, program):
    common = ["-std=c11", "-g", *flags, f"-I{ROOT}", f"-I{ROOT}/runtime"]
    tables = "-DSPMV_BUILTIN_TABLES(T)=" + " ".join(f"T({name})" for name in modules.tables)
    units = [Unit(ROOT / f"tests/kernels/{name}.c") for name in PROGRAMS[program]]
    units += [Unit(ROOT / f"bench/{name}.c") for name in DATA]
    units += [Unit(source, [tables] if source.name == "builtin.c" else [])
              for source in sorted(ROOT.glob("runtime/*.c"))]
    units += modules.units
    cc = quote([compiler, *common])
    lines = [f"rule cc\n  command = {cc} $flags -MD -MF $out.d -c $in -o $out"
             "\n  depfile = $out.d\n  deps = gcc",
             f"rule link\n  command = {quote([compiler, *flags])} $in -o $out -lm -ldl -lpthread"]
    lines += [f"build {unit.object()}: cc {unit.source}\n  flags = {quote(unit.flags)}"
              for unit in units]
    lines.append(f"build {program}: link " + " ".join(unit.object() for unit in units))
    write_if_changed(work / "build.ninja", "\n".join(lines) + "\n")


def build(work, compiler, flags, modules, program):
    """Returns (whether it was built, what the compiler said)."""
    write_build(work, compiler, flags, modules, program)
    done = subprocess.run(["ninja", "-j2", "-C", str(work), program], capture_output=True,
                          text=True, errors="replace", check=False)
    return done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


class Machine:
    """Where programs run: here, or, by qemu-user, on the CPU and system that compilers call `triple`.
    How things are called is Debian's way: cross compilers, and their libraries in /usr/TRIPLE."""

    def __init__(self, triple=None):
        self.cpu = triple.split("-", maxsplit=1)[0] if triple else platform.machine()
        is_here = self.cpu == platform.machine()
        self.triple = None if is_here else triple
        self.emulator = [] if is_here else [f"qemu-{self.cpu}", "-L", f"/usr/{triple}"]

    def find_compiler(self, name):
        """(the program of that name, flags that it needs), or (None, why there is none). Of clang,
        the newest that is installed, which links with what belongs to the cross compiler."""
        names, flags, needed = [name], [], self.emulator[:1]
        if name == "clang":
            names = [*(f"clang-{version}" for version in range(22, 13, -1)), name]
        if self.triple and name == "clang":
            flags = [f"--target={self.triple}"]
            needed.append(f"{self.triple}-gcc")
        elif self.triple:
            names = [f"{self.triple}-gcc"]
        for program in needed:
            if not shutil.which(program):
                return None, f"{program} is not installed"
        found = next((found for found in names if shutil.which(found)), None)
        return (found, flags) if found else (None, f"{names[-1]} is not installed")

    def command(self, program, *arguments):
        return [*self.emulator, str(program), *arguments]

    def has_working(self, compiler, flags, work):
        """Whether a trivial program compiles, links and runs with these flags."""
        work.mkdir(parents=True, exist_ok=True)
        source = work / "trivial.c"
        source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
        program = work / "trivial"
        made = subprocess.run([compiler, *flags, str(source), "-o", str(program)],
                              capture_output=True, check=False)
        return made.returncode == 0 and subprocess.run(
            self.command(program), capture_output=True, check=False).returncode == 0


def emit(spmvgen, target, arguments, folder):
    """Runs spmvgen; returns what it had to say where it failed."""
    done = subprocess.run([spmvgen, "--data", str(ROOT), "--target", str(target), *arguments,
                           "-o", str(folder)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else None


# A page may make vectors far wider than a CPU's, and instrumented ones take a compiler minutes to
# optimise: pages are compiled as they stand (gcc's own intrinsics then convert signs). What targets
# have is optimised.
PAGE_FLAGS = ["-O0", "-Wno-sign-conversion"]


def collect(sources, work, spmvgen, modules):
    """Fills modules from the sources; False where one of them failed."""
    for source in sources:
        if source == "templates":
            modules.add_templates(work)
            continue
        if source.startswith("pages:"):
            targets = pages.write(work / "pages", source.split(":", 1)[1])
        elif source.startswith("target:"):
            targets = [(pathlib.Path(source.split(":", 1)[1]), [])]
        else:
            modules.add_folder(source)
            continue
        for target, arguments in targets:
            folder = work / "emitted" / target.stem
            error = emit(spmvgen, target, arguments, folder)
            if not tap.ok(error is None, f"spmvgen emits {target.stem}", error or ""):
                return False
            modules.add_folder(folder, PAGE_FLAGS if target.suffix == ".lua" else [])
    return True


# ---- running -----------------------------------------------------------------------------------

def environment():
    """The caller's, with ENVIRONMENT. Options of sanitizers are joined: Meson sets some of its own."""
    joined = dict(os.environ)
    for name, value in ENVIRONMENT.items():
        if name not in joined:
            joined[name] = value
        elif name.endswith("_OPTIONS"):
            joined[name] += ":" + value
    return joined


def relay(machine, program, *arguments):
    """Runs a program of tests and passes its lines on, with numbers of our own."""
    command = machine.command(program, *arguments)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", env=environment())
    output, errors = process.communicate()
    planned = False
    for line in output.splitlines():
        case = re.fullmatch(r"(not )?ok \d+ (?:- (.*)|# SKIP (.*))", line)
        if case and case[3] is not None:
            tap.skip(case[3])
        elif case:
            tap.ok(not case[1], case[2])
        elif line.startswith("#"):
            tap.diag(line[2:])
        elif line.startswith("1.."):
            planned = True
        elif line:
            tap.diag(line)
    tap.ok(planned and process.returncode in (0, 1), "the suite runs to its end",
           f"exit code {process.returncode}\n" + "\n".join(errors.splitlines()[:60]))
    return output


def add_build_options(parser):
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--cross", metavar="TRIPLE")
    parser.add_argument("--sanitize", choices=sorted(SANITIZERS), default="none")
    parser.add_argument("--optimise", default="2")
    parser.add_argument("--no-openmp", action="store_true")


def choose_compiler(args):
    """The machine, the compiler and its flags; ends the test with SKIP where there is none."""
    machine = Machine(args.cross)
    compiler, flags = machine.find_compiler(args.compiler)
    if not compiler:
        tap.skip(flags)
        tap.done()
    flags = [*flags, f"-O{args.optimise}", *SANITIZERS[args.sanitize]]
    if args.sanitize == "address" and "clang" not in compiler:
        flags.append("--param=asan-use-after-return=0")   # see ENVIRONMENT
    if not args.no_openmp and machine.has_working(compiler, [*flags, "-fopenmp"], args.work):
        flags.append("-fopenmp")
    if not machine.has_working(compiler, flags, args.work):
        tap.skip(f"{compiler} cannot link with {' '.join(flags)}")
        tap.done()
    return machine, compiler, flags


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_build_options(parser)
    parser.add_argument("--reduced", action="store_true")
    parser.add_argument("--races", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--spmvgen")
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()
    args.work = args.work.resolve()

    machine, compiler, flags = choose_compiler(args)
    modules = Modules()
    if collect(args.sources, args.work, args.spmvgen, modules):
        built, output = build(args.work, compiler, flags, modules, "kernel_suite")
        if tap.ok(built, f"{len(modules.names)} modules compile without a warning", output):
            output = relay(machine, args.work / "kernel_suite",
                           *(["--reduced"] if args.reduced else []),
                           *(["--races"] if args.races else []),
                           *(["--sizes"] if args.sizes else []))
            for name in modules.names:
                if name not in output:
                    tap.skip(f"{name}: this CPU cannot run it")
    tap.done()


if __name__ == "__main__":
    main()
