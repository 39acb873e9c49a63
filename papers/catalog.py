"""catalog.py: the figures of the papers, as the TOML files beside this one have them.

A file is a paper:

    paper, source          its name, authors and year
    type                   the value type of its figures that do not name one (optional)
    [suites]               its matrices by SuiteSparse's names, in the paper's order
    [without]              figures and tables that have no row, with the reason
    [race.NAME]            commands: the words of `spmvbench run`, one race each;
                           matrices: a suite, or inputs; program: what runs instead of spmvbench
    [[figure]]             a row, a figure or table:

    name, where, shows     "csr5-fig9"; figure and section; one line for papers/list
    varies, device, claim  what the paper varies, on what it measured, and what it found
    race                   of this file; several figures may share one
    here                   what differs here by design (optional)
    let.NAME               a part of formulas, in which its name stands for it
    [figure.pick.NAME]     a result of each matrix that formulas name: method, set, settings;
                           unset: parameters that it does not have; peers: others' codes, too;
                           where several fit, the fastest
    [[figure.panel]]       kind, y and the formulas that are drawn; evaluate.py
    [[figure.found]]       what, formula, mean, unit and paper: a number of the text beside ours

Formulas are Python expressions: they are shown and computed as they stand.
"""
import copy
import dataclasses
import difflib
import pathlib
import re
import tomllib

FOLDER = pathlib.Path(__file__).resolve().parent
FILES = ("csr5", "csr_adaptive", "evc_hyb", "speculative", "own")


class Problem(Exception):
    """A fault of the input, as one sentence for the user."""


def _expand(formula, parts):
    """A formula with the parts whose names stand in it."""
    for name, part in parts.items():
        formula = re.sub(rf"(?<![\w.]){name}(?![\w.])", f"({part})", formula)
    return formula


@dataclasses.dataclass
class Race:
    """Command lines of spmvbench, and the matrices behind each of them."""
    name: str
    commands: list
    matrices: list
    suite: str = ""            # whose look-alikes real matrices may replace
    program: str = ""          # a file beside this one that measures instead of spmvbench


@dataclasses.dataclass
class Figure:
    """A row of a paper's file."""
    name: str
    where: str
    shows: str
    varies: str
    device: str
    claim: str
    paper: str
    race: Race
    suites: dict
    here: str = ""
    pick: dict = dataclasses.field(default_factory=dict)
    panel: list = dataclasses.field(default_factory=list)
    found: list = dataclasses.field(default_factory=list)
    let: dict = dataclasses.field(default_factory=dict)
    type: str = ""             # of all panels and numbers

    def __post_init__(self):
        """Puts the parts of `let` into all formulas; later parts may read earlier ones."""
        for row in [*self.panel, *self.found] if self.type else []:
            row.setdefault("type", self.type)
        self.shown = copy.deepcopy({"panel": self.panel, "found": self.found})
        parts = {}
        for name, formula in self.let.items():
            parts[name] = _expand(formula, parts)
        for row in [*self.panel, *self.found, *(s for p in self.panel for s in p.get("series", [])),
                    *(p["line"] for p in self.panel if "line" in p)]:
            for member in {"formula", "each", "x"} & set(row):
                row[member] = _expand(row[member], parts)


def _race(name, row, suites):
    matrices = row["matrices"]
    suite = matrices if isinstance(matrices, str) else ""
    if suite and suite not in suites:
        raise Problem(f"race {name}: no suite is called '{suite}'")
    return Race(name, row["commands"],
                [f"lookalike:{m}" for m in suites[suite]] if suite else matrices, suite,
                row.get("program", ""))


class Paper:
    """A file: its figures in the order of the paper."""
    def __init__(self, path):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        self.name, self.source = data["paper"], data["source"]
        self.suites, self.without = data.get("suites", {}), data.get("without", {})
        self.races = {name: _race(name, row, self.suites) for name, row in data["race"].items()}
        value_type = {"type": data["type"]} if "type" in data else {}
        self.figures = [Figure(**{**value_type, **row, "paper": self.name, "suites": self.suites,
                                  "race": self.races[row["race"]]}) for row in data["figure"]]


def papers():
    """All papers."""
    return [Paper(FOLDER / f"{name}.toml") for name in FILES]


def find(name):
    """The figure of a name; names the nearest one if there is none."""
    figures = {figure.name: figure for paper in papers() for figure in paper.figures}
    if name in figures:
        return figures[name]
    near = difflib.get_close_matches(name, figures, 1, 0.4)
    raise Problem(f"no figure is called '{name}'" +
                  (f"; did you mean '{near[0]}'?" if near else ";") + " papers/list names all")
