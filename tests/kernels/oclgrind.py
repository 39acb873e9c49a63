#!/usr/bin/env python3
"""oclgrind.py: tries programs under Oclgrind, a simulated OpenCL device that watches every access.

    oclgrind.py --work DIR --spmvgen SPMVGEN [--share I/N] SOURCE...      sources as in run_suite.py

Oclgrind reports races, accesses out of bounds and reads of memory that was never written, in local
memory and in buffers, and barriers that not all work-items of a group reach. Its device has 32 KiB
of local memory, the least that OpenCL allows. -cl-opt-disable keeps its compiler from removing
faults. Each module multiplies tiny matrices of every shape (device_test.c): each result must be
right, and nothing may be reported. The device has no subgroups, so texts that need them are SKIP.
The last line has the numbers of texts, matrices, multiplications and reports. --share: every N-th
module from number I on.
"""
import argparse
import collections
import concurrent.futures
import glob
import re
import shutil
import subprocess

import compiling
import machines
import run_suite
from machines import tap
from modules import Modules, collect

CHECKS = ["--data-races", "--uniform-writes", "--uninitialized", "--max-errors", "1000000",
          "--build-options", "-cl-opt-disable"]

def find_library():
    """Oclgrind's library, which its wrapper would preload and libspmv opens by name."""
    patterns = ("/usr/lib*/oclgrind/liboclgrind-rt.so", "/usr/lib/*/oclgrind/liboclgrind-rt.so",
                "/usr/local/lib/oclgrind/liboclgrind-rt.so", "/usr/local/lib/liboclgrind-rt.so")
    return next((path for pattern in patterns for path in sorted(glob.glob(pattern))), None)


def skip_unless_installed():
    if not shutil.which("oclgrind") or not find_library():
        tap.skip("oclgrind is not installed (Debian 12: oclgrind; Debian 13 has no such package)")
        tap.done()


def run(work, arguments=()):
    """Runs kernel_suite under Oclgrind: (exit code, TAP lines, {(module, input): reports})."""
    environment = dict(run_suite.environment(), SPMV_CACHE=str(work / "oclgrind-cache"),
                       SPMV_OPENCL_LIBRARY=find_library())
    done = subprocess.run(["oclgrind", *CHECKS, str(work / "kernel_suite"), "--device",
                           "opencl:Oclgrind", "--effort", "tiny", *arguments],
                          capture_output=True, text=True, errors="replace", check=False,
                          env=environment)
    messages, module, at = collections.OrderedDict(), "", None
    for line in done.stderr.splitlines():
        if line.startswith("module: "):
            module = line[8:]
        elif line.startswith("input: "):
            at = messages.setdefault((module, line[7:]), [])
        elif line.strip() and at is not None:
            at.append(line)
    return done.returncode, done.stdout, messages


def reports_in(lines):
    """The number of reports: a report's first line begins at the margin, its other lines are
    indented."""
    return sum(1 for line in lines if not line[0].isspace()) or (1 if lines else 0)


def report(code, output, messages):
    """Prints the result of a module's run; returns the number of reports."""
    skipped = re.search(r"# SKIP (.*)", output)
    if skipped and code == 0 and not messages:
        tap.skip(skipped[1])
        return 0
    reports = sum(map(reports_in, messages.values()))
    module = next((module for module, _ in messages), "no module")
    wrong = [line for line in output.splitlines() if line.startswith(("not ok", "#"))]
    shown = ["\n".join([name, *lines[:12]]) for (_, name), lines in messages.items() if lines]
    tap.ok(code == 0 and messages and reports == 0,
           f"{module}: {len(messages)} multiplications under Oclgrind are right, no reports",
           "\n".join([f"exit code {code}, {reports} reports", *wrong[:12], *shown[:8]]))
    return reports


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    machines.add_build_options(parser)
    parser.add_argument("--spmvgen", help="the generator, for sources that are to be emitted")
    parser.add_argument("--share", metavar="I/N", default="0/1",
                        help="every N-th module from number I on (0/1: all), so that several "
                             "machines can share them out")
    parser.add_argument("--processes", metavar="N", type=int, default=2,
                        help="how many modules are tried at once (2)")
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="as in run_suite.py")
    args = parser.parse_args()
    args.work = args.work.resolve()
    skip_unless_installed()

    _, compiler, flags = machines.choose_compiler(args)
    modules = Modules()
    tap.diag("emitting " + ", ".join(args.sources))
    if not collect(args.sources, args.work, args.spmvgen, modules):
        tap.done()
    tap.diag(f"building {len(modules.programs)} modules")
    built, output = compiling.build(args.work, compiler, flags, modules, "kernel_suite")
    if not tap.ok(built, "the suite is built", output):
        tap.done()
    (args.work / "oclgrind-cache").mkdir(exist_ok=True)
    messages, reports = {}, 0
    first, every = map(int, args.share.split("/"))
    count = len(modules.programs)
    chosen = range(first, count, every)
    tap.diag(f"running {len(chosen)} of {count} modules, {args.processes} at a time")
    with concurrent.futures.ThreadPoolExecutor(args.processes) as running:
        results = running.map(lambda module: run(args.work, ["--share", f"{module}/{count}"]),
                              chosen)
        for done, (code, output, some) in enumerate(results, start=1):
            reports += report(code, output, some)
            messages |= some
            tap.diag(f"{done} of {len(chosen)}")
    matrices = len({tuple(name.split()[:3]) for _, name in messages})       # shape, "size", size
    texts = len({module for module, _ in messages})
    tap.diag(f"{texts} texts x {matrices} matrices ({len(messages)} multiplications): "
             f"{reports} reports")
    tap.done()


if __name__ == "__main__":
    main()
