#!/usr/bin/env python3
"""cuda_suite.py: emitted modules on an NVIDIA GPU, also under compute-sanitizer.

    cuda_suite.py --work DIR --results DIR [--tool NAME]... [--minutes M] FOLDER...

FOLDERs hold emitted files of CUDA targets. kernel_suite, built as by run_suite.py, tries each
module separately on the device: without a tool ("suite", every case of the effort), or under a tool
of compute-sanitizer, which watches every access of tiny matrices:

    memcheck     out of bounds, misaligned, not freed      initcheck    read but never written
    racecheck    races in shared memory                    synccheck    wrong use of barriers

RESULTS/TOOL/MODULE.json has the result of a module, and .log the output. Modules with a result are
not tried again, so a call continues where the last one ended; --retry tries failed ones again. The
first two pairs of types of each method run first and under every tool, the last two only without a
tool; --types 2 leaves these out. At the end a line for each tool is printed. A skipped module is a
failure, since every module must run on a machine with a GPU. Exit codes: 0 success, 1 something
failed, 2 bad command line or nothing could be tried, 3 time ran out: call it again.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import compiling
import machines
import run_suite
from modules import Modules

TOOLS = ["suite", "memcheck", "racecheck", "initcheck", "synccheck"]
DONE, FAILED, STOPPED, MORE = 0, 1, 2, 3
SANITIZER_REPORTS = 99              # compute-sanitizer's exit code if it reports something
# libspmv queries the driver for the owner of a pointer. For host memory the driver returns an
# error, which is expected.
EXTRA = {"memcheck": ["--leak-check", "full", "--report-api-errors", "no"],
         "racecheck": ["--racecheck-report", "all"]}
# On an H200 a module took 15 s at most; a kernel that hangs takes forever.
LIMIT = 60
running = set()                     # processes of tools; their threads wait for them
stopping = threading.Event()        # set when this program is being ended


def stop(message):
    print(f"cuda_suite.py: {message}", file=sys.stderr)
    sys.exit(STOPPED)


# ---- the list of items -------------------------------------------------------------------------

# The first two pairs have every type once, which is enough under a tool: all types share one text.
TYPES = ["f64_i32", "f32_i64", "f32_i32", "f64_i64"]
TYPES_OF_TOOLS = 2


def items_of(args, names):
    """[(tool, module)]: all methods in one pair of types under every tool, then in the next
    pair."""
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
    return [args.sanitizer, "--tool", tool, "--error-exitcode", str(SANITIZER_REPORTS),
            *EXTRA.get(tool, []), "--log-file", str(log), *suite]


# ---- one module --------------------------------------------------------------------------------

def reason_of_tool(tool_log):
    """The report of compute-sanitizer; "": it watched the run and reports nothing."""
    summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+) .*", tool_log)
    if not summary:
        return "compute-sanitizer came to no summary: did it run on this device?"
    lines = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: .*", tool_log)
    return "" if set(summary) == {"0"} else f"compute-sanitizer: {lines[-1]}"


def reason_of(tool, code, output, tool_log):
    """The reason why a run failed; "": it succeeded."""
    wrong = [line for line in output.splitlines() if line.startswith("not ok")]
    skipped = re.findall(r"^ok \d+ # SKIP (.*)", output, re.MULTILINE)
    if wrong:
        return f"{len(wrong)} cases, the first: {wrong[0]}"
    if skipped:
        return f"was not tried: {skipped[0]}"
    if code is None:
        return f"did not end within {LIMIT} s"
    found = reason_of_tool(tool_log) if tool != "suite" else ""
    if found or code != 0:
        return found or f"exit code {code}"
    return "" if re.search(r"^1\.\.\d", output, re.MULTILINE) else "ended before its plan"


def write(path, text):
    """Replaces the file atomically, since a call may be ended at any time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".tmp")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)


def run_limited(command, environment):
    """(exit code, or None after the time limit; standard output; standard error). The tool and its
    program are one session, so that both end at the limit and when this program ends."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", env=environment,
                          start_new_session=True) as process:
        running.add(process)
        try:
            if stopping.is_set():
                os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate(timeout=LIMIT)
            return process.returncode, output, errors
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return (None, *process.communicate())
        finally:
            running.discard(process)


def stop_running():
    stopping.set()
    for process in list(running):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def run(args, tool, name):
    path = result_path(args, tool, name)
    log = path.with_suffix(".tool")
    path.parent.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    # All tools share one cache of compiled programs.
    environment = dict(run_suite.environment(), SPMV_CACHE=str(args.work / "cache"))
    code, output, errors = run_limited(command_of(args, tool, name, log), environment)
    if stopping.is_set():
        return                      # the end of the process says nothing about the module
    tool_log = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    reason = reason_of(tool, code, output, tool_log)
    write(path.with_suffix(".log"), "\n".join([output, errors[-20000:], tool_log[-100000:]]))
    log.unlink(missing_ok=True)
    multiplications = len(re.findall(r"^input: ", errors, re.MULTILINE))
    cases = multiplications or len(re.findall(r"^ok ", output, re.MULTILINE))
    result = {"tool": tool, "module": name, "good": not reason, "reason": reason, "cases": cases}
    write(path, json.dumps(result) + "\n")
    print(f"{tool} {name}: {reason or 'good'} ({cases} cases, {time.monotonic() - begin:.1f} s)",
          flush=True)


def run_item(args, tool, name, begin):
    """Runs a module, unless it has a result or its time limit is not left."""
    path = result_path(args, tool, name)
    if path.exists():
        if json.loads(path.read_text(encoding="utf-8"))["good"] or not args.retry:
            return
        path.unlink()
    if not stopping.is_set() and time.monotonic() - begin + LIMIT <= 60 * args.minutes:
        run(args, tool, name)


def run_all(args, items, begin):
    """Runs the items, --jobs at a time. When this program is ended, so are their processes."""
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        futures = [pool.submit(run_item, args, tool, name, begin) for tool, name in items]
        try:
            for future in futures:
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop_running()
            raise


# ---- all of them -------------------------------------------------------------------------------

def build(args):
    """Builds kernel_suite in the work folder, unless it was built elsewhere, and returns the
    modules' names; ends the program if that fails."""
    modules = Modules()
    for source in args.folders:
        folder, *selection = source.rsplit(" --target ", 1)
        modules.add_selected(args.work, pathlib.Path(folder), [f"--target={s}" for s in selection])
    if args.built:
        if not (args.work / "kernel_suite").exists():
            stop(f"{args.work} has no kernel_suite")
        return list(modules.programs)
    if args.binaries:
        modules.add_binaries(args.binaries)
    machine = machines.Machine()
    compiler, flags = machine.find_compiler(args.compiler)
    if not compiler:
        stop(flags)
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
        stop(f"{args.sanitizer} is not there; it is part of CUDA's toolkit: give its path by "
             "--sanitizer")
    return found


def report(args, items):
    """Prints a line for each tool; returns the exit code."""
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
                        help=f"end after M minutes: a module starts only if its limit of {LIMIT} s "
                             "is left (8)")
    parser.add_argument("--types", metavar="N", type=int, default=len(TYPES),
                        help=f"only the first N pairs of types ({len(TYPES)})")
    parser.add_argument("--jobs", metavar="N", type=int, default=min(8, os.cpu_count() or 1),
                        help="modules tried at the same time (processors, at most 8)")
    parser.add_argument("--build-only", action="store_true", help="build kernel_suite, and stop")
    parser.add_argument("--binaries", metavar="FILE.c", type=pathlib.Path,
                        help="the modules' programs, compiled, as embed_binaries.py writes them")
    parser.add_argument("--built", action="store_true",
                        help="DIR of --work has a kernel_suite that was built elsewhere")
    parser.add_argument("--retry", action="store_true", help="try failed modules again")
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
    run_all(args, items, begin)
    sys.exit(report(args, items))


if __name__ == "__main__":
    main()
