"""test_inputs.py: which matrices a command line names, and what happens to those that
cannot be made. spmvbench.py describes the arguments.
"""
import os
import pathlib
import re
import subprocess
import tempfile

from spmvbench import LIBRARY, PROGRAM, QUICK, refused, run, tap

EXPLAIN = ["--explain", "--modules", LIBRARY, "--threads", "1"]
HEADER = "%%MatrixMarket matrix coordinate real general\n"
ONE = HEADER + "2 3 1\n2 1 1\n"


def explained(*inputs, folder="."):
    """The run, and the names of the matrices that it explains."""
    done = subprocess.run([PROGRAM, *EXPLAIN, *inputs], capture_output=True, text=True, check=False,
                          cwd=folder, errors="surrogateescape")
    return done, re.findall(r"^matrix   (.*): \d+ x \d+, \d+ nonzeros", done.stdout, flags=re.M)


def test_lists(folder):
    """Files, folders, patterns and made matrices, in the order of the command line."""
    below = folder / "set" / "deep er"
    below.mkdir(parents=True)
    for path in ("a b.mtx", "set/c.mtx", "set/deep er/d.mtx", "set/[e].mtx", "model:rmat"):
        (folder / path).write_text(ONE, encoding="utf-8")
    (folder / "set" / "notes.txt").write_text("no matrix\n", encoding="utf-8")
    (folder / "set" / ".hidden.mtx").write_text("no matrix\n", encoding="utf-8")
    os.symlink("../..", below / "up")
    vector = "%%MatrixMarket matrix array real general\n2 1\n1\n2\n"
    (below / "d_b.mtx").write_text(vector, encoding="utf-8")
    (below / "d_b_x.mtx").write_text(vector, encoding="utf-8")
    (folder / "set" / "v_b.mtx").write_text(vector, encoding="utf-8")
    os.mkfifo(folder / "set" / "pipe.mtx")           # nobody writes it: opening it would wait
    (folder / "set" / "c_2.mtx").write_text(ONE, encoding="utf-8")
    whole = ["[e].mtx", "c.mtx", "c_2.mtx", "d.mtx", "v_b.mtx"]
    for name, words, names in (
            ("files, one with a space", ["set/c.mtx", "a b.mtx"], ["c.mtx", "a b.mtx"]),
            ("a folder, with what is below it", ["set"], whole),
            ("a folder with a slash", ["set/"], whole),
            ("a pattern", ["set/*.mtx"], ["[e].mtx", "c.mtx", "c_2.mtx", "v_b.mtx"]),
            ("a pattern for folders", ["s*t"], whole),
            ("a file whose name is a pattern", ["set/[e].mtx"], ["[e].mtx"]),
            ("a file whose name is a model", ["./model:rmat"], ["model:rmat"]),
            ("the same behind --", ["--", "model:rmat"], ["model:rmat"]),
            ("a file twice", ["set/c.mtx", "a b.mtx", "set/c.mtx", "set"],
             ["c.mtx", "a b.mtx", "[e].mtx", "c_2.mtx", "d.mtx", "v_b.mtx"]),
            ("models, shapes and options", ["model:stencil27:3", "a b.mtx", "shape:dense:4",
                                            "--poisson", "4", "--shape", "ones", "--size", "6"],
             ["stencil27:3", "a b.mtx", "dense 4", "poisson-3d 4^3", "ones 6"]),
            ("a shape as a model", ["model:arrow:5"], ["arrow 5"]),
            ("the same model in other words", ["model:rmat:4", "model:rmat:4:16"], ["rmat:4:16"]),
            ("numbers with suffixes", ["model:tridiagonal:2k", "model:tridiagonal:2e3",
                                       "model:tridiagonal:2000"], ["tridiagonal:2000"]),
            ("a class beside files", ["set/c.mtx", "a b.mtx", "--lookalike", "fem"],
             ["look-alike of c.mtx (fem)", "look-alike of a b.mtx (fem)"]),
            ("a class in the text", ["lookalike:fem:model:poisson7:4"],
             ["look-alike of poisson-3d 4^3 (fem)"]),
            ("other values", ["values:6:model:poisson7:4", "values:f32:set/c.mtx",
                              "values:1:lookalike:fem:shape:dense:40"],
             ["poisson-3d 4^3, 6 different values", "c.mtx, random values of f32",
              "look-alike of dense 40 (fem), equal values"])):
        done, found = explained(*words, folder=folder)
        tap.ok(done.returncode == 0 and found == names and not done.stderr, name,
               f"{found}\n{done.stderr}")
    raced = subprocess.run([PROGRAM, "set/c.mtx", "model:poisson7:4", "shape:dense:4", "--modules",
                            LIBRARY, *QUICK], capture_output=True, text=True, check=False,
                           cwd=folder)
    tap.ok(raced.returncode == 0
           and len(re.findall(r"^matrix   .* nonzeros", raced.stdout, flags=re.M)) == 3
           and all(re.search(rf"^{name} ", raced.stdout, flags=re.M)
                   for name in ("c.mtx", "poisson7:4", "dense:4")),
           "run: several inputs are raced, and end with a line each", raced.stdout + raced.stderr)


def test_values():
    """values:VALUES:INPUT has as many different values as it says, symmetric as the places are."""
    for values, expected in (("1", "1 different"), ("6", "6 different"), ("200", "200 different"),
                             ("f32", "f32 holds all of them exactly"),
                             ("random", "f32 rounds 100%")):
        done = run("inspect", f"values:{values}:model:poisson7:12", "--plot", "none")
        text = " ".join(done.stdout.split())
        tap.ok(done.returncode == 0 and re.search(rf"\bvalues .*{expected}", text) and
               "symmetry places and values" in text, f"values:{values}: {expected}, symmetric",
               done.stdout + done.stderr)


def test_failures(folder):
    """A matrix that cannot be made is reported, and the others go on."""
    many = folder / "many"
    many.mkdir()
    for number in range(100):
        (many / f"m{number:02}.mtx").write_text(ONE, encoding="utf-8")
    (many / "m41.mtx").write_text(HEADER + "2 2 1\n3 1 1\n", encoding="utf-8")
    done, found = explained("many", folder=folder)
    tap.ok(done.returncode == 1 and len(found) == 99 and done.stderr.count("\n") == 1
           and "many/m41.mtx:3: " in done.stderr, "a broken file among 100: the others go on",
           f"{len(found)}\n{done.stderr}")
    done, found = explained("model:poisson7:3", "no such.mtx", "model:poisson7:4", folder=folder)
    tap.ok(done.returncode == 1 and len(found) == 2 and "no such.mtx" in done.stderr,
           "a missing file: the others go on", done.stderr)
    (folder / "empty").mkdir()
    for name, words, message in (
            ("an empty folder", [str(folder / "empty")], r"empty: the folder has no \.mtx"),
            ("a pattern without a match", ["none*.mtx"], "the pattern 'none.*mtx' matches no file"),
            ("an unknown model", ["model:poison7"],
             "no model is called 'poison7'; did you mean 'poisson7'.; --list"),
            ("an unknown shape", ["shape:dens"], "did you mean 'dense'"),
            ("an unknown look-alike", ["lookalike:conshp"], "did you mean 'consph'"),
            ("an unknown class", ["lookalike:circus:a.mtx"], "did you mean 'circuit'"),
            ("a look-alike of one", ["lookalike:fem:lookalike:web:a"], "a look-alike of a look"),
            ("wrong values", ["values:0:model:poisson7:4"],
             "the values are '0'; expected f32, random, or a whole number from 1 to 65536"),
            ("values without a matrix", ["values:6"], "the values are|the matrix is missing"),
            ("values twice", ["values:6:values:f32:model:poisson7:4"], "values twice"),
            ("values of a look-alike's original", ["lookalike:fem:values:6:model:poisson7:4"],
             "values come first"),
            ("a model without its kind", ["poisson7:9"], "did you mean 'model:poisson7:9'"),
            ("a look-alike without its kind", ["QCD"], "did you mean 'lookalike:QCD'"),
            ("a wrong number", ["model:rmat:20:x"],
             r"model:rmat:20:x: EDGES is 'x'; expected a whole number from 1 to 10000 "
             r"\(model:rmat:LOG2:EDGES\)"),
            ("a number that is too large", ["model:poisson7:1291"], "from 1 to 1290"),
            ("a number with a fraction", ["model:poisson7:1.5"], "SIDE is '1.5'"),
            ("a negative number", ["model:poisson7:-3"], "SIDE is '-3'"),
            ("a wrong word", ["model:random:9:2:unifrm"], "one of uniform, constant, power-law"),
            ("too many parameters", ["model:poisson7:4:5"],
             "too many parameters, '5' is left; expected model:poisson7:SIDE"),
            ("a wrong size", ["shape:dense:x"], "the size is 'x'"),
            ("a size that is too small", ["shape:poisson-2d:0"], "--size 1 or more")):
        refused(name, words, 2, message)


def test_extremes():
    """Matrices at the edge of what a model can make."""
    for text, sizes in (("model:random:1:1000:constant:10000000", "1 x 10000000, 1000 "),
                        ("model:random:5:0", "5 x 5, 0 "),
                        ("model:random:3:1M:uniform:2", "3 x 2,"),
                        ("model:rmat:0", "1 x 1, 1 "), ("model:banded:4:9", "4 x 4, 16 "),
                        ("model:banded:4:0", "4 x 4, 4 "), ("model:blocks:1:7:50", "7 x 7, 49 "),
                        ("model:dense:2:5", "2 x 5, 10 ")):
        done = run(text, "--modules", LIBRARY, *QUICK)
        tap.ok(done.returncode == 0 and f": {sizes}" in done.stdout, f"{text} is multiplied",
               done.stdout + done.stderr)


def test_suites():
    """The look-alikes of a paper's matrices, in its order, up to a million nonzeros."""
    for suite, names in (("speculative", ["Circuit", "dc2", "transient"]),
                         ("csr_adaptive", ["Circuit", "dc2", "transient"]),
                         ("evc_hyb", ["Circuit", "ibm-dc1"])):
        done, found = explained(f"suite:{suite}:1")
        tap.ok(done.returncode == 0 and [re.sub(r"look-alike of (\S+) .*", r"\1", name)
                                         for name in found] == names,
               f"suite:{suite}:1 names its smallest matrices: {found}", done.stderr)
    refused("a suite that does not exist", ["suite:spec:1"], 2,
            "no suite is called 'spec'.*there are csr5, .*speculative, csr_adaptive")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_lists(folder)
        test_values()
        test_failures(folder)
        test_extremes()
        test_suites()
    tap.done()


main()
