"""man_of_header.py --list VERSION, or FOLDER VERSION: the man pages of libspmv.

Writes spmv.3 to the folder, from the comments and declarations of runtime/spmv.h, the types of
runtime/spmv_module.h that it names, docs/reference/environment.md and examples/quick.c; and for
each function a page that refers to it. --list prints the names of the pages.
"""
import re
import sys
from pathlib import Path

import c_header
import documents
import roff

HEADER = documents.ROOT / "runtime/spmv.h"
CONTRACT = documents.ROOT / "runtime/spmv_module.h"
EXAMPLE = documents.ROOT / "examples/quick.c"
WIDTH = 78


def text_of(text):
    """A sentence of a comment, with the names of the library in bold."""
    escaped = roff.escape(text)
    return roff.fill(re.sub(r"\b(spmv_\w+|SPMV_\w*[A-Z]\b)", r"\\fB\1\\fR", escaped))


def is_code(lines):
    return lines[0].rstrip().endswith(";")


def indented(lines):
    """Lines that a comment indents: an example, or words with explanations."""
    if is_code(lines):
        return roff.code(line[4:] for line in lines)
    items = []
    for line in lines:
        begins = re.match(r" {4}(\S.*?) {2,}(\S.*)", line)
        if begins:
            items.append([begins[1], begins[2]])
        else:
            items[-1][1] += " " + line.strip()
    return [line for name, meaning in items
            for line in roff.item(roff.escape(name), text_of(meaning))]


def comment(text, first=True):
    """The lines of a comment. first: no paragraph macro stands before the first paragraph."""
    lines, block = [], []

    def flush():
        nonlocal block, first
        if block and block[0].startswith("    "):
            part = indented(block)
            lines.extend(part[1:] if first and part[0] == ".PP" else part)
        elif block:
            lines.extend(([] if first else [".PP"]) + text_of(" ".join(block)))
        first = first and not block
        block = []

    for line in text.split("\n"):
        is_indented = line.startswith("    ")
        if not line.strip() or re.match(r"(opencl|cuda): ", line) or \
                (block and is_indented != block[0].startswith("    ")):
            flush()
        if line.strip():
            block.append(line)
    flush()
    return lines


def wrapped(code):
    """A declaration in lines of the page's width: arguments stand below the first one."""
    first, *arguments = c_header.one_line(code).split(", ")
    lines, indent = [first], " " * (first.find("(") + 1)
    for argument in arguments:
        if len(lines[-1]) + len(", ") + len(argument) > WIDTH:
            lines[-1] += ","
            lines.append(indent + argument)
        else:
            lines[-1] += ", " + argument
    return lines


def members(declaration):
    lines = []
    for code, meaning in declaration.members():
        lines += roff.item(roff.escape(code), text_of(meaning) if meaning else [])
    return lines if not lines or declaration.members()[-1][1] else [*lines, "\\&"]


def group(part):
    """A subsection for a comment and what it explains."""
    names = [d.function() or d.type() for d in part.declarations]
    title = ", ".join(name for name in names if name) or \
        ", ".join(re.findall(r"\bSPMV_\w+", part.declarations[0].code)[:1])
    lines = [f".SS {title}", ".EX"]
    for d in part.declarations:
        lines += [roff.escape(line) for line in
                  (wrapped(d.code) if d.kind() == "code" else
                   wrapped(re.sub(r"\{.*\}", "{ ... }", d.code, flags=re.S)))]
    lines.append(".EE")
    lines += comment(part.comment, first=False)
    for d in part.declarations:
        if d.note:
            lines += [".PP", *text_of(d.note)]
        if d.kind() != "code":
            lines += members(d)
    return lines


def opening(text):
    """The purpose of the library, and the section DESCRIPTION: "Word. Text" begins a subsection."""
    purpose, rest = re.match(r"spmv\.h: (.*?)\.\n\n(.*)", text, flags=re.S).groups()
    lines = [".SH DESCRIPTION"]
    for i, part in enumerate(re.split(r"\n\n", rest)):
        titled = re.match(r"([A-Z]\w+(?: and \w+)?)\.\s(.*)", part, flags=re.S)
        if titled:
            lines += [f".SS {titled[1]}", *comment(titled[2])]
        else:
            lines += comment(part, first=not i)
    return c_header.one_line(purpose), lines


def named_types(header):
    """Groups of the contract that define a type which the header names, or which a type of them
    holds, or constants which the header names."""
    groups = [g for _, parts in c_header.read(CONTRACT)[1] for g in parts if g.declarations]
    words = set(re.findall(r"\w+", header))
    prefixes = tuple(re.findall(r"(SPMV_\w+_)\.\.\.", header))
    chosen, size = [], -1
    while len(chosen) != size:
        size = len(chosen)
        for g in groups:
            d = g.declarations[0]
            names = [d.type()] if d.type() else re.findall(r"\bSPMV_\w+(?= =)", d.code)
            if g in chosen or d.kind() == "code" or not any(
                    name in words or name.startswith(prefixes) for name in names):
                continue
            chosen.append(g)
            if d.kind() == "struct":
                words |= {word for code, _ in d.members()
                          for word in re.findall(r"^(spmv_\w+) (?!\*)", code)}
    return [g for g in groups if g in chosen]


def functions_of(sections):
    return [d.function() for _, groups in sections for g in groups for d in g.declarations
            if d.function()]


def page(version):
    text = HEADER.read_text(encoding="utf-8")
    comment_text, sections = c_header.read(HEADER)
    purpose, description = opening(comment_text)
    names = ["spmv", "libspmv", *functions_of(sections)]
    lines = [".\\\" Made by tools/man_of_header.py from runtime/spmv.h.",
             f".TH SPMV 3 {documents.release_date(version)} \"libspmv {version}\" "
             '"Library Functions"', ".ad l", ".SH NAME", *roff.fill(", ".join(names)),
             f"\\- {roff.escape(purpose)}", ".SH SYNOPSIS", ".EX", "#include <spmv.h>", "",
             "cc FILE.c $(pkg\\-config \\-\\-cflags \\-\\-libs spmv)", ".EE", *description]
    for name, groups in sections:
        lines.append(f".SH {(name or 'errors').upper()}")
        for part in groups:
            lines += group(part) if part.declarations else comment(part.comment)
    lines.append(".SH TYPES")
    for part in named_types(text):
        lines += group(part)
    lines += documents.environment("spmv")
    lines += [".SH EXAMPLES", *roff.code(EXAMPLE.read_text(encoding="utf-8").splitlines())[1:],
              ".SH SEE ALSO", "spmvgen(1), spmvbench(1)"]
    return "\n".join(lines) + "\n"


def main():
    folder, version = sys.argv[1:]
    links = ["libspmv", *functions_of(c_header.read(HEADER)[1])]
    if folder == "--list":
        print("\n".join(f"{name}.3" for name in ["spmv", *links]))
        return
    Path(folder, "spmv.3").write_text(page(version), encoding="utf-8")
    for name in links:
        Path(folder, f"{name}.3").write_text(".so man3/spmv.3\n", encoding="utf-8")


main()
