"""evaluate.py: computes figures from records, as tables of pandas.

A panel of a figure (catalog.py) has:

    kind       bars, stack (bars on top of each other), lines or table
    y          the unit of its formulas; right: that of series with right = true
    series     {label, formula, paper, x}: paper has numbers of the text by matrix; x is
               what stands below the bar in place of the matrix
    each       or one formula for every result of the pick `own`; by: what tells its series apart
    x          "matrix"; or of lines: a member of `set`, as "set.csr5.sigma", or a formula
    mean       harmonic, geometric or arithmetic: over the matrices, drawn behind them; of lines,
               what they show
    relative   lines are shares of the panel's greatest number
    among      a suite: these matrices alone
    type, set  records of this value type, results with these parameters
    line       {label, formula}: a horizontal line, the mean over the matrices

A formula reads members of the matrix by their names, and those of picks by name.member. Errors are
from the confidence interval of each time that a formula reads, added in quadrature.
"""
import math

import pandas

from catalog import Problem
from records import Missing

COLUMNS = ["panel", "x", "series", "value", "low", "high", "paper"]


# ---- means ---------------------------------------------------------------------------------------

def mean(kind, values):
    """The mean of positive numbers that a paper takes."""
    if kind == "harmonic":
        return len(values) / sum(1 / value for value in values)
    if kind == "geometric":
        return math.exp(sum(map(math.log, values)) / len(values))
    return sum(values) / len(values)


def mean_error(kind, values, errors):
    """The error of a mean of numbers with independent errors."""
    m, n = mean(kind, values), len(values)
    slope = {"harmonic": lambda v: m * m / (n * v * v), "geometric": lambda v: m / (n * v)}
    return math.sqrt(sum((slope.get(kind, lambda v: 1 / n)(v) * e) ** 2
                         for v, e in zip(values, errors)))


def mean_of(kind, numbers):
    """(mean, low, high) of numbers (value, low, high)."""
    values = [value for value, _, _ in numbers]
    m = mean(kind, values)
    return (m, m - mean_error(kind, values, [value - low for value, low, _ in numbers]),
            m + mean_error(kind, values, [high - value for value, _, high in numbers]))


# ---- formulas ------------------------------------------------------------------------------------

def _fits(result, pick):
    methods = pick.get("method")
    if methods and result.method not in ([methods] if isinstance(methods, str) else methods):
        return False
    return (all(result.set.get(key) == value for key, value in pick.get("set", {}).items()) and
            all(result.set.get(key) != value for key, value in pick.get("unset", {}).items()) and
            all(result.settings.get(key) == value
                for key, value in pick.get("settings", {}).items()) and
            pick.get("peers", False) >= bool(result.record.get("peer")))


def fastest(case, pick):
    """The fastest result of a case that fits a pick; None: there is none."""
    return min((r for r in case.results if _fits(r, pick)), key=lambda r: r.seconds, default=None)


def value_of(formula, names):
    """A formula's number. Raises Missing where the records lack a name that it reads."""
    try:
        return float(eval(formula, {"__builtins__": {"min": min, "max": max}}, names))
    except NameError as error:
        raise Missing(f"no record has '{error.name}'") from None
    except KeyError as error:
        raise Missing(f"no record has {error} in it") from None
    except (TypeError, ValueError) as error:
        raise Missing(f"'{formula}': {error}") from None
    except ZeroDivisionError:
        raise Missing(f"'{formula}' divides by 0") from None


def with_error(formula, case, picks):
    """(number, low, high). picks: results by the names that formulas have for them."""
    names = {**case.names(), **picks}
    value, below, above = value_of(formula, names), 0, 0
    for name, result in picks.items():
        low, high = result.record.get("low"), result.record.get("high")
        if f"{name}.seconds" in formula and low and high:
            at = [value_of(formula, {**names, name: result.at(time)}) for time in (low, high)]
            below += max(0, value - min(at)) ** 2
            above += max(0, max(at) - value) ** 2
    return value, value - math.sqrt(below), value + math.sqrt(above)


def _picks(case, figure, formula):
    """The picks that a formula names. Raises Missing if the matrix has no such result."""
    found = {}
    for name, pick in figure.pick.items():
        if f"{name}." in formula:
            found[name] = fastest(case, pick)
            if found[name] is None:
                words = [f"{key} {value}" for key, value in pick.items()]
                raise Missing(f"{case.matrix['input']} ({case.type}) has no result with "
                              f"{', '.join(words)}")
    return found


class Notes:
    """Why numbers are missing; an error where all are."""
    def __init__(self):
        self.reasons = []

    def number(self, formula, case, figure, picks=None):
        """(number, low, high), or None with a reason kept."""
        try:
            return with_error(formula, case,
                              _picks(case, figure, formula) if picks is None else picks)
        except Missing as reason:
            self.reasons.append(str(reason))
            return None

    def insist(self, numbers, figure, what):
        """Ends with the first reason if there is no number at all."""
        if not numbers:
            reason = self.reasons[0] if self.reasons else "no matrix of its suite is among them"
            raise Problem(f"{figure.name}, {what}: the records lack what it needs: {reason}. "
                          f"Expected those of: {commands_text(figure)}")


def commands_text(figure):
    """The command lines that measure a figure."""
    program = figure.race.program or "spmvbench run"
    return "; ".join(f"{program} {words}" for words in figure.race.commands)


# ---- panels --------------------------------------------------------------------------------------

def _cases(records, figure, of):
    """The cases of a panel or of a sentence."""
    among = {name.split("/")[-1] for name in figure.suites[of["among"]]} if "among" in of else None
    suites = {name.split("/")[-1] for names in figure.suites.values() for name in names}
    if not any(case.label in suites for case in records.cases):
        among = None             # inputs of the user's own
    return [case for case in records.cases
            if of.get("type", case.type) == case.type and (among is None or case.label in among)]


def _series_of(result, by):
    """What tells a result of `each` apart, as text."""
    words = []
    for key in by:
        if key.startswith("set."):
            words.append(f"{key[4:].split('.')[-1]}={result.set.get(key[4:], '')}")
        elif key == "settings":
            words += [f"{name}={value}" for name, value in result.settings.items()]
        else:
            words.append(str(getattr(result, key)))
    return " ".join(words)


def _each(case, figure, panel, keys):
    """{(text of each key): fastest result} of the results that the panel shows."""
    pick = {**figure.pick.get("own", {}), "set": {**figure.pick.get("own", {}).get("set", {}),
                                                  **panel.get("set", {})}}
    found = {}
    for result in (r for r in case.results if _fits(r, pick)):
        key = tuple(_series_of(result, [k] if isinstance(k, str) else k) for k in keys)
        if key not in found or result.seconds < found[key].seconds:
            found[key] = result
    return found


def _bars(records, figure, panel, notes):
    rows = []
    for case in _cases(records, figure, panel):
        if "each" in panel:
            for (series,), own in _each(case, figure, panel, [panel["by"]]).items():
                rows.append((case, series, notes.number(panel["each"], case, figure,
                                                        {"own": own}), case.label, None))
        for series in panel.get("series", []):
            rows.append((case, series["label"], notes.number(series["formula"], case, figure),
                         series.get("x", case.label), series.get("paper", {}).get(case.label)))
    rows = [row for row in rows if row[2] is not None]
    notes.insist(rows, figure, panel["y"])
    out = [(x, series, *number, paper) for _, series, number, x, paper in rows]
    return out + (_mean_bars(rows, panel["mean"]) if "mean" in panel else [])


def _mean_bars(rows, kind):
    """The means over the matrices that have all series."""
    of = {}
    for case, series, number, *_ in rows:
        of.setdefault(series, {})[id(case)] = number
    common = set.intersection(*(set(numbers) for numbers in of.values()))
    out = []
    for series, numbers in of.items():
        chosen = [numbers[case] for case in numbers if case in common]
        if chosen and all(value > 0 for value, _, _ in chosen):
            out.append((f"{kind} mean", series, *mean_of(kind, chosen), None))
    return out


def _sweep(records, figure, panel, notes):
    """Lines over a parameter: a mean over the matrices that have all points."""
    cases, points = _cases(records, figure, panel), {}
    for case in cases:
        for key, own in _each(case, figure, panel, [panel["x"], panel.get("by", [])]).items():
            number = notes.number(panel["each"], case, figure, {"own": own})
            if number is not None:
                points.setdefault(key, {})[id(case)] = number
    notes.insist(points, figure, panel["y"])
    most = max(len(numbers) for numbers in points.values())
    points = {key: numbers for key, numbers in points.items() if len(numbers) == most}
    common = set.intersection(*(set(numbers) for numbers in points.values()))
    notes.insist(common, figure, panel["y"])
    out = []
    for (x, series), numbers in points.items():
        chosen = [number for case, number in numbers.items() if case in common]
        out.append([float(x.split("=")[1]), series, *mean_of(panel["mean"], chosen), None])
    best = max(row[2] for row in out) if panel.get("relative") else 1
    return sorted((x, series, v / best, low / best, high / best, paper)
                  for x, series, v, low, high, paper in out)


def _curves(records, figure, panel, notes):
    """Lines over a formula of the matrix."""
    out = []
    for case in _cases(records, figure, panel):
        x = notes.number(panel["x"], case, figure)
        for series in panel["series"]:
            number = notes.number(series["formula"], case, figure)
            if x is not None and number is not None:
                out.append((x[0], series["label"], *number, None))
    notes.insist(out, figure, panel["y"])
    return sorted(out)


def _split_by_type(records, figure):
    """Panels, each with one value type: those that name none once for each type."""
    types = sorted({case.type for case in records.cases})
    for panel in figure.panel:
        mine = [panel["type"]] if "type" in panel else types
        for value_type in mine if not panel.get("types_together") else [None]:
            words = [panel.get("title")]
            if value_type and "type" not in panel and len(types) > 1:
                words.append(value_type)
            title = ", ".join(filter(None, words)) or panel["y"]
            yield {**panel, "title": title, **({"type": value_type} if value_type else {})}


def panels(records, figure):
    """(panel, table with COLUMNS) for each panel; and reasons for what is missing."""
    notes, out = Notes(), []
    for panel in _split_by_type(records, figure):
        make = _bars
        if panel["kind"] == "lines":
            make = _sweep if panel["x"].startswith("set.") else _curves
        rows = make(records, figure, panel, notes)
        table = pandas.DataFrame([(panel["title"], *row) for row in rows], columns=COLUMNS)
        if "line" in panel:
            numbers = [notes.number(panel["line"]["formula"], case, figure)
                       for case in _cases(records, figure, panel)]
            numbers = [number[0] for number in numbers if number]
            panel = {**panel, "level": mean("arithmetic", numbers) if numbers else None}
        out.append((panel, table))
    return out, list(dict.fromkeys(notes.reasons))


# ---- sentences -----------------------------------------------------------------------------------

def found(records, figure):
    """Lines "what: mean unit (least on MATRIX, most on MATRIX); paper: numbers"."""
    lines = []
    for row in figure.found:
        for value_type in [row["type"]] if "type" in row else sorted({c.type
                                                                      for c in records.cases}):
            line = _sentence(records, figure, row, value_type)
            if line:
                lines.append(line)
    return lines


def _sentence(records, figure, row, value_type):
    notes = Notes()
    numbers = [(notes.number(row["formula"], case, figure), case.label)
               for case in _cases(records, figure, {**row, "type": value_type})]
    numbers = [(number[0], label) for number, label in numbers if number is not None]
    if not numbers:
        return ""
    kind, unit = row.get("mean", "arithmetic"), row.get("unit", "")
    values = [value for value, _ in numbers]
    if kind != "arithmetic" and min(values) <= 0:
        return f"{row['what']}, {value_type}: no {kind} mean, since a number is not above 0"
    text = f"{row['what']}, {value_type}: {mean(kind, values):.3g}{unit}"
    if len(values) > 1:
        (least, at_least), (most, at_most) = min(numbers), max(numbers)
        text += (f" ({kind} mean of {len(values)} matrices; {least:.3g} on {at_least} to "
                 f"{most:.3g} on {at_most})")
    return text + f"; paper: {row.get('paper', 'no number')}"


def wide(panels):
    """A sentence on numbers whose interval is wider than half of them; "": there are none."""
    rows = pandas.concat([table for _, table in panels])
    count = int((rows["high"] - rows["low"] > 0.5 * rows["value"].abs()).sum())
    return (f"{count} of {len(rows)} numbers have an interval wider than half of them, as where "
            "other programs ran" if count else "")


def best_points(panel, table):
    """A sentence for each line of a sweep: where it is greatest."""
    lines = []
    for series, rows in table.groupby("series", sort=False):
        top = rows.loc[rows["value"].idxmax()]
        lines.append(f"{panel['title']}: {series + ': ' if series else ''}greatest at "
                     f"{panel['x'].split('.')[-1]}={top['x']:g}, {top['value']:.3g} {panel['y']}")
    return lines
