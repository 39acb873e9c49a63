"""record_tables.py: what the rows of a record say, as tables of Markdown.

Three groups are apart: look-alikes, real matrices beyond the last cache, and real ones within it.
Matrices whose values strips stores in fewer bytes are apart in each group, too. A ratio is the
speed of the automatic choice over that of a peer, or of the fastest peer of the matrix; ratios of
several seeds are one, their harmonic mean.
"""
import dataclasses
import math

BEST = "best"                    # in place of a peer: the fastest of all
PART = "of these"                # begins the title of a part of a group


@dataclasses.dataclass(frozen=True)
class Matrix:
    name: str
    made: bool
    megabytes: float
    narrowed: bool
    ratios: dict                 # by peer, and BEST
    of_ours: float               # the choice over our fastest method
    row: object                  # of the first seed


def harmonic(numbers):
    return len(numbers) / sum(1 / number for number in numbers)


def geometric(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def ratios_of(row):
    return {BEST: row.chosen[1] / row.best_peer()[1],
            **{name: row.chosen[1] / speed for name, speed in row.peers.items()}}


def matrices_of(rows, value_type, threads):
    """The matrices of a type and a number of threads, seeds taken together."""
    seeds = {}
    for row in rows:
        if (row.type, row.threads) == (value_type, threads):
            seeds.setdefault((row.kind, row.matrix), []).append(row)
    matrices = []
    for (kind, name), found in seeds.items():
        ratios = [ratios_of(row) for row in found]
        peers = {peer for seed in ratios for peer in seed}
        matrices.append(Matrix(
            name, kind == "made", sum(row.megabytes for row in found) / len(found),
            any(row.narrowed for row in found),
            {peer: harmonic([seed[peer] for seed in ratios if peer in seed]) for peer in peers},
            harmonic([row.chosen[1] / row.best[1] for row in found]), found[0]))
    return matrices


def groups_of(matrices, cache):
    """Pairs of a title and matrices: the three groups, each followed by its two parts, if both have
    matrices. Groups without matrices are there, too."""
    groups = []
    for title, members in (
            ("look-alikes", [m for m in matrices if m.made]),
            (f"real, beyond {cache:g} MB",
             [m for m in matrices if not m.made and m.megabytes > cache]),
            (f"real, within {cache:g} MB",
             [m for m in matrices if not m.made and m.megabytes <= cache])):
        narrowed = [m for m in members if m.narrowed]
        wide = [m for m in members if not m.narrowed]
        groups.append((title, members))
        if narrowed and wide:
            groups += [(f"{PART}, values as they are", wide),
                       (f"{PART}, values narrowed", narrowed)]
        elif narrowed:
            groups[-1] = (title + ", values narrowed", members)
    return groups


def behind(matrices):
    """The matrices on which a peer is faster, the furthest behind first."""
    return sorted((m for m in matrices if m.ratios[BEST] < 1), key=lambda m: m.ratios[BEST])


def cell_of_mean(matrices, peer):
    """The harmonic mean over a peer, with the number of matrices if it did not take all."""
    ratios = [m.ratios[peer] for m in matrices if peer in m.ratios]
    if not ratios:
        return "-"
    lacking = f" of {len(ratios)}" if len(ratios) < len(matrices) else ""
    return f"{harmonic(ratios):.2f}{lacking}"


def cells_of_group(matrices):
    """Number, harmonic and geometric mean, least with its matrix, how many are behind, the means of
    the choice over our fastest method and over oneMKL."""
    ratios = [m.ratios[BEST] for m in matrices]
    least = min(matrices, key=lambda m: m.ratios[BEST])
    return [str(len(matrices)), f"{harmonic(ratios):.2f}", f"{geometric(ratios):.2f}",
            f"{least.ratios[BEST]:.2f} ({least.name})", str(len(behind(matrices))),
            f"{harmonic([m.of_ours for m in matrices]):.2f}", cell_of_mean(matrices, "mkl")]


GROUP_HEADS = ["matrices", "harmonic mean", "geometric mean", "worst", "slower on",
               "over our fastest method", "over oneMKL"]
README_CELLS = [0, 1, 3, 4, 6]   # of cells_of_group and GROUP_HEADS


def lines_of_table(heads, rows):
    return ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|",
            *("| " + " | ".join(row) + " |" for row in rows)]


def types_of(rows):
    return sorted({row.type for row in rows}, reverse=True)      # f64 first


def names_of_peers(rows):
    return sorted({name for row in rows for name in row.peers})


def plural(count):
    return f"{count} thread{'s' if count > 1 else ''}"


def table_of_groups(rows, cache, threads):
    """A line for each type and group: cells_of_group."""
    lines = []
    for value_type in types_of(rows):
        for title, members in groups_of(matrices_of(rows, value_type, threads), cache):
            if members:
                lines.append([value_type, title, *cells_of_group(members)])
    return lines_of_table([plural(threads), "group", *GROUP_HEADS], lines)


def main_groups(rows, cache, threads):
    """(type, title, matrices) of the three groups, without those that have no matrices."""
    return [(value_type, title, members) for value_type in types_of(rows)
            for title, members in groups_of(matrices_of(rows, value_type, threads), cache)
            if members and not title.startswith(PART)]


def table_of_peers(rows, cache, threads):
    """A line for each peer, the strongest first: the harmonic mean over it, by type and group."""
    groups = main_groups(rows, cache, threads)
    cells = {peer: [cell_of_mean(members, peer) for _, _, members in groups]
             for peer in names_of_peers(rows)}
    ordered = sorted(cells, key=lambda peer: min((float(cell.split()[0]) for cell in cells[peer]
                                                  if cell != "-"), default=math.inf))
    return lines_of_table([f"{plural(threads)}, over",
                           *(f"{value_type}: {title}" for value_type, title, _ in groups)],
                          [[peer, *cells[peer]] for peer in ordered])


def table_of_behind(rows, threads):
    """A line for each type and each peer that is the fastest of all on matrices where it beats us:
    these matrices, the furthest behind first. A look-alike's peer is that of its first seed."""
    lines = []
    for value_type in types_of(rows):
        ahead = {}
        for m in behind(matrices_of(rows, value_type, threads)):
            ahead.setdefault(m.row.best_peer()[0], []).append(f"{m.name} {m.ratios[BEST]:.2f}")
        lines += [[value_type, peer, ", ".join(names)] for peer, names in
                  sorted(ahead.items(), key=lambda item: (-len(item[1]), item[0]))]
    if not lines:
        return [f"On {plural(threads)}, no matrix is slower."]
    return lines_of_table([f"{plural(threads)}, slower on", "fastest peer", "matrices"], lines)


def table_of_matrices(rows, threads):
    """A line for each matrix, of the first seed: the choice and the best peer in each type."""
    by_type = {value_type: {(m.made, m.name): m for m in matrices_of(rows, value_type, threads)}
               for value_type in types_of(rows)}
    keys = dict.fromkeys(key for matrices in by_type.values() for key in matrices)
    heads = [plural(threads)]
    for value_type in by_type:
        heads += [f"{value_type}: ours", "best peer", "ratio", "over our fastest method"]
    lines = []
    for key in keys:
        cells = [key[1] if key[0] else f"{key[1]} (real)"]
        for matrices in by_type.values():
            m = matrices.get(key)
            if not m:
                cells += ["-"] * 4
                continue
            method, speed = m.row.chosen
            peer, theirs = m.row.best_peer()
            cells += [f"{speed:.1f}" + ("" if method == "strips" else f" ({method})"),
                      f"{theirs:.1f} ({peer})", f"{m.ratios[BEST]:.2f}", f"{m.of_ours:.2f}"]
        lines.append(cells)
    return lines_of_table(heads, lines)


def page(rows, cache):
    """The tables of groups and of matrices behind, and of peers with the most threads."""
    counts = sorted({row.threads for row in rows}, reverse=True)
    lines = []
    for threads in counts:
        lines += [*table_of_groups(rows, cache, threads), "", *table_of_behind(rows, threads), ""]
    return "\n".join(lines + table_of_peers(rows, cache, counts[0])) + "\n"


def whole(facts, rows, cache):
    """All tables of a record."""
    matrices = table_of_matrices(rows, max(row.threads for row in rows))
    peers = [f"{name}: {origin}" for name, origin in facts["peer"].items()]
    return "\n".join([*peers, "", page(rows, cache), *matrices]) + "\n"


def summary(records):
    """README's table: the groups of each record, (machine, rows, cache), with the most threads."""
    lines = []
    for machine, rows, cache in records:
        threads = max(row.threads for row in rows)
        for value_type in types_of(rows):
            for title, members in groups_of(matrices_of(rows, value_type, threads), cache):
                if members:
                    cells = cells_of_group(members)
                    lines.append([f"{machine}, {value_type}", title,
                                  *(cells[i] for i in README_CELLS)])
    heads = ["machine, values", "group", *(GROUP_HEADS[i] for i in README_CELLS)]
    return "\n".join(lines_of_table(heads, lines)) + "\n"
