"""report_records.py: records of runs that never happened, for the tests of spmvbench's report.
docs/reference/records.md describes them. All numbers follow from a seed.

    python3 tests/spmvbench/report_records.py > tests/spmvbench/data/report.jsonl
"""
import json
import math
import random
import sys

TIME, CPU, COMPILER = "2026-01-31T23:59:59Z", "Example CPU 9000 (made up)", "gcc 12.2.0"
DRAM = 46.3
OURS = {"csr_scalar": 0.98, "csr_vector": 1.12, "csr_adaptive": 1.31, "speculative": 1.17,
        "evc_hyb": 1.22, "strips": 1.78}
PEERS = {"csr_omp": 0.97, "eigen": 0.96, "librsb": 0.72, "mkl": 1.41, "petsc": 0.93}
PREPARE = {"csr_adaptive": 0.3, "evc_hyb": 4.4, "strips": 11, "csr5": 5.2, "librsb": 13, "mkl": 9}
SWEEP = [{"csr5.omega": str(omega), "csr5.sigma": str(sigma)}
         for omega in (4, 8) for sigma in (8, 12, 16, 24)]
ONE = [{"csr_adaptive.NNZ_PER_WG": str(size)} for size in (512, 1024, 2048, 4096)]
UNSAFE = 'graphs/web "crawl" & </script><img src=x>.mtx'


def command(*words):
    return {"record": "run", "schema": 1, "version": "0.2.0", "command": ["spmvbench", *words],
            "time": TIME, "cpu": CPU, "compiler": COMPILER, "threads": 2}


def end(reason="done", seconds=184.2):
    return {"record": "end", "complete": reason == "done", "reason": reason, "seconds": seconds}


def histogram(lengths):
    """Classes that double: 0, 1, 2..3, 4..7, ..."""
    classes = {}
    for length, rows in lengths.items():
        low = 0 if length == 0 else 1 << (length.bit_length() - 1)
        classes[low] = classes.get(low, 0) + rows
    return [[low, max(0, 2 * low - 1), rows] for low, rows in sorted(classes.items())]


def spy(kind, cells=32, seed=1):
    chance = random.Random(f"{kind} {seed}")
    shades = []
    for row in range(cells):
        line = ""
        for column in range(cells):
            distance = abs(row - column)
            if kind == "banded":
                shade = 9 if distance <= 1 else 0
            elif kind == "fem":
                shade = max(0, 9 - 2 * distance) or (chance.random() < 0.05) * 3
            else:
                shade = round(9 / math.sqrt(1 + min(row, column)) * chance.uniform(0.4, 1))
            line += str(int(shade))
        shades.append(line)
    return {"rows": cells, "cols": cells, "shades": shades}


class Matrix:
    """A matrix as the records know it. kind: banded, fem or graph."""

    def __init__(self, text, name, kind, rows, average, value_type="f64", seed=1):
        self.key = {"input": text, "type": value_type, "offset": "i32"}
        self.chance = random.Random(f"{text} {seed}")
        self.kind, self.rows, self.nnz = kind, rows, round(rows * average)
        value = 8 if value_type == "f64" else 4
        self.bytes = self.nnz * (value + 4) + (rows + 1) * 4 + 2 * rows * value
        self.rate = DRAM * (1 + 2.2 / (1 + self.bytes / 12e6))
        spread = {"banded": 1.02, "fem": 2, "graph": 60}[kind]
        longest = max(1, round(average * spread))
        empty = rows // 50 if kind == "graph" else 0
        lengths = {round(average): rows - empty - rows // 10 - 1, round(average / 2): rows // 10,
                   longest: 1}
        if empty:
            lengths[0] = empty
        self.record = {
            "record": "matrix", **self.key, "name": name, "rows": rows, "cols": rows,
            "nnz": self.nnz, "empty_rows": empty, "min_row": 0 if empty else round(average / 2),
            "average_row": self.nnz / rows, "max_row": longest,
            "row_lengths": histogram(lengths), "spy": spy(kind), "alpha": 1, "beta": 0,
            "csr_bytes": self.bytes, "read_gbytes_per_second": self.rate,
            "dram_gbytes_per_second": DRAM, "collect_gflops": self.rate / 3,
            "x_line_bytes": rows * value, "core_cache_bytes": 1 << 20, "competitors": 0,
            "complete": True}
        loop = {"banded": 0.62, "fem": 0.71, "graph": 0.33}[kind]
        self.loop = self.bytes / (self.rate * 1e9 * loop)
        self.record.update(plain_csr_seconds=self.loop, dram_bytes=1 << 30)

    def result(self, method, speed, settings="", chosen=None, peer=False, noise=0.012):
        """speed: about that over the plain CSR loop."""
        times = self.loop / speed * self.chance.uniform(0.86, 1.14)
        if self.kind == "graph" and method in ("strips", "mkl"):
            times *= 1.5
        ratio = self.loop / times
        noise *= self.chance.uniform(0.3, 1.8)
        prepare = PREPARE.get(method, 0.01) * times * self.chance.uniform(0.9, 1.2)
        rate = self.bytes / times / 1e9
        return {"record": "result", **self.key, "method": method,
                "target": "peer" if peer else "x86-64-v4", "set": chosen or {},
                "settings": settings, "module": f"{method}.so" if peer else f"{method}__x86-64-v4",
                "peer": peer, "benchmark_only": False, "correct": True, "left_out": False,
                "failure": None, "samples": 21, "seconds": times, "low": times * (1 - noise / 2),
                "high": times * (1 + noise), "fastest": times * (1 - noise), "ratio": ratio,
                "ratio_low": ratio * (1 - noise), "ratio_high": ratio * (1 + noise),
                "gflops": 2 * self.nnz / times / 1e9, "gbytes_per_second": rate,
                "share_of_read": rate / self.rate, "prepare_seconds": prepare,
                "update_seconds": None if peer else prepare / 3,
                "layout_bytes": None if peer else round(self.bytes * 0.8),
                "error_over_bound": 0.013, "kernels_seconds": None, "host_seconds": None,
                "copies_seconds": None}

    def failed(self, method, failure, peer=False, declines=False):
        record = self.result(method, 1, peer=peer)
        for name in ("seconds", "low", "high", "fastest", "ratio", "ratio_low", "ratio_high",
                     "gflops", "gbytes_per_second", "share_of_read", "prepare_seconds"):
            record[name] = None
        record.update(samples=0, correct=False, left_out=declines, failure=failure,
                      error_over_bound=None if declines else 3.1e7)
        return record

    def swept(self, chosen):
        """A smooth hill around sigma 16, omega 8, or NNZ_PER_WG 1024."""
        if "csr5.sigma" in chosen:
            speed = 1.5 - 0.004 * (int(chosen["csr5.sigma"]) - 15) ** 2
            return self.result("csr5", speed * (1 if chosen["csr5.omega"] == "8" else 0.83),
                               chosen=chosen)
        size = math.log2(int(chosen["csr_adaptive.NNZ_PER_WG"]))
        return self.result("csr_adaptive", 1.35 - 0.07 * (size - 10) ** 2, chosen=chosen)


def three(value_type="f64"):
    return [Matrix("model:poisson7:100", "poisson7 of side 100", "banded", 1000000, 6.94,
                   value_type),
            Matrix("lookalike:FEM/Spheres", "FEM/Spheres", "fem", 83334, 72.1, value_type),
            Matrix(UNSAFE, 'web "crawl" & </script><img src=x>', "graph", 1000005, 3.1,
                   value_type)]


def race(matrix, peers=True, sweep=True, broken=True):
    """The records of a matrix with all contenders."""
    records = [matrix.record]
    for method, speed in OURS.items():
        if broken and method == "strips" and matrix.kind == "graph":
            records.append(matrix.failed(method, "strips needs rows of 4096 nonzeros at most; "
                                                 "the longest has 4700", declines=True))
        elif not (sweep and method == "csr_adaptive"):
            records.append(matrix.result(method, speed))
    records += [matrix.swept(chosen) for chosen in (SWEEP + ONE if sweep else [])]
    if not sweep:
        records.append(matrix.result("csr5", 1.46))
    for method, speed in PEERS.items() if peers else []:
        if broken and method == "librsb" and matrix.kind == "fem":
            records.append(matrix.failed(method, "row 17: 3.25 where 1.5 is expected", peer=True))
        else:
            records.append(matrix.result(method, speed, peer=True))
    matrix.record["results"] = len(records) - 1
    return records


def fixture():
    reason = ("targets/x86-64-v4.lua:31: csr5.sigma = 32: a descriptor of csr5.omega = 4 holds "
              "sigma of 28 at most")
    words = ["--set", "csr5.sigma=8,12,16,24,32", "--set", "csr5.omega=4,8", "--set",
             "csr_adaptive.NNZ_PER_WG=512,1024,2048,4096", "--peers", "--save", "run.jsonl",
             "model:poisson7:100", "lookalike:FEM/Spheres", UNSAFE]
    records = [command(*words)]
    records += [{"record": "illegal", "set": {"csr5.omega": omega, "csr5.sigma": "32"},
                 "target": "x86-64-v4", "type": "f64", "reason": reason} for omega in ("4", "8")]
    for matrix in three():
        records += race(matrix)
    return records + [end()]


def many(matrices=200, contenders=60):
    """A run of matrices x contenders, in two value types."""
    chance = random.Random(7)
    records = [command("--set", "csr5.sigma=4,...", "--type", "f64,f32", "matrices/")]
    for i in range(matrices):
        kind = ("banded", "fem", "graph")[i % 3]
        rows = round(10 ** chance.uniform(3.5, 6.3))
        average = {"banded": 6, "fem": 60, "graph": 4}[kind] * chance.uniform(0.7, 2)
        name = f"Group{i // 10}/matrix_{i:03}"
        matrix = Matrix(f"matrices/{name}.mtx", name, kind, rows, average, ("f64", "f32")[i % 2])
        records += race(matrix, sweep=False)
        for k in range(contenders - len(OURS) - len(PEERS) - 1):
            chosen = {"csr5.omega": str(4 << (k // 12)), "csr5.sigma": str(4 + 2 * (k % 12))}
            speed = 1.5 - 0.004 * (int(chosen["csr5.sigma"]) - 15) ** 2 / (1 + k // 12)
            records.append(matrix.result("csr5", max(0.4, speed), chosen=chosen))
        matrix.record["results"] = contenders
    return records + [end(seconds=14400)]


def text(records):
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


if __name__ == "__main__":
    sys.stdout.write(text(many() if "--many" in sys.argv else fixture()))
