"""embed.py HEADER DEPFILE: joins the files of the report's page, and writes the page as a C array.

The page is two arrays: report_beginning stands before the records, report_end behind them.
"""
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
SCRIPTS = ["data.js", "dom.js", "contenders.js", "overview.js", "results.js", "matrices.js",
           "roofline.js", "sweep.js", "breakeven.js", "page.js"]
FILES = [FOLDER / name for name in ["report.html", "report.css", *SCRIPTS]]


def page():
    """The two parts of the page, before and behind the records."""
    texts = [file.read_text(encoding="utf-8").strip() for file in FILES]
    for file, text in zip(FILES[1:], texts[1:]):
        if "</s" in text:
            sys.exit(f"{file}: '</s' would end the element that holds this file: split the text")
    page_text = texts[0].replace("@STYLE@", texts[1]).replace("@SCRIPT@", "\n\n".join(texts[2:]))
    return [part.encode() for part in (page_text + "\n").split("@RECORDS@\n")]


def array(name, content):
    lines = [", ".join(map(str, content[i:i + 20])) for i in range(0, len(content), 20)]
    return (f"static const unsigned char {name}[{len(content)}] = {{\n    "
            + ",\n    ".join(lines) + "\n};\n")


if __name__ == "__main__":
    header, depfile = map(Path, sys.argv[1:])
    beginning, end = page()
    header.write_text("/* report_page.h: made by bench/html/embed.py. */\n"
                      + array("report_beginning", beginning) + array("report_end", end),
                      encoding="utf-8")
    depfile.write_text(f"{header}: "
                       + " ".join(str(file).replace(" ", "\\ ") for file in FILES) + "\n",
                       encoding="utf-8")
