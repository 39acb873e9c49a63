"""test_run.py: spmvbench's command line, output and exit codes, but not its measurements.
spmvbench.py describes the arguments.
"""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from spmvbench import LIBRARY, PROGRAM, QUICK, listed_modules, refused, rows_of, run, tap


def test_refusals(folder):
    refused("an unknown option", ["--fast"], 2, "unknown option '--fast'; --help")
    refused("a mistyped option", ["--sed=3"], 2, "unknown option '--sed'; did you mean '--seed'")
    refused("a mistyped option with a value", ["--backedn=c"], 2, "did you mean '--backend'")
    refused("a mistyped backend", ["--backend", "opncl"], 2,
            "--backend takes c.cuda.opencl, not 'opncl'; did you mean 'opencl'")
    refused("a single dash", ["-help"], 2, "did you mean '--help'")
    refused("a missing value", ["--type"], 2, "--type needs a value: --type f32.f64")
    refused("a wrong type", ["--type", "f16"], 2, "--type takes f32.f64.*, not 'f16'")
    refused("a wrong number", ["--threads=0"], 2, "--threads takes a whole number from 1 to")
    refused("text for a number", ["--alpha", "1x"], 2, "--alpha takes a finite number, not '1x'")
    refused("an infinite number", ["--beta", "inf"], 2, "finite")
    for name, number in (("alpha", "1e300"), ("beta", "-3.5e38"), ("beta", "1e-50")):
        refused(f"--{name} {number} in f32", ["--type", "f32", f"--{name}", number], 2,
                f"--{name} with --type f32 takes 0 or .*3.4e.38 in size, not "
                + re.escape(f"'{float(number):g}'"))
    refused("a value for a flag", ["--list=all"], 2, "--list takes no value")
    refused("a size without a shape", ["--size", "5"], 2, "--size belongs to --shape")
    refused("the command that papers/run replaced", ["experiment", "csr5-regular"], 2, "papers/run")
    refused("an unknown shape", ["--shape", "triangle"], 2, "no shape is called 'triangle'; --list")
    refused("a mistyped shape", ["--shape", "poison-3d"], 2, "did you mean 'poisson-3d'.; --list")
    refused("an unknown look-alike", ["--lookalike", "qqq"], 2, "no look-alike is called 'qqq'; --")
    refused("a mistyped look-alike", ["--lookalike", "conshp"], 2, "did you mean 'consph'")
    refused("--statistics of two matrices", ["--poisson", "3", "--shape", "blocks", "--statistics"],
            2, "--statistics takes one matrix at a time, not 2")
    refused("a shape that is too small", ["--shape", "poisson-2d", "--size", "0"], 2,
            "--size 1 or more")
    refused("a missing file", [str(folder / "none.mtx")], 1, r"none\.mtx")
    refused("an unknown method", ["--poisson", "3", "--method", "fastest"], 2,
            "method fastest.*--list.*--modules FILE.so")
    refused("a mistyped method", ["--poisson", "3", "--method", "csr_sclar"], 2,
            "did you mean 'csr_scalar'")
    refused("an unknown target", ["--poisson", "3", "--target", "pdp-11"], 2,
            "target pdp-11; --list")
    refused("a mistyped target", ["--poisson", "3", "--target", "generic_c"], 2,
            "did you mean 'generic-c'")
    refused("a mistyped shape, statistics alone", ["--shape", "skewd", "--statistics"], 2,
            "did you mean 'skewed'")
    refused("missing modules", ["--modules", str(folder / "none.so")], 1, r"none\.so")
    (folder / "bad.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
                                    encoding="utf-8")
    refused("a malformed file", [str(folder / "bad.mtx")], 1, r"bad\.mtx:3: ")
    refused("an unknown class, before the file is read",
            [str(folder / "bad.mtx"), "--lookalike", "circus"], 2, "did you mean 'circuit'")
    refused("a malformed original", [str(folder / "bad.mtx"), "--lookalike", "fem"], 1, "bad.mtx:3")


def run_with_input(feed, *arguments):
    """Runs spmvbench with these bytes through a pipe as standard input, at most two minutes."""
    try:
        return subprocess.run([PROGRAM, *arguments], input=feed, capture_output=True, check=False,
                              timeout=120, env={**os.environ, "OMP_WAIT_POLICY": "passive"})
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, -1, b"", b"hangs")


def run_with_fifo(folder, feed, *arguments):
    """Runs spmvbench with these bytes through a named pipe, whose path replaces PIPE."""
    path, source = folder / "pipe.mtx", folder / "source"
    source.write_bytes(feed)
    os.mkfifo(path)
    with subprocess.Popen(["sh", "-c", 'exec cat "$0" > "$1"', str(source), str(path)]) as writer:
        done = run_with_input(b"", *(str(path) if word == "PIPE" else word for word in arguments))
        writer.kill()
    path.unlink()
    return done


def test_streams(folder):
    """A matrix is opened and read only once, so that it may come through a pipe."""
    entries = [f"{row} {col} 0.5" for row in range(1, 601) for col in range(row, 601)]
    text = "\n".join(["%%MatrixMarket matrix coordinate real symmetric",
                      f"600 600 {len(entries)}", *entries, ""]).encode()
    tap.ok(len(text) > 1 << 20, "the matrix is larger than a pipe and the reader's buffer")
    for kind, feed in (("plain", text), ("gzip", gzip.compress(text))):
        for name, done, shown in (
                ("-", run_with_input(feed, "-", *QUICK), b"standard input"),
                ("/dev/stdin", run_with_input(feed, "/dev/stdin", *QUICK), b"stdin"),
                ("a named pipe", run_with_fifo(folder, feed, "PIPE", *QUICK), b"pipe.mtx")):
            tap.ok(done.returncode == 0 and shown + b": 600 x 600, 360000 nonzeros" in done.stdout
                   and not done.stderr, f"{name}, {kind}: multiplied", done.stdout + done.stderr)
    done = run_with_input(text, "-", "--lookalike", "fem", "--statistics")
    tap.ok(done.returncode == 0 and b"standard input" in done.stdout, "- has look-alikes, too",
           done.stdout + done.stderr)
    done = run_with_input(text, "-", "--explain")
    tap.ok(done.returncode == 0 and b"matrix   standard input: 600 x 600" in done.stdout,
           "- is explained, too", done.stdout + done.stderr)
    report = folder / "streams.json"
    done = run_with_input(text, "-", "--json", str(report), *QUICK)
    tap.ok(done.returncode == 0
           and json.loads(report.read_text())["matrix"]["name"] == "standard input",
           "--json names standard input", done.stderr)
    with open(report, "rb") as source:
        done = subprocess.run([PROGRAM, "-", "--json", str(report)], stdin=source,
                              capture_output=True, check=False)
    tap.ok(done.returncode == 1 and b"which this run reads" in done.stderr,
           "--json does not replace standard input", done.stderr)
    for name, feed, words in (
            ("nothing", b"", "standard input: is an empty file"),
            ("a wrong line", text.replace(b"\n1 3 0.5", b"\n1 x 0.5"),
             "standard input:5: bad index"),
            ("part of a gzip file", gzip.compress(text)[:999],
             "standard input: the compressed data")):
        done = run_with_input(feed, "-", *QUICK)
        tap.ok(done.returncode == 1 and words.encode() in done.stderr and not done.stdout,
               f"- with {name}: the message says standard input", done.stderr)
    done = subprocess.run(["sh", "-c", 'exec "$0" - <&-', PROGRAM], capture_output=True,
                          check=False)
    tap.ok(done.returncode == 1 and b"standard input: cannot be opened" in done.stderr,
           "- where it is closed: an error", done.stderr)


def test_end_of_options(folder):
    """An argument after -- is a file."""
    (folder / "--list").write_text(
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1\n", encoding="utf-8")
    done = subprocess.run([PROGRAM, *QUICK, "--", "--list"], capture_output=True, text=True,
                          check=False, cwd=folder)
    tap.ok(done.returncode == 0 and "--list: 2 x 2, 1 nonzeros" in done.stdout,
           "--: a file whose name begins with --", done.stdout + done.stderr)
    done = run_with_input(b"%%MatrixMarket matrix array real general\n1 1\n2\n", *QUICK, "--", "-")
    tap.ok(done.returncode == 0 and b"standard input: 1 x 1" in done.stdout,
           "-- -: standard input", done.stderr)
    done = run("--poisson", "3", *QUICK, "--")
    tap.ok(done.returncode == 0, "-- may end the line", done.stderr)


def test_beyond_f32(folder):
    """A note reports values that f32 cannot hold, since another matrix is multiplied then."""
    (folder / "wide.mtx").write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 1e39\n2 2 -1e300\n"
        "3 3 inf\n", encoding="utf-8")
    done = run(str(folder / "wide.mtx"), "--type", "f32", *QUICK)
    tap.ok(done.returncode == 0 and done.stderr ==
           "spmvbench: note: wide.mtx:4: 2 of 4 entries are too large for f32 and become inf, this "
           "one first; --type f64 takes them as they are\n", "f32: entries beyond it are reported",
           done.stdout + done.stderr)
    for name, words in (("f64", []), ("a look-alike", ["--type", "f32", "--lookalike", "fem"]),
                        ("--explain", ["--type", "f32", "--explain"])):
        done = run(str(folder / "wide.mtx"), *words, *(QUICK if "--explain" not in words else []))
        tap.ok("become inf" not in done.stderr, f"{name}: no note", done.stderr)


def free_bytes():
    """Free memory; None: unknown."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if "MemAvailable" in line)
    except (OSError, StopIteration):
        return None


def test_too_large(folder):
    """A matrix that needs more than 100 GB is refused before anything is allocated."""
    if not free_bytes() or free_bytes() > 100e9:
        tap.skip("sizes that do not fit: this machine has more than 100 GB free, or does not tell")
        return
    (folder / "wide.mtx").write_text(
        "%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 1\n1 1 1\n",
        encoding="utf-8")
    text = r"needs at least \d+\.\d GB for A, x, y and the reference.*free; .* --force"
    refused("a file that does not fit", [str(folder / "wide.mtx")], 1, r"wide\.mtx: " + text)
    done = run_with_input((folder / "wide.mtx").read_bytes(), "-")
    tap.ok(done.returncode == 1 and re.search("standard input: " + text, done.stderr.decode()),
           "nor does the same through a pipe", done.stderr)
    refused("a grid that does not fit", ["--poisson", "1290"], 1, r"poisson-3d 1290\^3: " + text)
    refused("a shape that does not fit", ["--shape", "uniform", "--size", "2000000000"], 1, text)


def test_little_memory():
    """Running out of memory gives a message."""
    def limit():
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20))
    alive = subprocess.run([PROGRAM, "--version"], capture_output=True, check=False,
                           preexec_fn=limit)
    if alive.returncode != 0:
        tap.skip("little memory: this build needs more to start")
        return
    done = subprocess.run([PROGRAM, "--lookalike", "rail4284", "--statistics"], text=True,
                          capture_output=True, check=False, preexec_fn=limit)
    tap.ok(done.returncode == 1 and done.stderr.startswith("spmvbench: LP: ")
           and "memory" in done.stderr and not done.stdout,
           "a look-alike without memory: exit code 1 and one line that says why", done.stderr)


def test_answers():
    done = run("--help")
    tap.ok(done.returncode == 0 and "Usage: spmvbench" in done.stdout
           and "--poisson N" in done.stdout and not done.stderr, "--help explains itself")
    lines = done.stdout.splitlines()
    tap.ok(max(map(len, lines)) <= 100, "--help fits 100 columns")
    heads = [line for line in lines if re.fullmatch(r"[A-Z][a-z ,]+:", line)]
    tap.ok("What races:" in heads and "How it is timed:" in heads, "options stand in sections",
           heads)
    whole = run("--details", "--help").stdout
    tap.ok("  over CSR " in done.stdout and "  collect " not in done.stdout
           and "  collect " in whole and "--details --help" in done.stdout,
           "columns of --details are explained with --details", done.stdout)
    options = [line for line in lines if line.startswith("  --")]
    unlike = [line for line in options if not re.match(r"  --[a-z]+( \S+)? {2,}\S", line)]
    tap.ok(options and not unlike, "--help: two spaces stand before each text at least", unlike)
    done = run("--version")
    tap.ok(re.fullmatch(r"spmvbench \d+\.\d+\.\d+\n", done.stdout), "--version is one line")
    done = run("--list")
    tap.ok(done.returncode == 0 and "poisson-3d" in done.stdout and "giant-middle" in done.stdout,
           "--list shows the shapes")


def test_tables(folder, modules):
    methods = sorted({module[0] for module in modules} - {"csr_transposed", "symmetric"})
    targets = sorted({module[1] for module in modules})
    for matrix in (["--poisson", "8"], ["--shape", "skewed", "--size", "3000", "--seed", "9"],
                   ["--shape", "no-rows"], ["--shape", "no-columns"], ["--shape", "all-empty"]):
        for types in (["--type", "f32"], ["--type", "f64", "--offset", "i64"]):
            for scalars in ([], ["--alpha", "-2", "--beta", "0.5"], ["--alpha", "0"]):
                done = run(*matrix, *types, *scalars, *QUICK)
                rows = rows_of(done.stdout)
                shown = sorted(row["method"].rstrip("*") for row in rows)
                tap.ok(done.returncode == 0 and shown == methods
                       and all(row["correct"] == "yes" for row in rows),
                       " ".join(matrix + types + scalars) + ": each method once, all correct",
                       done.stdout + done.stderr)

    done = run("--poisson", "8", "--all", *QUICK)
    tap.ok(len(rows_of(done.stdout)) == len(methods) * len(targets),
           "--all shows every target's kernels", done.stdout)
    done = run("--poisson", "8", "--method", methods[0], "--target", targets[0], *QUICK)
    rows = rows_of(done.stdout)
    tap.ok(len(rows) == 1 and rows[0]["method"].rstrip("*") == methods[0]
           and rows[0]["target"] == targets[0], "--method and --target choose one", done.stdout)
    done = run("--poisson", "8", "--details", *QUICK[:-1], "80")
    tap.ok("GB/s from one of 84 MB" in done.stdout, "--dram sets the size of the large array",
           done.stdout)
    done = run("--poisson", "8", *QUICK)
    tap.ok(done.stdout.isascii() and max(map(len, done.stdout.splitlines())) <= 130,
           "the table is plain ASCII")

    one = ["--poisson", "4", "--method", methods[0]]
    done = run(*one, "--type", "f32", "--alpha", "3.40282347e38", "--beta", "1e-45", *QUICK)
    tap.ok(done.returncode == 0 and "64 of 64 rows leave the range of f32" in done.stdout,
           "the ends of f32's range are taken; rows beyond it are counted",
           done.stdout + done.stderr)
    done = run(*one, "--alpha", "1e300", *QUICK)
    tap.ok(done.returncode == 0 and "leave the range" not in done.stdout,
           "f64 takes what f32 does not", done.stdout + done.stderr)
    with subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"],
                          stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        done = run(*one, *QUICK)
        other.kill()
    tap.ok(done.returncode == 0 and "times the" not in done.stdout,
           "one sample, beside another program: no word of medians and fastest samples",
           done.stdout + done.stderr)

    (folder / "good.mtx").write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 1 -1\n3 3 4\n",
        encoding="utf-8")
    done = run(str(folder / "good.mtx"), *QUICK)
    tap.ok(done.returncode == 0
           and "good.mtx: 3 x 3, 4 nonzeros; rows of 1 to 2" in done.stdout,
           "a file is read, symmetric entries twice", done.stdout + done.stderr)


def test_table():
    """The columns lead with what decides; what concerns all races stands above the first."""
    done = run("model:poisson7:4", "model:rmat:4", "--modules", LIBRARY, *QUICK, COLUMNS="80")
    words = [line.split(" ")[0] for line in done.stdout.splitlines()]
    tap.ok(done.returncode == 0 and all(words.count(word) == times for word, times in
                                        (("machine", 1), ("legend", 1), ("problem", 2))),
           "machine and legend stand once above two races", done.stdout)
    tap.ok("matrix   poisson7:4: 64 x 64" in done.stdout and "matrix   rmat:4:16: " in done.stdout,
           "a matrix has the name of its input", done.stdout)
    text = done.stdout[:done.stdout.index("\nsummary")]
    tap.ok(max(map(len, text.splitlines())) <= 80, "a race fits 80 columns", done.stdout)
    one = run("--poisson", "4", "--modules", LIBRARY, "--target", "toy", *QUICK).stdout
    heads = [re.split(r"\s{2,}", line) for line in (one + done.stdout).splitlines()
             if line.startswith("method")]
    tap.ok(len(heads) == 3 and heads[0][0] == "method" and heads[0][1].startswith("time ")
           and heads[0][-1] == "target", "time and speed follow the method of one target", one)
    tap.ok(heads[1][:2] == ["method", "target"], "several targets stand beside the method",
           done.stdout)


def test_modules():
    """All kernels from --modules are shown, even of a lower rank, and no others."""
    toys = [("toy_loose*", "toy"), ("toy_parts", "toy"), ("toy_rows", "toy"),
            ("toy_rows", "toy-fast")]
    for name, words, wanted in (("a file", ["--modules", LIBRARY], toys),
                                ("a method of it", ["--modules", LIBRARY, "--method", "toy_rows"],
                                 toys[2:]),
                                ("a target of it", ["--modules", LIBRARY, "--target", "toy"],
                                 toys[:3])):
        done = run(*words, "--poisson", "4", *QUICK)
        shown = sorted((row["method"], row["target"]) for row in rows_of(done.stdout))
        tap.ok(done.returncode == 0 and shown == wanted and not done.stderr,
               f"--modules: all kernels of {name}", done.stdout + done.stderr)
    done = run("--modules", LIBRARY, "--modules", LIBRARY, "--poisson", "4", *QUICK)
    tap.ok(done.returncode == 0 and len(rows_of(done.stdout)) == len(toys)
           and f"note: {LIBRARY} adds no kernel" in done.stderr
           and "SPMV_DEBUG=1" in done.stderr, "a file that adds nothing is reported", done.stderr)
    done = run("--modules", LIBRARY, "--poisson", "4", SPMV_TARGET="pdp-11")
    tap.ok(done.returncode == 1
           and re.search(r"note: .* adds no kernel that can be used: no module of "
                         r"target 'pdp-11' \(by SPMV_TARGET\); there is toy", done.stderr),
           "a file without a usable module is reported, with the reason", done.stderr)
    refused("modules of the other value type alone",
            ["--modules", LIBRARY, "--poisson", "4", "--method", "toy_parts", "--type", "f32"], 1,
            "no usable kernel .*; there are kernels for f64 only: --type f64 takes them")
    refused("modules for other types", ["--modules", LIBRARY, "--poisson", "4", "--type", "f32"], 1,
            "no usable kernel for f32 values and i32 row pointers")
    refused("a linked-in method, beside modules", ["--modules", LIBRARY, "--method", "csr5"], 2,
            "method csr5; --list")


def test_lookalikes(folder, modules):
    done = run("--lookalike", "list")
    lines = done.stdout.splitlines()
    tap.ok(done.returncode == 0 and lines[0].split()[:3] == ["name", "SuiteSparse", "class"]
           and len(lines[1:lines.index("")]) == 48 and "classes:" in lines
           and any(re.match(r"indochina-2004 +LAW/\S+ +web +7414866 +7414866 +194109311 +2359.0",
                            line)
                   for line in lines), "--lookalike list is a table of 48", done.stdout)

    done = run("--lookalike", "wind tunnel", "--statistics")
    tap.ok(done.returncode == 0 and "look-alike of Wind Tunnel (fem): 217918 x 217918, 11634424"
           in done.stdout and re.search(r"100 % of the rows +180\n", done.stdout),
           "--statistics shows a look-alike by the paper's name", done.stdout + done.stderr)
    same = [run("--lookalike", "conf5_4-8x8-05", "--statistics", "--threads", n).stdout
            for n in ("1", "3")]
    tap.ok(same[0] == same[1] and same[0], "any number of threads gives the same statistics")
    other = [run("--lookalike", "dc1", "--statistics", *seed).stdout
             for seed in ([], ["--seed", "1"], ["--seed", "2"])]
    tap.ok(other[0] == other[1] != other[2] and all("ibm-dc1" in text for text in other)
           and "(circuit-long-rows), seed 2: " in other[2],
           "--seed gives another matrix, which its name tells, and 1 is the default")

    rows = [f"{i} {j} 1" for i in range(1, 101) for j in range(i, min(i + 4, 101))]
    (folder / "band.mtx").write_text(
        f"%%MatrixMarket matrix coordinate real general\n100 100 {len(rows)}\n" + "\n".join(rows)
        + "\n", encoding="utf-8")
    band = str(folder / "band.mtx")
    done = run(band, "--lookalike", "circuit", "--statistics")
    tap.ok(done.returncode == 0 and re.search(r"^ +look-alike +original$", done.stdout, flags=re.M)
           and re.search(r"row length at 0 % of the rows +1 +1\n", done.stdout)
           and re.search(r"row length at 100 % of the rows +4 +4\n", done.stdout),
           "a file and its look-alike stand side by side", done.stdout + done.stderr)
    refused("an unknown class", [band, "--lookalike", "circus"], 2,
            "takes a class of matrices, not 'circus'; did you mean 'circuit'")
    if modules:
        for matrix in (["--lookalike", "QCD"], [band, "--lookalike", "web"]):
            done = run(*matrix, "--type", "f32", *QUICK)
            tap.ok(done.returncode == 0 and "look-alike of" in done.stdout
                   and all(row["correct"] == "yes" for row in rows_of(done.stdout)),
                   " ".join(matrix[-2:]) + ": multiplied, all correct", done.stdout + done.stderr)


def test_details():
    arguments = ["--shape", "half-empty", "--size", "3000", "--repeat", "2", "--dram", "0"]
    done = run(*arguments, "--details")
    sections = dict(re.findall(r"^spmv_(\w+?)_f64_\w+\n((?:  .*\n)+)", done.stdout,
                               flags=re.MULTILINE))
    tap.ok(done.returncode == 0 and len(sections) == len(rows_of(done.stdout))
           and all(re.search(r"^  step \w+ +\S+ us, ", text, flags=re.MULTILINE)
                   for text in sections.values()),
           "--details tells the steps of every method", done.stdout + done.stderr)
    settings = {method: re.findall(r"setting (\w+)=(-?\d+)  \((-?\d+) to (-?\d+);", text)
                for method, text in sections.items()}
    for method, name, value, least, _ in [(m, *s) for m, each in settings.items() for s in each]:
        other = int(least) if value != least else int(least) + 1
        done = run(*arguments, "--details", "--setting", f"{name}={other}")
        tap.ok(done.returncode == 0 and f"setting {name}={other}" in done.stdout,
               f"{method}: --setting {name} is taken, and the result is right",
               done.stdout + done.stderr)
    return settings


def test_wrong_settings(settings):
    """settings: {method: [(name, value, least, most)]}. Settings are checked before the file is
    opened, so it may be missing."""
    matrix = ["missing.mtx"]
    refused("an unknown setting", [*matrix, "--setting", "no_such=1"], 2, "no_such=1")
    known = sorted({(name, int(least), int(most))
                    for each in settings.values() for name, _, least, most in each})
    tap.ok(known, "there are settings to try", settings)
    for name, least, most in known:
        value = f"{name} is '%s'; expected a whole number from {least} to {most}: "
        for words, message in (
                ([f"{name}={most + 1}"], value % (most + 1)),
                ([f"{name}={least - 1}"], value % (least - 1)),
                ([f"{name}=1x"], value % "1x"),
                ([f"{name}="], value % ""),
                ([f"{name}={least}", f"{name}={most}"], f"'{name}' is given twice"),
                ([name], rf"takes NAME=VALUE, not '{name}'; .*{name} \({least} to {most}\)"),
                ([f"{name}s={least}"], f"did you mean '{name}'")):
            refused("--setting " + " ".join(words),
                    [*matrix, *(w for word in words for w in ("--setting", word))], 2, message)
        without = [m for m, each in settings.items() if name not in [s[0] for s in each]]
        refused(f"{name} for a method without it",
                [*matrix, "--method", without[0], "--setting", f"{name}={least}"], 2,
                f"{name}={least}: no method here has such a setting")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_refusals(folder)
        test_streams(folder)
        test_end_of_options(folder)
        test_beyond_f32(folder)
        test_too_large(folder)
        test_little_memory()
        test_modules()
        test_table()
        test_answers()
        modules = listed_modules()
        test_lookalikes(folder, modules)
        if modules:
            test_tables(folder, modules)
            test_wrong_settings(test_details())
        else:
            tap.skip("no kernels are linked in")
    tap.done()


main()
