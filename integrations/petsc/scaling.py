#!/usr/bin/env python3
"""scaling.py: measures a product on one and two ranks, and tells what the model makes of it.

    scaling.py calibrate PRODUCT PLUGIN RESULTS   measure one rank, and messages between two
    scaling.py predict RESULTS                    the model's parameters and predictions
    scaling.py check PRODUCT PLUGIN RESULTS       measure two ranks
    scaling.py predict RESULTS                    the predictions beside the measurements
    scaling.py tables RESULTS                     the model from 1 to 1024 ranks

PRODUCT is product.c, compiled; PLUGIN is libpetscspmv.so; RESULTS is a file. Measuring needs root:
ranks have real-time priority, and some run in network namespaces (netns.sh). Real matrices are in $SPMV_MATRICES, else in ../shared/matrices beside the project.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from matrices import open_matrix, write_petsc
from model import (Local, Network, VECTOR_BYTES, iteration_time, local_bytes, local_times,
                   network_times, product_time)
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
# Networks that are not here. Overheads: TCP's through the loopback interface, and shared memory's.
ELSEWHERE = {"25 Gb/s, 10 us": (10e-6, LOOPBACK, 25e9 / 8, EAGER_TCP),
             "200 Gb/s, 1.5 us": (1.5e-6, SHARED, 200e9 / 8, 8192)}
RANKS = (1, 4, 16, 64, 256, 1024)


def is_grid(problem):
    return problem.startswith("poisson")


def path_of(problem):
    return problem if is_grid(problem) else str(MATRICES / f"{problem}.mtx.gz")


# ---- measuring -------------------------------------------------------------------------------

def measure_one(command, words):
    """The least times that PRODUCT prints, by name."""
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([*command, *words], env=environment, text=True, capture_output=True,
                          check=False, stdin=subprocess.DEVNULL, timeout=120)
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


def measure(args):
    runs = []
    if args.command == "check":
        with open(args.results, encoding="utf-8") as file:
            runs = [run for run in json.load(file) if run["command"] == "calibrate"]
    with tempfile.TemporaryDirectory() as folder:
        for network, ranks, problem, kind, samples in run_list(args):
            words = [args.product, *problem_words(problem, pathlib.Path(folder)), "-mat_type",
                     kind, "-dll_append", args.plugin, "-times", "-samples", str(samples)]
            runs.append({"command": args.command, "network": network, "ranks": ranks,
                         "problem": problem, "type": kind,
                         "seconds": measure_one(launcher(network, ranks), words)})
            print(json.dumps(runs[-1]), file=sys.stderr)
    with open(args.results, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(run) for run in runs) + "\n]\n")


# ---- parameters ------------------------------------------------------------------------------

class Results:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.runs = json.load(file)
        self.counts_of = {}

    def find(self, network, ranks, problem, kind):
        for run in self.runs:
            if (run["network"], run["ranks"], run["problem"], run["type"]) == \
                    (network, ranks, problem, kind):
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
                       EAGER.get(name, EAGER_TCP))


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
    print(f"start: {', '.join(f'{TYPES[kind]} {microseconds(results.start(kind))} us' for kind in TYPES)}; "
          f"vectors: {results.vector_speed() / 1e9:.1f} GB/s\n")
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
    for network_name in (SHARED, *(" ".join(pair) for pair in NAMESPACES)):
        for problem in PROBLEMS:
            cells = [network_name, problem]
            for kind in TYPES:
                local, counts = results.local(problem, kind), results.counts(problem, 2)
                network = results.network(network_name)
                times = results.find(network_name, 2, problem, kind) or {}
                cells += [beside(product_time(counts, local, network), times.get("product")),
                          beside(iteration_time(counts, local, network), times.get("iteration"))
                          if is_grid(problem) else ""]
            rows.append(cells)
    print_table(("network", "problem", *(f"{TYPES[kind]}: {what}" for kind in TYPES
                                         for what in ("product", "iteration"))), rows)


def equal_at(results, problem, kind, network):
    """The first power of two at which T_net is at least T_local."""
    ranks = 2
    while ranks <= RANKS[-1]:
        counts = results.counts(problem, ranks)
        if network_times(counts, network)[0].max() >= \
                local_times(counts, results.local(problem, kind)).max():
            return str(ranks)
        ranks *= 2
    return f"> {RANKS[-1]}"


def tables(args):
    results = Results(args.results)
    rows = []
    for problem in PROBLEMS:
        for ranks in RANKS:
            counts = results.counts(problem, ranks)
            rows.append((problem, str(ranks),
                         f"{counts.nonzeros.max() / counts.nonzeros.mean():.2f}",
                         f"{counts.off_nonzeros.sum() / counts.nonzeros.sum():.0%}",
                         *(f"{8 * number:.0f}" for number in
                           (counts.received.max(), counts.received.mean())),
                         str(counts.messages_received.max()),
                         f"{counts.messages_received.mean():.1f}"))
    print_table(("problem", "ranks", "nonzeros, max/mean", "off-diagonal", "bytes of x, max",
                 "mean", "messages, max", "mean"), rows)
    for problem in PROBLEMS:
        rows = []
        for name in (SHARED, *ELSEWHERE):
            network = results.network(name)
            for kind in TYPES:
                local = results.local(problem, kind)
                one = product_time(results.counts(problem, 1), local, network)
                rows.append((name, TYPES[kind],
                             *(f"{one / ranks / product_time(results.counts(problem, ranks), local, network):.0%}"
                               for ranks in RANKS[1:]),
                             equal_at(results, problem, kind, network)))
            gains = []
            for ranks in RANKS[1:]:
                theirs, ours = (function(results.counts(problem, ranks),
                                         results.local(problem, kind), network)
                                for function in (product_time,) for kind in TYPES)
                gains.append(f"{theirs / ours:.2f}")
            rows.append((name, "times as fast as AIJ", *gains, ""))
        print(f"{problem}\n")
        print_table(("network", "", *(str(ranks) for ranks in RANKS[1:]), "equal at"), rows)


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
