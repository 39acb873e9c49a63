"""run_suite.py: builds kernel_suite with some modules linked in, runs it, and relays its TAP lines.

    run_suite.py --work DIR [options] SOURCE...

A SOURCE is where modules come from:

    FOLDER            emitted files, with their manifest.json
    target:NAME       what spmvgen emits for a target of targets/ (needs --spmvgen)
    pages:NAME        what it emits for pages with extreme parameters (pages.py) that inherit NAME
    programs:LANGUAGE what it emits for all targets of that language, each distinct program once
    templates         the templates as they stand, in all types, without the generator

Behind a folder or a target, words in the same argument select modules: "target:NAME --type f64
--offsets i32 --method csr5". Each may repeat. A target is emitted with them; of a folder's files
others of the same file are compiled, too, but not tried.

Everything in one program: runtime, suite and modules get the same compiler, warnings of the modules
are errors. With --program a kernel_suite that exists runs instead, and nothing is compiled; sources
are then folders whose modules are linked into it. --effort says which cases are tried
(kernel_suite.c). --cross TRIPLE builds for another CPU, and runs under qemu-user. Modules that the CPU
cannot run, and compilers and emulators that are missing, are SKIP; modules that it could run and does
not are failures. --device runs programs on that device (kernel_suite.c).

DIR is kept: a second run compiles what changed. Targets are emitted into DIR's sibling "targets", and
compilers are called from the root of the sources with relative paths, so that what two suites, or the
suites of two folders, compile in the same way is one entry of ccache, which is used where it is
installed. At most two compilers run at the same time, and with --processes 2 two suites.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess

import machines
from compiling import build
from machines import tap
from modules import Modules, collect

EFFORTS = ["full", "reduced", "brief", "races", "sizes", "tiny", "once"]

# What the programs need besides what the caller has set. Their stacks must not be the sanitizer's own:
# gcc gives vectors of 64 bytes no aligned place there (its bug 110027).
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",       # seven threads on two cores should not spin
    "ASAN_OPTIONS": "allow_user_segv_handler=1:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


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


def tell_untried(machine, modules, output):
    """Modules that the output does not name: the CPU must be unable to run them."""
    for name in modules.names:
        if name not in output and machine.can_run(*modules.needs.get(name, ("scalar", set()))):
            tap.ok(False, f"{name}: is tried, since this CPU can run it")
        elif name not in output:
            tap.skip(f"{name}: this CPU cannot run it")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    machines.add_build_options(parser)
    parser.add_argument("--effort", choices=EFFORTS, default="full",
                        help="which cases are tried (full)")
    parser.add_argument("--processes", metavar="N", type=int, default=1,
                        help="that many suites at once, which share the modules out (1)")
    parser.add_argument("--device", metavar="NAME",
                        help="run programs there, as in opencl:pthread; without it as C")
    parser.add_argument("--spmvgen", help="the generator, for sources that are to be emitted")
    parser.add_argument("--program", metavar="FILE", type=pathlib.Path,
                        help="a kernel_suite that has the modules; nothing is compiled")
    parser.add_argument("sources", nargs="+", metavar="SOURCE",
                        help="FOLDER, target:NAME, pages:NAME, programs:LANGUAGE or templates")
    args = parser.parse_args()
    args.work = args.work.resolve()

    machine, compiler, flags = machines.choose_compiler(args)
    modules = Modules()
    if collect(args.sources, args.work, args.spmvgen, modules):
        program, chosen = args.program, []
        if program:
            chosen = [word for name in modules.names for word in ("--module", name)]
        else:
            program = args.work / "kernel_suite"
            built, output = build(args.work, compiler, flags, modules, "kernel_suite", args.sanitize)
            if not tap.ok(built, f"{len(modules.names)} modules compile without a warning", output):
                tap.done()
        os.environ["SPMV_CACHE"] = str(args.work / "cache")
        device = ["--device", args.device] if args.device else []
        output = relay(machine, program, "--effort", args.effort, *device, *chosen,
                       processes=args.processes)
        tell_untried(machine, modules, output)
    tap.done()


if __name__ == "__main__":
    main()
