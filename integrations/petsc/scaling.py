#!/usr/bin/env python3
"""scaling.py: measures a product on one and two ranks, and tells what the model makes of it.

    scaling.py calibrate PRODUCT PLUGIN RESULTS   measure one rank, and messages between two
    scaling.py predict RESULTS                    the model's parameters and predictions
    scaling.py check PRODUCT PLUGIN RESULTS       measure two ranks
    scaling.py predict RESULTS                    the predictions beside the measurements
    scaling.py tables RESULTS                     the model from 1 to 1024 ranks

PRODUCT is product.c, compiled; PLUGIN is libpetscspmv.so; RESULTS is a file, to which more runs may
be added. Measuring needs root: ranks have real-time priority, and some run in network namespaces
(netns.sh). Real matrices are in $SPMV_MATRICES, else in ../shared/matrices beside the project.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

import mpi
from matrices import open_matrix, write_petsc
from model import (Local, Network, VECTOR_BYTES, exchange_time, iteration_time, local_bytes,
                   local_times, product_time)
from partition import partition

HERE = pathlib.Path(__file__).resolve().parent
MATRICES = pathlib.Path(os.environ.get("SPMV_MATRICES") or HERE / "../../../shared/matrices")
PROBLEMS = ("poisson2d:1024", "poisson3d:100", "cnr-2000", "soc-Slashdot0902")
TYPES = {"aij": "AIJ", "aijspmv": "aijspmv"}
SHARED, LOOPBACK = "shared memory", "tcp loopback"
MESSAGES = "poisson2d:10"       # so small that its run measures messages
# Smaller grids, whose pieces fit into caches as the pieces of many ranks do.
SMALL = ("poisson2d:32", "poisson2d:64", "poisson2d:128", "poisson2d:256", "poisson2d:512",
         "poisson3d:8", "poisson3d:16", "poisson3d:32", "poisson3d:64")
# Delay and rate of the namespaces.
NAMESPACES = (("100us", "1gbit"), ("500us", "1gbit"), ("2ms", "100mbit"))
# The longest messages that Open MPI 4.1 sends unasked: btl_vader_eager_limit, btl_tcp_eager_limit.
EAGER = {SHARED: 4096}
EAGER_TCP = 65536
BURST = 10240                   # of tc tbf in netns.sh
# Networks that are not here. Overheads: TCP's through the loopback interface, and shared memory's.
ELSEWHERE = {"25 Gb/s, 10 us": (10e-6, LOOPBACK, 25e9 / 8, EAGER_TCP),
             "200 Gb/s, 1.5 us": (1.5e-6, SHARED, 200e9 / 8, 8192)}
RANKS = (4, 64, 1024)


def is_grid(problem):
    return problem.startswith("poisson")


def path_of(problem):
    return problem if is_grid(problem) else str(MATRICES / f"{problem}.mtx.gz")


# ---- measuring -------------------------------------------------------------------------------

def measure_one(command, words):
    """The least times that PRODUCT prints, by name."""
    done = mpi.run([*command, *words], 120, env=mpi.ENVIRONMENT)
    if done.returncode != 0:
        sys.exit(f"scaling.py: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
    times = [line.split() for line in done.stdout.splitlines() if line.startswith("time ")]
    return {name: float(least) for _, name, least, _ in times}


def problem_words(problem, folder):
    if is_grid(problem):
        return ["-poisson", problem[7], "-side", problem.split(":")[1], "-boxes"]
    path = folder / problem
    if not path.exists():
        write_petsc(open_matrix(path_of(problem)), path)
    return ["-file", str(path)]


def run_list(args):
    """What a command runs: (network, ranks, problem, type, samples)."""
    between = [SHARED, *(" ".join(pair) for pair in NAMESPACES)]
    if args.command == "calibrate":
        for problem in PROBLEMS:
            yield from ((SHARED, 1, problem, kind, 20) for kind in TYPES)
        for problem in SMALL:
            yield from ((SHARED, 1, problem, kind, 20) for kind in TYPES)
        yield from ((network, 2, MESSAGES, "aij", 30) for network in (LOOPBACK, *between))
    else:
        for network in between:
            for problem in PROBLEMS:
                yield from ((network, 2, problem, kind, 20 if network == SHARED else 3)
                            for kind in TYPES)


def launcher(network, ranks):
    """Ranks have real-time priority, since a rank that waits for its CPU delays the other."""
    if network == SHARED:
        return ["chrt", "-r", "5", "mpirun", "-n", str(ranks)]
    if network == LOOPBACK:
        return ["chrt", "-r", "5", "mpirun", "-n", str(ranks), "--mca", "btl", "tcp,self", "--mca",
                "pml", "ob1"]
    return [str(HERE / "netns.sh"), str(ranks), *network.split(), "chrt", "-r", "5"]


def read_runs(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def same_run(one, other):
    return all(one[key] == other[key] for key in ("network", "ranks", "problem", "type"))


def measure(args):
    """Adds to RESULTS. Of runs that it has already, the least of each time stays."""
    runs = read_runs(args.results) if os.path.exists(args.results) else []
    with tempfile.TemporaryDirectory() as folder:
        for network, ranks, problem, kind, samples in run_list(args):
            words = [args.product, *problem_words(problem, pathlib.Path(folder)), "-mat_type",
                     kind, "-dll_append", args.plugin, "-times", "-samples", str(samples)]
            run = {"network": network, "ranks": ranks, "problem": problem, "type": kind,
                   "seconds": measure_one(launcher(network, ranks), words)}
            print(json.dumps(run), file=sys.stderr)
            before = [other for other in runs if same_run(run, other)]
            if before:
                for name, seconds in run["seconds"].items():
                    before[0]["seconds"][name] = min(seconds, before[0]["seconds"][name])
            else:
                runs.append(run)
    with open(args.results, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(run) for run in runs) + "\n]\n")


# ---- parameters ------------------------------------------------------------------------------

class Results:
    def __init__(self, path):
        self.runs = read_runs(path)
        self.counts_of = {}

    def find(self, network, ranks, problem, kind):
        for run in self.runs:
            if same_run(run, {"network": network, "ranks": ranks, "problem": problem,
                              "type": kind}):
                return run["seconds"]
        return None

    def counts(self, problem, ranks):
        if (problem, ranks) not in self.counts_of:
            self.counts_of[problem, ranks] = partition(
                path_of(problem), ranks, is_grid(problem), self.opened(problem))
        return self.counts_of[problem, ranks]

    def opened(self, problem):
        if is_grid(problem):
            return None
        if problem not in self.counts_of:
            self.counts_of[problem] = open_matrix(path_of(problem))
        return self.counts_of[problem]

    def sizes(self, model, kind):
        """(bytes, seconds) of a product of one rank, for the grids of a model."""
        return sorted((float(local_bytes(self.counts(problem, 1))[0]),
                       self.find(SHARED, 1, problem, kind)["diagonal"])
                      for problem in (*SMALL, *PROBLEMS) if problem.startswith(model + ":"))

    def start(self, kind):
        """By the line through the two smallest grids."""
        (small, first), (large, second) = self.sizes("poisson3d", kind)[:2]
        return max(0.0, first - small * (second - first) / (large - small))

    def vector_speed(self):
        """From an iteration of the largest grid in three dimensions, less its product."""
        return VECTOR_BYTES * float(self.counts("poisson3d:100", 1).rows[0]) / min(
            run["iteration"] - run["product"] for run in
            (self.find(SHARED, 1, "poisson3d:100", kind) for kind in TYPES))

    def local(self, problem, kind):
        """From one rank."""
        if is_grid(problem):
            sizes = self.sizes(problem.split(":", maxsplit=1)[0], kind)
        else:
            sizes = [(float(local_bytes(self.counts(problem, 1))[0]),
                      self.find(SHARED, 1, problem, kind)["diagonal"])]
        return Local(*zip(*sizes), self.start(kind), self.vector_speed())

    def network(self, name):
        """From messages between two ranks."""
        if name in ELSEWHERE:
            latency, overheads_of, bandwidth, eager = ELSEWHERE[name]
            return Network(latency, self.network(overheads_of).overhead, bandwidth, eager)
        least = self.find(name, 2, MESSAGES, "aij")
        latency = least["message_8"]
        overhead = max(0.0, (least["message_8_x16"] - latency) / 15)
        return Network(latency, overhead, 2 ** 20 / (least["message_1048576"] - 3 * latency),
                       EAGER.get(name, EAGER_TCP), 0 if name in (SHARED, LOOPBACK) else BURST)


# ---- what is printed -------------------------------------------------------------------------

def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def microseconds(seconds):
    value = seconds * 1e6
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def print_parameters(results):
    print_table(("one rank", "bytes", *(f"{name}, us" for name in TYPES.values()), "ratio"),
                [(problem, f"{local_bytes(results.counts(problem, 1))[0]:.0f}",
                  *(microseconds(seconds) for seconds in pair), f"{pair[0] / pair[1]:.2f}")
                 for problem in (*SMALL, *PROBLEMS)
                 for pair in [[results.find(SHARED, 1, problem, kind)["diagonal"]
                               for kind in TYPES]]])
    starts = [f"{name} {microseconds(results.start(kind))} us" for kind, name in TYPES.items()]
    print(f"A product without nonzeros: {', '.join(starts)}. Vectors: "
          f"{results.vector_speed() / 1e9:.1f} GB/s.\n")
    names = [SHARED, LOOPBACK, *(" ".join(pair) for pair in NAMESPACES), *ELSEWHERE]
    print_table(("network", "latency, us", "overhead, us", "bandwidth, MB/s", "eager, bytes"),
                [(name, microseconds(network.latency), microseconds(network.overhead),
                  f"{network.bandwidth / 1e6:.0f}", str(network.eager))
                 for name in names for network in [results.network(name)]])


def beside(predicted, measured):
    if measured is None:
        return microseconds(predicted)
    return f"{microseconds(predicted)} / {microseconds(measured)} " \
           f"({(predicted / measured - 1) * 100:+.0f}%)"


def predict(args):
    results = Results(args.results)
    print_parameters(results)
    rows = []
    for name in (SHARED, *(" ".join(pair) for pair in NAMESPACES)):
        network = results.network(name)
        for problem in PROBLEMS:
            counts = results.counts(problem, 2)
            times = {kind: results.find(name, 2, problem, kind) or {} for kind in TYPES}
            exchanges = [run["exchange"] for run in times.values() if run]
            cells = [beside(exchange_time(counts, network), min(exchanges, default=None))]
            for kind in TYPES:
                local = results.local(problem, kind)
                cells.append(beside(product_time(counts, local, network),
                                    times[kind].get("product")))
            for kind in TYPES:
                cells.append(beside(iteration_time(counts, results.local(problem, kind), network),
                                    times[kind].get("iteration")) if is_grid(problem) else "")
            rows.append((name, problem, *cells))
    print_table(("network", "problem", "exchange of x",
                 *(f"{what}, {name}" for what in ("product", "iteration")
                   for name in TYPES.values())), rows)


def equal_at(results, problem, kind, network):
    """The first power of two at which the exchange takes as long as the diagonal block."""
    ranks = 2
    while ranks <= RANKS[-1]:
        counts = results.counts(problem, ranks)
        if exchange_time(counts, network) >= \
                local_times(counts, results.local(problem, kind)).max():
            return str(ranks)
        ranks *= 2
    return f"> {RANKS[-1]}"


def print_counts(results):
    rows = []
    for problem in PROBLEMS:
        for boxes in (True, False) if is_grid(problem) else (False,):
            for ranks in RANKS:
                counts = results.counts(problem, ranks) if boxes or not is_grid(problem) else \
                    partition(problem, ranks)
                rows.append((problem + (" slabs" if is_grid(problem) and not boxes else ""),
                             str(ranks),
                             f"{counts.nonzeros.max() / counts.nonzeros.mean():.2f}",
                             f"{counts.off_nonzeros.sum() / counts.nonzeros.sum():.1%}",
                             *(f"{8 * number:.0f}" for number in
                               (counts.received.max(), counts.received.mean())),
                             str(counts.messages_received.max()),
                             f"{counts.messages_received.mean():.1f}"))
    print_table(("problem", "ranks", "nonzeros, max/mean", "off-diagonal", "bytes of x, max",
                 "mean", "messages, max", "mean"), rows)


def print_efficiency(results, problems, time):
    """time: of the model, product_time or iteration_time."""
    rows = []
    for problem in problems:
        for name in (SHARED, *ELSEWHERE):
            network = results.network(name)
            times = {kind: [time(results.counts(problem, ranks), results.local(problem, kind),
                                 network) for ranks in (1, *RANKS)] for kind in TYPES}
            efficiency = [f"{times[kind][0] / ranks / seconds:.0%}" for kind in TYPES
                          for ranks, seconds in zip(RANKS, times[kind][1:])]
            gain = [f"{theirs / ours:.2f}" for theirs, ours in zip(*times.values())]
            rows.append((problem, name, *efficiency, *gain,
                         *(equal_at(results, problem, kind, network) for kind in TYPES)))
    print_table(("problem", "network", *(f"{name}, {ranks}" for name in TYPES.values()
                                         for ranks in RANKS),
                 *(f"gain, {ranks}" for ranks in (1, *RANKS)),
                 *(f"equal, {name}" for name in TYPES.values())), rows)


def tables(args):
    results = Results(args.results)
    print_counts(results)
    print_efficiency(results, PROBLEMS, product_time)
    print_efficiency(results, [problem for problem in PROBLEMS if is_grid(problem)],
                     iteration_time)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(required=True)
    for name in ("calibrate", "check"):
        command = commands.add_parser(name)
        command.add_argument("product")
        command.add_argument("plugin")
        command.add_argument("results")
        command.set_defaults(run=measure, command=name)
    for name, function in (("predict", predict), ("tables", tables)):
        command = commands.add_parser(name)
        command.add_argument("results")
        command.set_defaults(run=function)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
