"""test_adaptive.py: the row blocks of csr_adaptive, as spmvbench --details counts them,
with each optimisation of its papers on and off. spmvbench.py describes the first arguments; behind
them stand SPMVGEN and COMPILER.

Each optimisation is off by a parameter (docs/methods/csr_adaptive.md). Kernels of plain C run on
the CPU, programs on PoCL if it is there.
"""
import json
import os
import pathlib
import re
import sys
import tempfile

from spmvbench import QUICK, run, tap

SPMVGEN, COMPILER = os.path.abspath(sys.argv[5]), sys.argv[6]
COLS, NNZ_PER_WG, LANES, WORK_GROUP = 4000, 256, 4, 64
MOST = 16384                     # of scalar_rows
SIZES = [f"nnz_per_wg={NNZ_PER_WG}", f"work_group_size={WORK_GROUP}"]
# Values with which each optimisation is on.
ON = {"nnz_multiplier": 2, "num_rows_stream": 3, "scalar_rows": 33, "long_row": 128,
      "short_row": 32}

# Runs of rows as (rows, nonzeros of each): each kind of block in turn, and both kinds of borders
# between long and short rows.
RUNS = [(300, 2), (2, 140), (50, 5), (1, 3000), (40, 6), (1, 300), (2, 100), (1, 200), (64, 1),
        (30, 20)]


def lengths():
    return [length for rows, length in RUNS for _ in range(rows)]


def write_matrix(path):
    entries = [f"{row + 1} {(7 * row + 13 * k) % COLS + 1} {k % 5 + 1}"
               for row, length in enumerate(lengths()) for k in range(length)]
    path.write_text("\n".join(["%%MatrixMarket matrix coordinate real general",
                               f"{len(lengths())} {COLS} {len(entries)}", *entries, ""]),
                    encoding="utf-8")


def blocks_of(values):
    """The blocks by the text of docs/methods/csr_adaptive.md: lists of lengths of rows, and for
    each part of a cut row the number of rows that end there, 0 or 1."""
    blocks, block = [], []
    most = values["nnz_multiplier"] * NNZ_PER_WG or 1 << 30
    for length in lengths():
        border = block and (
            (block[-1] > values["long_row"] and length < values["short_row"])
            or (block[-1] < values["short_row"] and length > values["long_row"]))
        if block and (border or sum(block) + length > NNZ_PER_WG or len(block) == NNZ_PER_WG):
            blocks.append(block)
            block = []
        if length > most:
            blocks += [0] * (-(-length // most) - 1) + [1]
        else:
            block.append(length)
    return blocks + ([block] if block else [])


def expected(values, scalar_from):
    """What --details says of the blocks: {way: (blocks, rows)}, without ways of no block."""
    count = {}
    for block in blocks_of(values):
        if isinstance(block, int):
            way, ended = "CSR-VectorL", block
        else:
            ended = len(block)
            if ended < values["num_rows_stream"] or sum(block) > NNZ_PER_WG:
                way = "CSR-Vector"
            else:
                way = "CSR-Stream, " + ("scalar" if ended >= scalar_from else "logarithmic")
        blocks, rows = count.get(way, (0, 0))
        count[way] = (blocks + 1, rows + ended)
    return count


def counted(text):
    """The same, from the text of --details."""
    blocks = dict(re.findall(r"^  (CSR-[\w, ]*\w) +(\d+) blocks$", text, flags=re.M))
    rows = dict(re.findall(r"^  rows of (CSR-[\w, ]*\w) +(\d+) rows$", text, flags=re.M))
    return {way: (int(blocks[way]), int(rows.get(way, -1))) for way in blocks if blocks[way] != "0"}


class Race:
    """Races csr_adaptive on one target with several values of a parameter, the others on. Blocks of
    at least `limit` rows are added by the scalar reduction, whatever scalar_rows is."""

    def __init__(self, folder, target, limit):
        self.target, self.limit = target, limit
        self.path = folder / "blocks.mtx"
        self.settings = {"SPMVGEN": SPMVGEN, "CC": COMPILER, "CFLAGS": "-O0",
                         "SPMV_CACHE": str(folder / "cache")}
        self.records = folder / f"{target}.jsonl"

    def run(self, parameter, values):
        sets = {name: str(value) for name, value in ON.items()}
        sets[parameter] = ",".join(map(str, values))
        words = [word for name, value in sets.items()
                 for word in ("--set", f"csr_adaptive.{name}={value}")]
        words += [word for size in SIZES for word in ("--set", "csr_adaptive." + size)]
        if self.target == "generic-c":
            words += ["--set", f"csr_adaptive.lanes={LANES}"]
        self.records.unlink(missing_ok=True)
        return run(str(self.path), *QUICK, "--target", self.target, "--method", "csr_adaptive",
                   *words, "--details", "--save", str(self.records), **self.settings)

    def correct(self):
        """Whether each kernel's result is right."""
        lines = self.records.read_text(encoding="utf-8").splitlines()
        return [record["correct"] for record in map(json.loads, lines)
                if record["record"] == "result"]

    def check(self, parameter, off):
        """Off and on: right results, and the blocks of the documents. Returns what was counted."""
        values = [off, ON[parameter]]
        done = self.run(parameter, values)
        found = {}
        for text in re.split(r"^spmv_csr_adaptive", done.stdout, flags=re.M)[1:]:
            value = re.search(rf"csr_adaptive.{parameter}=(\d+)", text.split("\n")[0])
            found[int(value[1]) if value else None] = counted(text)
        wanted = {}
        for value in values:
            chosen = {**ON, parameter: value}
            wanted[value] = expected(chosen, min(chosen["scalar_rows"], self.limit))
        tap.ok(done.returncode == 0 and self.correct() == [True] * 2 and found == wanted,
               f"{self.target}: {parameter} = {off} and {ON[parameter]}: right results, and blocks "
               "as documented", f"{done.stdout}{done.stderr}\n{found}\nexpected {wanted}")
        return found.get(off, {}), found.get(ON[parameter], {})


def check_target(race):
    name = race.target
    off, on = race.check("nnz_multiplier", 0)
    tap.ok("CSR-VectorL" in on and "CSR-VectorL" not in off,
           f"{name}: nnz_multiplier = 0 turns CSR-VectorL off", f"{off} {on}")
    off, on = race.check("scalar_rows", 1)
    tap.ok("CSR-Stream, logarithmic" in on and "CSR-Stream, logarithmic" not in off,
           f"{name}: scalar_rows = 1 turns the logarithmic reduction off", f"{off} {on}")
    off, on = race.check("scalar_rows", MOST)
    kept = on.get("CSR-Stream, scalar") if race.limit < MOST else None
    tap.ok("CSR-Stream, scalar" in on and off.get("CSR-Stream, scalar") == kept,
           f"{name}: scalar_rows = {MOST} turns the scalar reduction off, but for blocks with more "
           "rows than half a work-group has work-items", f"{off} {on}")
    off, on = race.check("num_rows_stream", 2)
    blocks, rows = off.get("CSR-Vector", (0, 0))
    tap.ok(0 < blocks == rows and on.get("CSR-Vector", (0, 0))[1] > rows,
           f"{name}: num_rows_stream = 2 leaves CSR-Vector blocks of one row", f"{off} {on}")
    off, on = race.check("short_row", 0)
    total = [sum(blocks for blocks, _ in each.values()) for each in (off, on)]
    tap.ok(total[0] < total[1], f"{name}: short_row = 0 mixes long and short rows in blocks",
           f"{off} {on}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_matrix(folder / "blocks.mtx")
        check_target(Race(folder, "generic-c", MOST + 1))
        device = Race(folder, "pocl", WORK_GROUP // 2 + 1)
        if "unusable pocl" in device.run("short_row", [ON["short_row"]]).stdout:
            tap.skip("no OpenCL device")
        else:
            check_target(device)
    tap.done()


main()
