"""test_report.py: `spmvbench report` makes one page, which works in Chromium: without an
error, a request or a plot that is empty, in both themes and all widths.

spmvbench.py describes the arguments; FOLDER behind them keeps pictures of the pages for people.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import report_records as made
from browser import Browser, NoBrowser
from spmvbench import PROGRAM, QUICK, refused, run, tap

FIXTURE = pathlib.Path(sys.argv[2]) / "tests/spmvbench/data/report.jsonl"
PICTURES = pathlib.Path(sys.argv[5])
ENTER, ESCAPE = "\ue007", "\ue00c"
RECORDS = re.compile(r'<script type="application/json" id="records">\n(.*?)</script>', re.S)
PLOTS = {"contenders": "svg.strip circle", "matrices": "svg.bar rect",
         "roofline": "svg.scatter line", "sweep": "svg.curves circle",
         "break-even": "svg.strip circle"}

# Elements whose text has less contrast than WCAG's AA asks for, as the browser draws them. A canvas
# reads every way to write a colour.
CONTRAST = r"""
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
canvas.canvas.width = canvas.canvas.height = 1;
function over(below, colour) {
    canvas.fillStyle = `rgb(${below})`;
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}
function light(rgb) {
    const part = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92
                                                            : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}
function ground(node) {
    if (!node)
        return [255, 255, 255];
    return over(ground(node.parentElement), getComputedStyle(node).backgroundColor);
}
const weak = [];
for (const node of document.querySelectorAll("body *")) {
    const text = [...node.childNodes].filter(child => child.nodeType === Node.TEXT_NODE)
        .map(child => child.data.trim()).join("");
    if (!text || ["SCRIPT", "NOSCRIPT", "OPTION"].includes(node.tagName) ||
        !node.getClientRects().length)
        continue;
    const below = ground(node), style = getComputedStyle(node);
    const colour = over(below, node.tagName === "text" ? style.fill : style.color);
    const lights = [light(below), light(colour)].sort((a, b) => b - a);
    const ratio = (lights[0] + 0.05) / (lights[1] + 0.05);
    if (ratio < 4.5)
        weak.push(`${node.tagName} ${node.className} "${text.slice(0, 30)}": ${ratio.toFixed(2)}`);
}
return [...new Set(weak)].slice(0, 20);
"""

# What a screen reader would miss.
UNNAMED = r"""
const found = [];
for (const node of document.querySelectorAll("svg[role=img], .frame"))
    if (!node.getAttribute("aria-label"))
        found.push(`${node.tagName} ${node.getAttribute("class")} has no label`);
for (const node of document.querySelectorAll("svg"))
    if (!node.closest("[role=img], [aria-hidden]"))
        found.push(`${node.tagName} ${node.getAttribute("class")} is neither named nor hidden`);
for (const node of document.querySelectorAll("input, select"))
    if (!node.labels.length && !node.getAttribute("aria-label"))
        found.push(`${node.tagName} has no label`);
for (const node of document.querySelectorAll("main table"))
    if (!node.caption && !node.closest(".frame"))
        found.push(`table ${node.className} has no caption`);
for (const node of document.querySelectorAll("button, th[scope=col], h1, h2, h3"))
    if (!node.textContent.trim() && !node.matches(".note"))
        found.push(`${node.tagName} ${node.className} is empty`);
const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
if (new Set(ids).size !== ids.length)
    found.push("an id is there twice");
let level = 0;
for (const node of document.querySelectorAll("h1, h2, h3, h4")) {
    if (Number(node.tagName[1]) > level + 1)
        found.push(`${node.tagName} ${node.textContent} skips a level`);
    level = Number(node.tagName[1]);
}
return [...new Set(found)].slice(0, 20);
"""


def records_of(page):
    """The records in a page, as the browser's script reads them; none if it cannot."""
    try:
        return [json.loads(line) for line in RECORDS.search(page)[1].splitlines()]
    except ValueError:
        return []


def test_command(folder):
    text = FIXTURE.read_text(encoding="utf-8")
    tap.ok(text == made.text(made.fixture()), "the committed records are those of their script")
    out = folder / "run.html"
    done = run("report", str(FIXTURE), "-o", str(out))
    page = out.read_text(encoding="utf-8") if out.exists() else ""
    tap.ok(done.returncode == 0 and not done.stdout + done.stderr and "<!DOCTYPE html>" in page,
           "a page is written, without a word", done.stderr)
    tap.ok(RECORDS.search(page) and records_of(page) == made.fixture(), "it holds all records")
    tap.ok(page.lower().count("</script") == 2 and "<img" not in page,
           "a name with </script> stays a name")
    addresses = set(re.findall(r"https?://[^\"'\s)]+", page)) - {"http://www.w3.org/2000/svg"}
    tap.ok(not addresses, "the page names no address", addresses)
    again = run("report", str(FIXTURE), "--output", str(out))
    tap.ok(again.returncode == 0 and out.read_text(encoding="utf-8") == page,
           "an older report is replaced, by the same page", again.stderr)
    with open(FIXTURE, encoding="utf-8") as file:
        piped = subprocess.run([PROGRAM, "report", "-"], stdin=file, capture_output=True, text=True,
                               check=False)
    tap.ok(piped.returncode == 0 and piped.stdout == page,
           "from standard input to standard output, the same page", piped.stderr)
    cut = folder / "cut.jsonl"
    cut.write_text(text + '{"record":"matr', encoding="utf-8")
    done = run("report", str(cut))
    tap.ok(done.stdout == page, "a line that was cut is left out", done.stderr)
    done = run("report", "--help")
    tap.ok(done.returncode == 0 and "Usage: spmvbench report FILE.jsonl" in done.stdout,
           "report has its own help")


def test_refusals(folder):
    other, bad, empty = folder / "notes.html", folder / "bad.jsonl", folder / "empty.jsonl"
    other.write_text("my notes", encoding="utf-8")
    bad.write_text(made.text(made.fixture()[:2]) + "{oops}\n", encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    fixture = str(FIXTURE)
    refused("no file", ["report"], 2, "no records: give a file of spmvbench --save FILE.jsonl")
    refused("two files", ["report", fixture, fixture], 2, "a report is made from one")
    refused("a mistyped option", ["report", fixture, "--outputt", "x"], 2,
            "did you mean '--output'")
    refused("a missing file", ["report", str(folder / "none.jsonl")], 1, r"none\.jsonl.*No such")
    refused("a file that holds no records", ["report", str(bad)], 1, r"bad\.jsonl.*3")
    refused("an empty file", ["report", str(empty)], 1, "no record of spmvbench")
    refused("a file of another kind in the way", ["report", fixture, "-o", str(other)], 1,
            "not a report of spmvbench: give --output the name of another file")
    refused("the records in the way", ["report", fixture, "-o", fixture], 1, "which this run reads")
    tap.ok(other.read_text(encoding="utf-8") == "my notes", "what was in the way stays as it was")


def test_run(folder):
    """--report of a run makes the page that `report` makes of its --save."""
    out, saved = folder / "at-once.html", folder / "saved.jsonl"
    words = ["model:poisson7:6", "model:tridiagonal:300", "--method", "csr_scalar", *QUICK]
    done = run(*words, "--save", str(saved), "--report", str(out))
    later = run("report", str(saved))
    tap.ok(done.returncode == 0 and out.read_text(encoding="utf-8") == later.stdout
           and [r["record"] for r in records_of(later.stdout)].count("matrix") == 2,
           "--report makes the page of the records that --save keeps", done.stderr)
    other = folder / "notes.html"
    done = run(*words, "--report", str(other))
    tap.ok(done.returncode == 1 and "--report would replace" in done.stderr and not done.stdout
           and other.read_text(encoding="utf-8") == "my notes",
           "a file of another kind in the way is said before the race", done.stderr)


class Page:
    """A page made from records, open in a browser."""

    def __init__(self, browser, folder, name, records):
        self.browser, self.name = browser, name
        source, self.path = folder / f"{name}.jsonl", folder / f"{name}.html"
        source.write_text(made.text(records), encoding="utf-8")
        done = run("report", str(source), "-o", str(self.path))
        tap.ok(done.returncode == 0, f"{name}: a page is made", done.stderr)
        browser.requests()           # those of the page before

    def open(self, width, dark=False):
        self.browser.size(width, 900, dark)
        self.browser.open(self.path)

    def text(self, selector):
        return self.browser.script("return [...document.querySelectorAll(arguments[0])]"
                                   ".map(node => node.textContent)", selector)

    def click(self, selector):
        self.browser.script("document.querySelector(arguments[0]).click()", selector)

    def check(self, name, script, expected=()):
        found = self.browser.script(script)
        tap.ok(found == list(expected), f"{self.name}: {name}", found)

    def check_quiet(self):
        """No error, and no request but for the page."""
        errors = self.browser.errors()
        tap.ok(not errors, f"{self.name}: the console stays empty", errors)
        asked = [url for url in self.browser.requests() if url != self.path.resolve().as_uri()]
        tap.ok(not asked, f"{self.name}: nothing is fetched", asked)

    def check_widths(self, *widths):
        wide = []
        for width in widths:
            self.open(width)
            needed = self.browser.script("return document.documentElement.scrollWidth")
            if needed > width:
                wide.append(f"{width} pixels: the page needs {needed}")
        tap.ok(not wide, f"{self.name}: no page scrolls sideways", wide)


def test_plots(page):
    page.open(1400)
    for section, marks in PLOTS.items():
        tap.ok(page.browser.script("return document.querySelectorAll(arguments[0]).length",
                                   f"#{section} {marks}") > 3, f"{section}: its plots have marks")
    for selector in ("svg.spy path", "svg.histogram rect", "table.map td.best", "table.choice td"):
        tap.ok(page.text(selector), f"{selector} is there")
    tap.ok(len(page.text("table.bars tr")) > 30, "every contender has a bar on every matrix")
    cells = page.text("table.overview td")
    best = page.text("table.overview td.best")
    tap.ok(len(cells) == 36 and "wrong" in cells and "declined" in cells and len(best) == 3
           and all(float(one) == max(float(cell) for cell in cells[12 * i:12 * i + 12]
                                     if cell[0].isdigit()) for i, one in enumerate(best)),
           "each matrix shows all speeds, with the fastest in a frame", (cells, best))
    tap.ok(page.text("#matrices h3")[2].startswith('web "crawl" & </script><img src=x>')
           and page.browser.script("return document.images.length") == 0,
           "a name is shown letter by letter", page.text("#matrices h3"))
    tap.ok(page.text(".notices li") == ["1 result is wrong and not timed: librsb."],
           "what is wrong is said first", page.text(".notices li"))
    failed = " ".join(page.text("#matrices .failed"))
    tap.ok("row 17: 3.25 where 1.5 is expected" in failed and "declined" in failed,
           "what is wrong or declined has its reason", failed)
    command = page.text("#machine pre")
    tap.ok(len(command) == 1 and command[0].startswith("spmvbench --set csr5.sigma=8,12,16,24,32")
           and command[0].endswith("'" + made.UNSAFE + "'"), "the command is quoted for a shell",
           command)
    tap.ok("holds sigma of 28 at most" in " ".join(page.text("#sweep details")),
           "illegal combinations have their reason")


def column(page, number):
    return page.text(f".results tbody tr > :nth-child({number})")


def sorted_by(page):
    return page.browser.script("return [...document.querySelectorAll('.results [aria-sort]')]"
                               ".map(node => [node.textContent, node.getAttribute('aria-sort')])")


def seconds(text):
    units = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
    number, unit = text.split()
    return float(number) * units[unit]


def test_sorting(page):
    page.open(1400)
    page.click(".results th:nth-child(4) button")
    times = [seconds(text) for text in column(page, 4) if text != "–"]
    tap.ok(len(times) > 20 and times == sorted(times)
           and sorted_by(page) == [["time", "ascending"]],
           "a click sorts by time", (times, sorted_by(page)))
    page.browser.script("document.querySelector('.results th:nth-child(4) button').focus()")
    page.browser.press(ENTER)
    times = [text for text in column(page, 4)]
    numbers = [seconds(text) for text in times if text != "–"]
    tap.ok(numbers == sorted(numbers, reverse=True) and sorted_by(page) == [["time", "descending"]],
           "Enter sorts the other way", (times, sorted_by(page)))
    page.click(".results th:nth-child(6) button")
    speeds = [float(text.rstrip("×")) for text in column(page, 6) if text != "–"]
    tap.ok(speeds == sorted(speeds, reverse=True), "the first click on speed sorts downwards",
           speeds)
    page.click("#results .pager button")
    tap.ok(len(column(page, 1)) == 36 and column(page, 6)[-1] == "–",
           "all rows are there on request; what has no speed comes last", column(page, 6))


def test_filters(page):
    page.open(1400)
    rows = len(page.text("table.contenders tbody tr"))
    page.click(".filters .check input")
    left = page.text("table.contenders tbody tr th")
    tap.ok(0 < len(left) < rows and not any("peer" in name for name in left),
           "peers can be left out", left)
    page.browser.script("""const all = document.querySelector(".filters label select");
        all.value = "all"; all.dispatchEvent(new Event("change"))""")
    tap.ok(sum("csr5" in name for name in page.text("table.contenders tbody tr th")) == 8,
           "all settings are shown on request")
    page.browser.script("""const search = document.querySelector("input[type=search]");
        search.value = "spheres"; search.dispatchEvent(new Event("input"));
        return new Promise(done => setTimeout(done, 400))""")
    tap.ok([name.split("f64")[0] for name in page.text("#matrices h3")] == ["FEM/Spheres"]
           and page.text(".filters output")[0].startswith("1 of 3 matrices"),
           "matrices are chosen by a part of their name", page.text("#matrices h3"))
    page.open(1400)
    page.click(".methods summary")
    page.click(".methods label:nth-of-type(2) input")
    tap.ok("csr_vector" not in page.text("table.contenders tbody b")
           and page.text(".methods summary") == ["11 of 12 methods"], "methods are chosen by boxes",
           page.text("table.contenders tbody b"))
    page.browser.script("document.querySelector('.methods input').focus()")
    page.browser.press(ESCAPE)
    tap.ok(not page.browser.script("return document.querySelector('.methods').open"),
           "Escape closes the list of methods")
    page.click(".methods summary")
    page.click(".methods .list button:nth-child(2)")
    tap.ok("Nothing fits the filters." in page.text("#results p"), "nothing left is said")
    page.check_quiet()


def test_themes(page):
    grounds = {}
    for dark in (False, True):
        theme = "dark" if dark else "light"
        for width in (400, 1400):
            page.open(width, dark)
            page.check(f"{theme}, {width} pixels: contrast is AA", CONTRAST)
            page.check(f"{theme}, {width} pixels: everything has a name", UNNAMED)
            page.browser.shoot(PICTURES / f"{page.name}-{theme}-{width}.png")
        ground = "return getComputedStyle(document.body).backgroundColor"
        grounds[dark] = page.browser.script(ground)
        for _ in range(1 if dark else 2):        # auto, light, dark
            page.click(".theme")
        grounds[dark, "chosen"] = page.browser.script(ground)
        page.browser.script("localStorage.clear()")
    tap.ok(grounds[False] != grounds[True], "the page follows the system's theme", grounds)
    tap.ok(grounds[False, "chosen"] == grounds[True] and grounds[True, "chosen"] == grounds[False],
           "a button chooses the other theme", grounds)


def only_wrong():
    matrix = made.three()[0]
    records = [matrix.failed(name, "row 1: 2 where 1 is expected") for name in made.OURS]
    return [made.command("x.mtx"), matrix.record, *records, made.end()]


def interrupted():
    first, second, _ = made.three()
    records = [made.command("a.mtx"), *made.race(first), *made.race(second)[:6],
               made.end("interrupted")]
    second.record["complete"] = False
    first.record["competitors"] = 3
    return records


def broken_shape():
    """Members that only the page reads may be anything."""
    records = made.fixture()
    records[3]["spy"] = {"rows": 2, "cols": 2, "shades": "oops"}
    return records


def odd_names():
    """As a file of records may have them, whatever wrote it."""
    records = [made.command("x.mtx")]
    for number, matrix in enumerate(made.three()):
        matrix.record["name"] = matrix.record["input"] = f"odd\n\x1b\x9b\u202e{number}.mtx"
        records += [{**record, "input": matrix.record["input"]} for record in made.race(matrix)]
    return [*records, made.end()]


def without_plain_loop():
    records = made.fixture()
    for record in records:
        record.pop("plain_csr_seconds", None)
        for name in ("ratio", "ratio_low", "ratio_high"):
            record.pop(name, None)
    return records


def test_others(browser, folder):
    """Runs of other kinds than the fixture: what the page says first, and that it stays quiet."""
    matrix = made.three()[1]
    cases = {
        "one-matrix": ([made.command("x.mtx"), *made.race(matrix), made.end()], ["librsb"]),
        "no-peers": ([made.command("x.mtx")]
                     + [r for m in made.three() for r in made.race(m, False, False, False)]
                     + [made.end()], []),
        "only-wrong": (only_wrong(), ["6 results are wrong and not timed"]),
        "interrupted": (interrupted(), ["was interrupted", "Rounds are missing: FEM/Spheres",
                                        "Other programs ran"]),
        "killed": ([made.command("x.mtx"), *made.race(matrix)], ["has no end"]),
        "nothing-yet": ([made.command("x.mtx")], ["no results yet"]),
        "two-types": ([made.command("x.mtx")]
                      + [r for t in ("f64", "f32") for m in made.three(t) for r in made.race(m)]
                      + [made.end()], ["librsb"]),
        "no-plain-loop": (without_plain_loop(), ["librsb"]),
        "odd-names": (odd_names(), ["librsb"]),
        "many": (made.many(), ["67 results are wrong"]),
    }
    for name, (records, notices) in cases.items():
        page = Page(browser, folder, name, records)
        page.check_widths(400, 1400)
        page.check_quiet()
        said = " ".join(page.text(".notices li"))
        tap.ok(all(notice in said for notice in notices), f"{name}: what matters is said first",
               said)
        page.check("everything has a name", UNNAMED)
        tap.ok(not re.search("NaN|Infinity|undefined|null|Cannot be drawn",
                             browser.script("return document.body.innerText")),
               f"{name}: no number is nonsense")
        page.browser.shoot(PICTURES / f"{name}.png")
        if name == "odd-names":
            sheet = browser.script("return csvOf(readRecords(document.querySelector('#records')"
                                   ".textContent).groups.flatMap(group => group.results))")
            escaped = "odd\\x0a\\x1b\\u{009b}\\u{202e}0.mtx"
            tap.ok(escaped in sheet and escaped in browser.script("return document.body.innerText")
                   and sheet.replace("\n", "").isprintable(), "its names are escaped, in CSV, too",
                   sheet[:400])
        if name == "many":
            count = browser.script("return document.querySelectorAll('*').length")
            tap.ok(count < 20000, "a large run begins with a page of bounded size", count)
    page = Page(browser, folder, "broken-shape", broken_shape())
    page.open(1400)
    tap.ok(len(page.text("table.results tr")) > 20
           and any("Cannot be drawn" in text for text in page.text("#matrices")),
           "a member of a wrong type costs one section", page.text("#matrices")[0][:200])


def test_browser(folder):
    PICTURES.mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        page = Page(browser, folder, "report", made.fixture())
        page.check_widths(360, 400, 700, 1000, 1400, 2560)
        page.check_quiet()
        test_plots(page)
        test_sorting(page)
        test_filters(page)
        test_themes(page)
        test_others(browser, folder)


with tempfile.TemporaryDirectory() as scratch:
    place = pathlib.Path(scratch)
    test_command(place)
    test_refusals(place)
    test_run(place)
    try:
        test_browser(place)
    except NoBrowser as reason:
        tap.skip(f"the pages are not opened: {reason}")
tap.done()
