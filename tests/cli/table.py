"""table.py: the table of --verify, read back."""
import re


def rows(result):
    """Kernels, each with its cells by title; of all targets of the run."""
    found, titles, places = [], [], []
    for line in result.out.splitlines():
        if not line.startswith("  "):
            continue
        if line.startswith("  METHOD"):
            places = [0, *(m.end() for m in re.finditer(r"  (?=\S)", line)), None][1:]
        cells = [line[a:b].strip() for a, b in zip(places, places[1:])]
        if line.startswith("  METHOD"):
            titles = cells
        else:
            found.append(dict(zip(titles, cells)))
    return found
