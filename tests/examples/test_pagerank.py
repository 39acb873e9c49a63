"""test_pagerank.py PAGERANK: examples/pagerank.c computes the ranks that plain loops compute.

The loops solve the same system by Gauss-Seidel sweeps, in which a rank is used as soon as it is
computed. PAGERANK reads wiki-Vote from $SPMV_MATRICES or ../shared/matrices, as text.
"""
import gzip
import os
import pathlib
import re
import sys

from example import ROOT, run, tap

PAGERANK = pathlib.Path(sys.argv[1]).resolve()
MATRICES = pathlib.Path(os.environ.get("SPMV_MATRICES") or ROOT / "../shared/matrices")
HEADER = "%%MatrixMarket matrix coordinate pattern "
SMALL = HEADER + "general\n5 5 8\n1 2\n2 1\n3 1\n3 2\n4 1\n4 3\n4 5\n1 5\n"
SYMMETRIC = HEADER + "symmetric\n% a comment\n\n4 4 4\n2 1\n3 1\n3 2\n4 4 0.5\n"


def ranks(text, damping=0.85):
    """The rank of each page."""
    lines = [line for line in text.splitlines()[1:] if line.strip() and line[0] != "%"]
    pages = int(lines[0].split()[0])
    links = [tuple(int(word) - 1 for word in line.split()[:2]) for line in lines[1:]]
    if "symmetric" in text.splitlines()[0]:
        links += [(j, i) for i, j in links if i != j]
    leaving = [0] * pages
    into = [[] for _ in range(pages)]
    for i, j in links:
        leaving[i] += 1
        into[j].append(i)
    rank = [1 / pages] * pages
    dangling = sum(rank[i] for i in range(pages) if not leaving[i])
    for _ in range(300):
        change = 0
        for j in range(pages):
            new = (1 - damping + damping * dangling) / pages
            new += damping * sum(rank[i] / leaving[i] for i in into[j])
            if not leaving[j]:
                dangling += new - rank[j]
            change += abs(new - rank[j])
            rank[j] = new
        if change < 1e-13:
            break
    total = sum(rank)
    return [r / total for r in rank]


def compare(name, text, *arguments):
    expected = ranks(text)
    done = run(PAGERANK, *arguments, text=text)
    found = [(int(page), float(rank)) for page, rank in
             re.findall(r"^page (\d+): (\S+)$", done.stdout, re.M)]
    tap.ok(done.returncode == 0 and sorted(page for page, _ in found) ==
           list(range(1, len(expected) + 1)), f"{name}: every page has a rank",
           done.stderr + done.stdout[:500])
    error = sum(abs(rank - expected[page - 1]) for page, rank in found)
    tap.ok(error < 1e-8, f"{name}: the ranks are those of plain loops", f"sum of errors {error}")
    tap.ok([rank for _, rank in found] == sorted((rank for _, rank in found), reverse=True),
           f"{name}: the top page is first")
    told = re.search(r"(\d+) iterations, residual (\S+), sum (\S+)$", done.stdout, re.M)
    tap.ok(told and 0 < int(told[1]) < 1000 and float(told[2]) <= 1e-10 and
           abs(float(told[3]) - 1) < 1e-9, f"{name}: it converges, and the sum is 1",
           done.stdout[:200])


def refused(name, text, expected):
    done = run(PAGERANK, "-", text=text)
    tap.ok(done.returncode == 1 and expected in done.stderr and not done.stdout,
           f"{name} is refused", f"exit code {done.returncode}\n{done.stderr}")


compare("small graph", SMALL, "-", "100")
tap.ok(run(PAGERANK).stdout == run(PAGERANK, "-", text=SMALL).stdout,
       "without arguments it takes the small graph")
compare("symmetric file", SYMMETRIC, "-", "100")
refused("another file", "<html>\n", "%%MatrixMarket")
refused("a page beyond the last", HEADER + "general\n2 2 1\n1 3\n", "from 1 to PAGES")
refused("a file that ends early", HEADER + "general\n2 2 2\n1 2\n", "ends before")
refused("a matrix that is not square", HEADER + "general\n2 3 1\n1 2\n", "PAGES PAGES")
tap.ok("cannot be opened" in run(PAGERANK, "/nowhere/a.mtx").stderr, "a missing file is refused")

real = MATRICES / "wiki-Vote.mtx.gz"
if real.exists():
    with gzip.open(real, "rt") as file:
        compare("wiki-Vote", file.read(), "-", "10000")
else:
    tap.skip(f"no wiki-Vote.mtx.gz in {MATRICES}; SPMV_MATRICES names a folder")
tap.done()
