"""test_man.py BUILD PROGRAM...: the man pages of the programs have every option of their help, and
that of libspmv has its header; mandoc and groff find no errors.
"""
import html
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import programs
import tap
from pages import read

LINTS = (["mandoc", "-Tlint", "-Werror"], ["groff", "-ww", "-man", "-Tutf8", "-z"])


def test_lint(name, path):
    for words in LINTS:
        if not shutil.which(words[0]):
            tap.skip(f"{words[0]} is not installed")
            continue
        done = subprocess.run([*words, path], text=True, capture_output=True, check=False)
        said = done.stdout + done.stderr
        tap.ok(done.returncode == 0 and not said, f"{name}: {words[0]} finds no error", said[:2000])


def shown(path):
    """The words of a page as a reader sees them, with one space between; None without mandoc."""
    if not shutil.which("mandoc"):
        tap.skip("mandoc is not installed")
        return None
    done = subprocess.run(["mandoc", "-Thtml", "-Ofragment", path], text=True, capture_output=True,
                          check=False)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", done.stdout)).split())


def test_program(program, command, folder):
    """The page of a program, or of one of its commands."""
    name = "-".join([os.path.basename(program), *command])
    path = os.path.join(folder, name + ".1")
    if not os.path.exists(path):
        tap.skip(f"{name}: this build has no help2man, which makes the page")
        return
    test_lint(name, path)
    text = shown(path)
    if text is None:
        return
    options = programs.options(program, *command)
    missing = [option for _, option, _ in options if f"--{option}" not in text]
    tap.ok(len(options) > (2 if command else 20) and not missing,
           f"{name}: its page has each option of the help", missing)
    tap.ok(text.count(f"{name} -") and "Exit codes" in text, f"{name}: its page has its name and "
           "exit codes", text[:200])
    lines = subprocess.run(["mandoc", "-Tascii", "-Owidth=200", path], text=True,
                           capture_output=True, check=False).stdout
    lines = [line.strip() for line in re.sub(".\b", "", lines).splitlines()]
    examples = re.findall(r"^  (\$ .*)$", programs.output(program, *command, "--help"), flags=re.M)
    tap.ok(examples and all(example in lines for example in examples),
           f"{name}: each example is a line of its page", [examples, lines[-40:]])


def test_library(folder):
    """Each function has a page that leads to spmv.3, which shows the header."""
    header = read("runtime/spmv.h")
    declared = re.findall(r"^(?!typedef)[\w *]+?\b(spmv_\w+)\([^;]*\);",
                          re.sub(r"/\*.*?\*/", "", header, flags=re.S), flags=re.M)
    path = os.path.join(folder, "spmv.3")
    test_lint("spmv", path)
    wrong = [name for name in declared
             if not os.path.exists(os.path.join(folder, name + ".3"))
             or read(os.path.join(folder, name + ".3")) != ".so man3/spmv.3\n"]
    tap.ok(len(declared) > 20 and not wrong, "each function's page leads to spmv.3", wrong)
    text = shown(path)
    if text is not None:
        tap.ok(" ".join(header.split()) in text, "spmv.3 shows the header, word for word")
        names = text[:text.index("multiply sparse")]
        tap.ok(all(name in names for name in declared), "spmv.3 names each function", names)


pages = os.path.join(os.path.abspath(sys.argv[1]), "docs")
test_library(pages)
for path in map(os.path.abspath, sys.argv[2:]):
    for command in [[], *([word] for word in programs.commands(path))]:
        test_program(path, command, pages)
if len(sys.argv) == 2:
    tap.skip("this build has neither spmvgen nor spmvbench")
tap.done()
