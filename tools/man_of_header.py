"""man_of_header.py --list, or FOLDER VERSION: the man pages of libspmv.

Writes spmv.3 to the folder: runtime/spmv.h, whose comments explain it; and for each function a page
that refers to spmv.3. --list prints the names of the pages.
"""
import re
import sys
from pathlib import Path

HEADER = (Path(__file__).resolve().parent.parent / "runtime/spmv.h").read_text(encoding="utf-8")
NAMES = ["libspmv", *re.findall(r"^(?!typedef)[a-z][\w *]*?\b(spmv_\w+)\(", HEADER, flags=re.M)]


def line_of(text):
    """A line that roff shows as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + escaped if escaped.startswith(".") else escaped


def page(version):
    return "\n".join([
        f'.TH SPMV 3 "" "libspmv {version}" "Library Functions"', ".SH NAME",
        ", ".join(["spmv", *NAMES]) + " \\- multiply sparse matrices by vectors",
        ".SH SYNOPSIS", ".EX", "cc FILE.c $(pkg\\-config \\-\\-cflags \\-\\-libs spmv)", ".EE",
        ".SH DESCRIPTION", ".EX", *map(line_of, HEADER.splitlines()), ".EE",
        ".SH SEE ALSO", ".BR spmvgen (1),", ".BR spmvbench (1)", ""])


def main():
    if sys.argv[1] == "--list":
        print("\n".join(f"{name}.3" for name in ["spmv", *NAMES]))
        return
    folder, version = sys.argv[1:]
    Path(folder, "spmv.3").write_text(page(version), encoding="utf-8")
    for name in NAMES:
        Path(folder, f"{name}.3").write_text(".so man3/spmv.3\n", encoding="utf-8")


main()
