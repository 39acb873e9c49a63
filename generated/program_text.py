"""program_text.py: texts of programs for other devices, from the strings of files that embed them.

    program_text(SOURCE, VALUE_TYPE, OFFSET_TYPE) -> the text that libspmv compiles for that module
    program_table(SOURCE, VALUE_TYPE, OFFSET_TYPE) -> the fields of its spmv_program

SOURCE is the text of an emitted C file. It holds several modules, which share parts of the text.
"""
import re

STRING = r'"((?:[^"\\]|\\.)*)"'
TABLE = r"^static const {type} {name}(_\w+)?(?:\[\])? = \{{\n(.*?)^\}};"


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
