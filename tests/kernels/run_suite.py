"""run_suite.py: builds kernel_suite with some modules linked in, runs it, and relays its TAP lines.

    run_suite.py --work DIR [options] SOURCE...

A SOURCE is where modules come from:

    FOLDER            emitted files, with their manifest.json
    target:NAME       what spmvgen emits for a target of targets/ (needs --spmvgen); further words
                      are arguments for it: "target:NAME --type f64"
    pages:NAME        what it emits for pages with extreme parameters (pages.py) that inherit NAME
    programs:LANGUAGE what it emits for all targets of that language, each distinct program once
    templates         the templates as they stand, in all types, without the generator

Everything in one program: runtime, suite and modules get the same compiler, warnings of the modules
are errors. --effort says which cases are tried (kernel_suite.c). --cross TRIPLE builds for another
CPU, and runs under qemu-user. Modules that the CPU cannot run, and compilers and emulators that are
missing, are SKIP; modules that it could run and does not are failures. --device runs programs on that
device (kernel_suite.c). DIR is kept: a second run compiles what changed. At most two compilers run at
the same time, and with --processes 2 two suites.
"""
import argparse
import concurrent.futures
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
import programs
import tap

PROGRAMS = {
    "kernel_suite": ["bare", "cases", "device_test", "faults_test", "fibers", "figures_test", "guard",
                     "huge_test", "isolation_test", "kernel_suite", "launch", "once_test",
                     "parallel_test", "plans_test", "settings_test", "shapes_test", "shim", "suite",
                     "trap"],
    "module_bits": ["bare", "cases", "fibers", "guard", "launch", "module_bits", "shim", "trap"],
    "random_suite": ["fibers", "random_suite", "shim"],
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
# The suite itself, the reference and the matrices take most of the time, and are no part of what is
# tested: they are optimised and not instrumented, whatever is done to modules and runtime. Not so for
# races, where what they read and write takes part.
HARNESS_FLAGS = {
    "none": ["-O2"],
    "address": ["-O2", "-fno-sanitize=all", "-DHAVE_ASAN"],      # guard.c still poisons its bands
    "undefined": ["-O2", "-fno-sanitize=all"],
    "thread": [],
}

# Who switches between work-items is none of them, and tells ThreadSanitizer itself what is one.
FIBERS = ["fibers", "shim"]
FIBERS_FLAGS = {
    "none": [], "address": [], "undefined": [],
    "thread": ["-O2", "-fno-sanitize=thread", "-DFIBERS_TSAN"],
}

EFFORTS = ["full", "reduced", "brief", "races", "sizes", "tiny", "once"]

# What the programs need besides what the caller has set. Their stacks must not be the sanitizer's own:
# gcc gives vectors of 64 bytes no aligned place there (its bug 110027).
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",       # seven threads on two cores should not spin
    "ASAN_OPTIONS": "allow_user_segv_handler=1:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


class Unit:
    """A file of C, or C++, to compile, with the flags of its own."""

    def __init__(self, source, flags=()):
        self.source = str(source)
        self.flags = list(flags)

    def language_flags(self):
        return self.flags if self.source.endswith(".cpp") else ["-std=c11", *self.flags]

    def object(self):
        key = hashlib.sha256("\0".join([self.source] + self.flags).encode()).hexdigest()[:12]
        return f"{pathlib.Path(self.source).stem}.{key}.o"


class Modules:
    """Units that define modules, the tables that list them, and the names of all."""

    def __init__(self):
        self.units, self.tables, self.names = [], [], []
        self.needs = {}          # of names: (isa, the page's own words), of what CPUs must have
        self.programs = {}       # symbol -> (text, kernels, language) of modules for other devices

    def add_folder(self, folder, extra=()):
        manifest = self.add_modules(folder, extra)
        table = "spmv_modules__" + re.sub(r"\W", "_", manifest["target"])
        if table in self.tables:
            raise SystemExit(f"{folder}: target {manifest['target']} is given twice")
        folder = pathlib.Path(folder).resolve()
        self.units.append(Unit(folder / f"{table}.c", [*WARNINGS, f"-I{folder}", *extra]))
        self.tables.append(table)

    def add_page(self, work, folder, extra):
        """Of two modules that differ in the type of the row pointers alone, one, in turns: parameters at their
        ends mean the same for both."""
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        narrow = [m["symbol"] for m in manifest["modules"] if "_i32__" in m["symbol"]]
        names = [symbol.replace("_i32__", "_i64__") if (len(self.names) + i) % 2 else symbol
                 for i, symbol in enumerate(narrow)]
        self.add_modules(folder, extra, names)
        self.add_table(work, "page_" + re.sub(r"\W", "_", manifest["target"]), names)

    def add_modules(self, folder, extra=(), only=None):
        """A folder's modules, or those of these names, but not its table; returns its manifest."""
        folder = pathlib.Path(folder).resolve()
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        page_flags = set(manifest.get("facts", {}).get("cpu_flags", {}).get("value", "").split())
        for module in manifest["modules"]:
            name = module["symbol"]
            if only is not None and name not in only:
                continue
            self.units.append(Unit(folder / module["file"], [*WARNINGS, f"-I{folder}", *extra]))
            self.names.append(name)
            self.needs[name] = module["isa"], page_flags
            if module.get("program"):
                program = folder / module["program"]
                self.programs[name] = (program.read_text(encoding="utf-8"), module["kernels"],
                                       SHIM_LANGUAGES[program.suffix])
        return manifest

    def add_table(self, work, table, names):
        """A table of our own of modules that were added."""
        text = '#include "runtime/spmv_module.h"\n'
        text += "".join(f"extern const spmv_module {name};\n" for name in names)
        text += f"extern const spmv_module *const {table}[];\n"
        text += f"const spmv_module *const {table}[] = {{ "
        text += " ".join(f"&{name}," for name in names) + " 0 };\n"
        write_if_changed(work / f"{table}.c", text)
        self.units.append(Unit(work / f"{table}.c"))
        self.tables.append(table)

    def write_shims(self, work):
        """The programs as C or C++, for the shim (shim.h), and the list of them; returns their units."""
        units, listed = [Unit(work / "shims" / "programs.c")], ""
        for symbol, (text, kernels, language) in self.programs.items():
            source = work / "shims" / f"{symbol}.{language[0]}"
            write_if_changed(source, shim_of(symbol, text, kernels, language))
            # Texts for toolkits before and after CUDA 9 have both ways: each type takes one of them.
            version = ["-D__CUDACC_VER_MAJOR__=9"] if "_i64__" in symbol else []
            units.append(Unit(source, ["-Wno-unknown-pragmas", "-Wno-attributes", *language[3], *version]))
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
        """Each simd.c as it stands; the types of params.h are the only thing that changes."""
        for template in sorted(ROOT.glob("templates/*/simd.c")):
            method = template.parent.name
            params = (template.parent / "params.h").read_text(encoding="utf-8")
            for real in "f32", "f64":
                for offset in "i32", "i64":
                    self.add_template(work, template, method, params, real, offset)
        self.add_table(work, "template_table", self.names)

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


# How a program's text is compiled for the shim, by the language of its file: which header has its words, how
# a local array is declared, flags, and what stands around the text.
SHIM_LANGUAGES = {
    ".cl": ("c", "opencl_shim.h", "__local", [], "", "", "extern "),
    ".cu": ("cpp", "cuda_shim.h", "__shared__",
            ["-std=gnu++98", "-fno-exceptions", "-fno-rtti"],
            "#define SPMV_LINKAGE static\nnamespace {\n", "}\n", 'extern "C" '),
}
SHIM_LANGUAGES[".hip"] = SHIM_LANGUAGES[".cu"]


def shim_of(symbol, text, kernels, language):
    """A program's text for this CPU. A local array is the group's. What else differs is in the header of
    its language. A kernel is called with pointers to its arguments."""
    _, header, local, _, before, behind, linkage = language
    text = re.sub(rf"^( +){local} ([\w ]+) (\w+)\[(.+)\];",
                  r"\1\2 *const \3 = (\2 *)shim_local(sizeof(\2) * (\4));", text, flags=re.MULTILINE)
    calls, entries = "", ""
    for kernel in kernels:
        arguments = []
        for i, argument in enumerate(kernel["arguments"]):
            kind = argument["type"] if argument["access"] == "value" else \
                re.sub(r"(__)?restrict(__)?", "", argument["type"]).rstrip() + " const"
            arguments.append(f"*({kind} const *)argument[{i}]" if argument["access"] == "value"
                             else f"*({kind} *)argument[{i}]")
        calls += f"""
static void call_{kernel["name"]}(const void *const *argument)
{{
    {kernel["name"]}({(","+chr(10)+"        ").join(arguments)});
}}
"""
        entries += f'    {{ "{kernel["name"]}", call_{kernel["name"]} }},\n'
    return f"""#include "tests/kernels/{header}"
{before}
{text}{calls}
{behind}{linkage}const shim_kernel shim_{symbol}[];
const shim_kernel shim_{symbol}[] = {{
{entries}    {{ 0, 0 }},
}};
"""


# ---- building ----------------------------------------------------------------------------------

def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def quote(words):
    """Words for a shell, within a line of build.ninja."""
    safe = [word if re.fullmatch(r"[\w./=,+:@%-]+", word) else "'" + word + "'" for word in words]
    return " ".join(safe).replace("$", "$$").replace("\n", " ")


def write_build(work, compiler, flags, modules, program, sanitizer):
    common = ["-g", *flags, f"-I{ROOT}", f"-I{ROOT}/runtime"]
    tables = "-DSPMV_BUILTIN_TABLES(T)=" + " ".join(f"T({name})" for name in modules.tables)
    harness = HARNESS_FLAGS[sanitizer]
    units = [Unit(ROOT / f"tests/kernels/{name}.c", FIBERS_FLAGS[sanitizer] or harness
                  if name in FIBERS else harness) for name in PROGRAMS[program]]
    units += [Unit(ROOT / f"bench/{name}.c", harness) for name in DATA]
    units += [Unit(source, [tables] if source.name == "builtin.c" else [])
              for source in sorted(ROOT.glob("runtime/*.c"))]
    units += modules.units + modules.write_shims(work)
    cc = quote([compiler, *common])
    lines = [f"rule cc\n  command = {cc} $flags -MD -MF $out.d -c $in -o $out"
             "\n  depfile = $out.d\n  deps = gcc",
             f"rule link\n  command = {quote([compiler, *flags])} $in -o $out -lm -ldl -lpthread"]
    lines += [f"build {unit.object()}: cc {unit.source}\n  flags = {quote(unit.language_flags())}"
              for unit in units]
    lines.append(f"build {program}: link " + " ".join(unit.object() for unit in units))
    write_if_changed(work / "build.ninja", "\n".join(lines) + "\n")


def build(work, compiler, flags, modules, program, sanitizer="none", jobs=2):
    """Returns (whether it was built, what the compiler said)."""
    write_build(work, compiler, flags, modules, program, sanitizer)
    done = subprocess.run(["ninja", f"-j{jobs}", "-C", str(work), program], capture_output=True,
                          text=True, errors="replace", check=False)
    return done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


def cpu_flags_of(isa):
    """The words of /proc/cpuinfo that an instruction set asks for."""
    text = (ROOT / f"targets/isa/{isa}.lua").read_text(encoding="utf-8")
    return set(re.findall(r'"(\w+)"', re.search(r"cpu_flags = \{(.*?)\}", text)[1]))


class Machine:
    """Where programs run: here, or, by qemu-user, on the CPU and system that compilers call `triple`.
    How things are called is Debian's way: cross compilers, and their libraries in /usr/TRIPLE."""

    # The first of their architecture, so that nothing later is needed unseen.
    EMULATED = {"aarch64": ("cortex-a57", {"asimd"}), "arm": ("cortex-a15", set())}

    def __init__(self, triple=None):
        self.cpu = triple.split("-", maxsplit=1)[0] if triple else platform.machine()
        is_here = self.cpu == platform.machine()
        self.triple = None if is_here else triple
        if is_here:
            cpuinfo = pathlib.Path("/proc/cpuinfo")
            self.emulator = []
            self.flags = set(cpuinfo.read_text(encoding="utf-8").split()) if cpuinfo.exists() else set()
        else:
            model, self.flags = self.EMULATED[self.cpu]
            self.emulator = [f"qemu-{self.cpu}", "-cpu", model, "-L", f"/usr/{triple}"]

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

    def can_run(self, isa, page_flags):
        return cpu_flags_of(isa) | page_flags <= self.flags

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


def emit(spmvgen, data, target, arguments, folder):
    """Runs spmvgen; returns what it had to say where it failed."""
    done = subprocess.run([spmvgen, "--data", str(data), "--target", str(target), *arguments,
                           "-o", str(folder)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else None


# A page may make vectors far wider than a CPU's, and instrumented ones take a compiler minutes to
# optimise: pages are compiled as they stand (gcc's own intrinsics then convert signs). What targets
# have is optimised.
PAGE_FLAGS = ["-O0", "-Wno-sign-conversion"]


def add_programs(language, work, spmvgen, modules, data):
    names = []
    for folder, symbols in programs.emit(spmvgen, language, work / "programs", data):
        modules.add_modules(folder, only=symbols)
        names += symbols
    modules.add_table(work, f"distinct_{language}", names)


def collect(sources, work, spmvgen, modules, data=ROOT):
    """Fills modules from the sources, emitted from `data`; False where one of them failed."""
    for source in sources:
        if source == "templates":
            modules.add_templates(work)
            continue
        if source.startswith("programs:"):
            add_programs(source.split(":", 1)[1], work, spmvgen, modules, data)
            continue
        if source.startswith("pages:"):
            targets = pages.write(work / "pages", source.split(":", 1)[1])
        elif source.startswith("target:"):
            name, *arguments = source.split(":", 1)[1].split()
            targets = [(pathlib.Path(name), arguments)]
        else:
            modules.add_folder(source)
            continue
        for target, arguments in targets:
            folder = work / "emitted" / target.stem
            error = emit(spmvgen, data, target, arguments, folder)
            if not tap.ok(error is None, f"spmvgen emits {target.stem}", error or ""):
                return False
            if target.suffix == ".lua":
                modules.add_page(work, folder, PAGE_FLAGS)
            else:
                modules.add_folder(folder)
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


def relay(machine, program, *arguments, processes=1):
    """Runs a program of tests and passes its lines on, with numbers of our own. Several processes
    share its modules out."""
    shares = [["--share", f"{i}/{processes}"] for i in range(processes)] if processes > 1 else [[]]
    running = [subprocess.Popen(machine.command(program, *arguments, *share), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, errors="replace",
                                env=environment()) for share in shares]
    with concurrent.futures.ThreadPoolExecutor(processes) as readers:
        outputs = list(readers.map(subprocess.Popen.communicate, running))
    for process, (output, errors) in zip(running, outputs):
        pass_on(output)
        tap.ok(re.search(r"^1\.\.", output, re.MULTILINE) and process.returncode in (0, 1),
               "the suite runs to its end",
               f"exit code {process.returncode}\n" + "\n".join(errors.splitlines()[:60]))
    return "".join(output for output, _ in outputs)


def pass_on(output):
    for line in output.splitlines():
        case = re.fullmatch(r"(not )?ok \d+ (?:- (.*)|# SKIP (.*))", line)
        if case and case[3] is not None:
            tap.skip(case[3])
        elif case:
            tap.ok(not case[1], case[2])
        elif line.startswith("#"):
            tap.diag(line[2:])
        elif line and not line.startswith("1.."):
            tap.diag(line)


def add_build_options(parser):
    parser.add_argument("--work", metavar="DIR", type=pathlib.Path, required=True,
                        help="where all is emitted and built; kept, so that a second run compiles what "
                             "changed")
    parser.add_argument("--compiler", metavar="CC", default="cc", help="clang: the newest (cc)")
    parser.add_argument("--cross", metavar="TRIPLE", help="build for this CPU, run under qemu-user")
    parser.add_argument("--sanitize", choices=sorted(SANITIZERS), default="none")
    parser.add_argument("--optimise", metavar="LEVEL", default="2", help="the compiler's -O (2)")
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
    parser.add_argument("--effort", choices=EFFORTS, default="full",
                        help="which cases are tried (full)")
    parser.add_argument("--processes", metavar="N", type=int, default=1,
                        help="that many suites at once, which share the modules out (1)")
    parser.add_argument("--device", metavar="NAME",
                        help="run programs there, as in opencl:pthread; without it as C")
    parser.add_argument("--spmvgen", help="the generator, for sources that are to be emitted")
    parser.add_argument("sources", nargs="+", metavar="SOURCE",
                        help="FOLDER, target:NAME, pages:NAME, programs:LANGUAGE or templates")
    args = parser.parse_args()
    args.work = args.work.resolve()

    machine, compiler, flags = choose_compiler(args)
    modules = Modules()
    if collect(args.sources, args.work, args.spmvgen, modules):
        built, output = build(args.work, compiler, flags, modules, "kernel_suite",
                              args.sanitize)
        if tap.ok(built, f"{len(modules.names)} modules compile without a warning", output):
            os.environ["SPMV_CACHE"] = str(args.work / "cache")
            device = ["--device", args.device] if args.device else []
            output = relay(machine, args.work / "kernel_suite", "--effort", args.effort, *device,
                           processes=args.processes)
            for name in modules.names:
                if name not in output and machine.can_run(*modules.needs.get(name, ("scalar", set()))):
                    tap.ok(False, f"{name}: is tried, since this CPU can run it")
                elif name not in output:
                    tap.skip(f"{name}: this CPU cannot run it")
    tap.done()


if __name__ == "__main__":
    main()
