"""run_suite.py: builds kernel_suite with modules linked in, runs it, and prints its TAP lines.

    run_suite.py --work DIR [options] SOURCE...

A SOURCE gives modules:

    FOLDER            emitted files, with their manifest.json
    target:NAME       emitted by spmvgen for a target of targets/ (needs --spmvgen)
    pages:NAME        emitted for the pages with extreme parameters (pages.py) that inherit NAME
    programs:LANGUAGE emitted for all targets of that language, each distinct program once; with
                      --half 0 or --half 1 behind it, in the same argument, half of them
                      (programs.py)
    templates         the templates without the generator, each type of values and offsets once

Options behind a folder or a target, in the same argument, select modules: "target:NAME --type f64
--offsets i32 --method csr5". Each may repeat. For a target they are given to spmvgen, and --set is
allowed, too. For a folder, --target is, and modules in the same file are compiled too, but not
tried.

Runtime, suite and modules are one program, built by the same compiler; warnings in modules are
errors. With --program an existing kernel_suite runs instead and nothing is compiled; sources are
then folders whose modules are linked into it. --effort selects the cases, and --device a device for
programs (kernel_suite.c). --cross TRIPLE builds for another CPU and runs under qemu-user. Modules
that the CPU cannot run, and missing compilers and emulators, are SKIP; it is a failure if a module
that the CPU can run is not tried.

DIR is kept, so a second run compiles only what changed. Targets are emitted into DIR's sibling
"targets", and compilers run in the root of the sources with relative paths, so that all suites
share what ccache, if it is installed, has compiled. At most two compilers run at the same time, and
with --processes 2 two suites.
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

# Variables for the programs, besides the caller's. AddressSanitizer must not allocate stack frames
# itself: gcc does not align vectors of 64 bytes in them (its bug 110027).
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",       # seven threads on two cores must not spin
    "ASAN_OPTIONS": "allow_user_segv_handler=1:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


def environment():
    """The caller's environment, with ENVIRONMENT. Options of sanitizers are joined, since Meson
    sets some too."""
    joined = dict(os.environ)
    for name, value in ENVIRONMENT.items():
        if name not in joined:
            joined[name] = value
        elif name.endswith("_OPTIONS"):
            joined[name] += ":" + value
    return joined


def relay(machine, program, *arguments, processes=1):
    """Runs a test program and prints its TAP lines, numbered again. Several processes share its
    modules."""
    shares = [["--share", f"{i}/{processes}"] for i in range(processes)] if processes > 1 else [[]]
    running = [subprocess.Popen(machine.command(program, *arguments, *share),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace", env=environment()) for share in shares]
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


def report_untried(machine, modules, output):
    """Prints SKIP for modules that were not tried, or a failure if the CPU can run them."""
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
                        help="number of suites at a time, which divide the modules (1)")
    parser.add_argument("--device", metavar="NAME",
                        help="run programs on it, as in opencl:pthread; without it, as C")
    parser.add_argument("--spmvgen", help="the generator, for sources that are emitted")
    parser.add_argument("--program", metavar="FILE", type=pathlib.Path,
                        help="a kernel_suite with the modules linked in; nothing is compiled")
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
            built, output = build(args.work, compiler, flags, modules, "kernel_suite",
                                  args.sanitize)
            if not tap.ok(built, f"{len(modules.names)} modules compile without a warning", output):
                tap.done()
        os.environ["SPMV_CACHE"] = str(args.work / "cache")
        device = ["--device", args.device] if args.device else []
        output = relay(machine, program, "--effort", args.effort, *device, *chosen,
                       processes=args.processes)
        report_untried(machine, modules, output)
    tap.done()


if __name__ == "__main__":
    main()
