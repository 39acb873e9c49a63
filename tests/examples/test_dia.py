"""test_dia.py --work DIR --spmvgen SPMVGEN [--spmvbench SPMVBENCH] --compiler CC: the method of
examples/dia.

It is emitted from a data folder of links, as docs/how-to/add-a-method.md says, for plain C and for
this CPU. The suite of kernels compares it with the reference; libspmv runs it on matrices that it
takes and on one that it declines.
"""
import re
import sys

from example import ROOT, bench, compile_modules, options, run, said, tap


def link_data(work):
    """A data folder with the method beside the shipped ones."""
    (work / "data/templates").mkdir(parents=True)
    for name in "targets", "runtime":
        (work / "data" / name).symlink_to(ROOT / name)
    for folder in [*(ROOT / "templates").iterdir(), ROOT / "examples/dia"]:
        (work / "data/templates" / folder.name).symlink_to(folder)


def test_template(args):
    done = run(*args.compiler, "-std=c11", "-Wall", "-Wextra", "-Wno-unused", "-Werror",
               "-fsyntax-only", "-Itemplates/common", "-Iexamples/dia", "-Iruntime",
               "examples/dia/simd.c")
    tap.ok(done.returncode == 0, "the template compiles as it stands", said(done))


def test_lines():
    """docs/how-to/add-a-method.md says how long the method is."""
    comments = re.compile(r"/\*.*?\*/|^--.*?$", re.DOTALL | re.MULTILINE)
    lines = [line for path in (ROOT / "examples/dia").iterdir()
             for line in comments.sub("", path.read_text(encoding="utf-8")).splitlines()
             if line.strip()]
    page = (ROOT / "docs/how-to/add-a-method.md").read_text(encoding="utf-8")
    tap.ok(f"{len(lines)} lines of code" in page, "the page says how many lines it has", len(lines))


def emit(args, target):
    """Emits and compiles the method; returns the shared object."""
    folder = args.work / target
    spmvgen = args.spmvgen, "--data", args.work / "data"
    done = run(*spmvgen, "--target", target, "--method", "dia", "-o", folder)
    tap.ok(done.returncode == 0, f"{target}: spmvgen emits it", said(done))
    done = run(*spmvgen, "--check", folder)
    tap.ok(done.returncode == 0, f"{target}: --check finds no drift", said(done))
    return compile_modules(args, folder)


def test_suite(args, target):
    done = run(sys.executable, "tests/kernels/run_suite.py", "--work",
               args.work.parent / "dia-suite", "--compiler", args.compiler[-1], "--optimise", "1",
               "--effort", "brief",
               f"{args.work / target} --type f64 --offsets i32")
    taken = re.findall(r"declines (\d+) of (\d+) matrices$", done.stdout, re.MULTILINE)
    tap.ok(done.returncode == 0 and "not ok" not in done.stdout,
           f"{target}: the suite of kernels passes",
           "\n".join(re.findall(r"^(?!ok).*", done.stdout, re.MULTILINE))[-3000:] + done.stderr)
    tap.ok(taken and all(int(all_) - int(declined) > 500 for declined, all_ in taken),
           f"{target}: it takes hundreds of the suite's matrices", taken)


def write_matrix(path, rows, entries):
    path.write_text("%%MatrixMarket matrix coordinate real general\n" +
                    f"{rows} {rows} {len(entries)}\n" +
                    "".join(f"{i + 1} {j + 1} {1 + i % 7}\n" for i, j in entries),
                    encoding="utf-8")


def test_libspmv(args, target, library):
    n = 1500
    banded = args.work / "banded.mtx"
    write_matrix(banded, n, [(i, i + d) for i in range(n) for d in (-40, -1, 0, 1, 40)
                             if 0 <= i + d < n and (i + d) % 9])
    scattered = args.work / "scattered.mtx"
    write_matrix(scattered, n, [(i, i * 7 % n) for i in range(n)])
    padded = args.work / "padded.mtx"
    write_matrix(padded, n, [(i, i + 10 * (i % 14)) for i in range(n - 140)])
    many = args.work / "many.mtx"
    write_matrix(many, n, [(i, i + 10 * (i % 16)) for i in range(n - 160)])
    for name, matrix, outcome in (("poisson", ["--poisson", "12"], "yes"),
                                  ("banded", [banded], "yes"),
                                  ("padded", [padded], "yes"),
                                  ("many diagonals", [many], "declines"),
                                  ("scattered", [scattered], "declines")):
        done = bench(args, library, *matrix)
        found = re.findall(r"^dia .* (yes|NO|declines)\b", done.stdout, re.MULTILINE)
        tap.ok(done.returncode == 0 and found == [outcome],
               f"{target}: libspmv on the matrix {name}: {outcome}", said(done))


def main():
    args = options()
    link_data(args.work)
    test_template(args)
    test_lines()
    for target in "generic-c", "host":
        library = emit(args, target)
        test_suite(args, target)
        if args.spmvbench:
            test_libspmv(args, target, library)
        else:
            tap.skip("spmvbench is not built")
    tap.done()


main()
