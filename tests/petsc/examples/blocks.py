"""blocks.py: reads the /*TEST*/ comments in which PETSc's examples say how they are tested.

    blocks.of_file(path)     [Block] in the order of the file
    block.runs()             [(nsize, arguments)], one for each combination of its {{a b}} loops

A block is a `test:`; a `testset:` around it gives it defaults, and arguments in front of its own.
Only keys that the chosen blocks need are read; an unknown key or loop is an error.
"""
import dataclasses
import itertools
import re
import shlex

KEYS = ("suffix", "nsize", "args", "requires", "filter", "filter_output", "output_file",
        "diff_args",
        "timeoutfactor", "TODO", "env", "localrunfiles", "temporaries")
LISTS = ("args", "requires")   # a repeated key, and a testset's, are joined
LOOP = re.compile(r"\{\{([^{}]*)\}([^{}]*)\}")


class Unreadable(Exception):
    """A comment that this reader does not understand; the text says where."""


@dataclasses.dataclass
class Block:
    suffix: str
    values: dict

    def __getattr__(self, key):
        if key in KEYS:
            return self.values.get(key, "")
        raise AttributeError(key)

    def runs(self):
        """Every combination of the loops in nsize and args. All must print the same, except where a
        loop asks for separate outputs, which no chosen block does."""
        found = []
        text = (self.nsize or "1") + "\n" + self.args
        loops = LOOP.findall(text)
        for _, what in loops:
            if what.strip() not in ("", "shared output"):
                raise Unreadable(f"block {self.suffix}: a loop with '{what.strip()}'")
        pieces = LOOP.split(text)[::3]
        for chosen in itertools.product(*(values.split() for values, _ in loops)):
            joined = pieces[0] + "".join(c + p for c, p in zip(chosen, pieces[1:]))
            nsize, args = joined.split("\n", 1)
            found.append((int(nsize), shlex.split(args)))
        return found


def comment_of(path):
    """Lines of the comment, without comments of its own."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found = re.search(r"/\*TEST(.*?)TEST\*/", text, re.S)
    if not found:
        raise Unreadable(f"{path}: no /*TEST*/ comment")
    return [line.rstrip() for line in found[1].replace("\t", "        ").splitlines()
            if line.strip() and not line.lstrip().startswith("#")]


def indent_of(line):
    return len(line) - len(line.lstrip())


def parts_of(lines):
    """[(key, value, inner lines)] of the outermost level. Deeper lines under a key with a value
    continue the value."""
    found = []
    outer = None
    for line in lines:
        if found and outer is not None and indent_of(line) > outer:
            found[-1][2].append(line)
            continue
        key, colon, value = line.strip().partition(":")
        if not colon:
            raise Unreadable(f"not understood: '{line.strip()}'")
        outer = indent_of(line)
        found.append([key.strip(), value.strip(), []])
    return found


def merged(defaults, parts, where):
    """The keys of one level, on top of a testset's."""
    values = dict(defaults)
    own = {}
    for key, value, inner in parts:
        if key in ("test", "testset"):
            continue
        if key not in KEYS:
            raise Unreadable(f"{where}: unknown key '{key}'")
        value = " ".join([value] + [line.strip() for line in inner]).strip()
        own[key] = f"{own[key]} {value}" if key in LISTS and key in own else value
    for key, value in own.items():
        joins = key in LISTS and key in values
        values[key] = f"{values[key]} {value}" if joins else value
    return values


def of_parts(parts, defaults, where):
    found = []
    for key, _, inner in parts:
        if key not in ("test", "testset"):
            continue
        below = parts_of(inner)
        values = merged(defaults, below, where)
        if key == "testset":
            found += of_parts(below, values, where)
        else:
            # A block without a suffix is block 1.
            suffix = values.pop("suffix", "") or "1"
            found.append(Block(suffix, values))
    return found


def of_file(path):
    parts = parts_of(comment_of(path))
    build = [inner for key, _, inner in parts if key == "build"]
    needs = " ".join(v for i in build for k, v, _ in parts_of(i) if k == "requires")
    defaults = {"requires": needs} if needs else {}
    return of_parts([p for p in parts if p[0] != "build"], defaults, path)
