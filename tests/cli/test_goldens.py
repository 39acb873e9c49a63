#!/usr/bin/env python3
"""test_goldens.py SPMVGEN ROOT: the exact output of spmvgen.

Each file of goldens/ begins with its command, followed by the expected output: standard output,
then, behind lines of three dashes, standard error and the exit code. A command runs in a temporary
folder with the pages of goldens/pages. Its data folder is data/ with the shipped prelude, dialects
and contract; goldens/shipped/ uses all shipped data. UPDATE_GOLDENS=1 rewrites the files; read the
difference.
"""
import os
import shlex
import shutil

import cli
from cli import tap

UPDATE = os.environ.get("UPDATE_GOLDENS") == "1"


def make_data(path):
    """A data folder with methods and pages that are not shipped."""
    shutil.copytree(cli.HERE / "data", path)
    shutil.copytree(cli.ROOT / "templates/prelude", path / "templates/prelude")
    shutil.copytree(cli.ROOT / "targets/dialects", path / "targets/dialects")
    (path / "runtime").mkdir()
    shutil.copy(cli.ROOT / "runtime/spmv_module.h", path / "runtime")
    return path


def actual(command, data):
    holder, path = cli.folder("goldens/pages")
    with holder:
        result = cli.run(path, *shlex.split(command)[1:],
                         env=cli.environment(SPMVGEN_DATA=str(data)))
    text = result.out
    if result.err:
        text += "--- stderr\n" + result.err
    return text + f"--- exit {result.code}\n"


def check_goldens(folder, data):
    for golden in sorted((cli.HERE / folder).glob("*.txt")):
        first, expected = golden.read_text().split("\n", 1)
        assert first.startswith("$ spmvgen"), f"{golden}: the first line is the command"
        got = actual(first[2:], data)
        if UPDATE:
            golden.write_text(first + "\n" + got)
        elif got != expected:
            tap.diag("\n".join(["expected:", expected, "got:", got]))
        tap.ok(UPDATE or got == expected, f"{golden.stem}: {first[2:]}")


holder, path = cli.folder("goldens/pages")
with holder:
    check_goldens("goldens", make_data(path / "data"))
check_goldens("goldens/shipped", cli.ROOT)
tap.done()
