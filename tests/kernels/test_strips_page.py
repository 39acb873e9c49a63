"""test_strips_page.py: docs/methods/strips.md matches the code of strips.

    test_strips_page.py FOUR EIGHT SOURCE_ROOT COMPILER...

FOUR and EIGHT are strips_example.c for 4 and 8 lanes. The page shows the storages that FOUR prints
and the costs that both print, and names every file of templates/strips/. Each file compiles by
itself.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

PROGRAMS = [pathlib.Path(argument).resolve() for argument in sys.argv[1:3]]
ROOT = pathlib.Path(sys.argv[3])
COMPILER = sys.argv[4:]
sys.path.insert(0, str(ROOT / "tests"))
import tap

FOLDER = ROOT / "templates/strips"
PAGE = (ROOT / "docs/methods/strips.md").read_text(encoding="utf-8")
SAME_ROWS = r"`(COST_\w+)` \| ([0-9.]+) \| ([0-9.]+) \|"


def output_of(program, argument):
    return subprocess.run([program, argument], capture_output=True, text=True, check=True).stdout


def test_storages():
    """Each block of the output stands on the page, indented."""
    parts = re.split(r"^(\w+):\n", output_of(PROGRAMS[0], "storages"), flags=re.MULTILINE)
    names, blocks = parts[1::2], parts[2::2]
    tap.ok(names == ["estimates", "lanes", "diagonals", "runs", "codings"],
           "the example has three storages, and codings", names)
    for name, block in zip(names, blocks):
        shown = "".join(f"    {line}\n" for line in block.splitlines())
        tap.ok(shown in PAGE, f"the page shows the example's {name}", shown)


def test_costs():
    """The page's table has all costs, and no other."""
    printed = [dict(line.split() for line in output_of(program, "costs").splitlines())
               for program in PROGRAMS]
    shown = {name: (four, eight) for name, four, eight in re.findall(SAME_ROWS, PAGE)}
    model = (FOLDER / "cost.h").read_text(encoding="utf-8")
    defined = set(re.findall(r"^ +(COST_\w+) +=", model, re.MULTILINE))
    tap.ok(set(printed[0]) == defined, "the example prints every cost",
           sorted(defined ^ set(printed[0])))
    expected = {name: (printed[0][name], printed[1][name]) for name in defined - {"COST_CYCLE"}}
    tap.ok(shown == expected, "the page's costs are those of cost.h",
           sorted(set(shown.items()) ^ set(expected.items())))


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


test_storages()
test_costs()
test_files()
tap.done()
