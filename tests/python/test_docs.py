"""The blocks of Python in docs/ run, in the order of their page."""
import contextlib
import io
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?P<before>[^\n]*)\n```python\n(?P<code>.*?)^```$", re.S | re.M)
NEEDS_GENERATOR = "<!-- needs the generator -->"


def pages():
    return sorted(path for path in (ROOT / "docs").rglob("*.md")
                  if "```python\n" in path.read_text(encoding="utf-8"))


def test_there_are_pages():
    assert ROOT / "docs/how-to/python.md" in pages()


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    generator = os.environ.get("BUILT_SPMVGEN", "")
    monkeypatch.setenv("SPMVGEN", generator)
    text = page.read_text(encoding="utf-8")
    names = {"__name__": "__main__"}
    for block in BLOCK.finditer(text):
        if block["before"] == NEEDS_GENERATOR and not generator:
            continue
        # The lines of a traceback are those of the page.
        first = text[:block.start("code")].count("\n")
        code = compile("\n" * first + block["code"], str(page), "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
