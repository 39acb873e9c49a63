#!/usr/bin/env python3
"""cuda_suite.py: emitted modules on an NVIDIA GPU, also under compute-sanitizer.

    cuda_suite.py --work DIR --results DIR [--tool NAME]... [--minutes M] FOLDER...

FOLDERs hold emitted files of CUDA targets. kernel_suite, built as run_suite.py builds it, tries each
module by itself on the device: by itself ("suite", every case of the effort) or under a tool of
compute-sanitizer, which watches every access of tiny matrices:

    memcheck     out of bounds, misaligned, not freed      initcheck    read, yet never written
    racecheck    races in shared memory                    synccheck    wrong use of barriers

RESULTS/TOOL/MODULE.json says how each went, and .log what was said. What has a result is not tried
again, so that a call goes on where the last one was cut or ended; --retry forgets what went wrong.
The first types of each method come first, for every tool, and the last ones by no tool; --types 2
leaves the last ones out. One line a tool at the end. A module that is skipped is wrong: on a
machine with a GPU everything must run. Exit codes: 0 all is well, 1 all was tried and something is
wrong, 2 bad command line, or nothing could be tried, 3 time is up, and there is more to try: call
it again.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import compiling
import machines
import run_suite
from modules import Modules

TOOLS = ["suite", "memcheck", "racecheck", "initcheck", "synccheck"]
DONE, FAILED, STOPPED, MORE = 0, 1, 2, 3
SANITIZER_SAYS = 99              # its exit code where it has something to tell
# libspmv asks the driver whose a pointer is; for the host's own the answer is an error, which is none.
EXTRA = {"memcheck": ["--leak-check", "full", "--report-api-errors", "no"], "racecheck": ["--racecheck-report", "all"]}
# A module takes seconds; a kernel that hangs takes forever.
LIMIT = 120


def stop(message):
    print(f"cuda_suite.py: {message}", file=sys.stderr)
    sys.exit(STOPPED)


# ---- what is to be done ------------------------------------------------------------------------

# The first two have every type once: enough for a tool, since the text is the same for all types.
TYPES = ["f64_i32", "f32_i64", "f32_i32", "f64_i64"]
TYPES_OF_TOOLS = 2


def items_of(args, names):
    """(tool, module): each method in one pair of types by every tool, then in the next."""
    items = []
    for number, types in enumerate(TYPES[:args.types]):
        tools = [tool for tool in args.tool if tool == "suite" or number < TYPES_OF_TOOLS]
        items += [(tool, name) for tool in tools for name in sorted(names) if f"_{types}__" in name]
    return items


def result_path(args, tool, name):
    return args.results / tool / f"{name}.json"


def command_of(args, tool, name, log):
    effort = args.effort if tool == "suite" else "tiny"
    suite = [str(args.work / "kernel_suite"), "--device", args.device, "--effort", effort,
             "--module", name]
    if tool == "suite":
        return suite
    return [args.sanitizer, "--tool", tool, "--error-exitcode", str(SANITIZER_SAYS), *EXTRA.get(tool, []),
            "--log-file", str(log), *suite]


# ---- one module --------------------------------------------------------------------------------

def reason_of_tool(told):
    """What compute-sanitizer has to tell; "" where it watched and there is nothing."""
    summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+) .*", told)
    if not summary:
        return "compute-sanitizer came to no summary: did it run on this device?"
    lines = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: .*", told)
    return "" if set(summary) == {"0"} else f"compute-sanitizer: {lines[-1]}"


def reason_of(tool, code, output, told):
    """Why a run is no success; "" where it is one."""
    wrong = [line for line in output.splitlines() if line.startswith("not ok")]
    skipped = re.findall(r"^ok \d+ # SKIP (.*)", output, re.MULTILINE)
    if wrong:
        return f"{len(wrong)} cases, the first: {wrong[0]}"
    if skipped:
        return f"was not tried: {skipped[0]}"
    if code is None:
        return f"did not end within {LIMIT} s"
    found = reason_of_tool(told) if tool != "suite" else ""
    if found or code != 0:
        return found or f"exit code {code}"
    return "" if re.search(r"^1\.\.\d", output, re.MULTILINE) else "ended before its plan"


def write(path, text):
    """Whole or not at all: a call may be cut at any time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".tmp")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)


def run_limited(command, environment):
    """(exit code or None where time was up, standard output, standard error). A tool's program goes with
    the tool, since they are one session; and both go when this program is told to end."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", env=environment,
                          start_new_session=True) as process:
        try:
            output, errors = process.communicate(timeout=LIMIT)
            return process.returncode, output, errors
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return (None, *process.communicate())
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def run(args, tool, name):
    path = result_path(args, tool, name)
    log = path.with_suffix(".tool")
    path.parent.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    # A cache of its own: what the first tool compiled, the next need not.
    environment = dict(run_suite.environment(), SPMV_CACHE=str(args.work / "cache"))
    code, output, errors = run_limited(command_of(args, tool, name, log), environment)
    told = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    reason = reason_of(tool, code, output, told)
    write(path.with_suffix(".log"), "\n".join([output, errors[-20000:], told[-100000:]]))
    log.unlink(missing_ok=True)
    multiplications = len(re.findall(r"^input: ", errors, re.MULTILINE))
    cases = multiplications or len(re.findall(r"^ok ", output, re.MULTILINE))
    result = {"tool": tool, "module": name, "good": not reason, "reason": reason, "cases": cases}
    write(path, json.dumps(result) + "\n")
    print(f"{tool} {name}: {reason or 'good'} ({cases} cases, {time.monotonic() - begin:.1f} s)",
          flush=True)


# ---- all of them -------------------------------------------------------------------------------

def build(args):
    """The names of the modules; kernel_suite is in the work folder. Ends the program if not."""
    machine = machines.Machine()
    compiler, flags = machine.find_compiler(args.compiler)
    modules = Modules()
    if not compiler:
        stop(flags)
    for folder in args.folders:
        modules.add_folder(folder)
    built, output = compiling.build(args.work, compiler, [*flags, "-O2"], modules, "kernel_suite",
                                    jobs=os.cpu_count() or 2)
    if not built:
        stop(f"kernel_suite is not built:\n{output}")
    return list(modules.programs)


def find_sanitizer(args):
    if set(args.tool) == {"suite"}:
        return None
    found = shutil.which(args.sanitizer)
    if not found:
        stop(f"{args.sanitizer} is not there; it is part of CUDA's toolkit, and --sanitizer says where it "
             "is")
    return found


def tell(args, items):
    """A line a tool; the exit code."""
    code = DONE
    for tool in args.tool:
        names = [name for which, name in items if which == tool]
        results = [json.loads(path.read_text(encoding="utf-8")) for path in
                   (result_path(args, tool, name) for name in names) if path.exists()]
        wrong = [result for result in results if not result["good"]]
        left = len(names) - len(results)
        print(f"{tool}: {len(results)} of {len(names)} modules, "
              f"{sum(result['cases'] for result in results)} cases, {len(wrong)} wrong"
              + (f", {left} left" if left else ""))
        for result in wrong:
            print(f"    {result['module']}: {result['reason']}")
        code = MORE if left or code == MORE else FAILED if wrong else code
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", metavar="DIR", type=pathlib.Path, required=True,
                        help="where kernel_suite is built; kept")
    parser.add_argument("--results", metavar="DIR", type=pathlib.Path, required=True)
    parser.add_argument("--tool", choices=TOOLS, action="append", help="may repeat (all)")
    parser.add_argument("--effort", choices=run_suite.EFFORTS, default="brief",
                        help="of the suite; under a tool it is tiny (brief)")
    parser.add_argument("--device", metavar="NAME", default="cuda", help="libspmv's (cuda)")
    parser.add_argument("--sanitizer", metavar="PROGRAM", default="compute-sanitizer")
    parser.add_argument("--compiler", metavar="CC", default="cc")
    parser.add_argument("--minutes", metavar="M", type=float, default=8,
                        help=f"end within so many: a module, which may take {LIMIT} s, begins only "
                             "if they are left (8)")
    parser.add_argument("--types", metavar="N", type=int, default=len(TYPES),
                        help=f"of the first N pairs of types alone ({len(TYPES)})")
    parser.add_argument("--build-only", action="store_true", help="build kernel_suite, and stop")
    parser.add_argument("--retry", action="store_true", help="try again what went wrong")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    args = parser.parse_args()
    begin = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    args.tool = args.tool or TOOLS
    args.work, args.results = args.work.resolve(), args.results.resolve()
    items = items_of(args, build(args))
    if not items:
        stop("no module for a GPU in " + ", ".join(args.folders))
    if args.build_only:
        return
    args.sanitizer = find_sanitizer(args)
    for tool, name in items:
        path = result_path(args, tool, name)
        if args.retry and path.exists() and not json.loads(path.read_text(encoding="utf-8"))["good"]:
            path.unlink()
        if path.exists():
            continue
        if time.monotonic() - begin + LIMIT > 60 * args.minutes:
            break
        run(args, tool, name)
    sys.exit(tell(args, items))


if __name__ == "__main__":
    main()
