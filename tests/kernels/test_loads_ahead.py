"""test_loads_ahead.py: a work-item of csr5 has all loads of its tile under way before it uses one,
and one of slices the loads of two turns. One of evc_hyb loads a turn anew as soon as it was added,
before it uses the others. slices and evc_hyb take 64 registers without spills, and in both,
columns of 16 bits stay packed while they are under way.

    test_loads_ahead.py --work DIR --spmvgen SPMVGEN

The order of PTX says nothing: ptxas orders loads anew. So nvcc compiles the text of sm_90, and
nvdisasm of the CUDA toolkit shows the instructions. Registers need no nvdisasm.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

from machines import tap
from root import ROOT
import machine_code

INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(@!?U?P\d+ )?(\S+)\s*(.*?)\s*;")
WIDE = re.compile(r"LDG\.E\.EF\.128$")       # a streaming load of 16 bytes: values, or wide columns
STREAMED = re.compile(r"LDG\.E\.EF\b")       # any streaming load: of A
GATHER = re.compile(r"LDG\.E(\.64)?\.CONSTANT$")
SUM = re.compile(r"[DF]FMA$")


def instructions_of(sass, kernel):
    """(name, operands) of each instruction of the kernel; a predicate stands before the operands.
    Branches are BRA; a branch that only a divergent warp takes is BRA.DIV."""
    found, inside = [], False
    for line in sass.splitlines():
        if line.lstrip().startswith(".section"):
            inside = f".text.{kernel}," in line
        if not inside:
            continue
        match = INSTRUCTION.match(line)
        if match:
            found.append((match[2], (match[1] or "") + match[3]))
    return found


def runs_of(instructions, ends):
    """Runs of instructions between those that `ends` is true of."""
    run = []
    for instruction in instructions:
        if ends(*instruction):
            yield run
            run = []
        else:
            run.append(instruction)
    yield run


def loads_before_use(run):
    """How many wide loads a run of instructions issues before one reads what a load returns."""
    loaded, wide = set(), 0
    for name, operands in run:
        registers = re.findall(r"\bR(\d+)\b", operands)
        if name.startswith("LDG"):
            if loaded & set(registers[1:]):
                break
            loaded.add(registers[0])
            wide += bool(WIDE.match(name))
        elif loaded & set(registers):
            break
    return wide


def check(sass, bits):
    """What is wrong with the loads of csr5_tiles; bits of a value."""
    instructions = instructions_of(sass, f"csr5_tiles_f{bits}")
    wrong = []
    values = max(map(loads_before_use,
                     runs_of(instructions, lambda name, _: name in ("BRA", "EXIT"))), default=0)
    if values < bits // 8:                   # 16 values of a work-item, by 16 bytes
        wrong.append(f"{values} wide loads before the first wait instead of {bits // 8}")
    # One for each kind of tiles. Branches inside lead around loads of the overhang.
    kinds = [[name for name, _ in run] for run in
             runs_of(instructions, lambda name, text: name == "BRA" and "@" not in text)]
    kinds = [run for run in kinds if "BRA.DIV" in run and any(map(STREAMED.match, run))]
    if len(kinds) != 3:
        wrong.append(f"steps of {len(kinds)} kinds of tiles instead of 3")
    for run in kinds:
        gather = next((i for i, name in enumerate(run) if GATHER.match(name)), 0)
        first = next((i for i, name in enumerate(run) if SUM.match(name)), 0)
        late = sum(bool(STREAMED.match(name)) for name in run[gather:])
        gathers = sum(bool(GATHER.match(name)) for name in run[:first])
        if late:
            wrong.append(f"{late} loads of A behind the first gather")
        if gathers < 8:
            wrong.append(f"{gathers} gathers before the first sum instead of 8")
    return wrong


def check_descriptor(sass, bits):
    """What is wrong with the loads of a descriptor of two words, 32 lanes apart: both words and the
    first values are under way before an instruction reads one of the words."""
    instructions = instructions_of(sass, f"csr5_tiles_f{bits}")
    loads = [(at, *re.match(r"(?:@!?P\d+ )?R(\d+), .*\[(R\d+)\.64(\+0x80)?\]$", text).groups())
             for at, (name, text) in enumerate(instructions)
             if name == "LDG.E.CONSTANT" and re.search(r"\[R\d+\.64(\+0x80)?\]$", text)]
    second = next((load for load in loads if load[3]), None)
    if not second:
        return ["no load of a second word"]
    first = min((load for load in loads if load[2] == second[2] and not load[3]),
                key=lambda load: abs(load[0] - second[0]))
    use = min(next(at for at in range(load[0] + 1, len(instructions))
                   if load[1] in re.findall(r"\bR(\d+)\b", instructions[at][1]))
              for load in (first, second))
    value = next(at for at, (name, _) in enumerate(instructions) if WIDE.match(name))
    return [f"{what} is loaded behind the first use of a word"
            for what, at in (("the first word", first[0]), ("the second word", second[0]),
                             ("a value", value)) if at > use]


def check_slices(sass, bits):
    """What is wrong with the loads of slices_rows: of wide columns, two turns of four nonzeros, by
    16 bytes."""
    instructions = instructions_of(sass, f"slices_rows_f{bits}")
    ahead = max(map(loads_before_use,
                    runs_of(instructions, lambda name, _: name in ("BRA", "EXIT"))), default=0)
    wanted = 2 * (bits // 32 + 1)
    return [] if ahead >= wanted else [f"{ahead} wide loads before the first wait, not {wanted}"]


def gathers_before_use(path):
    """For each load of A in a loop, repeated: the loads of x that are issued before an instruction
    reads what the load returns."""
    for at, load in enumerate(path):
        if load.streams:
            later = path[at + 1:] + path[:at + 1]
            use = next(i for i, other in enumerate(later) if load.writes & other.reads)
            yield sum(other.gathers for other in later[:use])


def check_evc_hyb(sass, bits):
    """What is wrong with the loads of evc_groups: rows of narrow and of wide columns have a loop
    each, with 3 turns of 4 nonzeros in f32 and 2 in f64. The other turns' x is read between the
    load of a turn and its use."""
    wanted = 4 * (2 if bits == 32 else 1)
    kernel = machine_code.sass_kernels(sass, bits)[f"evc_groups_f{bits}"]
    paths = [path for path in map(kernel.hot_path, kernel.loops())
             if machine_code.count_wide_loads(path)]
    least = [min(gathers_before_use(path)) for path in paths]
    return [] if len(least) == 2 and min(least) >= wanted else [
        f"{least} loads of x before a turn is used in each loop, not {wanted}"]


def check_registers(report, kernel):
    """What is wrong with the resources of a kernel, as ptxas reports them."""
    found = re.findall(rf"Compiling entry function '{kernel}_f\d+'.*?(\d+) bytes spill stores.*?"
                       r"Used (\d+) registers", report, flags=re.S)
    return [] if len(found) == 2 and all(spilled == "0" and int(registers) <= 64
                                         for spilled, registers in found) else [str(found)]


def check_packed(sass, kernel, bits):
    """What is wrong with columns of 16 bits: they are loaded by eight bytes, and PRMT takes none of
    them apart, as it would to keep each in a register of its own."""
    names = [name for name, _ in instructions_of(sass, f"{kernel}_f{bits}")]
    loads, parts = names.count("LDG.E.EF.64"), names.count("PRMT")
    return [] if loads and not parts else [f"{loads} loads, {parts} PRMT"]


def compile_text(nvcc, text):
    """The report of ptxas; the cubin is beside the text."""
    return subprocess.run([nvcc, "-arch=sm_90", "-cubin", "-w", "-Xptxas", "-v", "-o",
                           str(text.with_suffix(".cubin")), str(text)], check=True,
                          capture_output=True, text=True).stderr


def disassemble(nvcc, nvdisasm, text):
    compile_text(nvcc, text)
    return subprocess.run([nvdisasm, "-c", str(text.with_suffix(".cubin"))], capture_output=True,
                          text=True, check=True).stdout


def emit(args, method, *options):
    """The program's text for sm_90."""
    folder = args.work / "-".join((method, *options)).replace("--set-", "")
    subprocess.run([args.spmvgen, "--data", str(ROOT), "--target", "sm_90", "--method", method,
                    *options, "--offsets", "i32", "--program-files", "-o", str(folder)],
                   check=True, stdout=subprocess.DEVNULL)
    return folder / f"spmv_{method}__sm_90.cu"


def test_planted(args, tools, text, pattern, new, finds):
    planted = args.work / "planted.cu"
    source = text.read_text(encoding="utf-8")
    changed, count = re.subn(pattern, new, source)
    planted.write_text(changed, encoding="utf-8")
    tap.ok(count == 1 and finds(disassemble(*tools, planted), 64),
           f"{text.stem}: loads that are left out are noticed", f"planted {count} times")


def test_both(sass, kernel, check, what):
    """A kernel in both value types."""
    for bits in (32, 64):
        wrong = check(sass, bits)
        tap.ok(not wrong, f"{kernel}_f{bits}: {what}", "; ".join(wrong))


def test_csr5(args, tools):
    text = emit(args, "csr5", "--set", "csr5.sigma=16")      # all of a tile's loads fit ahead
    test_both(disassemble(*tools, text), "csr5_tiles", check,
              "all loads of a tile are issued first")
    test_planted(args, tools, text, r"load_first_values_f64\(value, val \+ begin[^;]*;",
                 "value[0] = val[begin];", check)


def test_descriptor(args, tools):
    """With a sigma of more than 17 a descriptor has two words; with 0 their number is not known."""
    for sigma in (24, 0):
        text = emit(args, "csr5", "--set", f"csr5.sigma={sigma}")
        test_both(disassemble(*tools, text), "csr5_tiles", check_descriptor,
                  f"with sigma {sigma}, a descriptor's words and the first values are under way "
                  "together")
    test_planted(args, tools, text, r"second = shape\.words > 1(?= .*\n.*\n.*entry_f64)",
                 "second = shape.words > 1 && word != 1", check_descriptor)


def test_slices(args, tools, text):
    test_both(disassemble(*tools, text), "slices_rows", check_slices,
              "the loads of two turns are issued first")
    test_planted(args, tools, text, r"(?s)if \(units < left\)\s+load_turn_f64\(.*?;", "",
                 check_slices)


def test_evc_hyb(args, tools, text):
    test_both(disassemble(*tools, text), "evc_groups", check_evc_hyb,
              "a turn is loaded before the others are used")
    one_turn = disassemble(*tools, emit(args, "evc_hyb", "--set", "evc_hyb.turns=1"))
    tap.ok(all(check_evc_hyb(one_turn, bits) for bits in (32, 64)),
           "evc_groups: loads of one turn alone are noticed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", required=True)
    args = parser.parse_args()
    tools = [shutil.which(name) for name in ("nvcc", "nvdisasm")]
    if not tools[0]:
        tap.skip("nvcc of the CUDA toolkit is not in PATH")
        tap.done()
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    slices = emit(args, "slices")
    evc_hyb = emit(args, "evc_hyb")
    for text, kernel in ((slices, "slices_rows"), (evc_hyb, "evc_groups")):
        wrong = check_registers(compile_text(tools[0], text), kernel)
        tap.ok(not wrong, f"{kernel}: at most 64 registers, and no spills", "; ".join(wrong))
    if not tools[1]:
        tap.skip("nvdisasm of the CUDA toolkit is not in PATH: loads are not counted")
        tap.done()
    for text, kernel in ((slices, "slices_rows"), (evc_hyb, "evc_groups")):
        sass = disassemble(*tools, text)
        for bits in (32, 64):
            wrong = check_packed(sass, kernel, bits)
            tap.ok(not wrong, f"{kernel}_f{bits}: narrow columns stay packed", "; ".join(wrong))
    test_slices(args, tools, slices)
    test_evc_hyb(args, tools, evc_hyb)
    test_csr5(args, tools)
    test_descriptor(args, tools)
    tap.done()


if __name__ == "__main__":
    main()
