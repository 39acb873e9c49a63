"""test_readme.py: README.md, CONTRIBUTING.md and docs/ show what the code has.

Excerpts stand in their files; docs/methods/ knows every method and its settings, and lists no
parameters; docs/reference/environment.md knows every variable; the tables of races are their
records'.
"""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
import pages
from machine import SOURCE
from pages import read


def stands_in(excerpt, text):
    """The excerpt's lines follow each other in the text; a line of three dots may skip some."""
    pieces = [piece.strip("\n") for piece in re.split(r"(?m)^\s*\.\.\.\s*$", excerpt)]
    position = 0
    for piece in pieces:
        found = text.find(piece, position)
        if found < 0:
            return piece
        position = found + len(piece)
    return None


def test_excerpts(name, text):
    """A block of code under `<!-- excerpt: FILE -->` comes from that file, or from its comment."""
    blocks = re.findall(r"<!-- excerpt: (\S+) -->\n+```\w*\n(.*?)```", text, flags=re.S)
    for file, block in blocks:
        if not os.path.exists(os.path.join(SOURCE, file)):
            tap.ok(False, f"{name}: {file}, of which it shows a part, is there")
            continue
        whole = read(file)
        missing = stands_in(block, whole)
        if missing is not None:
            missing = stands_in(block, re.sub(r"(?m)^ \* {5}", "", whole))
        tap.ok(missing is None, f"{name}: what it shows of {file} stands there", missing or "")
    return len(blocks)


def test_tiers(contributing):
    """The table of the two tiers names every suite that is not whole in both."""
    suites = [line.split(" | ") for line in read("tests/suites.txt").splitlines() if " | " in line]
    table = contributing.split("## Two tiers of tests")[1].split("\n## ")[0]
    missing = [name for name, tier, _ in suites if tier != "fast" and f"`{name}`" not in table]
    tap.ok(not missing, "CONTRIBUTING.md: its table has all suites that a tier leaves out", missing)


def test_methods(index):
    """Each method's page tells its settings, names parameters that it has, and lists none."""
    templates = os.path.join(SOURCE, "templates")
    methods = sorted(m for m in os.listdir(templates)
                     if os.path.exists(os.path.join(templates, m, "params.lua")))
    told = sorted(name[:-3] for name in os.listdir(os.path.join(SOURCE, "docs/methods"))
                  if name != "README.md")
    listed = re.findall(r"^\| \[(\w+)\]\(\1\.md\) \|", index, flags=re.M)
    tap.ok(methods == told == sorted(listed), "docs/methods/: a page for each method, and no other",
           f"methods {methods}, pages {told}, listed {listed}")
    for method in methods:
        folder = os.path.join("templates", method)
        code = "".join(read(os.path.join(folder, file))
                       for file in os.listdir(os.path.join(SOURCE, folder)))
        code += "".join(read(f"templates/common/{name}.lua")
                        for name in re.findall(r'^include "(\w+)"', code, flags=re.M))
        settings = re.findall(r'^    \{ "(\w+)", "', code, flags=re.M)
        known = re.findall(r'^param "(\w+)"', code, flags=re.M)
        page = read(f"docs/methods/{method}.md") if method in told else ""
        section = "".join(re.findall(r"^(?:## |\*\*)Parameters\b.*?(?=^## |^\*\*|\Z)", page,
                                     flags=re.S | re.M))
        stray = [word for word in re.findall(r"`(\w+)`", section) if word not in known]
        untold = [name for name in settings if f"`{name}=" not in page]
        tap.ok(known and f"../../{folder}/params.lua)" in section and "\n|" not in section
               and not stray and not untold,
               f"docs/methods/{method}.md: its parameters are in params.lua, its settings are told",
               f"no parameters: {stray}; no word of: {untold}; section: {section!r}")


def sources_below(folder):
    """Paths of the C and C++ files below a folder of the project, relative to it."""
    found = []
    for place, _, files in os.walk(os.path.join(SOURCE, folder)):
        found += [os.path.relpath(os.path.join(place, file), os.path.join(SOURCE, folder))
                  for file in files if file.endswith((".c", ".h", ".cpp"))]
    return found


def test_rooms(contributing):
    """The map of CONTRIBUTING.md has one line for each folder of sources, and no other."""
    section = contributing.split("## Where things are")[1].split("\n## ")[0]
    told = re.findall(r"^\| `((?:generator|runtime|bench)/[\w/]+)/` \|", section, flags=re.M)
    rooms = sorted({f"{top}/{os.path.dirname(path)}" for top in ("generator", "runtime", "bench")
                    for path in sources_below(top) if os.path.dirname(path)})
    tap.ok(len(rooms) > 20 and sorted(told) == rooms,
           "CONTRIBUTING.md: its map has each folder of generator/, runtime/ and bench/ once",
           f"not both: {sorted(set(rooms) ^ set(told))}")


def variables_below(folder, call):
    code = "".join(read(f"{folder}/{file}") for file in sources_below(folder))
    return set(re.findall(rf'\b{call}\("([A-Z_]+)"\)', code))


def test_environment(text):
    """docs/reference/environment.md has every variable that libspmv and the programs read."""
    library, programs = (re.findall(r"^\| `(\w+)` \|", part, flags=re.M)
                         for part in text.split("\n## Programs\n"))
    names = {name for name in variables_below("runtime", "spmv_variable") if "SPMV_" in name}
    tap.ok(len(names) > 5 and set(library) == names and len(library) == len(names),
           "docs/reference/environment.md: each variable of libspmv once, and no others",
           f"not both: {sorted(names ^ set(library))}")
    names = variables_below("generator", "getenv") | variables_below("bench", "getenv") - names
    tap.ok(len(names) > 2 and names <= set(programs),
           "docs/reference/environment.md: each variable of the programs",
           sorted(names - set(programs)))


def test_race():
    """The tables of races are those of the records that bench/record.py and products.py name."""
    sys.path.insert(0, os.path.join(SOURCE, "bench"))
    sys.dont_write_bytecode = True
    import products
    import record
    for page, made in record.made_tables().items():
        text = page.read_text(encoding="utf-8")
        tap.ok(f"{record.BEGIN}\n{made}\n{record.END}" in text,
               f"{page.name}: the table of the race is made from the records by bench/record.py")
        linked = [name for name, *_ in record.SHOWN if f"bench/results/{name})" in text]
        tap.ok(len(linked) == len(record.SHOWN), f"{page.name}: it links the records", linked)
    begin, end = products.MARKS
    text = products.PAGE.read_text(encoding="utf-8")
    tap.ok(f"{begin}\n{products.tables(products.shown_record())}\n{end}" in text
           and f"bench/results/{products.SHOWN})" in text,
           "products.md: the tables of products are made from the record, and link it")
    rows = record.shown_records()[0][1]
    races = collections.Counter((row.type, row.threads, row.kind, row.seed) for row in rows)
    looks = [count for (_, _, kind, _), count in races.items() if kind == "made"]
    real = [count for (_, _, kind, _), count in races.items() if kind == "real"]
    tap.ok(looks == [18] * 12 and len(real) == 4 and min(real) >= 30,
           "the first record has 18 look-alikes of three seeds, and 30 real matrices or more, in "
           "both types, with one thread and with several", races)


texts = {name: read(name) for name in pages.all_pages()}
tap.ok(sum(test_excerpts(name, text) for name, text in texts.items()) > 0,
       "README.md shows a part of spmv.h")
test_tiers(texts["CONTRIBUTING.md"])
test_rooms(texts["CONTRIBUTING.md"])
test_methods(texts["docs/methods/README.md"])
test_race()
test_environment(texts["docs/reference/environment.md"])
tap.ok(stands_in("a\n...\nd", "a\nb\nc\nd\n") is None and stands_in("a\nc", "a\nb\nc") == "a\nc",
       "an excerpt that differs is noticed")
tap.done()
