#!/usr/bin/env python3
"""test_goldens.py SPMVGEN ROOT: what spmvgen says, word for word.

Each file of goldens/ begins with its command and goes on with what must come out: standard output,
then, behind lines of three dashes, standard error and the exit code. A command runs in a folder of
its own that holds the pages of pages/. UPDATE_GOLDENS=1 rewrites the files; read the difference.
"""
import os
import shlex

import cli
from cli import tap

UPDATE = os.environ.get("UPDATE_GOLDENS") == "1"


def actual(command):
    holder, path = cli.folder()
    with holder:
        result = cli.run(path, *shlex.split(command)[1:])
    text = result.out
    if result.err:
        text += "--- stderr\n" + result.err
    return text + f"--- exit {result.code}\n"


for golden in sorted((cli.HERE / "goldens").glob("*.txt")):
    first, expected = golden.read_text().split("\n", 1)
    assert first.startswith("$ spmvgen"), f"{golden}: the first line is the command"
    got = actual(first[2:])
    if UPDATE:
        golden.write_text(first + "\n" + got)
    elif got != expected:
        tap.diag("\n".join(["expected:", expected, "got:", got]))
    tap.ok(UPDATE or got == expected, f"{golden.stem}: {first[2:]}")
tap.done()
