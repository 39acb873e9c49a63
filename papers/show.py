"""show.py: prints figures as tables of pandas, and draws them with matplotlib."""
import pathlib
import textwrap

import matplotlib
import pandas

from catalog import Problem

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "papers", "font.size": 8})
from matplotlib import pyplot  # noqa: E402  the backend is chosen first

WIDTH, HEIGHT, DPI = 11, 3.6, 120


def _number(value):
    return f"{value:.0f}" if abs(value) >= 1e4 else f"{value:.4g}"


def text_of(table):
    """A panel as text: a line for each matrix, a column for each series and the paper's numbers."""
    rows = table.pivot_table(index="x", columns="series", values="value", sort=False)
    paper = table.dropna(subset=["paper"])
    for series in paper["series"].unique():
        numbers = paper[paper["series"] == series].set_index("x")["paper"].astype(float)
        rows.insert(rows.columns.get_loc(series) + 1, f"{series}, paper", numbers)
    rows.index = [x if isinstance(x, str) else f"{x:.6g}" for x in rows.index]
    rows.columns.name = None
    with pandas.option_context("display.width", 200, "display.max_columns", None):
        return rows.to_string(float_format=_number, na_rep="-")


def _errors(rows):
    return [(rows["value"] - rows["low"]).clip(lower=0),
            (rows["high"] - rows["value"]).clip(lower=0)]


def _bars(axes, panel, table):
    labels = list(dict.fromkeys(table["x"]))
    names = list(dict.fromkeys(table["series"]))
    right = {s["label"] for s in panel.get("series", []) if s.get("right")}
    beside = axes.twinx() if right else None
    columns = [name for name in names if name not in right]
    width = 0.8 / (1 if panel["kind"] == "stack" else max(1, len(columns)))
    below = dict.fromkeys(labels, 0.0)
    for name in names:
        rows = table[table["series"] == name]
        at = [labels.index(label) for label in rows["x"]]
        if name in right:
            beside.plot(at, rows["value"], "k.--", label=name, linewidth=0.8)
            continue
        if panel["kind"] == "stack":
            axes.bar(at, rows["value"], width, bottom=[below[label] for label in rows["x"]],
                     yerr=_errors(rows), label=name, error_kw={"linewidth": 0.6})
            for label, value in zip(rows["x"], rows["value"]):
                below[label] += value
            continue
        shift = (columns.index(name) - (len(columns) - 1) / 2) * width
        axes.bar([a + shift for a in at], rows["value"], width, yerr=_errors(rows), label=name,
                 error_kw={"linewidth": 0.6})
    axes.set_xticks(range(len(labels)), labels, rotation=60, ha="right")
    if beside:
        beside.set_ylabel(panel["right"])
        beside.legend(loc="lower right", bbox_to_anchor=(0.8, 1), frameon=False, fontsize=7)
        beside.set_ylim(bottom=0)


def _lines(axes, panel, table):
    for name, rows in table.groupby("series", sort=False):
        axes.errorbar(rows["x"], rows["value"], yerr=_errors(rows), marker="o", markersize=3,
                      linewidth=1, capsize=2, label=name or panel["y"])
    axes.set_xlabel(panel.get("xlabel", panel["x"].removeprefix("set.")))
    axes.set_ylim(bottom=0)


def draw(figure, panels, sentences, machine, paths):
    """Writes the figure to files, by their suffix."""
    drawn = [pair for pair in panels if pair[0]["kind"] != "table"]
    if not drawn:
        return []
    below = [f"Machine: {machine}", f"Paper: {figure.claim}", *sentences]
    below = [line for text in below for line in textwrap.wrap(text, 170)]
    height = HEIGHT * len(drawn) + 0.15 * len(below)
    page, all_axes = pyplot.subplots(len(drawn), 1, figsize=(WIDTH, height), squeeze=False,
                                     layout="constrained")
    for axes, (panel, table) in zip(all_axes[:, 0], drawn):
        (_lines if panel["kind"] == "lines" else _bars)(axes, panel, table)
        if panel.get("level") is not None:
            axes.axhline(panel["level"], color="red", linestyle="--", linewidth=1,
                         label=panel["line"]["label"])
        if panel.get("log"):
            axes.set_yscale("log")
        if panel["title"] != panel["y"]:
            axes.set_title(panel["title"], loc="right")
        axes.set_ylabel(panel["y"])
        axes.grid(axis="y", linewidth=0.3)
        axes.set_axisbelow(True)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=6, fontsize=7, frameon=False)
    page.suptitle(f"{figure.paper}, {figure.where}: {figure.shows}")
    page.supxlabel("\n".join(below), fontsize=7, x=0.01, ha="left")
    for path in paths:
        page.savefig(path, dpi=DPI, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(page)
    return paths


def write(figure, panels, sentences, machine, folder):
    """NAME.csv, NAME.png and NAME.svg in the folder; their paths."""
    folder = pathlib.Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        csv = folder / f"{figure.name}.csv"
        table = pandas.concat([table for _, table in panels])
        table.assign(figure=figure.name, machine=machine).to_csv(csv, index=False,
                                                                 float_format="%.6g")
        images = [folder / f"{figure.name}{suffix}" for suffix in (".png", ".svg")]
        return [csv, *draw(figure, panels, sentences, machine, images)]
    except OSError as error:
        raise Problem(f"{error.filename or folder}: {error.strerror}") from error
