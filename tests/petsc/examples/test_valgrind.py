"""valgrind finds no error in our code, in examples of PETSc with our type on 1 and 2 ranks.

    test_valgrind.py LIBRARY FOLDER     LIBRARY: libpetscspmv.so; FOLDER keeps compiled examples

PETSc, MPI and libraries below them have errors of their own: an error or a leak counts if one of
the frames of its stacks is in our library, which has libspmv in it (valgrind_errors.py).

valgrind runs programs as on a CPU without AVX-512, so the kernels are those of AVX2 or plain C.
"""
import concurrent.futures
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../.."))

import example_run
import system_petsc
import tap
import valgrind_errors

OUR_TYPE = ["-mat_type", "aijspmv"]
RUNS = (
    ("assembly, MatMult, MatMultAdd and transposed", "mat/tests/ex5.c", 1, []),
    ("assembly, MatMult, MatMultAdd and transposed", "mat/tests/ex5.c", 2,
     ["-test_diagonalscale"]),
    ("products of matrices", "mat/tests/ex93.c", 2, []),
    ("KSP ex2", "ksp/ksp/tutorials/ex2.c", 2, []),
    ("SNES ex5, new values of the same structure", "snes/tutorials/ex5.c", 1,
     ["-da_refine", "1", "-pc_type", "jacobi"]),
    ("a method with a layout of its own", "snes/tutorials/ex14.c", 2,
     ["-mat_aijspmv_method", "strips", "-pc_type", "jacobi"]),
)


def main(library, folder):
    petsc, why = system_petsc.find()
    why = why or (None if shutil.which("valgrind") else
                  "valgrind is not installed (Debian: valgrind)")
    if why:
        tap.skip(why)
        tap.done()
    ours = [*example_run.plugin(library), *OUR_TYPE]

    def run(case):
        name, source, ranks, options = case
        if not os.path.exists(os.path.join(petsc.examples, source)):
            return None
        program = petsc.compile(source, os.path.join(folder, "programs"))
        place = os.path.abspath(os.path.join(folder, "valgrind", f"{name}-{ranks}"))
        shutil.rmtree(place, ignore_errors=True)
        valgrind = ["valgrind", "--quiet", "--leak-check=full", "--num-callers=30", "--xml=yes",
                    f"--xml-file={place}/%p.xml"]
        result = petsc.run(program, ranks, [*options, *ours, "-log_view", ":log"], place,
                           prefix=valgrind, seconds=300)
        files = [entry.path for entry in os.scandir(place) if entry.name.endswith(".xml")]
        errors = [error for path in files for error in valgrind_errors.of_file(path, library)]
        return result, len(files), errors, example_run.products_in(place)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (name, source, ranks, _), found in zip(RUNS, pool.map(run, RUNS)):
            if not found:
                tap.skip(f"PETSc {petsc.version} has no example {source}")
                continue
            result, reports, errors, products = found
            tap.ok(result.code == 0 and reports == ranks and products > 0 and not errors,
                   f"{name}, {ranks} rank{'s' * (ranks > 1)}: {len(errors)} errors, "
                   f"{products} products",
                   "\n".join([f"exit code {result.code}, {reports} reports",
                              *map(str, errors[:5]), example_run.last_lines(result)]))
    tap.done()


if __name__ == "__main__":
    main(*sys.argv[1:])
