#!/usr/bin/env python3
"""template_words.py: prints the words of templates and their meanings, from templates/prelude/.

    tools/template_words.py >template-words.md

Each word has its meaning in the comment above its declaration, or behind it. A word without one is
an error.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ("types.h", "base.h", "simd.h", "simt.h", "host.h")
QUALIFIERS = r"(?:DEVICE|HOST|KERNEL) "

HEAD = """# Template words

The words that templates are written in. Each has a body in `templates/prelude/`, in plain C; tables
of languages and instruction sets replace bodies by something faster.
"""

# One of: a section's heading, a comment, a macro, a type, an enumerator, a function.
ITEM = re.compile(
    r"^/\* ---- (?P<heading>.*?) -+ \*/$"
    r"|^/\* (?P<comment>.*?) \*/$"
    r"|^#define (?P<macro>\w+(?:\(\w+\))?)[^/\n]*(?:/\* (?P<behind>.*?) \*/)?$"
    r"|^typedef (?P<type>(?:struct \w+ \{.*?^\}|[\w ]+?)) (?P<name>\w+);"
    r"(?: +/\* (?P<said>.*?) \*/)?$"
    r"|^enum \{ (?P<enumerator>\w+) = .*? \};(?: +/\* (?P<told>.*?) \*/)?$"
    r"|^(?P<function>(?:" + QUALIFIERS + r")?[a-zA-Z]\w*[\w *]*?\w+\([^;{}]*?\))(?=;|\n\{)"
    r"|^(?P<blank>)$",
    re.MULTILINE | re.DOTALL)


def in_one_line(text):
    return re.sub(r"\s+", " ", re.sub(r"(?m)^ \*", "", text or "")).strip()


def paragraphs(text):
    """A comment's paragraphs, each in lines of at most 100 columns."""
    return "\n\n".join(textwrap.fill(in_one_line(part), 100, break_on_hyphens=False)
                       for part in re.split(r"\n \*\n", text))


def capital(text):
    return text if text[1:2] == " " else text[:1].upper() + text[1:]


def cell(text):
    return in_one_line(text).replace("|", "\\|").replace("*", "\\*")


def words_of(text):
    """(heading or word, its meaning) in order; a comment that no word follows: (None, comment)."""
    found, comment = [], ""
    for item in ITEM.finditer(text):
        if item["heading"]:
            found.append(("# " + in_one_line(item["heading"]), ""))
        elif item["comment"] is not None:
            comment = item["comment"]
            continue
        elif item["macro"]:
            guard = item["macro"].startswith("SPMV_PRELUDE")
            found.append((None if guard else item["macro"], item["behind"] or comment))
        elif item["name"]:
            found.append((item["name"], item["said"] or comment
                          or ("" if "{" in item["type"] else f"C's `{in_one_line(item['type'])}`")))
        elif item["enumerator"]:
            found.append((item["enumerator"], item["told"] or comment))
        elif item["function"]:
            found.append((re.sub("^" + QUALIFIERS, "", in_one_line(item["function"])), comment))
        elif comment:
            found.append((None, comment))
        comment = ""
    return found


def page():
    lines, silent = [HEAD], []
    for header in HEADERS:
        text = (ROOT / "templates" / "prelude" / header).read_text(encoding="utf-8")
        lines.append(f"## {header}\n")
        in_table = False
        for word, meaning in words_of(text):
            if word is None:
                said = re.sub(rf"^{re.escape(header)}: ", "", meaning)
                lines += ([""] if in_table else []) + [paragraphs(capital(said)) + "\n"]
                in_table = False
            elif word.startswith("# "):
                lines += ([""] if in_table else []) + [f"### {capital(word[2:])}\n"]
                in_table = False
            else:
                if not meaning:
                    silent.append(f"templates/prelude/{header}: {word}")
                lines += ([] if in_table else ["| word | meaning |", "|---|---|"])
                lines.append(f"| `{in_one_line(word)}` | {cell(meaning)} |")
                in_table = True
        lines.append("")
    if silent:
        sys.exit("template_words.py: a word needs a comment that says what it does:\n  "
                 + "\n  ".join(silent))
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
