"""The blocks of Python in README.md and docs/ run, in the order of their page."""
import contextlib
import io
import os
import re
from pathlib import Path

import pytest
import scipy.sparse.linalg

import spmvgen

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?P<before>[^\n]*)\n```python\n(?P<code>.*?)^```$", re.S | re.M)
NEEDS_GENERATOR = "<!-- needs the generator -->"


def pages():
    return sorted(path for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
                  if "```python\n" in path.read_text(encoding="utf-8"))


def names_of(page):
    """What the page takes for granted: README.md shows lines of a program that has A and b."""
    names = {"__name__": "__main__"}
    if page == ROOT / "README.md":
        A = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(50, 50)).tocsr()
        names |= {"spmvgen": spmvgen, "scipy": scipy, "A": A, "b": A.diagonal()}
    return names


def test_there_are_pages():
    assert ROOT / "docs/how-to/python.md" in pages()


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    generator = os.environ.get("BUILT_SPMVGEN", "")
    monkeypatch.setenv("SPMVGEN", generator)
    text = page.read_text(encoding="utf-8")
    names = names_of(page)
    for block in BLOCK.finditer(text):
        if block["before"] == NEEDS_GENERATOR and not generator:
            continue
        # The lines of a traceback are those of the page.
        first = text[:block.start("code")].count("\n")
        code = compile("\n" * first + block["code"], str(page), "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
