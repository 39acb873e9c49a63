"""machines.py: where programs of tests run, here or under qemu-user, and the compilers for it."""
import pathlib
import platform
import shutil
import subprocess

import root  # makes select_targets and tap importable
import compiling
import select_targets
import tap


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
            self.emulator = []
            self.flags = select_targets.flags_of_cpu()
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
        return select_targets.flags_of_isa(isa) | page_flags <= self.flags

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


def add_build_options(parser):
    parser.add_argument("--work", metavar="DIR", type=pathlib.Path, required=True,
                        help="where all is emitted and built; kept, so that a second run compiles what "
                             "changed")
    parser.add_argument("--compiler", metavar="CC", default="cc", help="clang: the newest (cc)")
    parser.add_argument("--cross", metavar="TRIPLE", help="build for this CPU, run under qemu-user")
    parser.add_argument("--sanitize", choices=sorted(compiling.SANITIZERS), default="none")
    parser.add_argument("--optimise", metavar="LEVEL", default="2", help="the compiler's -O (2)")
    parser.add_argument("--pool", action="store_true",
                        help="with threads of libspmv's own, which ThreadSanitizer knows, instead "
                             "of OpenMP's")


def choose_compiler(args):
    """The machine, the compiler and its flags; ends the test with SKIP where there is none."""
    machine = Machine(args.cross)
    compiler, flags = machine.find_compiler(args.compiler)
    if not compiler:
        tap.skip(flags)
        tap.done()
    flags = [*flags, f"-O{args.optimise}", *compiling.SANITIZERS[args.sanitize]]
    if args.sanitize == "address" and "clang" not in compiler:
        flags.append("--param=asan-use-after-return=0")   # see ENVIRONMENT
    if args.pool:
        flags.append("-DSPMV_PTHREADS")
    elif machine.has_working(compiler, [*flags, "-fopenmp"], args.work):
        flags.append("-fopenmp")
    if not machine.has_working(compiler, flags, args.work):
        tap.skip(f"{compiler} cannot link with {' '.join(flags)}")
        tap.done()
    return machine, compiler, flags
