"""bundles.py: shared by the tests of bundles: commands that compile and run them."""
import os
import re
import shutil
import subprocess

import cli
from cli import tap

CC = os.environ.get("CC", "cc").split()
CXX = next((c for c in (os.environ.get("CXX"), "g++", "c++") if c and shutil.which(c.split()[-1])),
           "c++").split()
EVERY = ("--target", "generic-c")        # for every CPU
STRICT = ["-Wall", "-Wextra", "-Wpedantic", tap.WERROR]


def command(cwd, *words, env=None):
    words = [str(w) for w in words]
    try:
        return cli.Result(subprocess.run(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         timeout=300))
    except FileNotFoundError as fault:
        return str(fault)


def good(result):
    return isinstance(result, cli.Result) and result.code == 0


def readme_block(folder, language):
    text = (folder / "README.md").read_text()
    return re.search(rf"^```{language}\n(.*?)^```", text, re.M | re.S).group(1)


def symbols(path, *options):
    listed = command(path, "nm", *options)
    return {line.split()[-1] for line in listed.out.splitlines() if line.strip()}
