#!/usr/bin/env python3
"""record.py: records the race against other implementations, and makes tables from the records.

    bench/record.py run SPMVBENCH [--quick] [--seconds S] [--threads N]... [--seeds N,N,...]
                                  [--input INPUT]... [--peer FILE.so]... [--target NAME]
                                  [--cache MB] [--work FOLDER] [--force]
                                             writes bench/results/DATE-CPU.jsonl
    bench/record.py show RECORD              prints all tables of a record
    bench/record.py readme                   writes the tables of README.md and of
                                             docs/background/performance.md, from SHOWN below

`run` races the 18 look-alikes of `lookalike:all` from three seeds, and every matrix of 20 000
nonzeros or more of SPMV_MATRICES, a folder (without it ../shared/matrices), in f64 and f32, with
all threads and with one. It takes about an hour; --quick takes minutes: one seed, all threads
alone, and less time for each contender. The machine should have nothing else to do.

Spmvbench's own peers take part, and those of --peer. SPMV_MKL_LIBRARY is the file of oneMKL,
without which `readme` takes no record. --work keeps what was raced in a folder: the same command
goes on from there. --input races these inputs alone. --cache is the size of the machine's last
cache, without it what Linux says. A record is replaced only with --force, and written when all
races are over.
"""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import record_races
import record_rows
import record_tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
BEGIN, END = "<!-- race: made by bench/record.py readme -->\n", "<!-- /race -->\n"

# The records that the pages show: file and machine. Those of performance.md are of the first.
SHOWN = [("2026-11-27-intel-r-xeon-r-processor-avx512f.jsonl", "Intel Xeon")]
README, PERFORMANCE = ROOT / "README.md", ROOT / "docs/background/performance.md"


# ---- the machine ---------------------------------------------------------------------------------

def cpu_name():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    lscpu = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    model = re.search(r"^model name\s*: (.*)$", text + lscpu, re.MULTILINE | re.IGNORECASE)
    flags = re.search(r"^(?:flags|Features)\s*: (.*)$", text, re.MULTILINE)
    widest = next((f for f in ("avx512f", "avx2", "asimd") if flags and f in flags[1].split()),
                  "plain")
    return (model[1].strip() if model else "cpu"), widest.replace("asimd", "neon")


def last_cache_megabytes():
    """Size of the last cache of core 0; 0: Linux does not say."""
    sizes = [0]
    for path in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        number = re.fullmatch(r"(\d+)K", path.read_text().strip())
        sizes.append(int(number[1]) / 1024 if number else 0)
    return max(sizes)


def versions():
    def output_of(*words):
        """Nothing if the program fails or is not installed."""
        try:
            return subprocess.run(words, capture_output=True, text=True, check=False,
                                  cwd=ROOT).stdout.strip()
        except OSError:
            return ""
    commit = output_of("git", "describe", "--always")
    if output_of("git", "status", "--porcelain", "--", ".", ":!bench/results"):
        commit += ", with changes"
    first_line = output_of("cc", "--version").partition("\n")[0]
    return {"commit": commit or "unknown", "compiler": first_line or "unknown"}


# ---- run -----------------------------------------------------------------------------------------

def beginning_of(date, cpu):
    """Of the name of a record's file."""
    return "-".join([date, re.sub(r"[^A-Za-z0-9]+", "-", cpu[0]).strip("-").lower(), cpu[1]])


def file_of(options, date, cpu):
    parts = [beginning_of(date, cpu), *([f"as-{options.target}"] if options.target else []),
             *([f"threads-{n}" for n in options.given_threads or []]),
             *(["quick"] if options.quick else []), *(["some-inputs"] if options.input else [])]
    return RESULTS / ("-".join(parts) + ".jsonl")


def without_folders(text):
    """The text with names of files in place of their paths."""
    return re.sub(r"(?<![\w.])/(?:[^\s/:]+/)+", "", text)


def facts_of(options, date, cpu, outcome):
    return {"date": date, **versions(), "cpu": f"{cpu[0]}, {cpu[1]}", "cache": options.cache,
            "seconds": f"{options.seconds} for each contender",
            "busy": f"{outcome.busy} of {len(outcome.rows)} races beside other programs",
            "peer": dict(sorted(outcome.origins.items())),
            "absent": {name: why for name, why in sorted(outcome.absent.items())
                       if name not in outcome.origins},
            "skipped": list(dict.fromkeys(outcome.skipped)),
            "wrong": list(dict.fromkeys(outcome.wrong)), "command": outcome.commands}


def complete(options):
    """Fills in what the command line leaves out."""
    processors = os.cpu_count() or 1
    options.given_threads = options.threads
    options.threads = options.threads or ([processors] if options.quick
                                          else sorted({processors, 1}, reverse=True))
    options.seconds = options.seconds or ("0.03" if options.quick else "0.1")
    options.seeds = options.seeds or ([1] if options.quick else [1, 2, 3])
    options.cache = options.cache or last_cache_megabytes()
    if not options.cache:
        record_races.fail("the size of the last cache is unknown; --cache MB names it")


def run(options):
    complete(options)
    date, cpu = datetime.date.today().isoformat(), cpu_name()
    out = file_of(options, date, cpu)
    if out.exists() and not options.force:
        record_races.fail(f"{out.relative_to(ROOT)} is there already; --force replaces it")
    with tempfile.TemporaryDirectory(prefix="record-") as temporary:
        folder = pathlib.Path(options.work or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        outcome = record_races.run_all(options, folder)
    text = record_rows.text_of_races(facts_of(options, date, cpu, outcome), outcome.rows)
    RESULTS.mkdir(exist_ok=True)
    write_whole(out, without_folders(text))
    print(out.relative_to(ROOT))
    show(out)


def write_whole(path, text):
    """Replaces the file at once, when the text is complete. Links are followed."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        record_races.fail(f"{path} is no regular file, and is not replaced")
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.replace(path)


# ---- pages ---------------------------------------------------------------------------------------

def shown_records():
    """Machine, rows and MB of the last cache of each record of SHOWN."""
    records = []
    for name, machine in SHOWN:
        facts, rows = record_rows.read_races(RESULTS / name)
        if not any("mkl" in row.peers for row in rows):
            record_races.fail(f"oneMKL took no part in {name}, and the tables compare with it")
        records.append((machine, rows, facts["cache"]))
    return records


def made_tables():
    """The tables of the pages, by page."""
    records = shown_records()
    _, rows, cache = records[0]
    return {README: record_tables.summary(records), PERFORMANCE: record_tables.page(rows, cache)}


def put_into(page, made, marks=(BEGIN, END)):
    begin, end = marks
    text = page.read_text()
    if text.count(begin) != 1 or text.count(end) != 1:
        record_races.fail(f"{page.relative_to(ROOT)} has not the lines {begin.strip()} and "
                          f"{end.strip()}, once each")
    before, rest = text.split(begin)
    write_whole(page, f"{before}{begin}\n{made}\n{end}{rest.split(end)[1]}")


def show(path):
    facts, rows = record_rows.read_races(pathlib.Path(path))
    print(record_tables.whole(facts, rows, facts["cache"]), end="")


# ---- the command line ----------------------------------------------------------------------------

def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="run|show|readme")
    word = commands.add_parser("run")
    word.add_argument("spmvbench")
    word.add_argument("--quick", action="store_true", help="minutes instead of an hour")
    word.add_argument("--seconds", help="for each contender of a race")
    word.add_argument("--threads", type=int, action="append")
    word.add_argument("--seeds", type=numbers, help="of the look-alikes, as in 1,2,3")
    word.add_argument("--input", action="append", default=[], help="race this instead; may repeat")
    word.add_argument("--target", help="only kernels that were emitted for it")
    word.add_argument("--peer", action="append", default=[],
                      help="race this shared object's peers, too; may repeat")
    word.add_argument("--cache", type=float, help="MB of the last cache")
    word.add_argument("--work", help="a folder that keeps what was raced")
    word.add_argument("--force", action="store_true", help="replace a file of today")
    commands.add_parser("show").add_argument("record")
    commands.add_parser("readme")
    arguments = parser.parse_args()
    if arguments.command == "run":
        run(arguments)
    elif arguments.command == "show":
        show(arguments.record)
    else:
        for page, made in made_tables().items():
            put_into(page, made)


if __name__ == "__main__":
    main()
