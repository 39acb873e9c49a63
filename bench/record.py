#!/usr/bin/env python3
"""record.py: records the race against other implementations, and makes tables from the records.

    bench/record.py run SPMVBENCH [--seconds S] [--threads N]... [--target NAME]
                                  [--peer FILE.so]... [--force]
                                             writes bench/results/DATE-CPU.txt
    bench/record.py readme                   writes the tables of README.md and of
                                             docs/background/performance.md, from SHOWN below

`run` goes through the 18 look-alikes and, where SPMV_MATRICES or ../shared/matrices has them,
cnr-2000 and boyd1_kkt, in f64 and f32, with all threads and with one. SPMV_MKL_LIBRARY is the file
of oneMKL, without which `readme` takes no record; with --peer, those peers take part instead of
spmvbench's own. It takes about 15 minutes; the machine should have nothing else to do. An existing
file is replaced only with --force, and nothing is written before all races are over.
"""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
REAL = ["cnr-2000", "boyd1_kkt"]
BEGIN, END = "<!-- race: made by bench/record.py readme -->\n", "<!-- /race -->\n"

# The records that the pages show: file, machine, MB of its L3. The first has the table of all
# matrices.
SHOWN = [("2026-11-24-amd-epyc-avx512f.txt", "AMD EPYC (Zen 4)", 32),
         ("2026-11-24-intel-r-xeon-r-processor-avx512f.txt", "Intel Xeon", 480)]
README, PERFORMANCE = ROOT / "README.md", ROOT / "docs/background/performance.md"


# ---- running -------------------------------------------------------------------------------------

def cpu_name():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    lscpu = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    model = re.search(r"^model name\s*: (.*)$", text + lscpu, re.MULTILINE | re.IGNORECASE)
    flags = re.search(r"^(?:flags|Features)\s*: (.*)$", text, re.MULTILINE)
    widest = next((f for f in ("avx512f", "avx2", "asimd") if flags and f in flags[1].split()),
                  "plain")
    name = re.sub(r"[^A-Za-z0-9]+", "-", model[1] if model else "cpu").strip("-").lower()
    return name + "-" + widest.replace("asimd", "neon")


def real_matrices():
    folder = pathlib.Path(os.environ.get("SPMV_MATRICES", ROOT.parent / "shared" / "matrices"))
    return [folder / f"{name}.mtx.gz" for name in REAL if (folder / f"{name}.mtx.gz").is_file()]


def versions():
    def git(*arguments):
        return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True,
                              check=False).stdout.strip()
    commit = git("describe", "--always")
    if git("status", "--porcelain", "--", ".", ":!bench/results"):
        commit += ", with changes"
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False)
    first_line = compiler.stdout.partition("\n")[0]
    return f"commit   {commit or 'unknown'}\ncompiler {first_line or 'unknown'}\n"


def race(program, arguments):
    """Runs spmvbench. Returns the command and its output."""
    shown = " ".join(["spmvbench", *(pathlib.Path(a).name if "/" in a else a for a in arguments)])
    print(shown, flush=True)
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"record.py: {program} cannot be run: {error.strerror}")
    if done.returncode:
        sys.exit(f"record.py: {shown}: exit code {done.returncode}\n{done.stderr}")
    return f"$ {shown}\n{done.stdout}\n"


def check(program, peers):
    """A very short race, which finds problems before the long ones."""
    text = race(program, ["--shape", "dense", "--size", "10", *peers, "--seconds", "0.001",
                          "--dram", "0"])
    if not re.search(r"^best ", text, re.MULTILINE):
        sys.exit(f"record.py: {program} is not spmvbench, or no peer ran:\n{text}")
    if os.environ.get("SPMV_MKL_LIBRARY") and "--peers" in peers and not has_mkl(text):
        sys.exit("record.py: oneMKL took no part: "
                 + "".join(re.findall(r"^note +(peer mkl .*)$", text, re.MULTILINE)))


def record(options):
    date = datetime.date.today().isoformat()
    threads = options.threads or sorted({os.cpu_count() or 1, 1}, reverse=True)
    parts = [date, cpu_name(), *([f"as-{options.target}"] if options.target else []),
             *([f"threads-{n}" for n in options.threads or []]),
             *(["other-peers"] if options.peer else [])]
    out = RESULTS / ("-".join(parts) + ".txt")
    if out.exists() and not options.force:
        sys.exit(f"record.py: {out.relative_to(ROOT)} is there already; --force replaces it")
    peers = [word for file in options.peer for word in ("--peer", file)] or ["--peers"]
    check(options.spmvbench, peers)
    text = f"date     {date}\n{versions()}\n"
    for count in threads:
        for value_type in ("f64", "f32"):
            common = [*peers, "--type", value_type, "--threads", str(count),
                      "--seconds", options.seconds,
                      *(["--target", options.target] if options.target else [])]
            text += race(options.spmvbench, ["--lookalike", "all", *common])
            for path in real_matrices():
                text += race(options.spmvbench, [str(path), *common])
    markdown = table(text)
    RESULTS.mkdir(exist_ok=True)
    write_whole(out, text)
    print(f"{out.relative_to(ROOT)}\n\n{markdown}")


def write_whole(path, text):
    """Replaces the file at once, when the text is complete."""
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.replace(path)


# ---- the table -----------------------------------------------------------------------------------

def tables_of(text):
    """The tables of spmvbench: rows as dictionaries, by the words of the heading."""
    tables = []
    for block in re.findall(r"^(?:method|matrix) .*\n(?:.+\n)+", text, re.MULTILINE):
        lines = [re.split(r"\s{2,}", line.strip()) for line in block.splitlines()]
        if {"correct", "fastest"} & set(lines[0]):
            tables.append([dict(zip(lines[0], line)) for line in lines[1:]])
    return tables


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


def summary(texts):
    """README's table: ratios beyond and within the L3 of each machine."""
    lines = ["| two threads | matrices, f64 and f32 | f64: over oneMKL | over the best "
             "| f32: over oneMKL | over the best |", "|---|---|---|---|---|---|"]
    for text, (_, machine, cache) in zip(texts, SHOWN):
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


def put_into(page, made):
    text = page.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"record.py: {page.relative_to(ROOT)} has not the lines {BEGIN.strip()} and "
                 f"{END.strip()}, once each")
    before, rest = text.split(BEGIN)
    write_whole(page, f"{before}{BEGIN}\n{made}\n{END}{rest.split(END)[1]}")


def shown_records():
    texts = []
    for name, _, _ in SHOWN:
        path = RESULTS / name
        if not path.is_file():
            sys.exit(f"record.py: {name} of SHOWN is no file of {RESULTS.relative_to(ROOT)}/")
        texts.append(path.read_text())
        if not has_mkl(texts[-1]):
            sys.exit(f"record.py: oneMKL took no part in {name}, and the tables compare with it")
    return texts


def put_into_pages():
    texts = shown_records()
    put_into(README, summary(texts))
    put_into(PERFORMANCE, table(texts[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="run|readme")
    run = commands.add_parser("run")
    run.add_argument("spmvbench")
    run.add_argument("--seconds", default="0.2")
    run.add_argument("--threads", type=int, action="append")
    run.add_argument("--target", help="only kernels that were emitted for it")
    run.add_argument("--peer", action="append", default=[],
                     help="race this shared object's peers instead")
    run.add_argument("--force", action="store_true", help="replace a file of today")
    commands.add_parser("readme")
    arguments = parser.parse_args()
    if arguments.command == "run":
        record(arguments)
    else:
        put_into_pages()


if __name__ == "__main__":
    main()
