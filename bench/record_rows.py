"""record_rows.py: a record of races as a text: what took part, and a row for each race.

    record   2
    date     2026-11-27
    cache    32 MB                          the last cache of the machine
    peer     csr_omp: a loop over CSR ...    each peer that took part in a race
    absent   mkl: there is no libmkl_rt.so   each that took none, and why
    ...
                                            an empty line, names of columns, rows

A row is a race of one matrix in one type with a number of threads: the method that a plan takes
that names none, our fastest method, and each peer, in GFlop/s. Only contenders whose results are
right, in the order of the rows, count.
"""
import dataclasses
import json
import pathlib
import re

FORM = "2"
NONE = "-"

# A value counts as narrowed if it takes less than this share of its type's bytes.
NARROWED = 0.95
VALUE_BYTES = {"f32": 4, "f64": 8}


@dataclasses.dataclass(frozen=True)
class Row:
    kind: str                    # "made" or "real"
    matrix: str
    seed: int
    type: str
    threads: int
    megabytes: float             # of CSR, x and y
    narrowed: bool               # strips stores its values in fewer bytes
    chosen: tuple                # method and GFlop/s of the automatic choice
    best: tuple                  # of our fastest method
    peers: dict                  # name: GFlop/s

    def best_peer(self):
        return max(self.peers.items(), key=lambda item: item[1])


# ---- from spmvbench's records --------------------------------------------------------------------

def name_of(name):
    """A short name without spaces for an input: dc2, stencil-27, memplus."""
    if name.startswith(("lookalike:", "shape:")):
        return name.split(":")[1].split("/")[-1].replace(" ", "_")
    if name.startswith("model:"):
        return name[len("model:"):]
    return re.sub(r"\.mtx(\.gz)?$", "", pathlib.PurePath(name).name).replace(" ", "_")


def is_narrowed(results, value_type):
    """Whether strips stores the values in fewer bytes."""
    stored = [r["figures"]["bytes of a value"] for r in results
              if r["method"] == "strips" and "bytes of a value" in r.get("figures", {})]
    return bool(stored) and stored[0] < NARROWED * VALUE_BYTES[value_type]


def is_counted(result):
    return (result["correct"] and result["gflops"] is not None
            and not result["benchmark_only"] and not result.get("permuted_y"))


def group_results(lines):
    """Pairs of a complete `matrix` record and its results, from lines of JSON."""
    groups = {}
    for record in map(json.loads, lines):
        key = tuple(record.get(name) for name in ("input", "type"))
        if record["record"] == "matrix":
            groups[key] = (record, [])
        elif record["record"] == "result" and key in groups:
            groups[key][1].append(record)
    return [(matrix, results) for matrix, results in groups.values()
            if matrix["complete"] and matrix["results"] == len(results)]


def row_of(matrix, results, kind, seed, threads, chosen):
    """The row of a race, or a sentence why there is none. `chosen` is the name of the module that a
    plan takes."""
    counted = [r for r in results if is_counted(r)]
    ours = {r["module"]: r for r in counted if not r["peer"]}
    peers = {r["method"]: r["gflops"] for r in counted if r["peer"]}
    if chosen not in ours:
        return f"{chosen or 'no method'} is chosen, and was not raced with a right result"
    if not peers:
        return "no peer took part with a right result"
    best = max(ours.values(), key=lambda r: r["gflops"])
    return Row(kind, name_of(matrix["input"]), seed, matrix["type"], threads,
               matrix["csr_bytes"] * 1e-6, is_narrowed(results, matrix["type"]),
               (ours[chosen]["method"], ours[chosen]["gflops"]), (best["method"], best["gflops"]),
               peers)


# ---- the text ------------------------------------------------------------------------------------

HEADS = ["kind", "matrix", "seed", "type", "threads", "MB", "values", "chosen", "GFlop/s", "best",
         "best's"]


def cells_of(row, peers):
    speeds = [f"{row.peers[name]:.3f}" if name in row.peers else NONE for name in peers]
    return [row.kind, row.matrix, str(row.seed), row.type, str(row.threads),
            f"{row.megabytes:.4g}", "narrow" if row.narrowed else "wide", row.chosen[0],
            f"{row.chosen[1]:.3f}", row.best[0], f"{row.best[1]:.3f}", *speeds]


def text_of(facts, rows):
    """The record: pairs of a word and a text, then the table."""
    peers = sorted({name for row in rows for name in row.peers})
    lines = [HEADS + peers, *(cells_of(row, peers) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
             for line in lines]
    head = [f"{word:<8} {text}" for word, text in [("record", FORM), *facts]]
    return "\n".join([*head, "", *table]) + "\n"


def is_record(text):
    return text.startswith(f"record   {FORM}\n")


def read(text):
    """Facts, as lists of texts by their word, and rows."""
    head, table = text.split("\n\n", 1)
    facts = {}
    for line in head.splitlines():
        word, _, rest = line.partition(" ")
        facts.setdefault(word, []).append(rest.strip())
    names, *lines = (line.split() for line in table.splitlines())
    rows = []
    for cells in lines:
        peers = {name: float(cell) for name, cell in zip(names[len(HEADS):], cells[len(HEADS):])
                 if cell != NONE}
        rows.append(Row(cells[0], cells[1], int(cells[2]), cells[3], int(cells[4]),
                        float(cells[5]), cells[6] == "narrow", (cells[7], float(cells[8])),
                        (cells[9], float(cells[10])), peers))
    return facts, rows


def cache_of(facts):
    """MB of the last cache of the record's machine."""
    return float(facts["cache"][0].split()[0])
