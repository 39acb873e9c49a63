"""race.py: runs the races of figures by spmvbench."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

from catalog import FOLDER, Problem
from records import label_of

ROOT = pathlib.Path(__file__).resolve().parent.parent


def find_spmvbench(named):
    """The program: as named, of a build in this clone, or in PATH."""
    if named:
        return named
    built = [path for path in (ROOT / "build/bench/spmvbench", shutil.which("spmvbench"))
             if path and os.access(path, os.X_OK)]
    if not built:
        raise Problem("no spmvbench in build/bench or in PATH: run ./quickstart, or give "
                      "--spmvbench FILE. --from FILE.jsonl makes a figure without a race")
    return str(built[0])


def _nonzeros(spmvbench):
    """{name: nonzeros} of the look-alikes, by the list's name and by SuiteSparse's without the
    group; of two with the same SuiteSparse's name, the first has it."""
    try:
        done = subprocess.run([spmvbench, "--lookalike", "list"], capture_output=True, text=True,
                              check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Problem(f"{spmvbench} --lookalike list: "
                      f"{getattr(error, 'strerror', None) or error}") from error
    rows = [words for words in map(str.split, done.stdout.splitlines())
            if len(words) >= 7 and words[-2].isdigit()]
    sizes = {words[0]: int(words[-2]) for words in rows}
    for words in rows:
        sizes.setdefault(words[-6].split("/")[-1], int(words[-2]))
    return sizes


def _real(folder, name):
    """The file of a matrix in a folder, or in a folder of its name; None: there is none."""
    for place in (folder, folder / name):
        for suffix in (".mtx", ".mtx.gz"):
            if (place / (name + suffix)).is_file():
                return str(place / (name + suffix))
    return None


def inputs(race, given, millions, spmvbench):
    """What spmvbench multiplies. given: words of --matrices; a folder replaces look-alikes of the
    suite by the real matrices in it, other words replace the suite."""
    folders = [pathlib.Path(word) for word in given if pathlib.Path(word).is_dir()]
    words = [word for word in given if not pathlib.Path(word).is_dir()]
    if folders and words:
        raise Problem(f"--matrices takes folders or inputs, not both: '{folders[0]}' and "
                      f"'{words[0]}'")
    if folders and not race.suite:
        raise Problem(f"'{folders[0]}': race {race.name} has no suite of matrices: name its "
                      "inputs one by one")
    chosen = words or list(race.matrices)
    if millions is not None and (words or not race.suite):
        print(f"papers/run: note: race {race.name}: --millions bounds the matrices of a suite, "
              "not inputs that are named", file=sys.stderr)
    if race.suite and not words:
        if millions is not None:
            sizes = _nonzeros(spmvbench)
            chosen = [text for text in chosen
                      if sizes.get(text.partition(":")[2], 1e18) <= millions * 1e6]
        for folder in folders:
            chosen = [_real(folder, label_of(text)) or text for text in chosen]
        real = sum(not text.startswith("lookalike:") for text in chosen)
        if folders and chosen and not real:
            raise Problem(f"{folders[0]} has no matrix of {race.suite}, such as "
                          f"{label_of(chosen[0])}.mtx")
        if folders:
            print(f"papers/run: note: {real} of {len(chosen)} matrices are in the folders",
                  file=sys.stderr)
    if not chosen:
        raise Problem(f"race {race.name}: no matrix has at most {millions:g} million nonzeros")
    return chosen


def command_lines(race, matrices, options, more):
    """The command lines of a race, without the program. options: backend and target by name."""
    if race.program:
        return [[*shlex.split(words), *more, *matrices] for words in race.commands]
    chosen = [word for name, value in options.items() if value for word in (f"--{name}", value)]
    return [["run", *shlex.split(words), *chosen, *more, *matrices] for words in race.commands]


def program_of(race, spmvbench):
    """The words that the command lines follow."""
    if not race.program:
        return [spmvbench]
    build = pathlib.Path(spmvbench).resolve().parent.parent
    return [sys.executable, str(FOLDER / race.program), "--plugin",
            str(build / "integrations/petsc/libpetscspmv.so")]


def paths_of(race, out):
    """The files of a race's records, one a command; makes their folder. None of them exists."""
    out = pathlib.Path(out)
    paths = [out / f"records-{race.name}{f'-{n}' if n else ''}.jsonl"
             for n in range(len(race.commands))]
    for path in paths:
        if path.exists():
            raise Problem(f"{path} exists: draw it by --from {path}, or give another --out")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"{out}: {error.strerror}") from error
    return paths


def run(race, lines, paths, spmvbench):
    """Runs a race. A file gets its name when its command has ended; until then, and where the
    command fails, it is called .part.jsonl, and the next try replaces it."""
    program = program_of(race, spmvbench)
    for line, path in zip(lines, paths):
        part = path.with_suffix(".part.jsonl")
        part.unlink(missing_ok=True)
        print(shlex.join([*program, *line]), file=sys.stderr, flush=True)
        try:
            done = subprocess.run([*program, *line, "--save", str(part)], stdout=sys.stderr,
                                  check=False)
        except OSError as error:
            raise Problem(f"{program[0]}: {error.strerror}") from error
        except KeyboardInterrupt:
            raise Problem(f"interrupted; {part} has what was raced, which --from draws") from None
        # 1: a result is wrong or a method failed; the others are in the records.
        if done.returncode not in (0, 1) or not part.exists():
            raise Problem(f"{program[-3 if race.program else 0]} ended with exit code "
                          f"{done.returncode}" + (f"; {part} has what was raced, which --from draws"
                                                  if part.exists() else " and wrote no records"))
        part.rename(path)
