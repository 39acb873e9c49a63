"""`python -m spmvgen`: benchmarks, and what this installation can do."""
from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable

import numpy
import scipy

import spmvgen
from spmvgen import bench
from spmvgen.emit import GeneratorNotFound, find_generator

EXAMPLES = """\
examples:
  python -m spmvgen info
  python -m spmvgen bench                            a made matrix
  python -m spmvgen bench A.npz B.mtx.gz --type f32  files of save_npz or of the Matrix Market
  python -m spmvgen bench A.npz --methods strips,csr5 --threads 1
  python -m spmvgen bench A.npz --product A.T@x,A@X --columns 2,8

Kernels for other devices are emitted by the program spmvgen, which this package does not contain;
spmvgen.emit runs it.
"""


def cpu_name() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def show_info() -> int:
    try:
        generator = find_generator()
    except GeneratorNotFound:
        generator = "not found; spmvgen.emit says how to get it"
    limit = spmvgen._core.thread_limit()
    for name, text in (
            ("version", spmvgen.__version__),
            ("package", spmvgen.__path__[0]),
            ("with", f"Python {platform.python_version()}, NumPy {numpy.__version__}, "
                     f"SciPy {scipy.__version__}"),
            ("CPU", cpu_name()),
            ("threads", f"{spmvgen.get_num_threads()}"
                        + (f", limited by set_num_threads({limit})" if limit else "")),
            ("targets", ", ".join(spmvgen.targets())),
            ("methods", ", ".join(spmvgen.methods())),
            ("generator", generator)):
        print(f"{name:10} {text}")
    return 0


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {text}")
    return number


def names_of(valid: tuple[str, ...]) -> Callable[[str], list[str]]:
    """A list with commas, of valid names."""
    def read(text: str) -> list[str]:
        names = text.split(",")
        wrong = [name for name in names if name not in valid]
        if wrong:
            raise argparse.ArgumentTypeError(f"{wrong[0]!r} is none of {', '.join(valid)}")
        return names
    return read


def numbers(text: str) -> list[int]:
    return [positive(part) for part in text.split(",")]


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m spmvgen", epilog=EXAMPLES, description=(
        "Sparse matrix-vector multiplication for SciPy."),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"spmvgen {spmvgen.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands.add_parser("info", help="version, CPU, threads, targets and methods")
    racing = commands.add_parser(
        "bench", help="time SciPy's product and ours, in turns", description=(
            "Checks and times y = A @ x, or the products of --product, by SciPy, by spmvgen's "
            "chosen method, by each of its methods, and by sparse_dot_mkl if that can be "
            "imported. rmatvec and rmatmat are those of a plan of A. The contenders take turns. "
            "Columns: the time of planning; the median, the fastest and the slowest round; SciPy's "
            "median over this one; products after which planning has paid off."))
    racing.add_argument("files", nargs="*", metavar="FILE",
                        help="a matrix: .npz of scipy.sparse.save_npz, or .mtx, .mtx.gz; without "
                             "one, Poisson's equation")
    racing.add_argument("--type", type=names_of(("f32", "f64")), default=["f64"], metavar="LIST",
                        help="f32, f64 or f32,f64; default: f64")
    racing.add_argument("--threads", type=numbers, metavar="LIST",
                        help="numbers of threads; default: 1 and the number of CPUs")
    racing.add_argument("--methods", type=names_of(("all", "chosen") + spmvgen.methods()),
                        default=["all"], metavar="LIST",
                        help="methods by name beside the chosen one, or 'chosen' for that one "
                             "alone; default: all")
    racing.add_argument("--product", type=names_of(bench.PRODUCTS), default=["A@x"],
                        metavar="LIST", help="of " + ", ".join(bench.PRODUCTS) + ", where X has "
                        "several columns; default: A@x")
    racing.add_argument("--columns", type=numbers, default=[8], metavar="LIST",
                        help="of X, which is in the order of C; default: 8")
    racing.add_argument("--side", type=positive, default=1000, metavar="N",
                        help="the made matrix has N*N rows; default: 1000")
    racing.add_argument("--rounds", type=positive, default=11, metavar="N", help="default: 11")
    racing.add_argument("--seconds", type=float, default=0.02, metavar="S",
                        help="of each contender in each round; default: 0.02")
    return parser


def main(arguments: list[str] | None = None) -> int:
    options = make_parser().parse_args(arguments)
    if options.command == "info":
        return show_info()
    methods = None if "all" in options.methods else [
        name for name in options.methods if name != "chosen"]
    return bench.bench(options.files, types=options.type, threads=options.threads, methods=methods,
                       side=options.side, rounds=options.rounds, seconds=options.seconds,
                       products=options.product, columns=options.columns)


if __name__ == "__main__":
    sys.exit(main())
