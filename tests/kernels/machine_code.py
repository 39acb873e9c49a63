"""machine_code.py: what a GPU kernel's instructions are, and which of them its loops execute.

    sass_kernels(TEXT)      kernels of a listing of nvdisasm

A Kernel has its instructions in the order of the code. A loop is the code between the target of a
branch backwards and the branch. Paths go forwards only: loops are repeated by the caller.
"""
import collections
import re

# width: bits of a load or store. streams: a load of A, by the hint evict-first. gathers: a load of
# x. reads, writes: registers. target: index of the instruction that a branch goes to.
Instruction = collections.namedtuple(
    "Instruction", "name kind width streams gathers guarded reads writes target")
Loop = collections.namedtuple("Loop", "first last")

SASS = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(@!?U?P\d+ )?\s*([A-Z][\w.]*)\s*(.*?)\s*;")
LABEL = re.compile(r"^([.\w$]+):")
SASS_KINDS = {"LDG": "load", "LD": "load", "STG": "store", "ST": "store", "LDS": "shared",
              "STS": "shared", "BRA": "branch", "BRX": "branch", "EXIT": "exit", "RET": "exit",
              "DFMA": "fma", "FFMA": "fma", "DMUL": "multiply", "FMUL": "multiply",
              "SHFL": "shuffle", "BAR": "barrier"}


class Kernel:
    def __init__(self, name, instructions):
        self.name = name
        self.instructions = instructions

    def reached(self):
        """Indices of instructions that are executed without branches of divergent warps, whose
        targets stand behind the kernel's end and jump back."""
        found, left = set(), [0]
        while left:
            at = left.pop()
            while at < len(self.instructions) and at not in found:
                found.add(at)
                i = self.instructions[at]
                if i.kind == "branch" and i.target is not None:
                    left.append(i.target)
                if i.kind in ("exit", "branch") and not i.guarded:
                    break
                at += 1
        return found

    def loops(self):
        """The loops, inner ones before outer ones."""
        reached = self.reached()
        found = {Loop(i.target, at) for at, i in enumerate(self.instructions)
                 if i.kind == "branch" and i.target is not None and i.target < at and at in reached}
        return sorted(found, key=lambda loop: (loop.last - loop.first, loop.first))

    def paths(self, first, last, most=64, without=()):
        """{gathers: the path with so many gathers, at most `most`, as indices}: of such paths the
        one that loads most bits of A, and of these the one with the fewest instructions. From
        instruction `first` to `last`, or to an exit if last is None; not through the loops
        `without`. Branches that only a divergent warp takes are not taken."""
        code = self.instructions
        end = len(code) if last is None else last + 1
        best = [{} for _ in range(end + 1)]      # behind the code: finished paths
        best[first][0] = (0, 0, None)            # bits, -instructions, (before, gathers)
        steps = {}

        def offer(to, gathers, value):
            known = best[to].get(gathers)
            if gathers <= most and (known is None or value[:2] > known[:2]):
                best[to][gathers] = value

        for at in range(first, end):
            if any(loop.first <= at <= loop.last for loop in without):
                continue
            i = code[at]
            for gathers, (bits, count, before) in best[at].items():
                steps[at, gathers] = before
                value = (bits + i.streams * i.width, count - 1, (at, gathers))
                now = gathers + i.gathers
                if i.kind == "exit" or at == last:
                    offer(end, now, value)
                if i.kind == "branch" and i.target is not None and at < i.target < end:
                    offer(i.target, now, value)
                falls = not (i.kind in ("exit", "branch") and not i.guarded) and at != last
                if falls and at + 1 < end:
                    offer(at + 1, now, value)
        found = {}
        for gathers, (_, _, at) in best[end].items():
            path = []
            while at is not None:
                path.append(at[0])
                at = steps[at]
            found[gathers] = path[::-1]
        return found

    def hot_path(self, loop, **options):
        """The path with the most gathers through a loop, as instructions; through the kernel if
        loop is None."""
        first, last = (0, None) if loop is None else loop
        paths = self.paths(first, last, **options)
        return [self.instructions[at] for at in paths[max(paths)]] if paths else []


def count_wide_loads(path):
    """Loads of 128 bits on a path that are no gathers."""
    return sum(i.kind == "load" and i.width == 128 and not i.gathers for i in path)


# ---- NVIDIA ---------------------------------------------------------------------------------

def sass_width(name):
    match = re.search(r"\.(128|64|U16|S16|U8|S8)\b", name)
    return {"128": 128, "64": 64, "U16": 16, "S16": 16, "U8": 8, "S8": 8, None: 32}[
        match and match[1]]


def sass_instruction(guard, name, operands, places, value_bits):
    base = name.split(".")[0]
    kind = SASS_KINDS.get(base, "other")
    if name.startswith("BRA.DIV"):
        return Instruction(name, "other", 0, False, False, True, frozenset(), frozenset(), None)
    width = sass_width(name) if kind in ("load", "store", "shared") else 0
    registers = [int(number) for number in re.findall(r"\bR(\d+)\b", operands)]
    has_result = kind not in ("store", "branch", "exit", "barrier") and base != "STS"
    has_result = has_result and bool(re.match(r"(P\w+, )?R\d+\b", operands))
    written = max(1, width // 32) if kind == "load" or base == "LDS" else 1
    if base in ("DFMA", "DADD", "DMUL") or ".WIDE" in name or base == "CS2R":
        written = 2
    writes = range(registers[0], registers[0] + written) if has_result else ()
    reads = registers[1:] if has_result else registers
    target = re.search(r"\((\.[\w$]+)\)", operands) if kind == "branch" else None
    is_load = kind == "load"
    return Instruction(name, kind, width, is_load and ".EF" in name,
                       is_load and name.endswith(".CONSTANT") and width == value_bits,
                       bool(guard), frozenset(reads), frozenset(writes),
                       places.get(target[1]) if target else None)


def sass_kernels(text, value_bits=64):
    """{name: Kernel} of a listing of nvdisasm -c."""
    kernels = {}
    for section in re.split(r"^\s*\.section\s+", text, flags=re.M)[1:]:
        name = re.match(r"\.text\.([\w$]+)", section)
        if not name:
            continue
        places, lines = {}, []
        for line in section.splitlines():
            label, match = LABEL.match(line), SASS.match(line)
            if label:
                places[label[1]] = len(lines)
            elif match and match[2] != "NOP":
                lines.append(match)
        kernels[name[1]] = Kernel(name[1], [sass_instruction(m[1], m[2], m[3], places, value_bits)
                                            for m in lines])
    return kernels
