"""man_sections.py HEADER DEPFILE PROGRAM VERSION: writes the parts of a program's man page that
come from documents, as a C header: the date, ENVIRONMENT and EXAMPLES.
"""
import sys
from pathlib import Path

import documents
import roff

header, depfile, program, version = sys.argv[1:]
lines = documents.environment(program) + documents.examples(program)
text = [f"/* {program}_man.h: made by tools/man_sections.py. */",
        f'#define {program.upper()}_MAN_DATE "{documents.release_date(version)}"',
        f"static const char *const {program}_man_sections[] = {{"]
for line in lines:
    quoted = line.replace("\\", "\\\\").replace('"', '\\"')
    text.append(f'    "{quoted}",')
text += ["    0", "};", ""]
Path(header).write_text("\n".join(text), encoding="utf-8")
inputs = [documents.ENVIRONMENT, documents.CHANGELOG, *documents.example_pages(),
          Path(documents.__file__), Path(roff.__file__)]
Path(depfile).write_text(
    f"{header}: " + " ".join(str(file).replace(" ", "\\ ") for file in inputs) + "\n",
    encoding="utf-8")
