"""results_table.py: results.md, from examples.txt and verdicts.

    results_table.text(version, verdicts)   the page
    results_table.listed(page)              the (source, block, options) of a page's table
"""
HEAD = """# PETSc's own tests with libspmv's kernels

[libpetscspmv](../../../docs/how-to/petsc.md) replaces MatMult, MatMultTranspose and products with
dense matrices of PETSc's AIJ matrices. PETSc's examples of matrices, KSP and SNES have tests in
them, as `/*TEST*/` blocks. The suite `petsc examples` runs the blocks below with our type, by the
options in the table, which stand behind the block's own. It compares the output with PETSc's file
of the expected output. Words and integers, counts of iterations among them, are equal; numbers with
a point or an exponent are equal within 1e-4 of the larger one, or differ by less than 1e-9. Names
of types may differ by "spmv". Where the file differs, since it is from another machine, the suite
runs the block with AIJ, too, and compares with that output by the same rule; "AIJ, PETSc's file"
means that the output is also what PETSc expects by the rule of its petscdiff, which drops such
numbers.

"Products" counts multiplications by libspmv's kernels, on the rank with most of them; a parallel
matrix has two blocks. A block of tests without any product fails. The matrices are small, so
`-mat_aijspmv_least_nonzeros 1 -mat_aijspmv_least_row_nonzeros 0 -mat_aijspmv_dense always` keeps
PETSc from multiplying them. The list is `tests/petsc/examples/examples.txt`; this page is written
by

*Not run by the tests: it takes minutes, and needs PETSc with its examples.*

```sh
python3 tests/petsc/examples/test_examples.py build/integrations/petsc/libpetscspmv.so \\
    build/petsc-examples --table >tests/petsc/examples/results.md
```

"""
TAIL = """
PETSc 3.22.5 of Debian 13 gives the same result: 86 of 86.

Some blocks cannot be in the list, since PETSc or the example compares a matrix's type with the name
of AIJ itself. PETSc's own subtypes aijperm and aijcrl fail in these, too:

| example | block | what it compares |
|---|---|---|
| mat/tests/ex23.c | all | the example leaves out cases for other types |
| mat/tests/ex111.c | 1 | MatMatMatMult, for a dense matrix between sparse ones |
| mat/tests/ex248.c | all | MatSeqAIJKron |
| ksp/ksp/tutorials/ex18.c | 1, 2 | MatGetOrdering, before MatPermute of a parallel matrix |
"""


def text(version, verdicts):
    ran = [v for v in verdicts if not v.skipped]
    same = sum(not v.failure for v in ran)
    sources = len({v.chosen.source for v in ran if not v.failure})
    lines = [f"PETSc {version}: {same} of {len(ran)} blocks give the same output, of {sources} "
             f"examples.", "",
             "| example | block | ranks | runs | options | compared with | products |",
             "|---|---|---|---|---|---|---|"]
    for v in verdicts:
        result = v.skipped or ("**differs**" if v.failure else ", ".join(sorted(v.against)))
        lines.append(f"| {v.chosen.source} | {v.chosen.suffix} | {v.ranks} | {v.runs} | "
                     f"`{' '.join(v.chosen.options)}` | {result} | {v.products} |")
    return HEAD + "\n".join(lines) + "\n" + TAIL


def listed(page):
    found = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7 and cells[0].endswith(".c"):
            found.append((cells[0], cells[1], tuple(cells[4].strip("`").split())))
    return found
