"""random_suite.py: modules with random parameters, on random matrices.

    random_suite.py --work DIR --spmvgen SPMVGEN [--seed N] [--pages N] [--cases N]
                    [--device NAME --parent TARGET] [build options]

Draws pages (random_pages.py) until --pages of them are legal. spmvgen must refuse an illegal page
with an error at its line, and leave no file behind. The modules of the legal pages, with those of
the host's target (with --cross: of plain C), are linked with random_suite.c, which runs --cases
cases. With --device, pages inherit TARGET, and their programs run on that device (random_suite.c).
Everything follows from the seed, so the same command finds the same fault again.
"""
import argparse
import os
import re
import subprocess

import compiling
import machines
import random_pages
import run_suite
from modules import Modules, PAGE_FLAGS, collect
from root import ROOT

tap = machines.tap


def files_of(folder):
    return sorted(folder.iterdir()) if folder.exists() else []


def refusal_fault(page, done, files_before, folder):
    """The fault of a refusal; None: no fault."""
    if done.returncode != 1:
        return f"exit code {done.returncode}"
    if not re.search(rf"{re.escape(page.name)}\.lua:\d+:\d+: error: ", done.stderr):
        return "no error at a line of the page"
    if files_of(folder) != files_before:
        return "files were left behind"
    return None


def emit_legal(args, form, parents, modules):
    """Emits pages until enough are legal; False: an illegal page was not refused properly."""
    legal = 0
    refused = 0
    for page in random_pages.draw(ROOT, args.seed, 40 * args.pages, form,
                                  parents):
        path = page.write(args.work / "pages")
        folder = args.work / "emitted" / page.name
        files_before = files_of(folder)          # perhaps of an earlier run with other rules
        done = subprocess.run([args.spmvgen, "--data", str(ROOT), "--target", str(path),
                               "--method", page.method, *page.selection, "--figures", "-o",
                               str(folder)],
                              capture_output=True, text=True, errors="replace", check=False)
        if done.returncode == 0:
            modules.add_folder(folder, PAGE_FLAGS)
            legal += 1
            if legal == args.pages:
                break
            continue
        refused += 1
        fault = refusal_fault(page, done, files_before, folder)
        if fault:
            return tap.ok(False, f"{page.name} is refused as it should be: {fault}",
                          page.text + done.stdout + done.stderr)
    return tap.ok(legal > 0, f"{legal} random pages are legal, {refused} are refused at their line")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    machines.add_build_options(parser)
    parser.add_argument("--spmvgen", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=24)
    parser.add_argument("--cases", type=int, default=100000)
    parser.add_argument("--device")
    parser.add_argument("--parent", default="pocl")
    args = parser.parse_args()
    args.work = args.work.resolve()

    machine, compiler, flags = machines.choose_compiler(args)
    modules = Modules()
    form, parents, device = "simd", random_pages.cpu_parents(machine.cpu), []
    if args.device:
        form, parents, device = "simt", [args.parent], ["--device", args.device]
        os.environ["SPMV_CACHE"] = str(args.work / "cache")
    else:
        own = "target:generic-c" if args.cross else "target:host"
        collect([own], args.work, args.spmvgen, modules)
    if emit_legal(args, form, parents, modules):
        built, output = compiling.build(args.work, compiler, flags, modules, "random_suite",
                                        args.sanitize)
        if tap.ok(built, f"{len(modules.names)} modules compile without a warning", output):
            run_suite.relay(machine, args.work / "random_suite", "--seed", str(args.seed),
                            "--cases", str(args.cases), *device)
    tap.done()


if __name__ == "__main__":
    main()
