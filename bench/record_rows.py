"""record_rows.py: a record of races in JSON Lines. The first line is an object: what was run where,
who took part, and the names of columns; every other line is an array, a row of these columns.
spmvbench's own records would be of fifty times the size.

A row of a race is one matrix in one type with a number of threads: the method that a plan takes
that names none, our fastest method, and each peer, in GFlop/s. Only contenders whose results are
right, in the order of the rows, count.
"""
import dataclasses
import json
import pathlib
import re
import sys

RACE = "race"                   # a record's kind

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


# ---- the file ------------------------------------------------------------------------------------

def fail(words):
    sys.exit("record.py: " + words)


def text_of(facts, columns, rows):
    return "\n".join([json.dumps({**facts, "columns": columns}),
                      *(json.dumps(row, separators=(",", ":")) for row in rows)]) + "\n"


def read(path, kind):
    """Facts, and rows as dictionaries, of a record of this kind."""
    try:
        head, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        if head["record"] == kind:
            return head, [dict(zip(head["columns"], line, strict=True)) for line in lines]
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except (ValueError, TypeError, KeyError):
        pass
    fail(f"{path}: is no record of kind '{kind}', as `run` writes them")


COLUMNS = ["kind", "matrix", "seed", "type", "threads", "MB", "narrowed", "chosen", "GFlop/s",
           "best", "best's"]


def text_of_races(facts, rows):
    peers = sorted({name for row in rows for name in row.peers})
    return text_of({"record": RACE, **facts}, COLUMNS + peers, [
        [row.kind, row.matrix, row.seed, row.type, row.threads, float(f"{row.megabytes:.4g}"),
         row.narrowed, row.chosen[0], round(row.chosen[1], 3), row.best[0], round(row.best[1], 3),
         *(round(row.peers[name], 3) if name in row.peers else None for name in peers)]
        for row in rows])


def read_races(path):
    """Facts and rows."""
    facts, lines = read(path, RACE)
    peers = facts["columns"][len(COLUMNS):]
    return facts, [Row(r["kind"], r["matrix"], r["seed"], r["type"], r["threads"], r["MB"],
                       r["narrowed"], (r["chosen"], r["GFlop/s"]), (r["best"], r["best's"]),
                       {name: r[name] for name in peers if r[name] is not None}) for r in lines]
