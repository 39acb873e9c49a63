"""records.py: reads the JSON Lines of `spmvbench --save` (docs/reference/records.md)."""
import json
import math
import pathlib
import re

from catalog import Problem


class Missing(Exception):
    """A record lacks what a formula reads; the text names both."""


class Result:
    """A result, whose members formulas read as attributes: csr5.seconds."""
    def __init__(self, record):
        self.record = record
        self.set = record.get("set") or {}
        self.settings = dict(word.split("=", 1)
                             for word in (record.get("settings") or "").split(",") if "=" in word)

    def __getattr__(self, name):
        value = self.record.get(name)
        if value is None:
            raise Missing(f"the result of {self.record.get('method')} on "
                          f"{self.record.get('input')} has no '{name}'")
        return value

    def _of(self, member, names):
        found = [(self.record.get(member) or {}).get(name) for name in names]
        if all(value is None for value in found):
            raise Missing(f"the result of {self.method} on {self.input} has no '{names[0]}' in "
                          f"'{member}'")
        return sum(value for value in found if value is not None)

    def steps(self, *names):
        """Seconds of steps of building the layout, those that it has."""
        return self._of("build_steps", names)

    def all_steps(self):
        """Seconds of all steps."""
        return self._of("build_steps", list(self.record.get("build_steps") or {"any step": 0}))

    def figure(self, name, absent=None):
        """A number of what the layout is made of; absent: where the layout has no such thing."""
        if absent is not None and name not in (self.record.get("figures") or {}):
            return absent
        return self._of("figures", [name])

    def at(self, seconds):
        """This result with another time, which propagates an error."""
        return Result({**self.record, "seconds": seconds})


class Case:
    """A matrix in a value type, and its results that are right and were timed."""
    def __init__(self, matrix):
        self.matrix = matrix
        self.results = []
        self.label = label_of(matrix["input"])
        self.type = matrix["type"]

    def names(self):
        """What formulas read by bare names: members of the matrix, and sizes in bytes."""
        names = {key: value for key, value in self.matrix.items() if value is not None}
        names["value_bytes"] = 4 if self.type == "f32" else 8
        names["offset_bytes"] = 8 if self.matrix.get("offset") == "i64" else 4
        names["matrix_in_csr"] = (self.matrix["nnz"] * (names["value_bytes"] + 4) +
                                  (self.matrix["rows"] + 1) * names["offset_bytes"])
        return names


class Records:
    """Cases of one or several files, and the machines that made them."""
    def __init__(self):
        self.cases = []
        self.runs = []
        self.illegal = []

    def machine(self):
        """The machine as the records state it."""
        texts = []
        for run in self.runs:
            threads = run.get("threads")
            words = [run.get("cpu"), run.get("compiler"),
                     threads and f"{threads} thread{'' if threads == 1 else 's'}"]
            text = ", ".join(str(word) for word in words if word)
            if text and text not in texts:
                texts.append(text)
        results = [result for case in self.cases for result in case.results]
        devices = sorted({r.device for r in results if r.record.get("device")})
        targets = sorted({r.target for r in results} - {"peer"})
        return "; ".join([*texts, *(f"device {name}" for name in devices),
                          *([f"kernels for {', '.join(targets)}"] if targets else [])])

    def lookalikes(self):
        """How many matrices are look-alikes, of how many."""
        inputs = {case.matrix["input"] for case in self.cases}
        return sum(text.startswith("lookalike:") for text in inputs), len(inputs)


def label_of(text):
    """A matrix's name for axes: SuiteSparse's, or the input's words."""
    if text.startswith("lookalike:"):
        return text.split(":", 1)[1].split("/")[-1]
    if re.match(r"(model|shape|values):", text):
        return text
    return re.sub(r"\.mtx(\.gz)?$", "", pathlib.PurePath(text).name)


def _key(record):
    return tuple(str(record.get(name)) for name in ("input", "type", "offset", "transposed",
                                                    "columns", "order", "values"))


# What of a record the rest of this program relies on.
MEMBERS = {
    "matrix": {"input": str, "type": str, "rows": int, "nnz": int},
    "result": {"input": str, "type": str, "method": str},
    "optional": {"seconds": (int, float), "low": (int, float), "high": (int, float), "set": dict,
                 "settings": str, "target": str, "figures": dict, "build_steps": dict},
}


def _fault(record):
    """What is wrong with a record's members; "": nothing."""
    needed = MEMBERS.get(record["record"], {})
    for name, kind in {**MEMBERS["optional"], **needed}.items():
        value = record.get(name)
        if not isinstance(value, kind) and (name in needed or value is not None):
            return f"its member '{name}' is {json.dumps(value)}"
    return ""


def _read_file(path, records):
    cases = {}                   # a later group of the same matrix replaces an earlier one
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            kind, fault = record["record"], _fault(record)
        except (ValueError, TypeError, KeyError) as error:
            raise Problem(f"{path}:{number}: expected a record of spmvbench --save, a JSON object "
                          "with the member 'record'") from error
        if fault:
            raise Problem(f"{path}:{number}: not a record of spmvbench --save: {fault}")
        if kind == "run":
            records.runs.append(record)
        elif kind == "illegal":
            records.illegal.append(record)
        elif kind == "matrix":
            cases[_key(record)] = Case(record)
        elif kind == "result" and _key(record) in cases:
            seconds = record.get("seconds")
            if record.get("correct") and seconds and 0 < seconds < math.inf:
                cases[_key(record)].results.append(Result(record))
    return cases


def read(paths):
    """Records of files; results of one matrix in several files stand together."""
    records, all_cases = Records(), {}
    for path in paths:
        for key, case in _read_file(path, records).items():
            if key in all_cases:
                all_cases[key].results += case.results
            else:
                all_cases[key] = case
    records.cases = list(all_cases.values())
    if not records.cases:
        raise Problem(f"{', '.join(map(str, paths))}: no record of a matrix")
    return records
