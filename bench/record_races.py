"""record_races.py: runs the races of a record. Each set of races is a file of spmvbench's records
in a folder, from which an interrupted run goes on.
"""
import dataclasses
import gzip
import json
import os
import pathlib
import re
import subprocess

import record_rows
from record_rows import fail

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST_NONZEROS = 20000
TYPES = ("f64", "f32")


# ---- matrices ------------------------------------------------------------------------------------

def nonzeros_of(path):
    """Nonzeros by the head of a Matrix Market file, those of a symmetric one twice; None: it has no
    such head."""
    opening = gzip.open if path.suffix == ".gz" else open
    try:
        with opening(path, "rt", encoding="utf-8", errors="replace") as file:
            banner = file.readline().lower().split()
            sizes = next(line.split() for line in file
                         if line.strip() and not line.startswith("%"))
        entries = int(sizes[2]) if banner[2] == "coordinate" else int(sizes[0]) * int(sizes[1])
        return entries * (1 if banner[4] == "general" else 2)
    except (OSError, EOFError, StopIteration, ValueError, IndexError):
        return None


def real_matrices():
    """Files of LEAST_NONZEROS or more, and texts that say what is left out and why."""
    folder = pathlib.Path(os.environ.get("SPMV_MATRICES") or ROOT.parent / "shared" / "matrices")
    if not folder.is_dir():
        return [], [f"real matrices: {folder} is no folder; SPMV_MATRICES=FOLDER names one"]
    files, names, left_out, small = [], set(), [], 0
    for path in sorted([*folder.rglob("*.mtx"), *folder.rglob("*.mtx.gz")]):
        name, nonzeros = record_rows.name_of(str(path)), nonzeros_of(path)
        if nonzeros is None:
            left_out.append(f"{name}: its head is not Matrix Market's")
        elif nonzeros < LEAST_NONZEROS:
            small += 1
        elif name in names:
            left_out.append(f"{name}: another file has this name")
        else:
            names.add(name)
            files.append(str(path))
    if small:
        left_out.append(f"{small} real matrices: fewer than {LEAST_NONZEROS} nonzeros")
    if not files:
        left_out.append(f"real matrices: {folder} has none of {LEAST_NONZEROS} nonzeros or more")
    return files, left_out


# ---- sets of races -------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Races:
    """The races of one call of spmvbench: matrices in both types."""
    kind: str                    # "made" or "real"
    seed: int
    threads: int
    inputs: tuple                # words of the command line

    def name(self):
        return f"{self.kind}-seed-{self.seed}-threads-{self.threads}"


def is_made(text):
    return text.startswith(("lookalike:", "shape:", "model:"))


def sets_of(options):
    """All sets of races, and what is left out."""
    if options.input:
        made = tuple(text for text in options.input if is_made(text))
        files, left_out = [text for text in options.input if not is_made(text)], []
    else:
        made = ("lookalike:all",)
        files, left_out = real_matrices()
    sets = []
    for threads in options.threads:
        sets += [Races("made", seed, threads, made) for seed in options.seeds if made]
        if files:
            sets.append(Races("real", 1, threads, tuple(files)))
    return sets, left_out


# ---- spmvbench -----------------------------------------------------------------------------------

def shown(command):
    return " ".join(["spmvbench", *(pathlib.Path(word).name if word.startswith("/") else word
                                    for word in command)])


def call(program, command):
    """Runs spmvbench. Exit code 1 tells of matrices that cannot be read; the others were raced."""
    print(shown(command), flush=True)
    try:
        done = subprocess.run([program, *command], capture_output=True, text=True, check=False)
    except OSError as error:
        fail(f"{program} cannot be run: {error.strerror}")
    if done.returncode not in (0, 1):
        fail(f"{shown(command)}: exit code {done.returncode}\n{done.stderr}")
    return done


def explained(text):
    """What `inspect --explain` chose: the name of the module by the name of the matrix."""
    return dict(re.findall(r"^matrix   (.*): \d+ x \d+, .*\n(?:(?!matrix ).*\n)*?chosen   (\S+)$",
                           text, re.MULTILINE))


def choices_of(races, options, value_type):
    done = call(options.spmvbench, [
        "inspect", "--explain", *races.inputs, "--type", value_type, "--seed", str(races.seed),
        "--threads", str(races.threads), *target_words(options)])
    return explained(done.stdout)


def target_words(options):
    return ["--target", options.target] if options.target else []


def peer_files(options):
    return [word for file in options.peer for word in ("--peer", file)]


def peer_words(options):
    return ["--peers", *peer_files(options)]


def command_of(races, options):
    return ["run", *races.inputs, "--type", ",".join(TYPES), "--seed", str(races.seed),
            "--threads", str(races.threads), "--seconds", options.seconds, "--dram", "0",
            *peer_words(options), *target_words(options)]


def run_races(races, options, folder):
    """Runs a set, or goes on with it, and returns the lines of its records and what was said of
    matrices that were not raced."""
    file = folder / (races.name() + ".jsonl")
    command = command_of(races, options)
    if file.exists():
        # A file of records does not decide what code runs.
        done = call(options.spmvbench, ["--resume", str(file), *peer_files(options),
                                        *target_words(options)])
    else:
        done = call(options.spmvbench, [*command, "--save", str(file)])
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if not any(json.loads(line)["record"] == "matrix" for line in lines):
        fail(f"{shown(command)}: raced nothing\n{done.stderr}")
    said = [line.partition("spmvbench: ")[2] for line in done.stderr.splitlines()
            if line.startswith("spmvbench: ")]
    return lines, said


def check(options, folder):
    """A very short race, which finds problems before the long ones."""
    file = folder / "check.jsonl"
    file.unlink(missing_ok=True)
    done = call(options.spmvbench, ["run", "shape:dense:10", *peer_words(options), "--repeat", "1",
                                    "--dram", "0", "--save", str(file)])
    groups = record_rows.group_results(
        file.read_text(encoding="utf-8").splitlines()) if file.exists() else []
    results = [result for _, results in groups for result in results if result["peer"]]
    if not any(result["correct"] for result in results):
        fail(f"{options.spmvbench} is not spmvbench, or no peer ran:\n{done.stdout}{done.stderr}")
    mkl = [result for result in results if result["method"] == "mkl" and not result["correct"]]
    if os.environ.get("SPMV_MKL_LIBRARY") and mkl:
        fail(f"oneMKL took no part: {mkl[0]['failure']}")


# ---- the record ----------------------------------------------------------------------------------

@dataclasses.dataclass
class Outcome:
    rows: list = dataclasses.field(default_factory=list)
    skipped: list = dataclasses.field(default_factory=list)      # matrices, with the reason
    wrong: list = dataclasses.field(default_factory=list)        # results
    origins: dict = dataclasses.field(default_factory=dict)      # of the peers that took part
    absent: dict = dataclasses.field(default_factory=dict)       # reasons of the other peers
    commands: list = dataclasses.field(default_factory=list)
    busy: int = 0                # races beside other programs


def add_results(outcome, races, options, folder):
    lines, said = run_races(races, options, folder)
    outcome.skipped += said
    outcome.commands.append(shown(command_of(races, options)))
    choices = {value_type: choices_of(races, options, value_type) for value_type in TYPES}
    for matrix, results in record_rows.group_results(lines):
        chosen = choices[matrix["type"]].get(matrix["name"])
        row = record_rows.row_of(matrix, results, races.kind, races.seed, races.threads, chosen)
        if isinstance(row, str):
            outcome.skipped.append(f"{matrix['name']} in {matrix['type']}, "
                                   f"threads {races.threads}: {row}")
        else:
            outcome.rows.append(row)
            outcome.busy += matrix.get("competitors", 0) > 0
        for result in results:
            name = ("peer " if result["peer"] else "") + result["method"]
            if result["peer"] and result["correct"]:
                outcome.origins[result["method"]] = result["module"]
            elif result["peer"]:
                outcome.absent[result["method"]] = result["failure"]
            if not result["correct"] and not result["left_out"]:
                outcome.wrong.append(f"{name} on {matrix['name']} in {matrix['type']}: "
                                     f"{result['failure']}")


def run_all(options, folder):
    check(options, folder)
    sets, left_out = sets_of(options)
    outcome = Outcome(skipped=left_out)
    for races in sets:
        add_results(outcome, races, options, folder)
    if not outcome.rows:
        fail("no matrix was raced:\n" + "\n".join(outcome.skipped))
    return outcome
