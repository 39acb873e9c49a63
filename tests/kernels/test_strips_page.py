"""test_strips_page.py: docs/methods/strips.md matches the code of strips.

    test_strips_page.py EXAMPLE SOURCE_ROOT COMPILER...

The page shows the storages that EXAMPLE, strips_example.c, prints, and names every file of
templates/strips/. Each file compiles by itself. The constants that params.lua repeats are theirs.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

EXAMPLE = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2])
COMPILER = sys.argv[3:]
sys.path.insert(0, str(ROOT / "tests"))
import tap

FOLDER = ROOT / "templates/strips"
PAGE = (ROOT / "docs/methods/strips.md").read_text(encoding="utf-8")


def test_storages():
    """Each block of the output stands on the page, indented."""
    output = subprocess.run([EXAMPLE], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^(\w+):\n", output, flags=re.MULTILINE)
    names, blocks = parts[1::2], parts[2::2]
    tap.ok(names == ["estimates", "lanes", "diagonals", "runs", "codings"],
           "the example has three storages, and codings", names)
    for name, block in zip(names, blocks):
        shown = "".join(f"    {line}\n" for line in block.splitlines())
        tap.ok(shown in PAGE, f"the page shows the example's {name}", shown)


def test_files():
    """The page's table of files is complete, and every header includes what it uses."""
    table = PAGE[PAGE.index("## Where in the code"):]
    patterns = re.findall(r"`([\w.*]+\.(?:c|h|lua))`", table[:table.index("\n## ", 3)])
    files = sorted(path.name for path in FOLDER.iterdir())
    tap.ok(all(any(fnmatch.fnmatch(name, p) for p in patterns) for name in files)
           and all(fnmatch.filter(files, p) for p in patterns),
           "the page names the method's files", files)
    for name in files:
        if name.endswith(".lua") or name == "params.h":
            continue
        done = subprocess.run([*COMPILER, "-std=c11", "-fsyntax-only", "-x", "c", "-iquote", FOLDER,
                               "-I", ROOT / "runtime", FOLDER / name],
                              capture_output=True, text=True, check=False)
        tap.ok(done.returncode == 0, f"{name} compiles by itself", done.stderr)


def test_bits():
    """Lua cannot read C's constants."""
    text = "".join(path.read_text() for path in
                   [*FOLDER.glob("*.h"), FOLDER / "../common/layout_row_chunks.h"])
    few, many, whole = (re.search(rf"\b{name} = (\d+)[ ,]", text)[1]
                        for name in ("FEW_STRIPS", "MANY_CHUNKS", "WHOLE_ROWS"))
    tap.ok(f"strips={few}-{many}, whole_rows={whole}, " in (FOLDER / "params.lua").read_text(),
           "what params.lua says of bits has the constants of C", [few, many, whole])


test_storages()
test_files()
test_bits()
tap.done()
