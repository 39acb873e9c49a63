#!/usr/bin/env python3
"""predict.py: the time that a GPU should need for a multiplication, by counting.

    predict.py --counts                          what the loops of each kernel execute (nvcc)
    predict.py --counts --target gfx90a          the same for an AMD GPU (clang, spmvgen)
    predict.py --device h100 NAME=FILE...        time, share of copy and limit of each method
    predict.py --table ...                       the same as a table of Markdown
    predict.py --check RECORD NAME=FILE...       beside the times of a record of gpubench

A FILE is a matrix that bench/gpu/matrix_rows wrote. With NAME=FILE@L2 it is multiplied again and
again in the L2 cache. Values have 64 bits, columns and row pointers 32.

The kernels are those of generated/sm_90. nvcc compiles them and nvdisasm shows the instructions;
no GPU takes part. docs/background/gpu-predictions.md describes the model.
"""
import argparse
import dataclasses
import functools
import math
import pathlib
import re
import statistics
import tempfile

import compiled_kernels
import machine_code
import x_requests
from compiled_kernels import METHODS


@dataclasses.dataclass(frozen=True)
class Device:
    name: str
    multiprocessors: int
    clock: float                 # GHz
    copy: float                  # GB/s, read and written
    read: float                  # GB/s
    l2: float                    # GB/s from the L2 to the L1 caches
    l2_bytes: int


# An H200 as bench/results/2026-11-26-nvidia-h200.txt has it: multiprocessors, clock while it
# measures, copy, read and L2 size. l2: the most that a kernel of the record of Nsight Compute got,
# csr_scalar on consph: 13.78 million sectors, 60 % of which L1 does not have, in 44.7 us.
# H100 SXM: multiprocessors and L2 by NVIDIA's data sheet and white paper. Its copy and read are the
# H200's by the ratio of the data sheets' bandwidths, 3350 and 4800 GB/s.
DEVICES = {
    "h200": Device("NVIDIA H200", 132, 1.98, 4251, 4385, 5900, 60 << 20),
    "h100": Device("NVIDIA H100 SXM", 132, 1.98, 4251 * 3350 / 4800, 4385 * 3350 / 4800, 5900,
                   50 << 20),
}
SCHEDULERS = 4                   # of a multiprocessor, an instruction a cycle each

# The two calibrated constants, by --check on the H200's record:
LATENCY = 400                    # ns of a load from memory, while other warps load
ENDS = 5                         # us in which a kernel's beginning and end leave the GPU empty
# Chosen, not calibrated:
L2_LATENCY = 0.55                # of LATENCY: the ratio of both latencies without load
SHARPNESS = 4                    # 1: limits add up; infinite: the largest alone counts
CYCLES = {"shared": 30, "shuffle": 25, "fma": 8, "multiply": 8, "barrier": 30}


# ---- what a warp executes ---------------------------------------------------------------------

def gathering_loops(kernel):
    """Inner loops that read x, with their counts."""
    found = [(loop, machine_code.count(kernel.hot_path(loop))) for loop in kernel.loops()]
    return [(loop, counts) for loop, counts in found if counts["gathers"]]


def loop_of(kernel, method, kind):
    """The loop of a warp of that kind; None: it has no loop over nonzeros."""
    loops = gathering_loops(kernel)
    if method in ("csr5", "csr_adaptive"):
        return None
    if method == "speculative":                  # over tiles: the outermost
        return max((loop for loop, _ in loops), key=lambda loop: loop.last - loop.first)

    def fitness(found):
        _, counts = found
        runs = counts["load 16"] > 0
        streams = counts["load 128"] + counts["load 64"] + counts["load 16"]
        if method == "slices" and kind.startswith("runs"):
            entries = counts["gathers"] / max(1, counts["load 16"])
            return runs, -abs(entries - int(kind[5:])), streams
        if method == "slices":
            narrow = counts["load 64"] > 0 and not runs
            return not runs, narrow == (kind == "narrow"), streams
        if method == "evc_hyb":
            narrow = counts["load 64"] > 0
            return ((counts["load 128"] > 0) == kind.startswith("ell"),
                    narrow == (kind != "ell"), counts["gathers"] >= 8, streams)
        return (counts["gathers"],)

    return max(loops, key=fitness)[0] if loops else None


def trace(kernel, loop, steps):
    """Instructions of a warp whose longest lane reads x `steps` times: before the loop, in a trip,
    trips, after it."""
    code = kernel.instructions
    loops = [found for found, _ in gathering_loops(kernel)]
    if loop is None:
        paths = kernel.paths(0, None, without=loops)
        enough = [gathers for gathers in paths if gathers >= steps]
        chosen = paths[min(enough) if enough else max(paths)]
        return [code[at] for at in chosen], [], 0, []
    others = [other for other in loops if other.last < loop.first or other.first > loop.last]
    outer = [other for other in loops if other.first <= loop.first and other.last > loop.last]
    before = kernel.paths(0, loop.first, without=others)
    inner = kernel.paths(loop.first, loop.last)
    after = kernel.paths(loop.last + 1, None, without=[*loops, *outer])
    best = None
    for first, head in before.items():
        for most, trip in inner.items():
            least = 0 if first >= steps or not most else 1
            trips = max(least, round((steps - first) / most)) if most else 0
            misses = abs(first + trips * most - steps)
            length = len(head) + trips * len(trip)
            if best is None or (misses, length) < best[0]:
                best = (misses, length), head[:-1], trip, trips
    _, head, trip, trips = best
    tail = after[min(after)] if after else []
    return ([code[at] for at in head], [code[at] for at in trip], trips,
            [code[at] for at in tail])


def lifetime(instructions, memory, l2):
    """Cycles from the first to the last instruction of a warp that has the multiprocessor for
    itself: instructions are issued in order, and wait for the registers that they read."""
    now, ready = 0, {}
    for i in instructions:
        now = max([now, *(ready[r] for r in i.reads if r in ready)]) + 1
        if i.kind == "load":
            done = now + (l2 if i.gathers else memory)
        elif i.kind == "barrier":
            now += CYCLES["barrier"]
            done = now
        else:
            done = now + CYCLES.get(i.kind, 5)
        for r in i.writes:
            ready[r] = done
    return max([now, *ready.values()])


@dataclasses.dataclass
class Cost:
    instructions: float
    cycles: float


def cost_of(compiled, method, kind, steps, summed, memory, l2):
    kernel = compiled.kernel
    tiles = 1
    loop = loop_of(kernel, method, kind)
    if method == "speculative":
        steps, tiles = compiled.parameters["W"], compiled.parameters["S"]
        code = kernel.instructions
        inner = kernel.paths(*loop)
        own = [code[at] for at in inner[min((g for g in inner if g >= steps), default=max(inner))]]
        before, trip, trips, after = [], own, tiles, []
    else:
        before, trip, trips, after = trace(kernel, loop, steps)
    shown = min(trips, 6)
    cycles = lifetime(before + trip * shown + after, memory, l2)
    if trips > shown:
        shorter = lifetime(before + trip * (shown - 2) + after, memory, l2)
        cycles += (cycles - shorter) / 2 * (trips - shown)
    count = len(before) + len(trip) * trips + len(after)
    if summed:                                   # products added from shared memory
        sums = [path for path in map(kernel.hot_path, kernel.loops())
                if machine_code.count(path)["shared"] and not machine_code.count(path)["gathers"]]
        path = max(sums, key=lambda path: machine_code.count(path)["shared"])
        products = machine_code.count(path)["shared"]
        count += summed * len(path) / products
        cycles += summed * lifetime(path, memory, l2) / products
    return Cost(count, cycles)


# ---- the model ----------------------------------------------------------------------------------

@dataclasses.dataclass
class Prediction:
    us: float
    copy: float                  # share of the bandwidth of a copy, by the least bytes
    limit: str
    bounds: dict                 # us
    under_way: float             # KB of A, of a multiprocessor
    instructions: float          # of a warp for 32 nonzeros
    alone: float                 # us of a work-group that is left alone


@functools.lru_cache(maxsize=None)
def shared_work(matrix, method, parameters):
    p = dict(parameters)
    work = x_requests.work_of(method, matrix, p)
    return work, x_requests.kernels_of(method, matrix, p)


@functools.lru_cache(maxsize=None)
def read_again(matrix, l2_bytes):
    """A streams through half of the L2; the other half keeps x."""
    return x_requests.read_again(matrix, l2_bytes // 2 // 8, l2_bytes // 2 // 12)


def predict(matrix, method, compiled, device, in_l2):
    work, kernels = shared_work(matrix, method, tuple(sorted(compiled.parameters.items())))
    nnz, per_warp = matrix.nnz, work.sums["warps"]
    l2 = LATENCY * L2_LATENCY * device.clock
    memory = l2 if in_l2 else LATENCY * device.clock
    instructions = cycles = 0
    for (kind, steps, summed), warps in work.kinds.items():
        cost = cost_of(compiled, method, kind, steps, summed, memory, l2)
        instructions += warps * cost.instructions
        cycles += warps * cost.cycles
    warps = work.of("warps") * nnz
    resident = compiled.warps() * device.multiprocessors
    clocks = device.clock * 1e3 * device.multiprocessors     # of all multiprocessors in a us
    streamed = work.of("bytes") * nnz
    vectors = 8 * matrix.cols + 8 * matrix.rows
    lived = cycles / per_warp / (device.clock * 1e3)         # us of a warp
    bounds = {
        "DRAM": 0 if in_l2 else (streamed + vectors + 32 * read_again(matrix, device.l2_bytes))
        / device.read * 1e-3,
        "L2": (streamed + 32 * work.of("unique") * nnz + 8 * matrix.rows) / device.l2 * 1e-3,
        "L1": (work.of("lines") * nnz + streamed / 128) / clocks,
        "issue": instructions / per_warp * warps / SCHEDULERS / clocks,
        "latency": lived * max(1, warps / resident),
    }
    alone = 0                                    # the last rows' work-groups, one after the other
    if method == "csr_vector" and kernels > 1:
        steps = -(-matrix.longest() // compiled.parameters["work_group_size"])
        alone = cost_of(compiled, method, "rows", steps, 0, memory, l2).cycles / device.clock * 1e-3
    us = ENDS * kernels + alone + sum(b ** SHARPNESS for b in bounds.values()) ** (1 / SHARPNESS)
    limit = max(bounds, key=bounds.get)
    return Prediction(us, matrix.least_bytes() / us * 1e-3 / device.copy,
                      "one row" if alone > bounds[limit] else limit, bounds,
                      compiled.warps() * streamed / warps * LATENCY * 1e-3 / lived * 1e-3,
                      instructions / work.sums["nonzeros"] * 32, alone)


# ---- output -------------------------------------------------------------------------------------

def print_counts(one):
    print(f"{one.kernel.name}: {len(one.kernel.instructions)} instructions; " +
          ", ".join(f"{key} {value}" for key, value in one.facts().items()))
    for loop in one.kernel.loops():
        counts = machine_code.count(one.kernel.hot_path(loop))
        if sum(counts[f"load {width}"] for width in (128, 64, 32)) + counts["gathers"] > 1:
            print("    loop  " + ", ".join(f"{key} {value}" for key, value in counts.items()
                                           if value))


def predictions(args, compiled, device):
    for text in args.matrices:
        name, _, path = text.partition("=")
        in_l2 = path.endswith("@L2")
        matrix = x_requests.Matrix.read(path.removesuffix("@L2"))
        yield name, matrix, [(method, predict(matrix, method, compiled[method], device, in_l2))
                             for method in args.method]


def print_table(args, compiled, device):
    print(f"| {device.name} | " + " | ".join(args.method) + " |\n|---" +
          "|---" * len(args.method) + "|")
    for name, _, rows in predictions(args, compiled, device):
        print(f"| {name} | " + " | ".join(f"{p.us:.3g} us, {p.copy:.2f}, {p.limit}"
                                          for _, p in rows) + " |", flush=True)


def print_predictions(args, compiled, device):
    print(f"{device.name}: predicted us | share of copy | limit; KB of A under way in a "
          "multiprocessor;\ninstructions of a warp for 32 nonzeros; us of each limit alone\n")
    for name, matrix, rows in predictions(args, compiled, device):
        print(f"{name}: {matrix.rows} x {matrix.cols}, {matrix.nnz} nonzeros, "
              f"{matrix.least_bytes() * 1e-6:.1f} MB")
        for method, p in rows:
            print(f"  {method:13} {p.us:7.1f}  {p.copy:5.2f}  {p.limit:7}  {p.under_way:4.0f} KB"
                  f"  {p.instructions:5.1f}  " +
                  "  ".join(f"{key} {value:.1f}" for key, value in p.bounds.items()), flush=True)


VARIANTS = {"csr_adaptive": "sm_90_ad_g128", "csr5": "sm_90_csr5_s12", "evc_hyb": "sm_90_evc_w16k",
            "slices": "sm_90 kinds ahead window=1024"}


def measured(record, name):
    """{method: us} of a matrix, of the variants with the parameters of today's page."""
    block = re.search(rf"^{re.escape(name)}, f64.*?(?=^\S|\Z)",
                      pathlib.Path(record).read_text(encoding="utf-8"), re.M | re.S)
    found = {}
    for method in METHODS if block else ():
        label = re.escape(f"{method} {VARIANTS.get(method, 'sm_90')}")
        line = re.search(rf"^  {label} +([\d.]+)", block[0], re.M)
        if line:
            found[method] = float(line[1])
    return found


def print_check(args, compiled, device):
    ratios = {}
    print(f"{device.name}: predicted us / measured us = ratio, limit")
    for name, _, rows in predictions(args, compiled, device):
        times = measured(args.check, name)
        for method, p in rows:
            if method in times:
                ratio = p.us / times[method]
                ratios[name, method] = ratio
                print(f"  {name:12} {method:13} {p.us:7.1f} / {times[method]:7.1f} = {ratio:.2f}"
                      f"  {p.limit:7}  " + "  ".join(f"{key} {value:.1f}" for key, value
                                                     in p.bounds.items()), flush=True)
    errors = {key: abs(math.log(ratio)) for key, ratio in ratios.items()}
    worst = max(errors, key=errors.get)
    mean = math.exp(statistics.mean(errors.values()))
    bias = math.exp(statistics.mean(map(math.log, ratios.values())))
    print(f"{len(ratios)} times: mean factor of error {mean:.2f}, geometric mean of the ratios "
          f"{bias:.2f}, worst {ratios[worst]:.2f}: {' '.join(worst)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="*", metavar="NAME=FILE[@L2]")
    parser.add_argument("--device", choices=DEVICES, default="h200")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--table", action="store_true", help="as a table of Markdown")
    parser.add_argument("--check", metavar="RECORD")
    parser.add_argument("--method", type=lambda text: text.split(","), default=list(METHODS))
    parser.add_argument("--target", default="sm_90", help="with --counts also an AMD GPU's page")
    parser.add_argument("--nvdisasm", metavar="FILE", help="default: in PATH")
    parser.add_argument("--spmvgen", metavar="FILE", default="spmvgen", help="for AMD GPUs")
    args = parser.parse_args()
    if args.matrices and args.target != "sm_90":
        parser.error("times are predicted for --target sm_90 alone")
    if not args.matrices and not args.counts:
        parser.error("name matrices, or --counts")
    with tempfile.TemporaryDirectory() as work:
        compiled = {method: compiled_kernels.compile_for(args.target, method, pathlib.Path(work),
                                                         args.nvdisasm, args.spmvgen)
                    for method in args.method}
    if args.counts:
        for one in compiled.values():
            print_counts(one)
    if args.matrices:
        show = print_check if args.check else print_table if args.table else print_predictions
        show(args, compiled, DEVICES[args.device])


if __name__ == "__main__":
    main()
