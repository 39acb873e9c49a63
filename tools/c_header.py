"""c_header.py: the declarations of a C header, with the comments that explain them.

It reads the style of runtime/spmv.h: a comment explains the declarations below it, up to an empty
line; a comment behind a declaration, member or enumerator explains that one; a comment with four
dashes begins a section. It expands no macros.
"""
import re
from dataclasses import dataclass, field

COMMENT = re.compile(r"/\*(.*?)\*/", flags=re.S)


@dataclass
class Declaration:
    code: str
    note: str = ""               # the comment behind it, on one line

    def function(self):
        """The name of the function that it declares; None: it declares none."""
        found = re.match(r"(?!typedef\b)[\w\s*]*?\b(spmv_\w+)\s*\(", self.code)
        return found[1] if found else None

    def type(self):
        """The name of the type that it defines; None: it defines none."""
        if not self.code.startswith("typedef"):
            return None
        found = re.search(r"\}\s*(\w+);$", self.code) or \
            re.search(r"(\w+)\([^()]*\);$", self.code) or re.search(r"(\w+);$", self.code)
        return found[1] if found else None

    def kind(self):
        """struct, enum, or code for all else."""
        found = re.match(r"(?:typedef )?(struct|enum)\b[^{;]*\{", self.code)
        return found[1] if found else "code"

    def members(self):
        """(code, comment) of the members of a struct, or the enumerators of an enum."""
        body = self.code[self.code.index("{") + 1:self.code.rindex("}")]
        end = ";" if self.kind() == "struct" else ","
        found, position = [], 0
        for part in re.finditer(rf"\s*([^{end}/]+?)\s*({end}|(?=/\*)|\s*$)\s*(/\*.*?\*/)?", body,
                                flags=re.S):
            if part.start() != position:
                raise ValueError(f"cannot read the members behind {body[position:][:60]!r}")
            position = part.end()
            if part[1].strip():
                found.append((one_line(part[1]), one_line(unframed(part[3] or ""))))
        return found


@dataclass
class Group:
    comment: str                 # without its frame, in lines
    declarations: list = field(default_factory=list)


def unframed(comment):
    """A comment without its stars and the indentation that they stand at."""
    text = re.sub(r"^/\*+ ?|\s*\*/$", "", comment)
    return re.sub(r"^[ \t]*\* ?", "", text, flags=re.M).strip("\n")


def one_line(text):
    return " ".join(text.split())


def declarations_of(text):
    """(text, is a comment, an empty line stands before it, it begins a line) of each comment and
    declaration."""
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r'^extern "C" \{$|^\}$', "", text, flags=re.M)
    position = 0
    while True:
        gap = re.compile(r"\s*").match(text, position)
        start = position = gap.end()
        if start == len(text):
            return
        is_comment = text.startswith("/*", start)
        depth = 0
        while not is_comment and (depth or text[position] != ";"):
            comment = COMMENT.match(text, position)
            depth += {"{": 1, "}": -1}.get(text[position], 0)
            position = comment.end() if comment else position + 1
        position = text.index("*/", start) + 2 if is_comment else position + 1
        yield text[start:position], is_comment, gap[0].count("\n") > 1, "\n" in gap[0]


def read(path):
    """The comment that opens a header, and its sections: [(name, [Group])], the first without a
    name."""
    parts = declarations_of(path.read_text(encoding="utf-8"))
    opening = unframed(next(parts)[0])
    sections, group = [("", [])], None
    for text, is_comment, is_apart, begins in parts:
        section = re.match(r"/\* ---- (.*?) -+ \*/$", text)
        if section:
            sections.append((section[1], []))
            group = None
        elif is_comment and not begins and group:
            group.declarations[-1].note = one_line(unframed(text))
        else:
            if is_comment or is_apart or not group:
                group = Group(unframed(text) if is_comment else "")
                sections[-1][1].append(group)
            if not is_comment:
                group.declarations.append(Declaration(text))
    return opening, sections
