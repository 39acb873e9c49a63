"""test_man.py BUILD PROGRAM[:COMMAND]...: the man pages of the programs have every option with its
help, and those of libspmv every function of its header; mandoc and groff find no errors.
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
from pages import read

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
                              ("\\(ga", "`"), ("\\(ha", "^"), ("\\&", ""), ("\\%", ""),
                              ("\\e", "\\")):
        text = text.replace(escape, character)
    return text


def test_program(program, command, folder):
    """The page of a program, or of one of its commands."""
    name = "-".join([os.path.basename(program), *command])
    page = programs.output(program, *command, "--man")
    path = os.path.join(folder, name + ".1")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    test_lint(name, path)
    found = re.findall(r"^\.SH (.*)$", page, flags=re.M)
    wanted = set(SECTIONS) - ({"ENVIRONMENT"} if command else set())
    tap.ok(wanted <= set(found) and len(found) == len(set(found)),
           f"{name}: its page has each section once", found)
    options = programs.options(program, *command)
    text = plain(page)
    heads = re.findall(r"^\.TP\n(?:-(\w), )?--([\w-]+)(?: (\S+))?$", text, flags=re.M)
    tap.ok(len(options) > (3 if command else 20) and heads == options,
           f"{name}: its page has each option of the help",
           f"help {options}\npage {heads}")
    words = set(programs.output(program, *command, "--help").lower().split()) - {"usage:", "codes:"}
    missing = sorted(word for word in words if word.strip(",.;:") not in text.lower())
    tap.ok(not missing, f"{name}: its page has every word of the help", missing)


def test_library(folder):
    """Each function has a page that leads to spmv.3, which has its prototype and its arguments."""
    header = re.sub(r"/\*.*?\*/", "", read("runtime/spmv.h"), flags=re.S)
    declared = re.findall(r"^(?!typedef)[\w *]+?\b(spmv_\w+)\(([^;]*)\);", header, flags=re.M)
    with open(os.path.join(folder, "spmv.3"), encoding="utf-8") as file:
        page = file.read()
    test_lint("spmv", os.path.join(folder, "spmv.3"))
    text = " ".join(plain(page).split())
    names = text[text.index(".SH NAME"):text.index(".SH SYNOPSIS")]
    missing = [name for name, arguments in declared
               if f"{name}({' '.join(arguments.split())});" not in text or name not in names]
    tap.ok(len(declared) > 20 and not missing, "spmv.3 has every function of spmv.h", missing)
    wrong = [name for name, _ in declared
             if read(os.path.join(folder, name + ".3")) != ".so man3/spmv.3\n"]
    tap.ok(not wrong, "the page of every function leads to spmv.3", wrong)
    types = re.findall(r"^\} (spmv_\w+);$", header, flags=re.M)
    missing = [name for name in [*types, "spmv_csr", "spmv_status"] if f".SS {name}\n" not in page]
    tap.ok(len(types) > 5 and not missing, "spmv.3 has every struct of spmv.h", missing)
    whole = re.sub(r"^#.*", "", read("runtime/spmv.h"), flags=re.M)
    comments = " ".join(re.findall(r"/\*(.*?)\*/", whole, flags=re.S))
    words = set(re.findall(r"[\w']+", re.sub(r"-{4,}|^ \*", " ", comments, flags=re.M)))
    found = set(re.findall(r"[\w']+", text))
    missing = sorted(word for word in words - found if word.lower() not in text.lower())
    tap.ok(len(words) > 300 and not missing, "spmv.3 has every word of the header's comments",
           missing)


build = os.path.abspath(sys.argv[1])
described = sys.argv[2:]
test_library(os.path.join(build, "docs"))
with tempfile.TemporaryDirectory() as scratch:
    for path, *command in (words.split(":") for words in described):
        test_program(os.path.abspath(path), command, scratch)
if not described:
    tap.skip("this build has neither spmvgen nor spmvbench")
tap.done()
