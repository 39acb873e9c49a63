"""table.py: parses the table of --verify."""
import re


def rows(result):
    """For each kernel of all targets of a run, its cells by title."""
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
