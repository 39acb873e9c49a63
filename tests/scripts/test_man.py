"""test_man.py PROGRAM...: the man pages of the programs have every option with its help, every
section, and no errors that mandoc or groff find.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import programs
import tap

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES",
            "SEE ALSO"]
LINTS = (["mandoc", "-Tlint", "-Wstyle"],
         ["groff", "-ww", "-man", "-Tutf8", "-z"])


def test_lint(name, path):
    """Neither program says anything about the page."""
    for words in LINTS:
        if not shutil.which(words[0]):
            tap.skip(f"{words[0]} is not installed")
            continue
        done = subprocess.run([*words, path], text=True, capture_output=True, check=False)
        said = [line for line in (done.stdout + done.stderr).splitlines()
                if "referenced manual not found" not in line]
        tap.ok(not said, f"{name}: {words[0]} finds nothing", "\n".join(said[:20]))


def plain(roff):
    """The words of a page, without fonts, requests and escapes."""
    text = re.sub(r"\\f[BIR]", "", roff)
    for escape, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(dq", '"'), ("\\(ti", "~"),
                              ("\\(ga", "`"), ("\\(ha", "^"), ("\\&", ""), ("\\e", "\\")):
        text = text.replace(escape, character)
    return text


def test_program(program, folder):
    name = os.path.basename(program)
    page = programs.output(program, "--man")
    path = os.path.join(folder, name + ".1")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    test_lint(name, path)
    found = re.findall(r"^\.SH (.*)$", page, flags=re.M)
    tap.ok(set(SECTIONS) <= set(found) and len(found) == len(set(found)),
           f"{name}: its page has each section once", found)
    options = programs.options(program)
    text = plain(page)
    heads = re.findall(r"^\.TP\n(?:-(\w), )?--([\w-]+)(?: (\S+))?$", text, flags=re.M)
    tap.ok(len(options) > 20 and heads == options, f"{name}: its page has each option of the help",
           f"help {options}\npage {heads}")
    words = programs.output(program, "--help").lower().split()
    missing = [word for word in words if word.strip(",.;:") not in text.lower()]
    tap.ok(missing in ([], ["usage:", "codes:"], ["usage:"]),
           f"{name}: its page has every word of the help", missing)


with tempfile.TemporaryDirectory() as folder:
    for program in map(os.path.abspath, sys.argv[1:]):
        test_program(program, folder)
if len(sys.argv) == 1:
    tap.skip("this build has neither spmvgen nor spmvbench")
tap.done()
