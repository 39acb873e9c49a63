"""test_readme.py [SPMVGEN]: what README.md and CONTRIBUTING.md show is there, and works.

Also docs/: each document is linked from the README, its links lead somewhere, methods.md knows every
method, its settings, and no parameter that there is not, and runtime.md every variable of the
environment and every file.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


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
    """A block of code under `<!-- excerpt: FILE -->` comes from that file."""
    blocks = re.findall(r"<!-- excerpt: (\S+) -->\n+```\w*\n(.*?)```", text, flags=re.S)
    for file, block in blocks:
        if not os.path.exists(os.path.join(SOURCE, file)):
            tap.ok(False, f"{name}: {file}, of which it shows a part, is there")
            continue
        missing = stands_in(block, read(file))
        tap.ok(missing is None, f"{name}: what it shows of {file} stands there", missing or "")
    return len(blocks)


def links_of(text):
    return [link for link in re.findall(r"\]\(([^)#\s]+)", text) if not link.startswith("http")]


def test_links(name, text, folder="."):
    missing = [link for link in links_of(text)
               if not os.path.exists(os.path.join(SOURCE, folder, link))]
    tap.ok(not missing, f"{name}: the files it links to are there", missing)


def test_tiers(contributing):
    """The table of the two tiers names every suite that is not whole in both."""
    suites = [line.split(" | ") for line in read("tests/suites.txt").splitlines() if " | " in line]
    table = contributing.split("## Two tiers of tests")[1].split("\n## ")[0]
    missing = [name for name, tier, _ in suites if tier != "fast" and f"`{name}`" not in table]
    tap.ok(not missing, "CONTRIBUTING.md: its table of tiers has every suite that one of them leaves out", missing)


def test_paths(name, text):
    """Words such as `tools/bare-debian.sh` in backquotes that begin with a folder of the project."""
    folders = [f for f in os.listdir(SOURCE) if os.path.isdir(os.path.join(SOURCE, f))
               and not f.startswith(("build", ".git"))]
    words = re.findall(r"`([\w./-]+)`", text)
    paths = [w for w in words if "/" in w and w.split("/")[0] in folders
             and not re.search(r"NAME|METHOD|TARGET", w)]
    missing = [path for path in paths if not os.path.exists(os.path.join(SOURCE, path))]
    tap.ok(paths and not missing, f"{name}: the files and folders it names are there", missing)


def test_documents(readme):
    names = sorted(name for name in os.listdir(os.path.join(SOURCE, "docs")) if name.endswith(".md"))
    unlinked = [name for name in names if f"docs/{name}" not in links_of(readme)]
    tap.ok(len(names) > 1 and not unlinked, "README: it links to every document of docs/", unlinked)
    for name in names:
        test_links(f"docs/{name}", read(f"docs/{name}"), "docs")
    for name in sorted(os.listdir(os.path.join(SOURCE, "docs/methods"))):
        test_links(f"docs/methods/{name}", read(f"docs/methods/{name}"), "docs/methods")


def test_methods(text):
    """Each section of docs/methods.md lists in its tables what the method's folder has."""
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, flags=re.S | re.M))
    templates = os.path.join(SOURCE, "templates")
    methods = sorted(m for m in os.listdir(templates)
                     if os.path.exists(os.path.join(templates, m, "simd.c")))
    tap.ok(methods == sorted(sections), "docs/methods.md: a section for each method, and no other",
           f"methods {methods}, sections {sorted(sections)}")
    for method in methods:
        folder = os.path.join("templates", method)
        code = "".join(read(os.path.join(folder, file))
                       for file in os.listdir(os.path.join(SOURCE, folder)))
        settings = re.findall(r'^    \{ "(\w+)", "', code, flags=re.M)
        known = re.findall(r'^param "(\w+)"', code, flags=re.M)
        section = sections.get(method, "")
        cells = " ".join(re.findall(r"^\| (`.*?`) \|", section, flags=re.M))
        stray = [word for word in re.findall(r"`(\w+)`", cells) if word not in known]
        untold = [name for name in settings if f"`{name}=" not in section]
        tap.ok(known and not stray and not untold,
               f"docs/methods.md: what it lists of {method} is there, its settings are told",
               f"no parameters: {stray}; no word of: {untold}")


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


def test_runtime(text):
    """The table of docs/runtime.md lists the variables that the library reads."""
    code = "".join(read(f"runtime/{file}") for file in sources_below("runtime"))
    section = text.split("## Environment")[1].split("\n## ")[0]
    names = set(re.findall(r'spmv_variable\("(SPMV_\w+)"\)', code))
    told = re.findall(r"^\| `(\w+)` \|", section, flags=re.M)
    tap.ok(len(names) > 5 and set(told) == names and len(told) == len(names),
           "docs/runtime.md: its table of the environment has each variable once, and no others",
           f"not both: {sorted(names ^ set(told))}")


def test_race(text):
    """The table of the race is that of the file that it links."""
    sys.path.insert(0, os.path.join(SOURCE, "bench"))
    sys.dont_write_bytecode = True
    import record
    parts = text.split(record.BEGIN)
    found = re.search(r"^All of it: \[(bench/results/\S+)\]", parts[-1], re.MULTILINE)
    tap.ok(len(parts) == 2 and found and record.table(read(found[1])) in parts[1],
           "README: the table of the race is its file's, by bench/record.py readme")
    races = record.races_of(read(found[1])) if found else {}
    tap.ok({"f64", "f32"} == {value_type for value_type, _ in races} and len({t for _, t in races}) == 2
           and all(len(rows) >= 18 for rows in races.values()),
           "that file has both types, with one thread and with more", str(races.keys()))


def test_commands(text, spmvgen):
    """The page that the README shows, and every command that begins with `spmvgen`."""
    with tempfile.TemporaryDirectory() as scratch:
        page = re.search(r"such as `([\w.-]+)`:\n+```lua\n(.*?)```", text, flags=re.S)
        with open(os.path.join(scratch, page[1]), "w", encoding="utf-8") as file:
            file.write(page[2])
        lines = re.findall(r"^    (spmvgen .*?)(?:   .*)?$|`(spmvgen .*?)`", text, flags=re.M)
        commands = [line[0] or line[1] for line in lines]
        tap.ok(any(page[1] in command for command in commands), "README: it uses its page")
        for command in commands:
            result = subprocess.run([spmvgen, *shlex.split(command)[1:]], cwd=scratch, text=True,
                                    capture_output=True, check=False)
            tap.ok(result.returncode == 0 and result.stdout, f"README: {command}",
                   result.stdout + result.stderr)


readme, contributing = read("README.md"), read("CONTRIBUTING.md")
tap.ok(test_excerpts("README", readme) > 0, "README: it shows a part of an emitted file")
for name, text in (("README", readme), ("CONTRIBUTING", contributing)):
    test_links(name, text)
    test_paths(name, text)
test_documents(readme)
test_tiers(contributing)
test_rooms(contributing)
test_methods(read("docs/methods.md"))
test_race(readme)
test_runtime(read("docs/runtime.md"))
if sys.argv[1:]:
    test_commands(readme, os.path.abspath(sys.argv[1]))
else:
    tap.skip("the README's commands: spmvgen is not part of this build")
tap.ok(stands_in("a\n...\nd", "a\nb\nc\nd\n") is None and stands_in("a\nc", "a\nb\nc") == "a\nc",
       "an excerpt that differs is noticed")
tap.done()
