"""documents.py: what man pages take from CHANGELOG.md and docs/, as lines of roff."""
import re
from pathlib import Path

import roff

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "docs/reference/environment.md"
CHANGELOG = ROOT / "CHANGELOG.md"


def read(path):
    return path.read_text(encoding="utf-8")


def example_pages():
    return sorted(ROOT.glob("docs/**/*.md"))


def release_date(version):
    """The day of the release; of the last one before it, while the version has none."""
    text = read(CHANGELOG)
    found = re.search(rf"^## {re.escape(version)}, (\S+)$", text, flags=re.M) or \
        re.search(r"^## [\d.]+, (\S+)$", text, flags=re.M)
    return found[1]


def table_rows(text):
    """The cells of the rows of Markdown tables, without the heads."""
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")]
            for line in re.findall(r"^\|(.*)\|$", text, flags=re.M)]
    return [row for i, row in enumerate(rows)
            if not set(row[0]) <= set("-|") and not (i + 1 < len(rows)
                                                     and set(rows[i + 1][0]) <= set("-|"))]


def environment(program):
    """The section ENVIRONMENT. program: spmvgen, spmvbench, or spmv for the library; a command
    that multiplies nothing reads no variable, and has no such section."""
    library, programs = read(ENVIRONMENT).split("\n## Programs\n")
    library = library.split("\n## libspmv\n")[1]
    rows = [(row[0], row[2]) for row in table_rows(programs) if row[1] == program]
    if program in ("spmv", "spmvbench"):
        rows += [(row[0], row[1]) for row in table_rows(library)]
    if not rows:
        return []
    lines = [".SH ENVIRONMENT"]
    for name, meaning in rows:
        lines += roff.item(roff.escape(name.strip("`")), roff.paragraph(roff.sentence(meaning)))
    if program == "spmv":
        prose = re.sub(r"^\|.*\n", "", library, flags=re.M)
        for text in re.split(r"\n\n+", prose.strip()):
            lines += [".PP", *roff.paragraph(text)]
    return lines


def commands_with_rows(commands, rows):
    """Commands that a table of the page explains by their lines."""
    lines = []
    for command, (_, meaning) in zip(commands, rows, strict=True):
        lines += [*roff.code([command]), ".PP", *roff.paragraph(roff.sentence(meaning))]
    return lines


def example_blocks(program):
    """(commands, what follows them) of each block below <!-- man: PROGRAM -->."""
    for page in example_pages():
        for part in read(page).split(f"<!-- man: {program} -->")[1:]:
            block = re.search(r"^```sh\n(.*?)^```\n+(.*?)\n\n", part, flags=re.S | re.M)
            yield block[1].splitlines(), block[2]


def examples(program):
    """The section EXAMPLES: the commands below <!-- man: PROGRAM -->, with the table of their lines
    or the paragraph that follows."""
    lines = [".SH EXAMPLES"]
    for commands, following in example_blocks(program):
        if following.startswith("| line"):
            lines += commands_with_rows(commands, table_rows(following))
        else:
            lines += [*roff.code(commands), ".PP", *roff.paragraph(following)]
    if lines[1] == ".PP":
        del lines[1]             # lint: no paragraph may follow a heading
    return lines
