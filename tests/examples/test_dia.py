"""test_dia.py --work DIR --spmvgen SPMVGEN [--spmvbench SPMVBENCH] --compiler CC: the method of
examples/dia.

It is emitted from a data folder of links, as docs/how-to/add-a-method.md says, for plain C and for
this CPU. The suite of kernels compares it with the reference; libspmv runs it on matrices that it
takes and on one that it declines.
"""
import re

from example import (ROOT, bench, check_kernels, check_template, emit_method, link_method, options,
                     said, tap)


def test_lines():
    """docs/how-to/add-a-method.md says how long the method is."""
    comments = re.compile(r"/\*.*?\*/|^--.*?$", re.DOTALL | re.MULTILINE)
    lines = [line for path in (ROOT / "examples/dia").iterdir()
             for line in comments.sub("", path.read_text(encoding="utf-8")).splitlines()
             if line.strip()]
    page = (ROOT / "docs/how-to/add-a-method.md").read_text(encoding="utf-8")
    tap.ok(f"{len(lines)} lines of code" in page, "the page says how many lines it has", len(lines))


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
    link_method(args, "dia")
    check_template(args, "dia")
    test_lines()
    for target in "generic-c", "host":
        library = emit_method(args, "dia", target)
        check_kernels(args, "dia", target, 500)
        if args.spmvbench:
            test_libspmv(args, target, library)
        else:
            tap.skip("spmvbench is not built")
    tap.done()


main()
