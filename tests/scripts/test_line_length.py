"""Lines are no longer than .editorconfig allows (max_line_length).

A line is exempt where it cannot be wrapped: a row of a Markdown table, or a single word, such as an
address.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE, project_files

COMMENT_OR_BULLET = re.compile(r"[\s/*#>-]*")
# The part of EditorConfig's patterns that .editorconfig uses; ** before *.
WILDCARDS = {"**": ".*", "*": "[^/]*", "{": "(?:", ",": "|", "}": ")"}


def as_regex(pattern):
    """A pattern without a slash holds in every folder; braces take each alternative by itself."""
    if pattern.startswith("{") and pattern.endswith("}"):
        return "|".join(as_regex(part) for part in pattern[1:-1].split(","))
    parts = re.split(r"(\*\*|[*{},])", pattern)
    return ("" if "/" in pattern else "(?:.*/)?") + \
        "".join(WILDCARDS.get(part, re.escape(part)) for part in parts)


def read_limits(text):
    """Of each section: the files that it is for, and its limit; None: no limit."""
    limits = []
    pattern = None
    for line in text.splitlines():
        if section := re.fullmatch(r"\[(.*)\]", line):
            pattern = re.compile(as_regex(section[1]))
        elif value := re.fullmatch(r"max_line_length = (\d+|off)", line):
            limits.append((pattern, None if value[1] == "off" else int(value[1])))
    return limits


def limit_of(limits, path):
    return next((limit for pattern, limit in reversed(limits) if pattern.fullmatch(path)), None)


def length_of(path, line):
    """Columns of a line, 0 where it cannot be wrapped."""
    if path.endswith(".md") and line.startswith("|"):
        return 0
    if " " not in COMMENT_OR_BULLET.sub("", line.rstrip(), count=1):
        return 0
    return len(line)


def too_long(path, text, limit):
    return [f"{path}:{number}: {len(line)} columns, expected at most {limit}: wrap the line"
            for number, line in enumerate(text.splitlines(), 1) if length_of(path, line) > limit]


def test_the_measure():
    limits = read_limits("[*]\nmax_line_length = 9\n[{*.json,a/**}]\nmax_line_length = off\n"
                         "[b/{c,d}/*]\nmax_line_length = 20\n")
    found = [limit_of(limits, path) for path in
             ("x.c", "e/x.c", "e/x.json", "a/x.c", "a/e/x.c", "b/c/x.c", "b/d/x.c", "b/c/e/x.c")]
    tap.ok(found == [9, 9, None, None, None, 20, 20, 9], "the last section that matches counts",
           found)
    for path, line, is_long in (
            ("x.c", "123 56789", False),
            ("x.c", "123 567890", True),
            ("x.c", "123 5678é", False),
            ("x.c", "    # https://a.place", False),
            ("x.md", "- [name](https://a.place)", False),
            ("x.md", "- see [name](https://a.place)", True),
            ("x.md", "| a row | of a table |", False),
            ("x.c", "| not | a table |", True),
            ("generated/x.c", r'    "123 567\n",', True)):
        found = too_long(path, line + "\n", 9)
        tap.ok(bool(found) == is_long, f"{'too long' if is_long else 'fits'}: {path}: {line}",
               found)


def test_the_files():
    """What builds and interrupted runs of pip leave, and a user's own files, are not measured."""
    with tempfile.TemporaryDirectory() as top:
        for name, text in (("a.c", ""), ("sub/b.c", ""), ("mine.c", ""), ("build-x/c.c", ""),
                           (".mesonpy-x/.gitignore", "# made\n*\n"), (".mesonpy-x/c.c", "")):
            path = pathlib.Path(top, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = project_files(top)
        tap.ok(found == ["a.c", "mine.c", "sub/b.c"],
               "where git tracks nothing, folders that git ignores are left out", found)
        if not shutil.which("git"):
            tap.skip("git is not installed")
            return
        for words in ["init", "-q"], ["add", "a.c", "sub"]:
            subprocess.run(["git", "-C", top, *words], check=True, capture_output=True)
        found = project_files(top)
        tap.ok(found == ["a.c", "sub/b.c"], "else tracked files alone are measured", found)


def main():
    test_the_measure()
    test_the_files()
    with open(os.path.join(SOURCE, ".editorconfig"), encoding="utf-8") as file:
        limits = read_limits(file.read())
    tap.ok(limit_of(limits, "check") == 100, "the limit is 100 columns")
    problems = {}
    for path in project_files():
        with open(os.path.join(SOURCE, path), "rb") as file:
            text = file.read().decode(errors="replace")
        limit = limit_of(limits, path)
        if limit and "\0" not in text:
            problems.setdefault(path.rpartition("/")[0], []).extend(too_long(path, text, limit))
    tap.ok({"", "generated/c", "tests/scripts", "tools"} <= problems.keys(),
           "files are found", list(problems))
    for folder, lines in sorted(problems.items()):
        tap.ok(not lines, f"{folder or 'the root'}: no line is too long", "\n".join(lines))
    tap.done()


if __name__ == "__main__":
    main()
