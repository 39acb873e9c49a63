"""test_permuted.py LIBSPMV: a solver whose vectors are permuted once takes the same iterations.

integrations/petsc/examples/permuted.c, on 1, 2 and 4 ranks: for a grid and for a graph with rows of
many lengths, so that the sort moves most of them.
"""
import importlib.util
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PETSC = ROOT / "integrations/petsc"
sys.path[:0] = [str(ROOT / "tests"), str(PETSC)]

import installed_petsc
import mpi
import tap

NAMES = ["aij", "evc_hyb permuted"]


def run(*words):
    return subprocess.run([str(word) for word in words], env=mpi.CROWDED, text=True,
                          capture_output=True, check=False, stdin=subprocess.DEVNULL)


def said(done):
    return f"exit code {done.returncode}\n" + (done.stdout + done.stderr)[-3000:]


def missing():
    """What is missing, as a reason to skip; None: nothing."""
    if not importlib.util.find_spec("scipy"):
        return "SciPy is not installed (Debian: python3-scipy)"
    return installed_petsc.missing()


def write_laplacian(path, nodes):
    """Writes I + L for MatLoad, where L is the Laplacian of a graph."""
    import numpy as np
    import scipy.sparse as sparse

    import matrices

    made = random.Random(7)
    edges = {(i, made.randrange(i)) for i in range(1, nodes) for _ in range(made.choice((1, 2, 9)))}
    edges |= {(i, 0) for i in range(1, nodes, 3)}        # one row of hundreds of nonzeros
    lower = sparse.csr_matrix((np.ones(len(edges)), np.array(sorted(edges)).T), (nodes, nodes))
    graph = lower + lower.T
    matrices.write_petsc(sparse.diags(np.ravel(graph.sum(axis=1)) + 1) - graph, path)


def test(folder, library):
    program = folder / "permuted"
    done = run("mpicc", "-O2", "-Wall", "-Wextra", tap.WERROR, PETSC / "examples/permuted.c", "-o",
               program, "-I", ROOT / "runtime", library, f"-Wl,-rpath,{library.parent}",
               *installed_petsc.flags(), "-lm")
    if not tap.ok(done.returncode == 0, "permuted.c compiles without a warning", said(done)):
        return
    write_laplacian(folder / "graph.petsc", 1200)
    for name, words in (("grid", ("-side", 40)), ("graph", ("-file", folder / "graph.petsc")),
                        ("graph without preconditioner",
                         ("-file", folder / "graph.petsc", "-pc_type", "none"))):
        for ranks in (1, 2, 4):
            done = run("mpirun", "-n", ranks, program, *words)
            lines = re.findall(r"^(.*?) +(\d+) iterations, largest error (\S+)$", done.stdout, re.M)
            tap.ok([line[0] for line in lines] == NAMES and len({line[1] for line in lines}) == 1,
                   f"{name}, {ranks} ranks: both products take the same iterations", said(done))
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
