"""What plans say about themselves; files, new values and errors."""
import copy
import html
import os
import pickle

import numpy as np
import pytest
import scipy.sparse as sparse

import spmvgen
from spmvgen import Error


def matrix(rows=300, cols=200, seed=1):
    return sparse.random(rows, cols, 0.05, format="csr", random_state=seed)


X = np.random.default_rng(2).standard_normal(200)


def test_properties():
    op = spmvgen.plan(matrix(), method="csr_scalar", threads=3)
    assert (op.method, op.threads, op.nnz) == ("csr_scalar", 3, matrix().nnz)
    assert op.target == spmvgen.targets()[0]
    assert op.module.startswith("spmv_csr_scalar_f64_i32__")
    assert op.reason and op.layout_bytes >= 0 and op.build_seconds > 0
    assert op.conversions == () and op.x_permutation is None and op.y_permutation is None
    assert "csr_scalar" in repr(op) and "300x200" in repr(op)
    for name in ("method", "reason", "choice"):
        with pytest.raises(AttributeError):
            setattr(op, name, "text")


def test_choice_is_repeated():
    op = spmvgen.plan(matrix())
    again = spmvgen.plan(matrix(seed=9), choice=op.choice)
    assert again.module == op.module and again.choice == op.choice


def test_explanation():
    op = spmvgen.plan(matrix().tocoo())
    table = op.explain()
    assert {c["method"] for c in table.candidates} == set(spmvgen.methods())
    assert table.candidates[0]["method"] == op.method
    costs = [c["cost"] for c in table.candidates[1:] if c["why_not"] is None]
    assert costs == sorted(costs) and costs[0] > 0
    for text in ("300 x 200", "float64", op.method, op.target, "COO to CSR"):
        assert text in str(table) and text in table._repr_html_()
    assert max(map(len, str(table).splitlines())) <= 100
    assert html.escape(op.reason) in table._repr_html_()
    assert set(op.figures) == {name for name, value, unit in table.figures}
    few = spmvgen.plan(matrix(), expected_runs=1).explain()
    assert any(c["why_not"] and c["why_not"] in " ".join(str(few).split())
               for c in few.candidates)
    assert max(map(len, str(few).splitlines())) <= 100
    measured = spmvgen.plan(matrix(), measure=True).explain()
    assert measured.candidates[0]["seconds"] > 0 and "measured: " in str(measured)
    named = spmvgen.plan(matrix(), method="csr_scalar").explain()
    assert [c["method"] for c in named.candidates] == ["csr_scalar"]


def test_html_is_escaped():
    op = spmvgen.plan(matrix())
    table = op.explain()
    table.candidates[0]["why_not"] = "<b>&"
    assert "<td>&lt;b&gt;&amp;</td>" in table._repr_html_()


def test_settings():
    A = matrix()
    op = spmvgen.plan(A, method="evc_hyb", settings={"permuted_y": 1})
    order = op.y_permutation
    assert sorted(order) == list(range(300))
    np.testing.assert_allclose(op @ X, (A @ X)[order], atol=1e-12)
    with pytest.raises(NotImplementedError, match=r"plan A\.T"):
        op.T
    with pytest.raises(Error, match="permuted_y"):
        spmvgen.plan(A, method="evc_hyb", settings="permuted=1")


def test_save_and_load(tmp_path):
    A, path = matrix(), tmp_path / "\u00e4 plan"
    op = spmvgen.plan(A, savable=True)
    op.save(path)
    loaded = spmvgen.load(path, A)
    assert loaded.module == op.module
    assert np.array_equal(loaded @ X, op @ X)
    assert "file" in str(loaded.explain())
    loaded.save(os.fspath(path))
    other = A.copy()
    other.data *= 2              # values come from the matrix
    assert np.array_equal(spmvgen.load(os.fsencode(path), other) @ X, 2 * (op @ X))
    with pytest.raises(Error, match="savable=True") as caught:
        spmvgen.plan(A).save(path)
    assert caught.value.status == Error.UNSUPPORTED
    with pytest.raises(Error, match="another matrix") as caught:
        spmvgen.load(path, matrix(seed=3))
    assert caught.value.status == Error.STALE
    with pytest.raises(Error, match="cannot open") as caught:
        spmvgen.load(tmp_path / "none", A)
    assert caught.value.status == Error.FILE_ERROR
    for wrong in (None, 3, "a\0b"):
        with pytest.raises((TypeError, ValueError)):
            op.save(wrong)


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_save_and_load_of_either_format(format, tmp_path):
    A, path, left = matrix().asformat(format), tmp_path / "plan", np.ones(300)
    op = spmvgen.plan(A, savable=True)
    op.save(path)
    other = A.copy()
    other.data *= 2
    loaded = spmvgen.load(path, other)
    assert loaded.conversions == () and loaded.shape == A.shape
    assert np.array_equal(loaded @ X, 2 * (op @ X))
    np.testing.assert_allclose(loaded.T @ left, other.T @ left, rtol=1e-12)
    loaded.update(A.data)
    assert np.array_equal(loaded @ X, op @ X)
    with pytest.raises(Error, match="multiplies by the") as caught:
        spmvgen.load(path, matrix().asformat("csc" if format == "csr" else "csr")[:, :150])
    assert caught.value.status == Error.STALE


@pytest.mark.parametrize("method", spmvgen.methods())
def test_update(method):
    A, B = matrix(), matrix()
    B.data = np.arange(B.nnz, dtype=float)
    op = spmvgen.plan(A, method=method)
    transposed, left = op.T, np.ones(300)
    op.update(B.data)
    np.testing.assert_allclose(op @ X, B @ X, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(transposed @ left, B.T @ left, rtol=1e-12)
    if "data" in op.borrowed:
        assert address_of(op.borrowed["data"]) == address_of(B.data)
    op.update(A)
    np.testing.assert_allclose(op @ X, A @ X, atol=1e-12)
    np.testing.assert_allclose(op.rmatvec(left), A.T @ left, atol=1e-12)
    del B                        # whose values the plan read


@pytest.mark.parametrize("method", spmvgen.methods())
def test_update_in_csc(method):
    """New values have the order of A.data, in both products."""
    A, left = matrix().tocsc(), np.ones(300)
    order = np.random.default_rng(3).permutation(A.nnz)      # unsorted, and repeated, rows
    A.indices = A.indices[order]
    early, late = spmvgen.plan(A, method=method), spmvgen.plan(A, method=method)
    early.T
    for scale in (2.0, 3.0):
        B = A.copy()
        B.data = np.arange(B.nnz) * scale
        for op, values in ((early, B.data), (late, B)):
            op.update(values)
            np.testing.assert_allclose(op @ X, B @ X, rtol=1e-9, atol=1e-9)
    for op in (early, late):                 # whose transposed plan is made now
        np.testing.assert_allclose(op.T @ left, B.T @ left, rtol=1e-12)
        with pytest.raises(ValueError, match="another structure"):
            op.update(matrix(seed=4).tocsc())


def address_of(array):
    return array.__array_interface__["data"][0]


def test_update_of_a_transposed_plan():
    op = spmvgen.plan(matrix())
    transposed = op.T
    with pytest.raises(ValueError, match="update that one"):
        transposed.update(matrix().data)
    del op
    assert transposed.T.T is transposed      # a new plan, since nobody has the first one


def test_update_refuses():
    A = matrix()
    op = spmvgen.plan(A)
    expected = op @ X
    moved = A.copy()
    moved.indices[0] = (set(range(200)) - set(A.indices[:A.indptr[1]])).pop()
    for wrong, error in ((A.data[:-1], ValueError), (A.data.astype(complex), TypeError),
                         (A.data.astype(object), TypeError), (moved, ValueError), (3, ValueError),
                         (matrix(300, 201), ValueError), (matrix(seed=4), ValueError),
                         (None, (TypeError, ValueError)), (A.data[:, None] * [1, 2], ValueError)):
        with pytest.raises(error):
            op.update(wrong)
    with pytest.raises(ValueError, match=r"op\.update\(A\)"):
        spmvgen.plan(A.tocoo()).update(A.data)
    assert np.array_equal(op @ X, expected)


def test_spare_entries_are_ignored():
    A = matrix()
    A.indices = np.append(A.indices, [10**6] * 3).astype(np.int32)
    A.data = np.append(A.data, [9] * 3)
    op = spmvgen.plan(A)
    assert op.nnz == A.indptr[-1]
    expected = matrix() @ X
    np.testing.assert_allclose(op @ X, expected, atol=1e-12)
    op.update(A.data)
    op.update(A)
    np.testing.assert_allclose(op @ X, expected, atol=1e-12)


def test_errors_have_status_and_pythons_names():
    A = matrix()
    A.indices[5] = 200
    with pytest.raises(Error, match=r"indices\[5\] is 200; expected 0 to 199") as caught:
        spmvgen.plan(A)
    assert caught.value.status == Error.INVALID_MATRIX
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.status) == (str(caught.value), caught.value.status)
    with pytest.raises(Error, match="^threads is -1"):
        spmvgen.plan(matrix(), threads=-1)
    with pytest.raises(Error, match="settings belong to a method"):
        spmvgen.plan(matrix(), settings="chunk=3")
    with pytest.raises(Error, match="'options.x'"):
        spmvgen.plan(matrix(), method="options.x")
    with pytest.raises(TypeError, match="method is int; expected text"):
        spmvgen.plan(matrix(), method=3)
    with pytest.raises(TypeError, match="threads is float; expected an int"):
        spmvgen.plan(matrix(), threads=1.5)
    with pytest.raises(TypeError, match="expected_runs is str; expected an int"):
        spmvgen.plan(matrix(), expected_runs="many")


def test_tracebacks_name_exceptions_as_programs_do():
    for name in ("Error", "GeneratorError", "GeneratorNotFound"):
        exception = getattr(spmvgen, name)
        assert (exception.__module__, exception.__qualname__) == ("spmvgen", name)


def test_plans_are_not_copied():
    op = spmvgen.plan(matrix())
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="op.save"):
            call(op)
