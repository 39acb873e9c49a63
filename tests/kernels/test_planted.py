"""test_planted.py: the tests of emitted code find faults that are planted in it.

    test_planted.py --work DIR --spmvgen SPMVGEN

Each fault is a change of an emitted text that is typical of parallel code. FAULTS lists the tools
that must find it, with the expected message: the suite under AddressSanitizer or ThreadSanitizer,
which runs programs of other devices by the shim (shim.h), or, for OpenCL, Oclgrind (oclgrind.py).
Only the last two find a race that changes no result. ThreadSanitizer needs a build of its own.
"""
import argparse
import collections
import re
import shutil
import subprocess

import compiling
import machines
import manifests
import oclgrind
import run_suite
from machines import tap
from modules import Modules, run_spmvgen
from root import ROOT

# The planted fault; the page and method of the text; the lines that are replaced (once), and the
# new lines; the messages expected from the suite under each sanitizer, and from Oclgrind. None: no
# message is expected.
Fault = collections.namedtuple("Fault", "what parent method old new address thread oclgrind",
                               defaults=(None, None, None))

BARRIER = "    barrier(CLK_LOCAL_MEM_FENCE);"
INNER_BARRIER = "    " + BARRIER
CUDA_BARRIER = "        __syncthreads();"
STORED = "            part[item] = value;"      # half of a row's work-items, in a step of its sum
WRONG = r"not ok \d+ - \S+: (integers are exact|random values stay)"
ROW_HALF = "        if (lane < width)"              # which then adds
ITEM = "    const int item = convert_int(get_local_id(0));"
LANES = "    const int lanes = 1 << log2_lanes;"
DIVERGED = r"item \d+ is at line \d+, item \d+ at line \d+"
RACE = r"ThreadSanitizer: data race"
OVERRUN = r"AddressSanitizer: use-after-poison"

# Parameters of methods whose faults are planted in C: small blocks, many segments, and runs instead
# of diagonals.
PARAMETERS = {"symmetric": "block_rows=16 segment_reaches=0 least_full=100 least_run_values=0"}

FAULTS = [
    Fault("a missing barrier", "pocl", "csr_vector", [STORED, INNER_BARRIER, ROW_HALF],
          [STORED, ROW_HALF],
          address=WRONG, thread=RACE, oclgrind="data race"),
    Fault("a missing barrier between steps", "pocl", "csr5",
          ["        part[to + item] = head;", INNER_BARRIER], ["        part[to + item] = head;"],
          address=WRONG, thread=RACE, oclgrind="data race"),
    Fault("a place that all work-items write", "pocl", "csr_adaptive", [STORED, INNER_BARRIER],
          [STORED, "        part[1] = value + item;", INNER_BARRIER],
          address=WRONG, thread=RACE, oclgrind="Write-write data race"),
    Fault("a race that no result shows", "pocl", "csr_vector", [STORED, INNER_BARRIER, ROW_HALF],
          [STORED, INNER_BARRIER, "        if (lane == 0)",
           "            part[(item + 3) % 256] = part[(item + 3) % 256] + 0.0;", ROW_HALF],
          thread=RACE, oclgrind="data race"),
    Fault("a barrier that some work-items leave out", "pocl", "csr5",
          ["    part[item] = head;", BARRIER],
          ["    part[item] = head;", "    if (item < 100)", "    " + BARRIER],
          address=DIVERGED, oclgrind="divergence"),
    Fault("a return in front of a barrier", "pocl", "csr_vector", ["    if (r < rows) {"],
          ["    if (r >= rows)", "        return;", "    if (r < rows) {"],
          address=DIVERGED, oclgrind="divergence"),
    Fault("a local array that is too short", "pocl", "csr_vector",
          ["    __local double part[256 /* WORK_GROUP_SIZE */];", ITEM, LANES],
          ["    __local double part[255];", ITEM, LANES],
          address=OVERRUN, oclgrind="Invalid (read|write)"),
    Fault("a row behind the matrix's end", "pocl", "csr_scalar",
          ["    double sum = 0;", "", "    if (r >= rows)"],
          ["    double sum = 0;", "", "    if (r > rows)"],
          address="forbidden access to byte|AddressSanitizer", oclgrind="Invalid (read|write)"),
    Fault("a read of local memory before it is written", "pocl", "csr_adaptive",
          [STORED, INNER_BARRIER],
          ["            part[item] = part[item] > 1e300 ? value + 1 : value;", INNER_BARRIER],
          oclgrind="uninitialized"),
    Fault("a place of local memory that nobody writes", "pocl", "csr_vector",
          [STORED, INNER_BARRIER, ROW_HALF],
          ["            if (item != 3)", "    " + STORED, INNER_BARRIER, ROW_HALF],
          address=WRONG, oclgrind="[Uu]ninitialized"),
    Fault("a row that two work-groups write", "pocl", "csr_scalar",
          ["    double sum = 0;", "", "    if (r >= rows)", "        return;"],
          ["    double sum = 0;", "", "    if (r >= rows)", "        return;", "    y[0] = alpha;"],
          thread=RACE),

    Fault("a missing barrier", "sm_90", "csr_adaptive", [STORED, CUDA_BARRIER], [STORED],
          address=WRONG, thread=RACE),
    Fault("a missing barrier of a warp", "sm_90", "speculative",
          ["        __syncwarp();        /* the products are read: sums may overwrite them */"], [],
          thread=RACE),
    Fault("a race that no result shows", "sm_90", "csr_adaptive", [STORED, CUDA_BARRIER],
          [STORED, CUDA_BARRIER, "        if (lane == 1)",
           "            part[item + width - 1] = part[item + width - 1] + 0.0;"],
          thread=RACE),
    Fault("a barrier that some work-items leave out", "sm_90", "csr_adaptive",
          [STORED, CUDA_BARRIER], [STORED, "        if (item < 100)", "    " + CUDA_BARRIER],
          address=DIVERGED),
    Fault("a shuffle that some work-items leave out", "sm_90", "csr_vector",
          ["        value = value + __shfl_down_sync(0xffffffffu, value, width);"],
          ["        if (threadIdx.x % 32 < 20)",
           "            value = value + __shfl_down_sync(0xffffffffu, value, width);"],
          address=DIVERGED),
    Fault("a shared array that is too short", "sm_90", "speculative",
          ["    __shared__ unsigned char ends[4 * TILE];"],
          ["    __shared__ unsigned char ends[4 * TILE - 1];"], address=OVERRUN),
    Fault("a row behind the matrix's end", "sm_90", "csr_scalar",
          ["    double sum = 0;", "", "    if (r >= rows)"],
          ["    double sum = 0;", "", "    if (r > rows)"],
          address="forbidden access to byte|AddressSanitizer"),
    Fault("a load of two that is not aligned", "sm_90", "csr5",
          ["            load_first_values(value, val + begin + index * 2 /* VALUE_WIDTH */,"],
          ["            load_first_values(value, val + begin + index * 2 + 1,"],
          address="misaligned address"),
    Fault("a load of four 16-bit columns that is not aligned", "sm_90", "csr5",
          ["        u16_load4(column, narrow + at);"],
          ["        u16_load4(column, narrow + 1 + at);"],
          address="misaligned address"),
    Fault("the rest of a row without its last nonzero", "sm_90", "csr5",
          ["                const bool is_there = index + k < overhang;"],
          ["                const bool is_there = index + k + 1 < overhang;"],
          address=WRONG),
    Fault("a sum in the slot of another row", "sm_90", "csr5",
          ["        lane->slot++;"], ["        lane->slot += 2;"],
          address=WRONG + "|" + OVERRUN),

    Fault("a mirror in a group's corner that is left out", "generic-c", "symmetric",
          ["            sum[j] = r_fma(*val, x[i], sum[j]);"], [], address=WRONG),
    Fault("a ring that several segments share", "generic-c", "symmetric",
          ["    return workspace + s * segment_values(a->reach) + RING_PAD;"],
          ["    return workspace + s * 0 * a->reach + RING_PAD;"],
          address=WRONG, thread=RACE),
    Fault("a segment's tail that is left out", "generic-c", "symmetric",
          ["        for (int64_t from = 0; from < s; from++)"],
          ["        for (int64_t from = 1; from < s; from++)"], address=WRONG),
    Fault("rows written before their tails are there", "generic-c", "symmetric",
          ["    return s > 0 ? i64_min(rows, a->reach) : 0;"],
          ["    return s > 0 ? i64_min(rows, a->reach) / 2 : 0;"],
          address=WRONG + "|AddressSanitizer"),
    Fault("products of columns that rows do not have", "generic-c", "symmetric",
          ["        v_store_runs(ring, at, v_select(lanes, later, before));"],
          ["        v_store_runs(ring, at, later);"], address=WRONG),
    Fault("a window behind the end of x", "generic-c", "symmetric",
          ["    const int32_t last = (int32_t)(rows - RUN_WIDTH) + a->base;"],
          ["    const int32_t last = (int32_t)rows + a->base;"],
          address="forbidden access to byte|AddressSanitizer"),
    Fault("columns behind the ring's end by the first base", "generic-c", "symmetric",
          ["    p.ring[1] = p.base[1] - p.wrap;"], ["    p.ring[1] = p.base[1] - p.wrap + 1;"],
          address=r"not ok \d+ - "),        # few matrices have such columns
]


def opencl_of(faults):
    """The faults of programs in OpenCL."""
    return [fault for fault in faults if fault.parent == "pocl"]


def replace_once(text, old, new, what):
    if text.count(old) != 1:
        raise SystemExit(f"{what}: its place is there {text.count(old)} times")
    return text.replace(old, new)


def plant_in_program(text, old, new, what):
    """A program for another device is a string in its module, which states the string's lines."""
    quoted = ["".join(f'    "{line}\\n",\n' for line in lines) for lines in (old, new)]
    text = replace_once(text, *quoted, what)
    longer = len(new) - len(old)
    text, parts = re.subn(r"(?<=    \{ module_text, )\d+(?= \},\n)",
                          lambda n: str(int(n[0]) + longer), text)
    assert parts == 1, "a module that is alone in its file has one part"
    return text


def plant_in_c(text, old, new, what):
    lines = ["".join(f"{line}\n" for line in lines) for lines in (old, new)]
    return replace_once(text, *lines, what)


def plant(args, number, fault):
    """Emits a module and plants the fault: (the folder, the module's name)."""
    what, parent, method, old, new = fault[:5]
    page = args.work / "pages" / f"planted-{number}.lua"
    keys = "".join(f"{method}.{key}\n" for key in PARAMETERS.get(method, "").split())
    compiling.write_if_changed(page, f'inherit "{parent}"\ndescription = "{what}"\n{keys}')
    folder = args.work / "emitted" / page.stem
    shutil.rmtree(folder, ignore_errors=True)       # another method's module may be in it
    alone = ["--method", method, "--type", "f64", "--offsets", "i32"]
    error = run_spmvgen(args.spmvgen, ROOT, page, ["--force", *alone], folder)
    if error:
        raise SystemExit(error)
    module = manifests.read(folder)[1][0]
    plant_in = plant_in_c if parent == "generic-c" else plant_in_program
    text = plant_in(module.path.read_text(encoding="utf-8"), old, new, what)
    module.path.write_text(text, encoding="utf-8")
    return folder, module.symbol


def build(args, planted, sanitizer):
    """Builds a suite with all planted modules, in its own folder; None: it cannot be built."""
    # As all suites with the sanitizer, which share compiled files.
    args.sanitize = sanitizer
    args.optimise = "0" if sanitizer == "address" else "1"
    args.pool = sanitizer == "thread"
    work = args.work / sanitizer
    _, compiler, flags = machines.choose_compiler(args)
    modules = Modules()
    for folder, symbol in planted:
        modules.add_modules(folder, only={symbol})
    modules.add_table(work, "planted", [symbol for _, symbol in planted])
    built, output = compiling.build(work, compiler, flags, modules, "kernel_suite", sanitizer)
    return work if tap.ok(built, f"the suite is built, sanitizer {sanitizer}", output) else None


def run_shim(work, effort, share):
    done = subprocess.run([str(work / "kernel_suite"), "--effort", effort, *share],
                          capture_output=True, text=True, errors="replace", check=False,
                          env=run_suite.environment())
    return done.returncode, done.stdout + done.stderr


def check_shim(work, sanitizer, faults):
    for i, fault in enumerate(faults):
        expected = getattr(fault, sanitizer)
        if expected is None:
            continue
        effort = "races" if sanitizer == "thread" else "tiny"
        code, output = run_shim(work, effort, ["--share", f"{i}/{len(faults)}"])
        tap.ok(code != 0 and re.search(expected, output),
               f"{fault.what}, {fault.method} for {fault.parent}: the suite finds it, {sanitizer}",
               f"exit code {code}\n{output[-1500:]}")


def check_oclgrind(work, faults):
    (work / "oclgrind-cache").mkdir(exist_ok=True)
    for i, fault in enumerate(faults):
        if fault.oclgrind is None:
            continue
        _, output, messages = oclgrind.run(work, ["--shape", "one-row-of-many", "--share",
                                                  f"{i}/{len(faults)}"])
        text = "\n".join(line for lines in messages.values() for line in lines)
        tap.ok(re.search(fault.oclgrind, text), f"{fault.what}, {fault.method}: Oclgrind finds it",
               f"{output[-1000:]}\n{text[:1500]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    machines.add_build_options(parser)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()

    planted = [plant(args, i, fault) for i, fault in enumerate(FAULTS)]
    for sanitizer in "address", "thread":
        work = build(args, planted, sanitizer)
        if work:
            check_shim(work, sanitizer, FAULTS)
    oclgrind.skip_unless_installed()
    planted = [module for module, fault in zip(planted, FAULTS) if fault.parent == "pocl"]
    faults = opencl_of(FAULTS)
    work = build(args, planted, "none")
    if work:
        check_oclgrind(work, faults)
    tap.done()


if __name__ == "__main__":
    main()
