"""test_sweep.py: sweeps of spmvbench: --set, --target and --setting with several values.
spmvbench.py describes the first arguments; behind them stand SPMVGEN and COMPILER.

The compiler is called without optimisation by a script that counts its calls.
"""
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from spmvbench import PROGRAM, QUICK, refused, rows_of, run, tap

SPMVGEN, COMPILER = os.path.abspath(sys.argv[5]), sys.argv[6]
GRID = ["--target", "generic-c", "--set", "csr5.sigma=8,12", "--set", "csr5.omega=4,8"]
SMALL = ["model:poisson7:5", *QUICK]


class Place:
    """A cache, a folder for temporary files, and a compiler that counts its calls."""

    def __init__(self, folder):
        self.cache, self.temporary, self.calls = (folder / name for name in
                                                  ("cache", "temporary", "calls"))
        self.temporary.mkdir()
        self.compiler = folder / "compiler"
        self.write(self.compiler, f'echo >>{self.calls}\nexec {COMPILER} "$@" -O0\n')
        self.settings = {"SPMVGEN": SPMVGEN, "CC": str(self.compiler), "CFLAGS": "",
                         "SPMV_CACHE": str(self.cache), "TMPDIR": str(self.temporary)}

    @staticmethod
    def write(path, text):
        path.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        path.chmod(0o755)

    def run(self, *arguments, **settings):
        self.calls.unlink(missing_ok=True)
        return run(*arguments, **{**self.settings, **settings})

    def count(self):
        """The number of the compiler's calls in the last run."""
        return self.calls.read_text(encoding="utf-8").count("\n") if self.calls.exists() else 0

    def left(self):
        """Files that must not be left."""
        kept = list(self.cache.glob("modules/*")) if self.cache.is_dir() else []
        return [str(path) for path in [*self.temporary.iterdir(), *kept] if path.suffix != ".so"]


def swept(output, method="csr5"):
    return [row.get("parameters") for row in rows_of(output) if row["method"] == method]


def groups_of(output):
    """swept() for each matrix."""
    return [swept(text) for text in re.split("^problem ", output, flags=re.M)[1:]]


def records_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_grid(place, folder):
    """Two parameters on three matrices; the second run finds all kernels in the cache."""
    expected = [f"omega={omega} sigma={sigma}" for omega in (4, 8) for sigma in (12, 8)]
    inputs = ["model:poisson7:5", "model:banded:300:2", "model:rmat:8:4"]
    path = folder / "sweep.jsonl"
    done = place.run(*inputs, *QUICK, *GRID, "--save", str(path))
    groups = groups_of(done.stdout)
    overview = [re.search(r"(?:csr5 generic-c omega=\d sigma=\d+|csr_scalar \S+)  ", line)
                for line in done.stdout.splitlines() if line.startswith(("banded:", "poisson7:"))]
    tap.ok(done.returncode == 0 and [sorted(group) for group in groups] == [expected] * 3
           and place.count() == 4 and not place.left()
           and "compiled 4 of 4 sets of kernels" in done.stderr and all(overview),
           "two parameters on three matrices: four combinations race, each compiled once",
           done.stdout + done.stderr)
    results = [record for record in records_of(path) if record["record"] == "result"]
    sets = [record["set"] for record in results if record["method"] == "csr5"]
    tap.ok(len(results) == 15 and all(record["correct"] for record in results)
           and sets[:4] == [{"csr5.omega": omega, "csr5.sigma": sigma}
                            for omega in "48" for sigma in ("8", "12")]
           and [each["set"] for each in results if each["method"] == "csr_scalar"] == [{}] * 3,
           "and are recorded with their values, beside the baseline", results)
    test_resume(place, inputs, path)
    done = place.run(*SMALL, *GRID)
    tap.ok(done.returncode == 0 and place.count() == 0 and len(swept(done.stdout)) == 4
           and not done.stderr, "another run compiles nothing", done.stdout + done.stderr)
    figures = folder / "figures.json"
    place.run(*SMALL, *GRID, "--json", str(figures))
    written = json.loads(figures.read_text(encoding="utf-8"))["results"] if figures.exists() else []
    tap.ok(sorted(result["set"] for result in written)
           == ["", *(f"csr5.omega={omega} csr5.sigma={sigma}"
                     for omega in (4, 8) for sigma in (12, 8))], "--json has the values, too",
           written)
    done = place.run(*SMALL, *GRID, "--type", "f32", "--method", "csr5")
    tap.ok(place.count() == 4 and len(rows_of(done.stdout)) == 4,
           "another type is compiled, and with --method no baseline races",
           done.stdout + done.stderr)
    done = place.run(*SMALL, *GRID, CFLAGS="-DANOTHER=1")
    tap.ok(done.returncode == 0 and place.count() == 4, "other CFLAGS are compiled anew",
           done.stderr)
    place.write(place.compiler, f'echo >>{place.calls}\nexec {COMPILER} -g0 "$@" -O0\n')
    done = place.run(*SMALL, *GRID)
    tap.ok(done.returncode == 0 and place.count() == 4, "so is everything by another compiler",
           done.stderr)


def test_resume(place, inputs, path):
    """As an interruption leaves the file: whole groups, and the beginning of the next."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    second = [i for i, line in enumerate(lines) if '"record": "matrix"' in line][1]
    path.write_text("".join(lines[:second + 2]), encoding="utf-8")
    done = place.run(*inputs, *QUICK, *GRID, "--resume", str(path))
    groups = groups_of(done.stdout)
    whole = {}
    for record in records_of(path):
        if record["record"] == "result":
            whole.setdefault(record["input"], set()).add(str(record["set"]))
    tap.ok(done.returncode == 0 and [len(group) for group in groups] == [4] * 3
           and place.count() == 0 and {len(sets) for sets in whole.values()} == {5}
           and len(whole) == 3, "an interrupted sweep is resumed, and nothing compiled again",
           done.stdout + done.stderr)


def test_illegal(place, folder):
    words = ["--target", "generic-c", "--set", "csr5.sigma=8,65", "--set", "csr5.omega=4,8"]
    path = folder / "illegal.jsonl"
    done = place.run(*SMALL, *words, "--save", str(path), COLUMNS="400")
    lines = [line for line in done.stdout.splitlines() if line.startswith("illegal")]
    tap.ok(done.returncode == 0 and sorted(swept(done.stdout)) == ["omega=4 sigma=8",
                                                                   "omega=8 sigma=8"]
           and lines == ["illegal  generic-c f64: --set csr5.sigma=65: csr5.sigma must be from 0 "
                         "to 64 nonzeros, found 65 (" + lines[0].rpartition("(")[2]]
           and re.search(r"\(templates/csr5/params.lua:\d+:\d+: sigma is declared here\)$",
                         lines[0])
           and "\n         csr5.omega=4 csr5.sigma=65; csr5.omega=8 csr5.sigma=65\n" in done.stdout,
           "illegal combinations are listed once with spmvgen's reason, and the others race",
           done.stdout + done.stderr)
    narrow = place.run(*SMALL, *words, COLUMNS="80").stdout.split("\nmachine ")[0]
    tap.ok(" ".join(narrow.split()).startswith(lines[0].replace("illegal  ", "illegal "))
           and max(map(len, narrow.splitlines())) <= 80, "the reason fits the terminal", narrow)
    records = [record for record in records_of(path) if record["record"] == "illegal"]
    tap.ok([record["set"] for record in records]
           == [{"csr5.omega": omega, "csr5.sigma": "65"} for omega in "48"]
           and all((record["method"], record["target"], record["type"], record["why"])
                   == ("csr5", "generic-c", "f64", "illegal")
                   and "csr5.sigma must be from 0 to 64" in record["reason"]
                   for record in records), "and recorded", records)
    done = place.run(*SMALL, "--target", "generic-c", "--set", "csr5.sigma=65,66")
    tap.ok(done.returncode == 2 and done.stdout.count("illegal ") == 2
           and done.stderr == "spmvbench: no combination of --set is legal\n" and not place.left(),
           "without a legal combination nothing races: exit code 2", done.stdout + done.stderr)
    done = place.run(*SMALL, "--target", "generic-c", "--set", "fetch_ahead=0,256", "--method",
                     "csr5", "--method", "csr_vector")
    tap.ok(done.returncode == 0 and len(rows_of(done.stdout)) == 2
           and "\n         csr5 fetch_ahead=0; csr_vector fetch_ahead=0\n" in done.stdout,
           "a fact is swept for the methods that are named", done.stdout + done.stderr)
    done = place.run(*SMALL, "--target", "generic-c", "--set", "csr5.r=4,8")
    tap.ok(done.returncode == 0 and len(swept(done.stdout)) == 2
           and done.stderr.count("csr5.r has no effect") == 1,
           "a parameter without effect is said once", done.stdout + done.stderr)


def test_mistakes():
    for name, words, message in (
            ("a mistyped parameter", ["--set", "csr5.sgima=8"],
             "--set csr5.sgima: method 'csr5' has no parameter 'sgima'; did you mean 'sigma'"),
            ("a mistyped method", ["--set", "csr6.sigma=8"], "csr6.*did you mean 'csr5'"),
            ("a mistyped fact", ["--set", "rnak=8", "--method", "csr5"],
             "rnak.*did you mean 'rank'"),
            ("a mistyped target", ["--set", "csr5.sigma=8", "--target", "generic-d"],
             "--target generic-d: unknown target 'generic-d'; did you mean 'generic-c'"),
            ("a target twice", ["--set", "csr5.sigma=8", "--target", "generic-c,generic-c"],
             "--target generic-c and generic-c are both generic-c"),
            ("no value", ["--set", "csr5.sigma"], "--set takes KEY=VALUE or KEY=VALUE,VALUE"),
            ("a gap between values", ["--set", "csr5.sigma=8,,9"], "--set takes KEY=VALUE or"),
            ("a key twice", ["--set", "csr5.sigma=8", "--set", "csr5.sigma=9"],
             "'csr5.sigma' is given twice; several values are given as csr5.sigma=8,9"),
            ("spaces", ["--set", "csr5.sigma=8, 9"], "without spaces, not 'csr5.sigma=8, 9'"),
            ("a fact without a method", ["--set", "rank=8"], "rank: .* say which with --method"),
            ("a key of another method", ["--set", "csr5.sigma=8", "--method", "csr_vector"],
             "--set csr5.sigma: --method csr5 is missing"),
            ("a key of another type", ["--set", "csr5.f32.sigma=8"], "only --type f64 races"),
            ("an OpenCL sweep without a target", ["--set", "csr5.sigma=8", "--backend", "opencl"],
             "needs --target, such as generic-opencl"),
            ("too many combinations",
             ["--target", "generic-c"] + [word for key in ("sigma", "omega", "s", "u", "t")
                                          for word in ("--set", f"csr5.{key}=1,2,3,4,5,6,7,8")],
             "more than 4096 combinations"),
            ("--list", ["--set", "csr5.sigma=8", "--list"], "--set races kernels, and --list")):
        os.environ["SPMVGEN"] = SPMVGEN
        refused(name, [*SMALL, *words], 2, message)


def test_targets(place, folder):
    foreign = "aarch64" if platform.machine() == "x86_64" else "x86-64-v3"
    done = place.run(*SMALL, "--target", f"{foreign},generic-c", "--set", "csr5.sigma=8,12")
    rows = rows_of(done.stdout)
    tap.ok(done.returncode == 0 and place.count() <= 3
           and re.search(f"^unusable {foreign} f64: .+\n +csr5.sigma=8; csr5.sigma=12\n",
                         done.stdout, flags=re.M)
           and {row["target"] for row in rows if row["method"] == "csr5"} == {"generic-c"},
           "a target of other CPUs is said after one try, and the other target races",
           done.stdout + done.stderr)
    page = folder / "mine.lua"
    page.write_text('inherit "generic-c"\ncsr5.sigma = 24\n', encoding="utf-8")
    done = place.run(*SMALL, "--target", f"{page},generic-c", "--method", "csr5,csr_vector")
    tap.ok(done.returncode == 2 and "csr5,csr_vector" in done.stderr, "--method lists no names",
           done.stderr)
    done = place.run(*SMALL, "--target", f"{page},generic-c", "--method", "csr5")
    tap.ok(done.returncode == 0 and {row["target"] for row in rows_of(done.stdout)}
           == {"mine", "generic-c"}, "a page of the user's own is emitted without --set, too",
           done.stdout + done.stderr)
    refused("such a page without a method", [*SMALL, "--target", str(page)], 2,
            "is emitted: say with --method which methods")


def test_linked():
    """--target with several names, without --set: of the modules that are linked in."""
    listed = {line.split()[1] for line in run("--list").stdout.splitlines()
              if len(line.split()) == 4 and line.split()[2] == "f64"}
    if len(listed) < 2:
        tap.skip("the kernels of one target are linked in")
    else:
        done = run(*SMALL, "--target", ",".join(sorted(listed)), "--method", "csr5")
        tap.ok(done.returncode == 0 and {row["target"] for row in rows_of(done.stdout)} == listed,
               f"the linked-in kernels of several targets race: {', '.join(sorted(listed))}",
               done.stdout + done.stderr)
    refused("a target that is not linked in", [*SMALL, "--target", f"{min(listed)},generic-d"], 2,
            "no usable kernel for target generic-d.*--list shows")


def test_programs(place, folder):
    done = place.run(*SMALL, *GRID, SPMVGEN="/no/such/spmvgen")
    tap.ok(done.returncode == 1 and not done.stdout and
           done.stderr == "spmvbench: SPMVGEN is '/no/such/spmvgen', which is no program: No such "
           "file or directory\n", "a wrong SPMVGEN is named", done.stderr)
    alone = folder / "spmvbench"
    alone.write_bytes(pathlib.Path(PROGRAM).read_bytes())
    alone.chmod(0o755)
    done = subprocess.run([alone, *SMALL, *GRID], capture_output=True, text=True, check=False,
                          env={**os.environ, **place.settings, "SPMVGEN": "", "PATH": "/none"})
    if "loading shared libraries" in done.stderr:
        tap.skip("a copy of spmvbench does not find its libraries")
    else:
        tap.ok(done.returncode == 1 and "install it (docs/how-to/install.md), or name its file in "
               "SPMVGEN" in done.stderr, "without spmvgen the message says what to do", done.stderr)
    done = place.run(*SMALL, *GRID, CC="no-such-compiler -O1")
    tap.ok(done.returncode == 1 and not done.stdout and re.search(
        "compiler 'no-such-compiler' is not there: install one, .* or name one in CC", done.stderr),
        "without a compiler the message says what to do", done.stderr)
    broken = folder / "broken"
    place.write(broken, f'echo >>{place.calls}; echo "in file"; echo "a.c:1: error: no way" >&2; '
                'exit 3\n')
    done = place.run(*SMALL, *GRID, CC=str(broken))
    tap.ok(done.returncode == 1 and place.count() == 3 and "can race here" in done.stderr
           and re.search("^failed   generic-c f64: the compiler '.*' fails with exit code 3: "
                         "a.c:1: error: no way\n", done.stdout) and not place.left(),
           "a compiler that fails is given up after three tries, and its error shown",
           done.stdout + done.stderr)
    place.write(broken, 'for word; do case "$word" in -I*) folder=${word#-I};; esac; done\n'
                f'grep -q csr5.sigma=12 "$folder"/*.c && exit 1\nexec {COMPILER} "$@" -O0\n')
    done = place.run(*SMALL, "--target", "generic-c", "--set", "csr5.sigma=8,12", CC=str(broken))
    tap.ok(done.returncode == 1 and swept(done.stdout) == ["sigma=8"]
           and "failed   generic-c" in done.stdout,
           "what compiles races when another combination does not; exit code 1",
           done.stdout + done.stderr)


def test_cache(place, folder):
    for name, prepare, reason in (
            ("that others can write to", lambda path: (path.mkdir(), path.chmod(0o777)),
             "others can write to it"),
            ("that is a file", lambda path: path.write_text("", encoding="utf-8"),
             "it is no folder")):
        cache = folder / name.replace(" ", "-")
        prepare(cache)
        done = place.run(*SMALL, *GRID, SPMV_CACHE=str(cache))
        tap.ok(done.returncode == 0 and len(swept(done.stdout)) == 4 and place.count() == 4
               and f"note: compiled kernels are not kept for the next run: '{cache}': {reason}; "
               "SPMV_CACHE names another folder\n" in done.stderr and not place.left(),
               f"a cache {name} is not used, and the sweep runs without it", done.stderr)
    done = place.run(*SMALL, *GRID, SPMV_CACHE="")
    tap.ok(done.returncode == 0 and place.count() == 4 and "not kept" not in done.stderr,
           "an empty SPMV_CACHE means none", done.stderr)
    done = place.run(*SMALL, *GRID, TMPDIR="/no/such/folder")
    tap.ok(done.returncode == 1 and "'/no/such/folder', which TMPDIR names" in done.stderr,
           "a wrong TMPDIR is named", done.stderr)
    shared = {**os.environ, **place.settings, "SPMV_CACHE": str(folder / "shared"),
              "OMP_WAIT_POLICY": "passive"}
    place.calls.unlink(missing_ok=True)
    both = [subprocess.Popen([PROGRAM, *SMALL, *GRID], env=shared, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    outputs = [process.communicate() for process in both]
    files = sorted(path.suffix for path in (folder / "shared/modules").iterdir())
    tap.ok([process.returncode for process in both] == [0, 0] and files == [".so"] * 4
           and all(len(swept(output)) == 4 for output, _ in outputs),
           "two runs at once share a cache", f"{files}\n{outputs}")


def test_outputs(place, folder):
    """Files are opened before anything is compiled; a page has what cannot race."""
    kept, other = folder / "kept.jsonl", folder / "other.jsonl"
    kept.write_text("{}\n", encoding="utf-8")
    place.run(*SMALL, "--method", "csr_scalar", "--save", str(other))
    for name, words, reason in (
            ("a file that is there", ["--save", str(kept)], "is there already"),
            ("a page in no folder", ["--report", str(folder / "none/a.html")], "cannot write"),
            ("JSON in no folder", ["--json", str(folder / "none/a.json")], "cannot write"),
            ("another command line", ["--resume", str(other)], "of another command line"),
            ("one file for two", ["--save", str(folder / "new.jsonl"), "--report",
                                  str(folder / "new.jsonl")], "--save and --report would both")):
        done = place.run(*SMALL, *GRID, "--set", "csr5.f64.prefer_fma=1", *words)
        tap.ok(done.returncode == 1 and reason in done.stderr and place.count() == 0
               and "compiled" not in done.stderr, f"{name} is told before kernels are compiled",
               done.stdout + done.stderr)
    unknown = place.run(*SMALL, "--method", "none", "--save", str(folder / "new.jsonl"))
    tap.ok(unknown.returncode == 2 and not (folder / "new.jsonl").exists(),
           "a run that does not begin leaves no file", unknown.stderr)
    page = folder / "page.html"
    done = place.run(*SMALL, "--target", "generic-c", "--set", "csr5.omega=4,5", "--report",
                     str(page))
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    tap.ok(done.returncode == 0 and '{"record": "illegal", "method": "csr5"' in text,
           "the page of a run has its illegal combinations", done.stdout + done.stderr)


def test_interruption(place, folder):
    slow = folder / "slow"
    place.write(slow, f'echo >>{place.calls}\nsleep 60\n')
    for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")):
        place.calls.unlink(missing_ok=True)
        process = subprocess.Popen([PROGRAM, *SMALL, *GRID], text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE,
                                   env={**os.environ, **place.settings, "CC": str(slow)})
        for _ in range(600):
            if place.calls.exists():
                break
            time.sleep(0.1)
        begin = time.monotonic()
        process.send_signal(number)
        process.send_signal(number)      # as timeout(1) does
        output, errors = process.communicate()
        tap.ok(process.returncode == 128 + number and time.monotonic() - begin < 20
               and not place.left() and not output
               and errors == "spmvbench: interrupted: 0 of 4 sets of kernels are ready; the same "
               "command goes on from there\n",
               f"{name} ends the compiler, leaves no file, and gives exit code {128 + number}",
               f"{process.returncode} {place.left()}\n{output}{errors}")
    place.calls.unlink(missing_ok=True)
    stubborn = folder / "stubborn"
    place.write(stubborn, f"trap '' INT TERM\necho >>{place.calls}\nsleep 10\n")
    with subprocess.Popen([PROGRAM, *SMALL, *GRID], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL,
                          env={**os.environ, **place.settings, "CC": str(stubborn)}) as process:
        for _ in range(600):
            if place.calls.exists():
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        waits = process.poll() is None
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait()
        tap.ok(waits and process.returncode == -signal.SIGINT and time.monotonic() - begin < 5,
               "a later Ctrl-C ends it at once", f"{waits} {process.returncode}")
    shutil.rmtree(place.temporary)
    place.temporary.mkdir()


def test_children(place):
    """A parent that ignores SIGCHLD takes exit codes of children away."""
    done = subprocess.run([PROGRAM, *SMALL, *GRID], capture_output=True, text=True, check=False,
                          env={**os.environ, **place.settings}, timeout=120,
                          preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    tap.ok(done.returncode == 0 and len(swept(done.stdout)) == 4,
           "kernels are compiled though the parent ignores SIGCHLD",
           f"{done.returncode}\n{done.stdout}{done.stderr}")


def test_settings(place):
    words = [word for name in ("permuted_x", "permuted_y")
             for word in ("--setting", name + "=0,1")]
    done = place.run(*SMALL, *words)
    rows = rows_of(done.stdout)
    counts = {row["method"]: len(set(swept(done.stdout, row["method"]))) for row in rows}
    tap.ok(done.returncode == 0 and set(counts.values()) == {1, 4}
           and len(rows) == sum(counts.values())
           and "permuted_x=0,permuted_y=1" in {row["parameters"] for row in rows},
           f"all combinations of the settings that a method has race: {counts}",
           done.stdout + done.stderr)
    refused("a value of a setting out of range", [*SMALL, "--setting", "permuted_y=0,7"], 2,
            "permuted_y.*7")


def test_constants(place):
    """Kernels of evc_hyb that take x or A for 1 are right if they are 1, and only then."""
    words = ["model:rmat:9:8", *QUICK, "--target", "generic-c", "--method", "evc_hyb", "--set",
             "evc_hyb.constant=none,x,a,both", "--set", "evc_hyb.boundary=8"]
    found = {}
    for ones in ([], ["--ones"]):
        done = place.run(*words, *ones)
        rows = [(re.search(r"constant=(\w+)", row["parameters"])[1], row["correct"])
                for row in rows_of(done.stdout) if row["method"].startswith("evc_hyb")]
        found[bool(ones)] = dict(rows)
    values = ("none", "x", "a", "both")
    tap.ok(found[True] == dict.fromkeys(values, "yes")
           and found[False] == {value: "yes" if value == "none" else "NO" for value in values},
           "evc_hyb.constant: x and A are taken for 1", str(found))


def test_opencl(place):
    words = ["--target", "pocl", "--set", "csr5.sigma=8"]
    done = place.run(*SMALL, *words, SPMV_OPENCL_LIBRARY="/no/such/library")
    tap.ok(done.returncode == 1 and "unusable pocl f64: " in done.stdout
           and done.stderr.endswith("spmvbench: no combination of --set can race here\n"),
           "without the device nothing races", done.stdout + done.stderr)
    done = place.run(*SMALL, "--target", "pocl", "--set", "csr5.sigma=8,16", "--method", "csr5")
    if "unusable pocl" in done.stdout:
        tap.skip("no OpenCL device")
        return
    tap.ok(done.returncode == 0 and sorted(swept(done.stdout)) == ["sigma=16", "sigma=8"]
           and {row["correct"] for row in rows_of(done.stdout)} == {"yes"},
           "programs of an OpenCL device are swept", done.stdout + done.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        place = Place(folder)
        test_grid(place, folder)
        test_illegal(place, folder)
        test_mistakes()
        test_targets(place, folder)
        test_linked()
        test_programs(place, folder)
        test_cache(place, folder)
        test_outputs(place, folder)
        test_interruption(place, folder)
        test_children(place)
        test_settings(place)
        test_constants(place)
        test_opencl(place)
    tap.done()


main()
