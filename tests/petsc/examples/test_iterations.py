"""Solvers take the same iterations with our type as with AIJ, on 1 to 4 ranks.

    test_iterations.py LIBRARY FOLDER     LIBRARY: libpetscspmv.so; FOLDER keeps compiled examples

KSP's ex2 (a 2-D Laplacian), and SNES's ex5 and ex14: the Bratu problem in two and in three
dimensions, as in section 3.4 and Figure 16 of the paper on EVC-HYB. The iterations of every linear
solve, of every nonlinear solve, and the reasons for which they ended are equal.
"""
import concurrent.futures
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../.."))

import example_run
import system_petsc
import tap

OUR_TYPE = ["-mat_type", "aijspmv"]
REASONS = ["-ksp_converged_reason", "-snes_converged_reason"]
PROBLEMS = (
    ("KSP ex2, 2-D Laplacian", "ksp/ksp/tutorials/ex2.c",
     ["-m", "60", "-n", "60", "-ksp_type", "cg", "-pc_type", "jacobi", "-ksp_rtol", "1e-8"]),
    ("SNES ex5, 2-D Bratu", "snes/tutorials/ex5.c", ["-da_refine", "4", "-par", "5"]),
    ("SNES ex14, 3-D Bratu", "snes/tutorials/ex14.c", ["-da_refine", "2", "-par", "5"]),
)
ENDS = re.compile(r"(Linear|Nonlinear)[\w ]* solve (converged|did not converge) due to (\w+) "
                  r"iterations (\d+)")


def ends_of(text):
    """[(kind of solve, "converged", reason, iterations)] in the order of the output"""
    return [(*found[:3], int(found[3])) for found in ENDS.findall(text)]


def summary(ends):
    linear = [end[3] for end in ends if end[0] == "Linear"]
    nonlinear = [end[3] for end in ends if end[0] == "Nonlinear"]
    words = [f"{sum(linear)} linear" + (f" in {len(linear)} solves" if len(linear) > 1 else "")]
    words += [f"{count} nonlinear" for count in nonlinear]
    return ", ".join(words)


def main(library, folder):
    petsc, why = system_petsc.find()
    if not petsc:
        tap.skip(why)
        tap.done()
    programs = {}
    for _, source, _ in PROBLEMS:
        if os.path.exists(os.path.join(petsc.examples, source)):
            programs[source] = petsc.compile(source, os.path.join(folder, "programs"))
    ours = [*example_run.plugin(library), *OUR_TYPE]

    def solve(name, source, options, ranks, more):
        place = os.path.join(folder, "iterations", f"{name}-{ranks}-{'ours' if more else 'aij'}")
        result = petsc.run(programs[source], ranks,
                           [*options, *REASONS, *more, "-log_view", ":log"], place)
        return result, ends_of(result.output), example_run.products_in(place)

    def both(problem, ranks):
        name, source, options = problem
        if source not in programs:
            return None
        return [solve(name.split(",")[0], source, options, ranks, more) for more in ([], ours)]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        cases = [(problem, ranks) for problem in PROBLEMS for ranks in range(1, 5)]
        for (problem, ranks), results in zip(cases, pool.map(lambda case: both(*case), cases)):
            if not results:
                tap.skip(f"PETSc {petsc.version} has no example {problem[1]}")
                continue
            (aij, expected, _), (own, ends, products) = results
            fine = aij.code == own.code == 0 and ends == expected and ends and products > 0 \
                and all(end[1] == "converged" and end[3] > 0 for end in ends)
            tap.ok(fine, f"{problem[0]}, {ranks} rank{'s' * (ranks > 1)}: {summary(ends)} "
                   f"iterations, {products} products",
                   f"AIJ: exit code {aij.code}, {expected}\nours: exit code {own.code}, {ends}\n"
                   f"{aij.errors[-1000:]}{own.errors[-1000:]}")
    tap.done()


if __name__ == "__main__":
    main(*sys.argv[1:])
