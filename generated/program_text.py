"""program_text.py: texts of programs for other devices, from the strings of files that embed them.

    read_source(PATH) -> the text of an emitted C file, with what it includes of a shared file
    program_text(SOURCE, VALUE_TYPE, OFFSET_TYPE) -> the text that libspmv compiles for that module
    program_table(SOURCE, VALUE_TYPE, OFFSET_TYPE) -> the fields of its spmv_program

SOURCE holds several modules, which share parts of the text.
"""
import pathlib
import re

STRING = r'"((?:[^"\\]|\\.)*)"'
TABLE = r"^static const {type} {name}(_\w+)?(?:\[\])? = \{{\n(.*?)^\}};"


SHARED = re.compile(r'^#define (FOR_\w+)\n#include "(\w+\.h)"\n', flags=re.M)
GUARD = re.compile(r"#(if|elif) (!?defined\(FOR_\w+\).*)")


def of_target(text, macro):
    """The lines of a shared text that are for the target of the macro."""
    lines, depths, is_for = [], [], True     # the depths of #if at open guards, the innermost last
    depth = 0
    for line in re.sub(r" \\\n    (!?defined\(FOR_)", r" \1", text).splitlines(keepends=True):
        guard = GUARD.match(line)
        if guard:
            named = macro in re.findall(r"FOR_\w+", guard[2])
            depth += guard[1] == "if"
            depths += [depth] * (guard[1] == "if")
            is_for = named != guard[2].startswith("!")
            continue
        if line.startswith("#endif") and depths[-1:] == [depth]:
            depths.pop()
            depth -= 1
            is_for = True
            continue
        depth += line.startswith("#if") - line.startswith("#endif")
        if is_for:
            lines.append(line)
    return "".join(lines)


def read_source(path):
    """Spells a shared file out."""
    path = pathlib.Path(path)
    source = path.read_text(encoding="utf-8")
    return SHARED.sub(lambda m: of_target((path.parent / m[2]).read_text(encoding="utf-8"), m[1]),
                      source)


def tables(source, kind, name):
    """The text of each table of that kind by its suffix: "" or that of the types it is for."""
    pattern = TABLE.format(type=re.escape(kind), name=name)
    return {suffix or "": body for suffix, body in re.findall(pattern, source, flags=re.S | re.M)}


def unquote(string):
    return re.sub(r"\\([0-7]{3}|.)", lambda m: chr(int(m[1], 8)) if len(m[1]) == 3 else
                  {"n": "\n", "t": "\t"}.get(m[1], m[1]), string)


def of_types(found, value, offset):
    """Of the tables, the one for a module of these types."""
    for suffix in ("", "_" + value, "_" + offset, f"_{value}_{offset}"):
        if suffix in found:
            return found[suffix]
    return None


def program_table(source, value, offset):
    """"" where the module has no program."""
    return of_types(tables(source, "spmv_program", "module_program"), value, offset) or ""


def program_text(source, value, offset):
    """"" where the program is in a file of its own, or there is none."""
    parts = of_types(tables(source, "spmv_program_part", "module_parts"), value, offset)
    strings = {f"module_text{suffix}": body for suffix, body in
               tables(source, "char *const", "module_text").items()}
    return "".join(unquote(line) for name in re.findall(r"\{ (\w+), \d+ \}", parts or "")
                   for line in re.findall(STRING, strings[name]))
