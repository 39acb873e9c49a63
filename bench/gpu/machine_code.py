"""machine_code.py: what a GPU kernel's instructions are, and which of them its loops execute.

    sass_kernels(TEXT)      kernels of a listing of nvdisasm
    amd_kernels(TEXT)       kernels of LLVM's assembly for an AMD GPU

A Kernel has its instructions in the order of the code. A loop is the code between the target of a
branch backwards and the branch. Paths go forwards only: loops are repeated by the caller.
"""
import collections
import re

# width: bits of a load or store. streams: a load of A, by the hint evict-first; on AMD GPUs any
# load. gathers: a load of x, on NVIDIA's. reads, writes: registers. target: index of the
# instruction that a branch goes to.
Instruction = collections.namedtuple(
    "Instruction", "name kind width streams gathers guarded reads writes target")
Loop = collections.namedtuple("Loop", "first last")

SASS = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(@!?U?P\d+ )?\s*([A-Z][\w.]*)\s*(.*?)\s*;")
LABEL = re.compile(r"^([.\w$]+):")
SASS_KINDS = {"LDG": "load", "LD": "load", "STG": "store", "ST": "store", "LDS": "shared",
              "STS": "shared", "BRA": "branch", "BRX": "branch", "EXIT": "exit", "RET": "exit",
              "DFMA": "fma", "FFMA": "fma", "DMUL": "multiply", "FMUL": "multiply",
              "SHFL": "shuffle", "BAR": "barrier"}
COUNTED = ("instructions", "load 128", "load 64", "load 32", "load 16", "gathers", "stores",
           "shared", "shuffles", "barriers", "branches", "fma", "waits")


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


def count(path):
    """How often COUNTED occurs on a path. waits: how often a work-item waits for loads, if all
    loads that it issued before arrive together."""
    found = collections.Counter({name: 0 for name in COUNTED})
    pending, issued = set(), False
    for i in path:
        found["instructions"] += 1
        if i.kind == "load":
            found["gathers" if i.gathers else f"load {i.width}"] += 1
        elif i.kind in ("store", "shared", "shuffle", "barrier", "branch", "fma"):
            found[{"shared": "shared", "fma": "fma", "branch": "branches"}
                  .get(i.kind, i.kind + "s")] += 1
        if (i.kind == "wait" and issued) or pending & i.reads:
            found["waits"] += 1
            pending, issued = set(), False
        if i.kind == "load":
            pending |= i.writes
            issued = True
        else:
            pending -= i.writes
    return found


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


# ---- AMD ------------------------------------------------------------------------------------

AMD_WIDTHS = {"ubyte": 8, "sbyte": 8, "u8": 8, "i8": 8, "ushort": 16, "sshort": 16, "u16": 16,
              "i16": 16, "d16": 16, "dword": 32, "b32": 32, "dwordx2": 64, "b64": 64,
              "dwordx3": 96, "b96": 96, "dwordx4": 128, "b128": 128}


def amd_instruction(name, operands, places):
    memory = re.match(r"(global|flat|buffer|scratch)_(load|store)_(\w+)", name)
    kind, width = "other", 0
    if memory:
        kind = memory[2]
        width = next((AMD_WIDTHS[word] for word in memory[3].split("_") if word in AMD_WIDTHS), 32)
    elif name.startswith("ds_bpermute") or name.startswith("ds_swizzle") or "dpp" in operands:
        kind = "shuffle"
    elif name.startswith("ds_"):
        kind = "shared"
    elif name.startswith("s_cbranch") or name == "s_branch":
        kind = "branch"
    elif name == "s_endpgm":
        kind = "exit"
    elif name == "s_barrier":
        kind = "barrier"
    elif re.match(r"v_(pk_)?(fma|fmac|dual_fmac)_f\d+", name):
        kind = "fma"
    elif name == "s_waitcnt" and "vmcnt" in operands:
        kind = "wait"
    return Instruction(name, kind, width, kind == "load", False, name.startswith("s_cbranch"),
                       frozenset(), frozenset(),
                       places.get(operands.split()[0]) if kind == "branch" and operands else None)


def amd_kernels(text):
    """{name: (Kernel, {"vgprs", "sgprs", "spills", "occupancy", "shared"})} of LLVM's assembly."""
    kernels, name, lines, places = {}, None, [], {}
    facts = {"NumVgprs": "vgprs", "NumSgprs": "sgprs", "ScratchSize": "spills",
             "Occupancy": "occupancy", "LDSByteSize": "shared"}
    for line in text.splitlines():
        label = LABEL.match(line)
        fact = re.match(r"; (\w+): (\d+)", line)
        if re.match(r"\s*\.type\s+\w+,@function", line):
            name = re.match(r"\s*\.type\s+(\w+)", line)[1]
            lines, places = [], {}
        elif label:
            places[label[1]] = len(lines)
        elif fact and fact[1] in facts and name:
            kernels.setdefault(name, [lines, places, {}])[2][facts[fact[1]]] = int(fact[2])
        else:
            match = re.match(r"\t([a-z]\w+)\s*([^;]*)", line)
            if match and name:
                lines.append((match[1], match[2].strip()))
    return {name: (Kernel(name, [amd_instruction(*line, places) for line in lines]), found)
            for name, (lines, places, found) in kernels.items()}
