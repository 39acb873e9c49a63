"""`python -m spmvgen`: checked results, tables that add up, messages."""
import gzip
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.io import mmwrite

import spmvgen
from spmvgen import bench
from spmvgen.__main__ import main

QUICK = ["--rounds", "1", "--seconds", "0.0001", "--side", "20"]


@pytest.fixture(autouse=True)
def without_mkl(monkeypatch):
    monkeypatch.setitem(sys.modules, "sparse_dot_mkl", None)     # loading it takes seconds


def rows_of(text):
    """The lines of the tables, split into cells."""
    return [re.split(r"  +", line) for line in text.splitlines() if re.search(r"\d  +\S+$", line)]


def test_info(capsys):
    assert main(["info"]) == 0
    shown = capsys.readouterr().out
    assert spmvgen.__version__ in shown and spmvgen.__path__[0] in shown
    assert ", ".join(spmvgen.methods()) in shown and ", ".join(spmvgen.targets()) in shown


def test_every_contender_has_a_line(capsys):
    assert main(["bench", *QUICK, "--type", "f32,f64", "--threads", "1,3"]) == 0
    shown = capsys.readouterr().out
    names = [(row[0].removesuffix(" (chosen)"), row[1]) for row in rows_of(shown)]
    ours = {(method, threads) for method in spmvgen.methods() for threads in "13"}
    assert set(names) == ours | {("SciPy", "1")}
    assert len(names) == 2 * len(set(names))
    assert shown.count("(chosen)") == 4
    assert "400 x 400, 1920 nonzeros, float32" in shown
    assert "400 x 400, 1920 nonzeros, float64" in shown


def test_chosen_method_alone(capsys):
    assert main(["bench", *QUICK, "--methods", "chosen", "--threads", "1"]) == 0
    assert [row[0] == "SciPy" for row in rows_of(capsys.readouterr().out)] == [True, False]


def test_products(tmp_path, capsys):
    A = sparse.random(30, 20, 0.2, format="csr", random_state=1)
    sparse.save_npz(tmp_path / "A.npz", A)
    assert main(["bench", str(tmp_path / "A.npz"), *QUICK, "--methods", "strips", "--threads", "1",
                 "--product", "A@x,A.T@x,A@X,A.T@X", "--columns", "3,2", "--type", "f32,f64"]) == 0
    shown = capsys.readouterr().out
    for dtype in ("float32", "float64"):
        for product in ("", ", A.T@x", ", A@X with 3 vectors", ", A.T@X with 3 vectors",
                        ", A@X with 2 vectors", ", A.T@X with 2 vectors"):
            assert f"30 x 20, 120 nonzeros, {dtype}{product}\n" in shown
    names = [row[0] for row in rows_of(shown)]
    assert names.count("SciPy") == 12
    assert (names.count("rmatvec"), names.count("rmatmat")) == (2, 4)


def test_wrong_vectors_are_found():
    A = bench.poisson(20)
    for product in bench.PRODUCTS:
        problem = bench.make_problem(A, product, 3)
        y = problem.factor @ problem.x
        assert y.shape == ((400, 3) if product.endswith("X") else (400,))
        assert bench.largest_error(problem.factor, problem.x, y) <= 1
        y[7] += 1e-12
        assert bench.largest_error(problem.factor, problem.x, y) > 1


def test_unordered_matrices_stay_as_they_are(tmp_path, capsys):
    """SciPy sorts such a matrix, and adds up its entries of one place, in many calls."""
    A = sparse.csr_matrix(([1.0, 2, 3, 4], [2, 0, 1, 1], [0, 2, 4, 4]), (3, 3))
    before, y = [array.copy() for array in (A.indptr, A.indices, A.data)], A @ np.ones(3)
    assert bench.largest_error(A, np.ones(3), y) <= 1
    assert all(map(np.array_equal, before, (A.indptr, A.indices, A.data)))
    sparse.save_npz(tmp_path / "A.npz", A)
    assert main(["bench", str(tmp_path / "A.npz"), *QUICK, "--product", "A@x,A.T@X"]) == 0
    assert "left out" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["A.npz", "A.mtx", "A.mtx.gz"])
def test_files(name, tmp_path, capsys):
    A = sparse.random(30, 20, 0.2, format="coo", random_state=1)
    path = tmp_path / name
    if name == "A.npz":
        sparse.save_npz(path, A)
    else:
        mmwrite(tmp_path / "A.mtx", A)
    if name == "A.mtx.gz":
        path.write_bytes(gzip.compress((tmp_path / "A.mtx").read_bytes()))
    assert main(["bench", str(path), *QUICK, "--methods", "strips"]) == 0
    assert f"{path}: 30 x 20, 120 nonzeros, float64" in capsys.readouterr().out


def test_names_of_any_bytes(tmp_path, capsys):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/A\xe9\x1b\n.npz")
    with open(path, "wb") as file:
        sparse.save_npz(file, bench.poisson(3))
    assert main(["bench", path, *QUICK, "--methods", "strips"]) == 0
    assert main(["bench", path + ".npz", *QUICK]) == 2
    shown = capsys.readouterr()
    name = r"A\udce9\x1b\n.npz"
    assert f"{name}: 9 x 9" in shown.out and f"{name}.npz: there is no such" in shown.err


def test_summary_of_several_matrices(tmp_path, capsys):
    files = [str(tmp_path / name) for name in ("A.npz", "B.npz")]
    for path in files:
        sparse.save_npz(path, bench.poisson(10))
    assert main(["bench", *files, *QUICK, "--methods", "csr_vector", "--threads", "2"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^float64 +chosen +2 +2  \d+\.\d+, \d+\.\d+, \d+\.\d+$", shown, re.M), shown
    assert main(["bench", *files, *QUICK, "--methods", "chosen", "--threads", "1", "--product",
                 "A.T@X,A.T@x", "--columns", "2,4"]) == 0
    shown = capsys.readouterr().out
    for label in ("A.T@X 2", "A.T@X 4", "A.T@x"):
        assert re.search(rf"^float64 {label} +chosen +1 +2  ", shown, re.M), shown
    contenders = [bench.Contender("SciPy", 1, lambda: None, samples=[8.0]),
                  bench.Contender("strips (chosen)", 1, lambda: None, samples=[2.0])]
    summary = {}
    bench.add_to_summary(summary, "float32", contenders)
    contenders[1].samples = [8.0]
    bench.add_to_summary(summary, "float32", contenders)
    assert bench.summary_table(summary).splitlines()[1].split() == [
        "float32", "chosen", "1", "2", "2.00,", "1.00,", "4.00"]


def test_files_that_are_no_matrix(tmp_path, capsys):
    (tmp_path / "A.mtx").write_text("none")
    (tmp_path / "A.npz").write_text("none")
    np.savez(tmp_path / "x.npz", x=np.ones(3))
    sparse.save_npz(tmp_path / "complex.npz", sparse.identity(3, dtype=complex, format="csr"))
    for name, text in (("A.mtx", "no matrix"), ("A.npz", "no matrix"), ("x.npz", "no matrix"),
                       ("none.npz", "none.npz: there is no such file"),
                       ("none.mtx", "none.mtx: there is no such file"),
                       ("complex.npz", "complex")):
        assert main(["bench", str(tmp_path / name)]) == 2
        error = capsys.readouterr().err
        assert text in error and name in error


def test_options_that_are_wrong(capsys):
    for wrong, text in ((["--methods", "strip"], "'strip' is none of all, chosen"),
                        (["--type", "f16"], "'f16' is none of f32, f64"),
                        (["--product", "A*x"], "'A*x' is none of A@x, A.T@x, A@X, A.T@X"),
                        (["--columns", "0"], "a number from 1"),
                        (["--threads", "0"], "a number from 1"), (["--rounds", "x"], "invalid")):
        with pytest.raises(SystemExit) as caught:
            main(["bench", *wrong])
        assert caught.value.code == 2
        assert text in capsys.readouterr().err


def test_wrong_results_are_found(capsys, monkeypatch):
    A = bench.poisson(20)
    x = np.random.default_rng(1).uniform(0.5, 1.5, 400)
    y = A @ x
    assert bench.largest_error(A, x, y) <= 1
    assert bench.largest_error(A, x, y * (1 + 1e-12)) > 1
    for wrong in (np.nan, np.inf, y[7] + 1e-12):
        y[7] = wrong
        assert bench.largest_error(A, x, y) > 1
    single = A.astype(np.float32)
    assert bench.largest_error(single, x.astype(np.float32), single @ x.astype(np.float32)) <= 1
    monkeypatch.setattr(spmvgen.Plan, "__matmul__", lambda op, x: 1.001 * op.matvec(x))
    assert main(["bench", *QUICK, "--methods", "chosen", "--threads", "1"]) == 1
    shown = capsys.readouterr().out
    assert "with 1 threads is WRONG" in shown
    assert [row[0] for row in rows_of(shown)] == ["SciPy"]


def test_columns_add_up():
    scipys = bench.Contender("SciPy", 1, lambda: None, samples=[4e-3, 2e-3, 9e-3])
    fast = bench.Contender("fast", 2, lambda: None, plan_seconds=7.5e-3,
                           samples=[1e-3, 0.5e-3, 1.5e-3])
    slow = bench.Contender("slow", 1, lambda: None, plan_seconds=1e-3, samples=[5e-3])
    peer = bench.Contender("peer", 1, lambda: None, samples=[2e-3])
    lines = bench.table([scipys, fast, slow, peer]).splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["SciPy", "1", "-", "4000", "2000", "9000", "1.00", "-"],
        ["fast", "2", "7.50", "1000", "500", "1500", "4.00", "3"],
        ["slow", "1", "1.00", "5000", "5000", "5000", "0.80", "never"],
        ["peer", "1", "-", "2000", "2000", "2000", "2.00", "-"]]


def test_program():
    shown = subprocess.run([sys.executable, "-m", "spmvgen", "--help"], capture_output=True,
                           text=True)
    assert shown.returncode == 0 and "bench A.npz" in shown.stdout, shown.stderr
    shown = subprocess.run([sys.executable, "-m", "spmvgen"], capture_output=True, text=True)
    assert shown.returncode == 2
