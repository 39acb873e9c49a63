"""Stubs declare what the package has, with the same parameters; mypy accepts them, if it is there.
"""
import ast
import importlib
import importlib.util
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import spmvgen

FOLDER = Path(spmvgen.__path__[0])
STUBS = sorted(path.stem for path in FOLDER.glob("*.pyi"))

CLIENT = """\
from typing import Any
import numpy as np
from numpy.typing import NDArray
import spmvgen
op = spmvgen.plan(object(), method="strips", threads=2, settings={"lanes": 8})
x = np.ones(3)
a: NDArray[Any] = op @ x
b: NDArray[Any] = op.matvec(x, out=a)
c: NDArray[Any] = op.multiply(x, alpha=2.0, beta=1.0, y=a)
d: spmvgen.Plan = op.T
X = np.ones((3, 2))
Y: NDArray[Any] = op.matmat(X, out=op @ X)
Y = op.rmatmat(op.multiply(X, alpha=2.0, beta=1.0, y=Y), out=X)
e: str = op.choice + op.method + str(op.explain())
spmvgen.load("A.plan", object()).update(x)
f: int = spmvgen.get_num_threads() + op.shape[0]
g: bool = all(path.is_file() for path in spmvgen.emit("host", "out", bundle=True))
"""
WRONG = """\
import spmvgen
spmvgen.plan(object(), methods="strips")
spmvgen.set_num_threads("2")
h: int = spmvgen.plan(object()).method
"""


def test_package_is_typed():
    assert (FOLDER / "py.typed").is_file()
    assert {"_core", "plan"} <= set(STUBS)


def parameters_of(node):
    arguments = node.args
    return [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]


def check_function(node, function, where):
    try:
        signature = inspect.signature(function)
    except ValueError:                       # C functions without a signature in their text
        return
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    if inspect.Parameter.POSITIONAL_ONLY not in kinds:
        assert parameters_of(node) == list(signature.parameters), where


def check_body(body, real, where):
    for node in body:
        if isinstance(node, ast.ClassDef):
            check_body(node.body, getattr(real, node.name), f"{where}.{node.name}")
        elif isinstance(node, ast.FunctionDef):
            assert hasattr(real, node.name), f"{where}.{node.name}"
            if not any(ast.unparse(d) in ("property", "overload") for d in node.decorator_list) \
                    and node.name not in ("__new__", "__init__"):
                check_function(node, getattr(real, node.name), f"{where}.{node.name}")


def declared_names(body):
    return {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))} | {
        node.target.id for node in body if isinstance(node, ast.AnnAssign)}


@pytest.mark.parametrize("name", STUBS)
def test_stub_agrees(name):
    module = importlib.import_module("spmvgen." + name)
    tree = ast.parse((FOLDER / (name + ".pyi")).read_text(encoding="utf-8"))
    check_body(tree.body, module, name)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            own = {key for key in vars(getattr(module, node.name)) if not key.startswith("_")}
            missing = own - declared_names(node.body)
            assert not missing, f"{name}.{node.name} has names that its stub lacks"
    public = {key for key, value in vars(module).items() if not key.startswith("_")
              and getattr(value, "__module__", None) == module.__name__}
    assert not public - declared_names(tree.body)


def test_everything_public_is_declared():
    for name in spmvgen.__all__:
        assert hasattr(spmvgen, name), name


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_mypy(tmp_path):
    def run(*arguments):
        shown = subprocess.run(
            [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir",
             str(tmp_path / "cache"), *arguments], capture_output=True, text=True,
            env={**os.environ, "MYPYPATH": str(FOLDER.parent), "PYTHONPATH": ""})
        return shown.returncode, shown.stdout + shown.stderr

    (tmp_path / "client.py").write_text(CLIENT)
    (tmp_path / "wrong.py").write_text(WRONG)
    assert run("-p", "spmvgen")[0] == 0, run("-p", "spmvgen")[1]
    code, text = run("--strict", "--allow-subclassing-any", str(tmp_path / "client.py"))
    assert code == 0, text
    code, text = run(str(tmp_path / "wrong.py"))
    assert code == 1
    for line in (2, 3, 4):
        assert f"wrong.py:{line}: error" in text, text
