"""Files of other formats: spmvbench and `python -m spmvgen bench` say in the same words what a file
is; the command that they advise makes a file that both read."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sparse
from foreign import BANNER, MTX, by_scipy, samples

from spmvgen import _core, bench

SAMPLES = {sample.name: sample for sample in [*samples(), *by_scipy()]}
SPMVBENCH = os.environ.get("BUILT_SPMVBENCH")


def answer_of_package(path):
    with pytest.raises(bench.BadMatrix) as caught:
        bench.read_matrix(str(path))
    return str(caught.value)


def answer_of_spmvbench(path):
    done = subprocess.run([SPMVBENCH, path.name, "--statistics"], capture_output=True, text=True,
                          cwd=path.parent)
    assert done.returncode == 1 and not done.stdout, done.stdout + done.stderr
    return done.stderr.removeprefix("spmvbench: ").removesuffix("\n")


def write(folder, sample):
    path = folder / "FILE"
    path.write_bytes(sample.bytes)
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_answers(name, tmp_path, monkeypatch):
    sample = SAMPLES[name]
    path = write(tmp_path, sample)
    monkeypatch.chdir(tmp_path)
    answer = answer_of_package("FILE")
    assert answer.startswith("FILE: is " + sample.said), answer
    assert answer.count(", expected a Matrix Market file; ") == 1 and answer.isprintable()
    if SPMVBENCH:
        assert answer_of_spmvbench(path) == answer


def command_of(answer):
    """The command stands behind the first colon of the advice."""
    return re.search(r"expected a Matrix Market file; [^:]*: (.*)", answer)[1]


def run_command(command, folder):
    """As a shell runs it, with this Python for python3."""
    programs = folder / "programs"
    programs.mkdir()
    python3 = programs / "python3"
    python3.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python3.chmod(0o755)
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def dense(entries, shape):
    rows, cols, values = zip(*entries)
    return sparse.coo_matrix((values, (rows, cols)), shape).toarray()


@pytest.mark.parametrize("name", [name for name, s in SAMPLES.items() if s.result])
def test_commands(name, tmp_path, monkeypatch):
    sample = SAMPLES[name]
    needs = sample.needs
    if needs and not shutil.which(needs) and not importlib.util.find_spec(needs):
        pytest.skip(f"the command needs {needs}")
    path = write(tmp_path, sample)
    run_command(command_of(answer_of_package(path)), tmp_path)
    made = tmp_path / sample.output
    if isinstance(sample.result, str):
        assert answer_of_package(made).startswith(f"{made}: is " + SAMPLES[sample.result].said)
        return
    A = bench.read_matrix(str(made))
    assert A.shape == sample.shape
    assert np.array_equal(A.toarray(), dense(sample.result, sample.shape))
    if SPMVBENCH:
        done = subprocess.run([SPMVBENCH, made, "--statistics"], capture_output=True, text=True)
        rows, cols = sample.shape
        assert f": {rows} x {cols}, {len(sample.result)} nonzeros\n" in done.stdout, done.stderr


# Files of the Matrix Market, damaged or whole; each is refused by words about its fault, or is no
# file of the formats that it resembles.
@pytest.mark.parametrize("text", [
    MTX.removeprefix(BANNER.encode()), b"% comment\n3 3 2\n1 1\n2 2\n", b"2 2\n1\n2\n3\n4\n",
    b"%MatrixMarket" + MTX, b"%%matrixmarket matrix edges\n1 2\n2 3\n", b"4 4 9\n1 1 2.5\n2 2 1\n",
    b"1 2\n", b"3 x\n", b"p\n", b"c only\n", b"one two\n", b"\n\n", b"0\n1\n2\n", b"1 2 3\n4 5\n",
    b"RUA\nRUA\nRUA\nRUA\n", b"1:2 3:4\n", b"BZh9", b"PK", b"MATLAB", b"<p>\n", b"3 1\n2\n9\n\n"])
def test_other_texts(text, tmp_path):
    assert _core.foreign_file(text, True, False) is None
    for size in range(1, len(text)):
        _core.foreign_file(text[:size], False, True)


def test_heads(tmp_path):
    """A head that ends anywhere is the same format, once its first lines are there."""
    for name in ("SNAP", "LIBSVM", "DIMACS", "hypre", "HB real", "triplets from 0"):
        data = SAMPLES[name].bytes
        last = data.rstrip().rfind(b"\n")
        for size in range(last + 1, len(data)):
            answer = _core.foreign_file(data[:size], False, False)
            assert answer and answer.startswith("is " + SAMPLES[name].said), (name, size)
    rows = b"".join(b"%d %d\n" % (i, i + 1) for i in range(20000))
    (tmp_path / "long").write_bytes(b"# edges\n" + rows)
    assert "a list of edges" in answer_of_package(tmp_path / "long")
    graph = b"".join(b" ".join(b"%d" % n for n in (i - 1, i + 1) if 0 < n <= 20000) + b"\n"
                     for i in range(1, 20001))
    (tmp_path / "graph").write_bytes(b"20000 19999\n" + graph)
    assert "of METIS" in answer_of_package(tmp_path / "graph")


def test_long_names(tmp_path):
    """A message has room for the end of a long name and for every answer."""
    folder = tmp_path / ("f" * 200)
    folder.mkdir()
    for name in SAMPLES:
        path = write(folder, SAMPLES[name])
        answer = answer_of_package(path).removeprefix(str(path))
        assert len(answer) < 830
        if SPMVBENCH:
            done = subprocess.run([SPMVBENCH, path, "--statistics"], capture_output=True, text=True)
            assert done.stderr.endswith(f"{'f' * 150}/FILE{answer}\n"), done.stderr


def test_names(tmp_path):
    """The name of a file decides nothing, except for .npz."""
    for name in ("A.npz", "A.mtx", "A.mtx.gz"):
        (tmp_path / name).write_bytes(SAMPLES["tar"].bytes)
        assert answer_of_package(tmp_path / name).startswith(f"{tmp_path / name}: is a tar archive")
    (tmp_path / "A.npz").write_bytes(SAMPLES["zip"].bytes)
    assert "is no matrix in the format of scipy.sparse.save_npz" in answer_of_package(
        tmp_path / "A.npz")
    damaged = SAMPLES["tar.gz"].bytes[:-9]
    (tmp_path / "A.mtx.gz").write_bytes(damaged)
    assert "A.mtx.gz" in answer_of_package(tmp_path / "A.mtx.gz")
    (tmp_path / "A.mtx.gz").write_bytes(b"\x1f\x8bgarbage!")
    assert "A.mtx.gz" in answer_of_package(tmp_path / "A.mtx.gz")


def test_repeated_places(tmp_path, capsys):
    """A multigraph, whose entries are more than its places."""
    path = tmp_path / "multigraph.mtx"
    path.write_text(BANNER + "2 2 6\n" + "1 2 1\n1 1 1\n1 2 1\n2 2 1\n1 2 1\n1 1 1\n")
    assert np.array_equal(bench.read_matrix(str(path)).toarray(), [[2, 3], [0, 1]])
    assert bench.bench([str(path)], types=["f64"], threads=[1], methods=[], rounds=1,
                       seconds=0.0001) == 0
    assert "2 x 2" in capsys.readouterr().out
