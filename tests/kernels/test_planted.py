"""test_planted.py: what is done to programs of other devices finds faults that are planted in them.

    test_planted.py --work DIR --spmvgen SPMVGEN

Each fault is a change of an emitted program's text, of the kind that work-items are prone to. It must
be found by the program as C under the shim (shim.h) with AddressSanitizer, by Oclgrind (oclgrind.py),
or by both, as the list says: a race that no result shows is Oclgrind's alone.
"""
import argparse
import json
import pathlib
import re
import subprocess

import oclgrind
import run_suite
from run_suite import tap

BARRIER = "    barrier(CLK_LOCAL_MEM_FENCE);"
INNER_BARRIER = "    " + BARRIER
STORED = "            part[item] = value;"      # by half of a row's work-items, in a step of its sum
WRONG = r"not ok \d+ - \S+: (integers are exact|random values stay)"
DIVERGED = r"item 0 is at line \d+, item \d+ at line \d+"

# What is planted, the method, the lines that are replaced (once), by what; then what the shim says of
# it, and what Oclgrind does. None: nothing.
FAULTS = [
    ("a missing barrier", "csr_vector", [STORED, INNER_BARRIER], [STORED], WRONG, "data race"),
    ("a missing barrier between steps", "csr5",
     ["        part[to + item] = head;", INNER_BARRIER], ["        part[to + item] = head;"],
     WRONG, "data race"),
    ("a place that all work-items write", "csr_adaptive", [STORED, INNER_BARRIER],
     [STORED, "        part[1] = value + item;", INNER_BARRIER], WRONG, "Write-write data race"),
    ("a race that no result shows", "csr_vector", [STORED, INNER_BARRIER],
     [STORED, INNER_BARRIER, "        if (lane == 0)", "            part[item] = part[item + 1];"],
     None, "data race"),
    ("a barrier that some work-items leave out", "csr5", ["    part[item] = head;", BARRIER],
     ["    part[item] = head;", "    if (item < 100)", "    " + BARRIER], DIVERGED, "divergence"),
    ("a return in front of a barrier", "csr_vector", ["    if (r < rows) {"],
     ["    if (r >= rows)", "        return;", "    if (r < rows) {"], DIVERGED, "divergence"),
    ("a local array that is too short", "csr_vector",
     ["    __local double part[256 /* WORK_GROUP_SIZE */];"], ["    __local double part[255];"],
     "insufficient space for an object|AddressSanitizer: global-buffer-overflow", "Invalid (read|write)"),
    ("a row behind the matrix's end", "csr_scalar",
     ["    double sum = 0;", "", "    if (r >= rows)"], ["    double sum = 0;", "", "    if (r > rows)"],
     "forbidden access to byte|AddressSanitizer", "Invalid (read|write)"),
    ("a read of local memory before it is written", "csr_adaptive", [STORED, INNER_BARRIER],
     ["            part[item] = part[item] > 1e300 ? value + 1 : value;", INNER_BARRIER],
     None, "uninitialized"),
    ("a place of local memory that nobody writes", "csr_vector", [STORED, INNER_BARRIER],
     ["            if (item != 3)", "    " + STORED, INNER_BARRIER], WRONG, "[Uu]ninitialized"),
]


def replace_once(text, old, new, what):
    if text.count(old) != 1:
        raise SystemExit(f"{what}: its place is there {text.count(old)} times")
    return text.replace(old, new)


def plant(args, number, fault):
    """(folder of emitted files with the fault in it, the module's name)"""
    what, method, old, new = fault[:4]
    page = args.work / "pages" / f"planted-{number}.lua"
    run_suite.write_if_changed(page, f'inherit "pocl"\ndescription = "{what}"\n')
    folder = args.work / "emitted" / page.stem
    error = run_suite.emit(args.spmvgen, run_suite.ROOT, page,
                           ["--force", "--method", method, "--type", "f64"], folder)
    if error:
        raise SystemExit(error)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    module = next(m for m in manifest["modules"] if m["offset_type"] == "i32")
    program, embedding = folder / module["program"], folder / module["file"]
    text = program.read_text(encoding="utf-8")
    program.write_text(replace_once(text, "\n".join(old) + "\n", "\n".join(new) + "\n", what),
                       encoding="utf-8")
    quoted = ["".join(f'    "{line}\\n",\n' for line in lines) for lines in (old, new)]
    text = replace_once(embedding.read_text(encoding="utf-8"), *quoted, what)
    longer = len(new) - len(old)
    embedding.write_text(re.sub(r"(?<=\.line_count = )\d+", lambda n: str(int(n[0]) + longer), text),
                         encoding="utf-8")
    return folder, module["symbol"]


def build(args, planted, sanitizer):
    """A suite with all of them, in a folder of its own; None where it cannot be built."""
    args.sanitize = sanitizer
    work = args.work / sanitizer
    _, compiler, flags = run_suite.choose_compiler(args)
    modules = run_suite.Modules()
    for folder, symbol in planted:
        modules.add_modules(folder, only={symbol})
    modules.add_table(work, "planted", [symbol for _, symbol in planted])
    built, output = run_suite.build(work, compiler, flags, modules, "kernel_suite", sanitizer)
    return work if tap.ok(built, f"the suite is built, sanitizer {sanitizer}", output) else None


def run_shim(work, share):
    done = subprocess.run([str(work / "kernel_suite"), "--effort", "tiny", *share],
                          capture_output=True, text=True, errors="replace", check=False,
                          env=run_suite.environment())
    return done.returncode, done.stdout + done.stderr


def check_shim(work):
    for i, fault in enumerate(FAULTS):
        if fault[4] is None:
            continue
        code, said = run_shim(work, ["--share", f"{i}/{len(FAULTS)}"])
        tap.ok(code != 0 and re.search(fault[4], said), f"{fault[0]}, {fault[1]}: the shim finds it",
               f"exit code {code}\n{said[-1500:]}")


def check_oclgrind(work):
    (work / "oclgrind-cache").mkdir(exist_ok=True)
    for i, fault in enumerate(FAULTS):
        if fault[5] is None:
            continue
        _, output, told = oclgrind.run(work, ["--shape", "one-row-of-many", "--share",
                                              f"{i}/{len(FAULTS)}"])
        said = "\n".join(line for lines in told.values() for line in lines)
        tap.ok(re.search(fault[5], said), f"{fault[0]}, {fault[1]}: Oclgrind finds it",
               f"{output[-1000:]}\n{said[:1500]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    run_suite.add_build_options(parser)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()

    planted = [plant(args, i, fault) for i, fault in enumerate(FAULTS)]
    work = build(args, planted, "address")
    if work:
        check_shim(work)
    oclgrind.skip_unless_installed()
    work = build(args, planted, "none")
    if work:
        check_oclgrind(work)
    tap.done()


if __name__ == "__main__":
    main()
