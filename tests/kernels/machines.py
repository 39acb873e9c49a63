"""machines.py: the machines that test programs run on, this one or qemu-user, and their
compilers."""
import os
import pathlib
import platform
import shutil
import subprocess

import root  # makes select_targets and tap importable
import compiling
import select_targets
import tap


class Machine:
    """This machine, or qemu-user for the CPU and system of a compiler's `triple`. Names of cross
    compilers, and the folder /usr/TRIPLE of their libraries, are Debian's."""

    # The first CPUs of their architectures, so that later instructions fail.
    EMULATED = {"aarch64": ("cortex-a57", {"asimd"}), "arm": ("cortex-a15", set())}

    def __init__(self, triple=None):
        self.cpu = triple.split("-", maxsplit=1)[0] if triple else platform.machine()
        is_here = self.cpu == platform.machine()
        self.triple = None if is_here else triple
        if is_here:
            self.emulator = []
            self.flags = select_targets.flags_of_cpu()
        else:
            model, self.flags = self.EMULATED[self.cpu]
            self.emulator = [f"qemu-{self.cpu}", "-cpu", model, "-L", f"/usr/{triple}"]

    def find_compiler(self, name):
        """(the compiler, its flags), or (None, the reason why there is none). "clang" is the newest
        installed clang; it needs gcc's cross compiler for linking."""
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
        return select_targets.flags_of_isa(isa) | page_flags <= self.flags

    def command(self, program, *arguments):
        return [*self.emulator, str(program), *arguments]

    def with_openmp(self, compiler, flags, work):
        """The flags, with that of OpenMP if it works. All suites compile with it, so that they
        share the compiled files of runtime and suite."""
        openmp = [*flags, "-fopenmp"]
        return openmp if self.has_working(compiler, openmp, work) else flags

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


def add_build_options(parser):
    parser.add_argument("--work", metavar="DIR", type=pathlib.Path, required=True,
                        help="folder for emitted files and builds; kept, so that a second run "
                             "compiles only what changed")
    parser.add_argument("--compiler", metavar="CC", default="cc", help="clang: the newest (cc)")
    parser.add_argument("--cross", metavar="TRIPLE", help="build for this CPU, run under qemu-user")
    parser.add_argument("--sanitize", choices=sorted(compiling.SANITIZERS), default="none")
    parser.add_argument("--optimise", metavar="LEVEL", default="2", help="the compiler's -O (2)")
    parser.add_argument("--pool", action="store_true",
                        help="with libspmv's threads, which ThreadSanitizer understands, instead "
                             "of OpenMP's")


def choose_compiler(args):
    """The machine, the compiler and its flags; ends the test with SKIP if one of them is
    missing."""
    machine = Machine(args.cross)
    compiler, flags = machine.find_compiler(args.compiler)
    if not compiler:
        tap.skip(flags)
        tap.done()
    # Without optimisation gcc's intrinsics convert signs.
    signs = ["-Wno-sign-conversion"] if args.optimise == "0" else []
    flags = [*flags, f"-O{args.optimise}", *signs, *compiling.SANITIZERS[args.sanitize]]
    if "clang" not in compiler:      # tools/coverage.py reads gcc's counters
        flags += os.environ.get("SPMV_COVERAGE", "").split()
    if args.sanitize == "address" and "clang" not in compiler:
        # For the first see ENVIRONMENT. Without the second, gcc allocates registers for half of the
        # time that it takes for strips.
        flags += ["--param=asan-use-after-return=0", "-fira-region=one"]
    if args.pool:
        flags.append("-DSPMV_PTHREADS")
    else:
        flags = machine.with_openmp(compiler, flags, args.work)
    if not machine.has_working(compiler, flags, args.work):
        tap.skip(f"{compiler} cannot link with {' '.join(flags)}")
        tap.done()
    return machine, compiler, flags
