#!/usr/bin/env python3
"""test_comments.py: comments of the committed kernels name only things that their reader has.

The reader of an emitted file has its folder, the method's parameters as the banner lists them, and
the code's declarations. So a comment names no other file, and no enumerator, macro or parameter of
another method or device. A program in the strings of a file is checked as a text.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap

GENERATED = Path(__file__).resolve().parents[2] / "generated"
TEMPLATES = GENERATED.parent / "templates"
PIECE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.S)
PROGRAM = re.compile(r"^static const char \*const \w+\[\] = \{\n((?: *\".*\",\n)+)\};", re.M)
FILE_NAME = re.compile(r"(<?)\b([\w./-]+\.(?:c|h|lua|cl|cu|md))\b(?!\()")
IN_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b")
# A name that differs between instances has the instance's types behind it.
TYPES = re.compile(r"(?:_(?:f32|f64|i32|i64))+$", re.I)
PARAMETER = re.compile(r"^ \* ([a-z][a-z0-9_]*) {2,}", re.M)


def split(text):
    """The comments, as (line, text), and the code."""
    comments = []
    code = []
    end = 0
    for piece in PIECE.finditer(text):
        code.append(text[end:piece.start()])
        if piece[0].startswith("/"):
            comments.append((text.count("\n", 0, piece.start()) + 1, piece[0]))
        else:
            code.append(piece[0])
        end = piece.end()
    return comments, " ".join(code) + text[end:]


def unquoted(lines):
    """A program's text, from the lines of strings that hold it."""
    strings = [line.strip()[1:-2] for line in lines.splitlines()]
    return "".join(strings).replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")


def parameters_of_methods():
    names = set()
    for path in TEMPLATES.rglob("params.h"):
        _, code = split(path.read_text())
        names.update(re.findall(r"\b([A-Z][A-Z0-9_]*)\s*=", code))
    return names


def misnamed(text, known, folder, parameters):
    """Yields the places where comments of a text name something that is missing."""
    for number, comment in split(text)[0]:
        for angle, name in FILE_NAME.findall(comment):
            if not angle and name not in folder:
                yield f"{number}: no file {name}"
        for word in IN_CAPITALS.findall(comment):
            # A single letter may be part of a drawing.
            is_name = "_" in word or (word in parameters and len(word) > 1)
            if is_name and word not in known and not word.startswith("SPMV_"):
                yield f"{number}: nothing is called {word}"


def check(path, parameters):
    text = path.read_text()
    folder = ({other.name for other in path.parent.iterdir()}
              | {path.stem + ".cl", path.stem + ".cu"})
    programs = [unquoted(lines) for lines in PROGRAM.findall(text)]
    banner = split(text)[0][0][1]
    rest = text.replace(banner, "\n" * banner.count("\n"), 1)
    code = split(rest)[1] + " ".join(split(program)[1] for program in programs)
    known = {TYPES.sub("", name) for name in re.findall(r"\w+", code)}
    # What targets share refers to the files of the targets, which list its parameters.
    banners = [banner] + [file.read_text().partition("*/")[0] for file in
                          path.parent.glob(f"{path.stem.partition('__')[0]}__*.c")
                          if path.suffix == ".h"]
    known |= set(re.findall(r"\w+", code)) | {name.upper() for text in banners
                                              for name in PARAMETER.findall(text)}
    problems = list(misnamed(rest, known, folder, parameters))
    for program in programs:
        problems += [f"program, {p}" for p in misnamed(program, known, folder, parameters)]
    return problems


def main():
    parameters = parameters_of_methods()
    tap.ok({"LANES", "OMEGA"} <= parameters, "the methods' parameters are found")
    example = "/* one.c, two.c, <three.h>, LANES, OTHER_NAME, SPMV_NAME */\nint f(void);\n"
    tap.ok(list(misnamed(example, {"f"}, {"one.c"}, {"LANES"})) ==
           ["1: no file two.c", "1: nothing is called LANES", "1: nothing is called OTHER_NAME"],
           "missing names are found")
    for folder in sorted(GENERATED.iterdir()):
        problems = []
        for path in sorted(folder.glob("*.*") if folder.is_dir() else ()):
            if path.suffix in (".c", ".h", ".cl", ".cu"):
                problems += [f"{path.name}:{p}" for p in check(path, parameters)]
        if folder.is_dir():
            tap.ok(not problems, f"{folder.name}: comments name nothing that is missing",
                   "\n".join(problems[:40]))
    tap.done()


if __name__ == "__main__":
    main()
