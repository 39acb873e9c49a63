"""PETSc's own examples print with our type what PETSc expects, or what AIJ prints (example_run.py).

    test_examples.py LIBRARY FOLDER           every block of examples.txt
    test_examples.py LIBRARY FOLDER --slice   those marked "slice"
    test_examples.py LIBRARY FOLDER NAME...   blocks with NAME in their name, as in "ex5.c 11"
    test_examples.py LIBRARY FOLDER --table   all, as the table of results.md

LIBRARY is libpetscspmv.so; FOLDER keeps compiled examples and the files of runs.
"""
import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../.."))

import chosen
import example_run
import results_table
import system_petsc
import tap


def report(verdict):
    if verdict.skipped:
        tap.skip(f"{verdict.chosen.name}: {verdict.skipped}")
        return
    runs = "" if verdict.runs < 2 else f", {verdict.runs} runs"
    against = ", ".join(sorted(verdict.against)) or "nothing"
    tap.ok(not verdict.failure,
           f"{verdict.chosen.name}: {verdict.ranks or '?'} ranks{runs}, {verdict.products} "
           f"products, compared with {against}", verdict.failure or "")


def control(runner):
    """A block that stays with AIJ must not count."""
    verdict = runner.block(chosen.Chosen("mat/tests/ex5.c", "11_A", ("-mat_type", "seqaij"), True))
    if verdict.skipped:
        tap.skip(verdict.skipped)
        return
    tap.ok("did not multiply" in (verdict.failure or ""),
           "a block that our kernels do not multiply fails", verdict.failure or "it passed")


def main(library, folder, *words):
    petsc, why = system_petsc.find()
    if not petsc:
        tap.skip(why)
        tap.done()
    lines = chosen.read()
    names = [word for word in words if not word.startswith("--")]
    if "--slice" in words:
        lines = [line for line in lines if line.in_slice]
    if names:
        lines = [line for line in lines if any(name in line.name for name in names)]
    runner = example_run.Runner(petsc, library, os.path.abspath(folder),
                                "slice" if "--slice" in words else "all")
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        verdicts = pool.map(runner.block, lines)
        if "--table" in words:
            print(results_table.text(petsc.version, list(verdicts)), end="")
            return
        tap.diag(f"PETSc {petsc.version}")
        for verdict in verdicts:
            report(verdict)
    if not names:
        control(runner)
    tap.done()


if __name__ == "__main__":
    main(*sys.argv[1:])
