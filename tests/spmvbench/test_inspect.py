"""test_inspect.py: what inspect says of matrices, in any terminal, and its image.
spmvbench.py describes the arguments.
"""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as xml

from spmvbench import LIBRARY, PROGRAM, QUICK, has_kernels, refused, run, tap

HEADER = "%%MatrixMarket matrix coordinate real general\n"


def inspect(*words, **settings):
    return run("inspect", *words, **{"LC_ALL": "C", "COLUMNS": "80", **settings})


def lines_of(output):
    """The text of each label; lines below a label belong to it."""
    found, label = {}, None
    for line in output.splitlines():
        named = re.match(r"([a-z]+) +(.*)", line) if line[:9].rstrip().isalpha() else None
        if named and line[:9].strip() == named[1]:
            label = named[1]
            found[label] = named[2]
        elif label and line.startswith(" " * 9) and line.strip():
            found[label] += " " + line.strip()
        else:
            label = None
    return found


def test_structure():
    done = inspect("model:poisson7:10", "--modules", LIBRARY)
    said = lines_of(done.stdout)
    tap.ok(done.returncode == 0 and not done.stderr
           and done.stdout.startswith("matrix   poisson-3d 10^3: 1000 x 1000, 6400 nonzeros\n"),
           "the first line has name and sizes", done.stdout + done.stderr)
    for label, words in (("rows", "of 4 to 7 nonzeros, on average 6.40; 0 empty (0%)"),
                         ("symmetry", "places and values"),
                         ("band", "100 below the diagonal, 100 above"),
                         ("band", "7 diagonals with nonzeros"),
                         ("values", "2 different: -1, 6; f32 holds all of them exactly")):
        tap.ok(words in said.get(label, ""), f"{label}: {words}", str(said))
    said = lines_of(inspect("model:blocks:300:3:9", "--modules", LIBRARY).stdout)
    tap.ok("3x3 100%" in said["blocks"] and said["rows"].startswith("all of 27 nonzeros")
           and said["symmetry"] == "none", "full blocks are seen", str(said))
    done = inspect("model:random:900:7:half-empty", "--modules", LIBRARY)
    empty = re.search(r"; (\d+) empty", done.stdout)
    rows = re.search(r"^ +0  #+ +(\d+) ", done.stdout, flags=re.M)
    tap.ok(empty and rows and empty[1] == rows[1], "empty rows are counted, also in the histogram",
           done.stdout)


def test_repeated_places(folder):
    """A multigraph: more entries than places. Shares are those of places."""
    path = folder / "multigraph.mtx"
    path.write_text(HEADER + "2 2 6\n1 2 1\n1 1 1\n1 2 1\n2 2 1\n1 2 1\n1 1 1\n", encoding="utf-8")
    done = inspect(str(path), "--modules", LIBRARY)
    said = lines_of(done.stdout)
    tap.ok(done.returncode == 0 and not done.stderr and "2 x 2, 6 nonzeros\n" in done.stdout
           and "75% of all places have a nonzero" in said["columns"]
           and "66.7% of the nonzeros on the main one" in said["band"]
           and "are full to 75.0%, 33.3%, 18.8%" in said["blocks"]
           and "of 1.50 consecutive columns" in said["runs"]
           and "3 nonzeros have the place of another" in said["twice"],
           "a matrix with more entries than places", done.stdout + done.stderr)
    kernels = ["--type", "f32,f64"] if has_kernels() else ["--modules", LIBRARY]
    done = run(str(path), *QUICK, *kernels)
    tap.ok(done.returncode == 0 and not done.stderr, "its products are right by each method",
           done.stdout + done.stderr)
    for options in (["--statistics"], ["--explain"]):
        done = run(str(path), *options, "--modules", LIBRARY)
        tap.ok(done.returncode == 0 and "nan" not in done.stdout and "inf" not in done.stdout,
               f"{options[0]} of it", done.stdout + done.stderr)
    refused("a look-alike of it", [str(path), "--lookalike", "fem", "--statistics"], 1,
            "6 nonzeros do not fit into 2 x 2; a look-alike has at most one a place")


def test_choice():
    """The reason names what the method makes use of. Only shipped methods have such words."""
    for model, words in (("poisson7:30", "of the nonzeros on diagonals"),
                         ("blocks:30000:4:20", "rows of 80 in full blocks of 4 x 4, windows of 4 "
                          "columns full, so strips: "),
                         ("rmat:13", "half of the nonzeros in 3.7% of them, ")):
        done = inspect("model:" + model, "--plot", "none", "--target", "generic-c")
        reason = lines_of(done.stdout).get("reason", "")
        tap.ok(done.returncode == 0 and words in reason
               and re.search(r", so \w+: [\d.]+ bytes moved a nonzero", reason),
               f"{model}: {words}", done.stdout + done.stderr)
    done = inspect("model:poisson7:30", "--plot", "none", "--target", "generic-c", "--runs", "1")
    tap.ok("no conversion pays in 1 multiplication" in lines_of(done.stdout)["reason"]
           and re.search("^left out .*strips.*: it converts", done.stdout, flags=re.M),
           "with one run, no method that converts", done.stdout)


def test_terminals():
    """Lines fit, in ASCII or UTF-8, and the locale decides."""
    for columns in (40, 80, 200):
        for locale, ascii in (("C", True), ("C.UTF-8", False), ("xx_XX.utf8", False)):
            done = inspect("model:rmat:10", "--modules", LIBRARY, LC_ALL=locale,
                           COLUMNS=str(columns), PYTHONIOENCODING="utf-8")
            longest = max(map(len, done.stdout.splitlines()))
            tap.ok(done.returncode == 0 and longest <= columns
                   and done.stdout.isascii() == ascii, f"{columns} columns, {locale}: lines fit",
                   f"longest {longest}\n{done.stdout}")
    done = inspect("model:rmat:6", "--modules", LIBRARY, "--measure", COLUMNS="40")
    tap.ok(done.returncode == 0 and max(map(len, done.stdout.splitlines())) <= 40
           and "us measured for" in lines_of(done.stdout)["reason"], "measured times fit, too",
           done.stdout)
    done = inspect("model:rmat:6", "--modules", LIBRARY, "--plot", "utf8")
    tap.ok(not done.stdout.isascii(), "--plot utf8 overrides the locale")
    done = inspect("model:rmat:6", "--modules", LIBRARY, "--plot", "none")
    tap.ok("+--" not in done.stdout and "#" not in done.stdout, "--plot none: no plot", done.stdout)
    parent, child = pty.openpty()
    subprocess.run(["stty", "cols", "50"], stdin=child, check=True)
    with subprocess.Popen([PROGRAM, "inspect", "model:rmat:6", "--modules", LIBRARY], stdout=child,
                          env={**os.environ, "LC_ALL": "C"}) as running:
        os.close(child)
        text = b""
        try:
            while part := os.read(parent, 4096):
                text += part
        except OSError:          # the end of a terminal
            pass
        running.wait()
    os.close(parent)
    longest = max(len(line.rstrip()) for line in text.decode().splitlines())
    tap.ok(running.returncode == 0 and 40 < longest <= 50, "a terminal's own width counts",
           text.decode())


def test_extremes(folder):
    for text in ("model:random:1:1000:constant:10000000", "shape:no-rows", "shape:no-columns",
                 "shape:all-empty", "shape:one-column", "model:dense:1", "shape:giant-middle",
                 "shape:unsorted", "shape:duplicates"):
        image = folder / "extreme.svg"
        done = inspect(text, "--modules", LIBRARY, "--svg", str(image))
        tap.ok(done.returncode == 0 and "nan" not in done.stdout and "inf" not in done.stdout
               and not done.stderr and re.search("^chosen ", done.stdout, flags=re.M)
               and xml.parse(image), f"{text} is shown", done.stdout + done.stderr)
    many = folder / "many of them"
    many.mkdir()
    for number in range(100):
        (many / f"m{number:02}.mtx").write_text(HEADER + "2 2 1\n1 1 1\n", encoding="utf-8")
    (many / "m07.mtx").write_text("no matrix\n", encoding="utf-8")
    done = inspect(str(many), "--modules", LIBRARY, "--plot", "none")
    tap.ok(done.returncode == 1 and done.stdout.count("matrix   ") == 99
           and re.fullmatch(r"spmvbench: .*m07\.mtx:1: .*\n", done.stderr),
           "a broken file among 100: the others are shown", done.stderr)
    odd = folder / "a & <b>\x1b[31m.mtx"
    odd.write_text(HEADER + "2 2 1\n1 1 nan\n", encoding="utf-8")
    done = inspect(str(odd), "--modules", LIBRARY, "--svg", str(folder / "odd.svg"))
    title = xml.parse(folder / "odd.svg").find(".//*[@id='title']")
    tap.ok(done.returncode == 0 and "\x1b" not in done.stdout
           and title.text == "a & <b>\\x1b[31m.mtx", "odd letters of a name are shown as text",
           done.stdout + done.stderr)


def test_refusals(folder):
    for command in ("run", "inspect"):
        refused(f"{command} --list of an unknown device", [command, "--list", "--device", "none"],
                2, "options.device is 'none'")
    refused("no input", ["inspect"], 2, "inspect what. Give a file, a folder, or a model")
    refused("an unknown option", ["inspect", "--peers"], 2, "unknown option '--peers'.*inspect --h")
    refused("an unknown model", ["inspect", "model:rmt"], 2, "did you mean 'rmat'")
    refused("a missing file", ["inspect", "none.mtx"], 1, r"none\.mtx: cannot be opened")
    refused("two images", ["inspect", "model:rmat:4", "model:rmat:5", "--svg", "x.svg"], 2,
            "--svg takes one matrix at a time, not 2")
    refused("an image with another ending", ["inspect", "model:rmat:4", "--svg", "x.png"], 2,
            r"--svg takes FILE\.svg, not 'x\.png'")
    refused("an image of statistics", ["inspect", "model:rmat:4", "--statistics", "--svg", "x.svg"],
            2, "--svg writes plots")
    notes = folder / "notes.svg"
    notes.write_text("my notes\n", encoding="utf-8")
    refused("an image over another file", ["inspect", "model:rmat:4", "--svg", str(notes)], 2,
            "notes.svg")
    tap.ok(notes.read_text(encoding="utf-8") == "my notes\n", "the file is unchanged")
    source = folder / "source.svg"
    source.write_text(HEADER + "2 2 1\n1 1 1\n", encoding="utf-8")
    with open(source, "rb") as file:
        done = subprocess.run([PROGRAM, "inspect", "-", "--svg", str(source)], stdin=file,
                              capture_output=True, text=True, check=False)
    tap.ok(done.returncode == 2 and "which this run reads" in done.stderr,
           "standard input is not replaced by its image", done.stderr)
    with open(source, "rb") as file:
        done = subprocess.run([PROGRAM, "inspect", "-", "--modules", LIBRARY, "--plot", "none"],
                              stdin=file, capture_output=True, text=True, check=False)
    tap.ok(done.returncode == 0 and done.stdout.startswith("matrix   standard input: 2 x 2, 1 n"),
           "standard input is shown", done.stdout + done.stderr)
    for _ in range(2):
        done = inspect("model:rmat:4", "--modules", LIBRARY, "--svg", str(folder / "again.svg"))
    tap.ok(done.returncode == 0, "an older image is replaced", done.stderr)


def test_svg(folder):
    image = folder / "image.svg"
    inspect("model:poisson7:10", "--modules", LIBRARY, "--svg", str(image))
    root = xml.parse(image).getroot()
    text = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    tap.ok({"poisson-3d 10^3", "1000 columns", "1000 rows", "512 (51.2%)"} <= set(text),
           "the image names sizes and classes", str(text))
    bars = [float(node.get("width")) for node in root.iter("{http://www.w3.org/2000/svg}rect")
            if node.get("rx")]
    tap.ok(len(bars) == 4 and abs(bars[2] / bars[3] - 384 / 512) < 0.01,
           "bars are as long as the classes have rows", str(bars))
    tap.ok("prefers-color-scheme: dark" in image.read_text(encoding="utf-8"),
           "dark pages are known")
    chromium = shutil.which("chromium")
    if not chromium:
        tap.skip("chromium is not installed")
        return
    picture = folder / "image.png"
    subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu",
                    f"--user-data-dir={folder / 'profile'}", "--window-size=900,560",
                    f"--screenshot={picture}", image.as_uri()], capture_output=True, check=False,
                   timeout=120)
    tap.ok(picture.exists() and picture.stat().st_size > 5000, "Chromium draws it")


def test_others():
    """What --statistics and --explain print is reachable here, too."""
    for words in (["--statistics"], ["--explain", "--modules", LIBRARY]):
        whole = run("model:rmat:8", *words)
        done = inspect("model:rmat:8", *words)
        tap.ok(done.returncode == 0 and done.stdout == whole.stdout and done.stdout,
               f"{words[0]} is as before", done.stdout + done.stderr)
    done = inspect("--help")
    tap.ok(done.returncode == 0 and done.stdout.startswith("Usage: spmvbench inspect INPUT...")
           and max(map(len, done.stdout.splitlines())) <= 100, "--help", done.stdout)


def test_command_list():
    """The help of spmvbench lists its commands, each of which has a help."""
    found = re.search(r"^Commands, as in spmvbench \w+ --help:\n((?:  .*\n)+)",
                      run("--help").stdout, flags=re.M)
    commands = [line.split()[0] for line in found[1].splitlines()] if found else []
    tap.ok("inspect" in commands and "compare" in commands, "--help lists the commands", commands)
    missing = [name for name in commands if run(name, "--help").returncode != 0]
    tap.ok(not missing, "each has a help", str(missing))
    refused("a mistyped command", ["inspct", "a.mtx"], 2,
            "no command and no file is called 'inspct'; did you mean 'inspect'")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_structure()
        if has_kernels():
            test_choice()
        else:
            tap.skip("no kernels are linked in")
        test_repeated_places(folder)
        test_terminals()
        test_extremes(folder)
        test_refusals(folder)
        test_svg(folder)
        test_others()
    test_command_list()
    tap.done()


main()
