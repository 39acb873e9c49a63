"""test_permuted.py LIBSPMV: a solver whose vectors are permuted once takes the same iterations.

integrations/petsc/examples/permuted.c, on 1, 2 and 4 ranks: for a grid and for a graph with rows of
many lengths, so that the sort moves most of them.
"""
import pathlib
import random
import re
import sys
import tempfile

from programs import PETSC, ROOT, compile_program, missing, on_ranks, run, said

import tap

NAMES = ["aij", "csr_vector", "evc_hyb", "evc_hyb permuted"]


def graph(path, nodes):
    made = random.Random(7)
    edges = {(i, made.randrange(i)) for i in range(1, nodes) for _ in range(made.choice((1, 2, 9)))}
    edges |= {(i, 0) for i in range(1, nodes, 3)}        # one row of hundreds of nonzeros
    with open(path, "w", encoding="utf-8") as file:
        file.write("%%MatrixMarket matrix coordinate pattern symmetric\n"
                   f"{nodes} {nodes} {len(edges)}\n")
        file.writelines(f"{i + 1} {j + 1}\n" for i, j in sorted(edges))


def test(folder, library):
    program = folder / "permuted"
    done = compile_program(PETSC / "examples/permuted.c", program, "-I", ROOT / "runtime", library,
                           f"-Wl,-rpath,{library.parent}")
    if not tap.ok(done.returncode == 0, "permuted.c compiles without a warning", said(done)):
        return
    graph(folder / "graph.mtx", 1200)
    done = run(sys.executable, PETSC / "partition.py", folder / "graph.mtx", "--laplacian",
               "--write", folder / "graph.petsc")
    tap.ok(done.returncode == 0, "the graph's Laplacian is written for PETSc", said(done))
    for name, words in (("grid", ("-side", 40)), ("graph", ("-file", folder / "graph.petsc")),
                        ("graph without preconditioner",
                         ("-file", folder / "graph.petsc", "-pc_type", "none"))):
        for ranks in (1, 2, 4):
            done = on_ranks(ranks, program, "-rounds", 1, *words)
            lines = re.findall(r"^(.*?) +(\d+) iterations, largest error (\S+), .* us an iteration,"
                               r" .* us a product$", done.stdout, re.M)
            tap.ok([line[0] for line in lines] == NAMES and len({line[1] for line in lines}) == 1,
                   f"{name}, {ranks} ranks: all four products take the same iterations", said(done))
            tap.ok(lines and max(float(line[2]) for line in lines) < 1e-4,
                   f"{name}, {ranks} ranks: the solution is in the order of the unknowns",
                   said(done))


reason = missing()
if reason:
    tap.skip(reason)
else:
    with tempfile.TemporaryDirectory() as work:
        test(pathlib.Path(work), pathlib.Path(sys.argv[1]).resolve())
tap.done()
