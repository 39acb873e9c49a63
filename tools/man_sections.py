"""man_sections.py HEADER DEPFILE PROGRAM VERSION: writes the parts of a program's man page that
come from documents, as a C header: the date, ENVIRONMENT and EXAMPLES. PROGRAM is also the page of
a command, as spmvbench-compare.
"""
import sys
from pathlib import Path

import documents
import roff

header, depfile, program, version = sys.argv[1:]
lines = documents.environment(program) + documents.examples(program)
word = program.replace("-", "_")
commands = [command for block, _ in documents.example_blocks(program) for command in block]


def quoted(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


text = [f"/* {word}_man.h: made by tools/man_sections.py. */",
        f'#define {word.upper()}_MAN_DATE "{documents.release_date(version)}"',
        f"#define {word.upper()}_EXAMPLES \\",
        *(f'    {quoted("  " + command)} "\\n" \\' for command in commands), '    ""',
        f"static const char *const {word}_man_sections[] = {{",
        *(f"    {quoted(line)}," for line in lines)]
text += ["    0", "};", ""]
Path(header).write_text("\n".join(text), encoding="utf-8")
inputs = [documents.ENVIRONMENT, documents.CHANGELOG, *documents.example_pages(),
          Path(documents.__file__), Path(roff.__file__)]
Path(depfile).write_text(
    f"{header}: " + " ".join(str(file).replace(" ", "\\ ") for file in inputs) + "\n",
    encoding="utf-8")
