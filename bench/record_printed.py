"""record_printed.py: tables from records that keep what spmvbench printed, which record.py made
until it kept rows. It can go when record.py shows no such record any more.
"""
import re
import sys

from printed_tables import tables_of


def speeds_of(table):
    """The correct contenders of a race that were timed: speed, name, whether it is a peer."""
    return [(float(row["GFlop/s"]), row["method"].rstrip("*"), row["target"] == "peer")
            for row in table if row.get("correct") == "yes" and row["GFlop/s"] != "-"]


def rows_of(section):
    """For each matrix: our fastest method, the best peer, and the speeds of both."""
    found = {}
    for row in (row for table in tables_of(section) for row in table if "fastest" in row):
        if "-" not in (row["fastest"], row["peer"]):
            found[row["matrix"]] = (row["fastest"].split()[0], row["peer"],
                                    float(row["GFlop/s"]), float(row["peer's"]))
    single = re.search(r"^\$ spmvbench (\S+)\.mtx\.gz", section)
    if single:
        speeds = speeds_of(tables_of(section)[0])
        ours = max((speed, name) for speed, name, is_peer in speeds if not is_peer)
        peer = max((speed, name) for speed, name, is_peer in speeds if is_peer)
        found[single[1]] = (ours[1], peer[1], ours[0], peer[0])
    return found


def has_mkl(text):
    return any(name == "mkl" for table in tables_of(text) for _, name, _ in speeds_of(table))


def races_of(text):
    """{(type, threads): rows of all matrices}"""
    races = {}
    for section in re.split(r"^(?=\$ )", text, flags=re.MULTILINE)[1:]:
        key = (re.search(r"--type (\S+)", section)[1],
               int(re.search(r"--threads (\d+)", section)[1]))
        races.setdefault(key, {}).update(rows_of(section))
    return races


def harmonic(ratios):
    return len(ratios) / sum(1 / r for r in ratios)


def table(text):
    races = races_of(text)
    if not races or not all(races.values()):
        sys.exit("record.py: these are not the races of spmvbench with peers")
    most = max(threads for _, threads in races)
    keys = [key for key in (("f64", most), ("f32", most)) if key in races]
    lines = ["| | " + " | ".join(f"{t}: ours | best peer | ratio" for t, _ in keys) + " |",
             "|---|" + "---|---|---|" * len(keys)]
    for name in races[keys[0]]:
        cells = []
        for key in keys:
            method, peer, ours, theirs = races[key][name]
            mark = "" if method == "strips" else f" ({method})"
            cells.append(f"{ours:.1f}{mark} | {theirs:.1f} ({peer}) | {ours / theirs:.2f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines.append("")
    for (value_type, threads), rows in races.items():
        ratios = {name: ours / theirs for name, (_, _, ours, theirs) in rows.items()}
        least = min(ratios, key=ratios.get)
        lines.append(f"- {value_type}, {threads} thread{'s' if threads > 1 else ''}: "
                     f"{harmonic(ratios.values()):.2f} times the best peer of each of "
                     f"{len(ratios)} matrices, at least {ratios[least]:.2f} ({least})")
    return "\n".join(lines) + "\n"


def sizes_of(text):
    """(type, threads): for each matrix, its MB in CSR and our best speed over oneMKL's and over
    the best peer's."""
    found = {}
    for section in re.split(r"^(?=\$ )", text, flags=re.MULTILINE)[1:]:
        key = (re.search(r"--type (\S+)", section)[1],
               int(re.search(r"--threads (\d+)", section)[1]))
        for part in re.split(r"^(?=matrix +\S.*: \d+ x \d)", section, flags=re.MULTILINE)[1:]:
            megabytes = float(re.search(r"([\d.]+)\s+MB\s+in\s+CSR", part)[1])
            speeds = speeds_of(tables_of(part)[0])
            ours = max(speed for speed, _, is_peer in speeds if not is_peer)
            peers = {name: speed for speed, name, is_peer in speeds if is_peer}
            found.setdefault(key, []).append((megabytes, ours / peers["mkl"],
                                              ours / max(peers.values())))
    return found


def summary(texts, shown):
    """README's table: ratios beyond and within the L3 of each machine. `shown` has the machine and
    MB of its L3 for each text."""
    lines = ["| two threads | matrices, f64 and f32 | f64: over oneMKL | over the best "
             "| f32: over oneMKL | over the best |", "|---|---|---|---|---|---|"]
    for text, (_, machine, cache) in zip(texts, shown):
        sizes = sizes_of(text)
        for place, fits in (("memory-bound: beyond its L3", False),
                            ("in cache: within its L3", True)):
            counts, cells = [], []
            for value_type in ("f64", "f32"):
                rows = [row for row in sizes[value_type, 2] if (row[0] <= cache) == fits]
                counts.append(str(len(rows)))
                for column in (1, 2) if rows else ():
                    ratios = [row[column] for row in rows]
                    cells.append(f"{harmonic(ratios):.2f} ({min(ratios):.2f})")
            if cells:
                lines.append(f"| {machine}, {place} of {cache} MB | {' and '.join(counts)} | "
                             + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
