"""integrations/petsc/partition.py counts what PETSc counts, on 1 to 4 ranks and in 6 boxes.

    test_partition.py            all matrices
    test_partition.py --slice    one of each kind, on 3 ranks
"""
import pathlib
import random
import sys
import tempfile

from programs import MATRICES, PETSC, compile_program, missing, on_ranks, run, said

import tap


def lines(text, word):
    """The numbers of the lines that start with a word, by rank."""
    return sorted([int(number) for number in line.split()[1:]]
                  for line in text.splitlines() if line.startswith(word + " "))


def compare(name, product, ranks, petsc_words, script_words):
    """The same matrix by both programs."""
    theirs = on_ranks(ranks, product, "-counts", *petsc_words)
    ours = run(sys.executable, PETSC / "partition.py", *script_words, "--each", "--ranks", ranks)
    expected, found = lines(theirs.stdout, "counts"), lines(ours.stdout, "counts")
    tap.ok(len(expected) == ranks and found == expected,
           f"{name}, {ranks} ranks: rows, nonzeros, entries of x and messages are PETSc's",
           f"PETSc: {said(theirs)}\npartition.py: {said(ours)}")
    traffic = [[rank, sum(messages), 8 * sum(entries)]
               for rank, *_, received, sent, from_others, to_others in found
               for entries, messages in [((received, sent), (from_others, to_others))]]
    tap.ok(found and traffic == lines(theirs.stdout, "logged"),
           f"{name}, {ranks} ranks: PETSc's log has these messages and bytes",
           f"expected {traffic}\n{said(theirs)}")


def irregular(path, rows, cols, symmetric):
    """A matrix with rows of many lengths, empty rows, and entries far from the diagonal."""
    made = random.Random(rows)
    places = set()
    for row in range(0, rows, 2):
        for _ in range(made.choice((1, 2, 3, 40))):
            col = made.choice((made.randrange(cols), min(row + made.randrange(5), cols - 1)))
            places.add((max(row, col), min(row, col)) if symmetric else (row, col))
    with open(path, "w", encoding="utf-8") as file:
        file.write("%%MatrixMarket matrix coordinate real "
                   f"{'symmetric' if symmetric else 'general'}\n% made by a test\n"
                   f"{rows} {cols} {len(places)}\n")
        file.writelines(f"{row + 1} {col + 1} {made.random()}\n" for row, col in sorted(places))


def files(folder):
    """Made matrices, and two real ones where they are installed, with numbers of ranks."""
    for name, *shape in (("square", 301, 301, False), ("symmetric", 150, 150, True),
                         ("wide", 90, 400, False), ("fewer rows than ranks", 3, 3, False)):
        irregular(folder / f"{name}.mtx", *shape)
        yield name, folder / f"{name}.mtx", (1, 2, 3, 4) if name == "square" else (2, 4)
    for name in ("cavity14", "CA-HepPh"):
        path = MATRICES / f"{name}.mtx.gz"
        if path.exists():
            yield name, path, (3,)
        else:
            tap.skip(f"no {name}.mtx.gz in {MATRICES}; SPMV_MATRICES names a folder")


def compile_product(folder):
    """The path of the program, or None."""
    product = folder / "product"
    done = compile_program(PETSC / "product.c", product)
    return product if tap.ok(done.returncode == 0, "product.c compiles without a warning",
                             said(done)) else None


def test_file(folder, product, name, path, numbers):
    binary = folder / "matrix.petsc"
    done = run(sys.executable, PETSC / "partition.py", path, "--write", binary)
    tap.ok(done.returncode == 0, f"{name} is written for PETSc", said(done))
    for ranks in numbers:
        compare(name, product, ranks, ("-file", binary), (path,))


def test_slice(folder):
    product = compile_product(folder)
    if not product:
        return
    compare("poisson3d:7 boxes", product, 3, ("-poisson", 3, "-side", 7, "-boxes"),
            ("poisson3d:7", "--boxes"))
    irregular(folder / "square.mtx", 301, 301, False)
    test_file(folder, product, "square", folder / "square.mtx", (3,))


def test(folder):
    product = compile_product(folder)
    if not product:
        return
    for dimensions, side in ((2, 37), (3, 11)):
        for boxes in ((), ("boxes",)):
            for ranks in (2, 3, 4) if boxes else (1, 2, 3, 4):
                compare(" ".join((f"poisson{dimensions}d:{side}", *boxes)), product, ranks,
                        ("-poisson", dimensions, "-side", side, *("-" + word for word in boxes)),
                        (f"poisson{dimensions}d:{side}", *("--" + word for word in boxes)))
        compare(f"poisson{dimensions}d:{side} boxes", product, 6,
                ("-poisson", dimensions, "-side", side, "-boxes"),
                (f"poisson{dimensions}d:{side}", "--boxes"))
    for name, path, numbers in files(folder):
        test_file(folder, product, name, path, numbers)


def test_refusals(folder):
    for words, expected in ((["nowhere.mtx"], "nowhere.mtx"), (["poisson4d:3"], "poisson3d:N"),
                            ([folder / "bad.mtx"], "bad.mtx"),
                            (["poisson2d:8", "--ranks", "0"], "--ranks 0"),
                            (["poisson2d:2", "--ranks", "9", "--boxes"], "fewer grid points"),
                            (["poisson2d:8", "--write", folder / "x"], "--write")):
        (folder / "bad.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 "
                                        "1\n", encoding="utf-8")
        done = run(sys.executable, PETSC / "partition.py", *words)
        tap.ok(done.returncode == 2 and expected in done.stderr and "Traceback" not in done.stderr,
               f"partition.py {' '.join(pathlib.Path(word).name for word in map(str, words))} is "
               "refused", said(done))


reason = missing()
if reason:
    tap.skip(reason)
else:
    with tempfile.TemporaryDirectory() as work:
        (test_slice if "--slice" in sys.argv[1:] else test)(pathlib.Path(work))
        test_refusals(pathlib.Path(work))
tap.done()
