"""test_symmetric.py --work DIR --spmvgen SPMVGEN [--spmvbench SPMVBENCH] --values PROGRAM
--compiler CC: the method of examples/symmetric.

It is emitted for plain C and for this CPU, as it is and with short blocks, so that small matrices
have several segments and rings turn. The suite of kernels compares it with the reference; libspmv
runs it on symmetric matrices, and on others, which it declines. PROGRAM is symmetric_values.c.
"""
import re

from example import (bench, check_kernels, check_template, emit_method, link_method, options, run,
                     said, tap)

SHORT = "--set", "symmetric.block_rows=16"


def band(rows, distances, holes=lambda i, j: False):
    """Entries of a symmetric band, {(i, j): value}, without those that are holes."""
    return {(i, j): 1 + min(i, j) * 7 % 13 + abs(i - j)
            for i in range(rows) for d in distances for j in {i - d, i + d}
            if 0 <= j < rows and not holes(min(i, j), max(i, j))}


def write_matrix(path, rows, entries):
    path.write_text("%%MatrixMarket matrix coordinate real general\n" +
                    f"{rows} {rows} {len(entries)}\n" +
                    "".join(f"{i + 1} {j + 1} {value}\n" for (i, j), value in
                            sorted(entries.items())), encoding="utf-8")
    return path


def matrices(work):
    """Matrices and whether the method takes them."""
    rows = 3001
    whole = band(rows, (0, 1, 17, 40))
    last = (rows - 2, rows - 1)
    return [(write_matrix(work / f"{name}.mtx", rows, entries), outcome)
            for name, entries, outcome in (
                ("band", whole, "yes"),
                ("holes", band(rows, (0, 1, 17, 40), lambda i, j: (i + j) % 9 == 0), "yes"),
                ("no main diagonal", band(rows, (3, 64)), "yes"),
                ("one value differs", whole | {last: -1}, "declines"),
                ("one entry lacks", {at: v for at, v in whole.items() if at != last}, "declines"),
                ("half-empty", band(rows, (0, 5, 9), lambda i, j: i % 2), "declines"),
                ("65 diagonals", band(rows, range(65)), "declines"))]


def test_libspmv(args, folder, library):
    for matrix, outcome in matrices(args.work):
        for words in ((), ("--type", "f32", "--alpha", "-2", "--beta", "0.5")):
            done = bench(args, library, matrix, *words)
            found = re.findall(r"^symmetric .* (yes|NO|declines)\b", done.stdout, re.MULTILINE)
            tap.ok(done.returncode == 0 and found == [outcome],
                   f"{folder}: libspmv on {matrix.stem} {' '.join(words)}: {outcome}", said(done))


def test_values(args, folder, library):
    done = run(args.values.resolve(), library)
    passed = len(re.findall("^ok", done.stdout, re.MULTILINE))
    tap.ok(done.returncode == 0 and passed > 4,
           f"{folder}: NaN and Inf stay in their columns; new values may be unsymmetric",
           said(done))


def main():
    args = options()
    link_method(args, "symmetric")
    check_template(args, "symmetric")
    for target in "generic-c", "host":
        for folder, settings in ((target, ()), (f"{target}-short", SHORT)):
            library = emit_method(args, "symmetric", target, *settings, folder=folder)
            check_kernels(args, "symmetric", folder, 50)
            test_values(args, folder, library)
            if args.spmvbench:
                test_libspmv(args, folder, library)
            else:
                tap.skip("spmvbench is not built")
    tap.done()


main()
