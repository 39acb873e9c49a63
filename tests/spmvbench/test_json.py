"""test_json.py: the output of spmvbench --json, and the files that it never replaces.
spmvbench.py describes the arguments.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from spmvbench import LIBRARY, PROGRAM, QUICK, has_kernels, refused, run, tap


def test_json(folder):
    path = folder / "figures.json"
    done = run("--poisson", "6", "--json", str(path), *QUICK)
    figures = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    tap.ok(done.returncode == 0 and figures.get("matrix", {}).get("rows") == 216
           and all(result["correct"] and result["seconds"] > 0 and result["error_over_bound"] <= 1
                   for result in figures.get("results", [{}])),
           "--json writes what the table shows",
           path.read_text(encoding="utf-8") if path.exists() else done.stderr)
    done = run("--poisson", "6", "--json", str(folder / "none/figures.json"), *QUICK)
    tap.ok(done.returncode == 1 and "cannot write" in done.stderr and "No such file" in done.stderr
           and not done.stdout, "JSON that cannot be written is an error before any work",
           done.stderr)
    kept = path.read_text(encoding="utf-8")
    missing = str(folder / "none.mtx")
    done = run(missing, "--json", str(path))
    tap.ok(done.returncode == 1 and path.read_text(encoding="utf-8") == kept,
           "a run that fails leaves an old file as it was")
    done = run(missing, "--json", str(folder / "new.json"))
    tap.ok(done.returncode == 1 and not (folder / "new.json").exists(), "and makes no new one")
    done = run("--poisson", "6", "--json", str(folder))
    tap.ok(done.returncode == 1 and "Is a directory" in done.stderr and not done.stdout,
           "a folder is no file for JSON", done.stderr)
    test_json_replaces(folder, path)


def test_details(folder):
    """What --details measures beside, in records and above and below the table."""
    path = folder / "details.jsonl"
    words = ["--poisson", "20", "--method", "csr5", "--method", "csr_scalar", "--save", str(path),
             *QUICK[:-1], "3"]
    done = run(*words, "--details")
    matrix, *results = [json.loads(line) for line in
                        path.read_text(encoding="utf-8").splitlines()[1:4]]
    stream = matrix.get("stream", {})
    tap.ok(done.returncode == 0 and list(stream) == ["copy", "scale", "add", "triad", "bytes"]
           and min(stream.values()) > 0 and stream["bytes"] == 1 << 20,
           "STREAM's rates of the three arrays that --dram asks for",
           f"{stream} {done.stdout}{done.stderr}")
    tap.ok(all(re.search(line, done.stdout, re.MULTILINE) for line in (
        r"^stream   copy [\d.]+, scale [\d.]+, add [\d.]+, triad [\d.]+ GB/s$",
        r"^  back to CSR +[\d.e+-]+ us$")), "they are shown", done.stdout)
    tap.ok(matrix["l1_cache_bytes"] > 0 and matrix["x_l1_line_bytes"] >= matrix["x_line_bytes"],
           "the first cache misses what the second does, and more", str(matrix))
    restored = {result["method"]: result["restore_seconds"] for result in results}
    tap.ok(restored["csr5"] > 0 and restored["csr_scalar"] is None,
           "the time to give CSR back, if a plan has it", str(restored))
    path.unlink()
    done = run(*words)
    matrix, result = [json.loads(line) for line in
                      path.read_text(encoding="utf-8").splitlines()[1:3]]
    tap.ok("stream" not in matrix and matrix["x_l1_line_bytes"] is None
           and result["restore_seconds"] is None and matrix["dram_gbytes_per_second"] > 0,
           "nothing of this without --details", f"{matrix} {result}")


def test_json_replaces(folder, report):
    """--json replaces an older report or an empty file, and no other file."""
    matrix, notes = folder / "precious.mtx", folder / "notes.txt"
    matrix.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n",
                      encoding="utf-8")
    notes.write_text("{ thoughts }\n", encoding="utf-8")
    link, twin, modules = folder / "link.json", folder / "twin.json", folder / "modules.so"
    link.symlink_to(matrix)
    os.link(matrix, twin)
    modules.write_bytes(pathlib.Path(LIBRARY).read_bytes())
    held = {file: file.read_bytes() for file in (matrix, notes, modules)}
    reads = "would replace '.*', which this run reads: give --json"
    for name, words, message in (
            ("its matrix", [str(matrix), "--json", str(matrix)], reads),
            ("its matrix by a link", [str(matrix), "--json", str(link)], reads),
            ("its matrix by a second name", [str(matrix), "--json", str(twin)], reads),
            ("its modules", ["--poisson", "3", "--modules", str(modules), "--json", str(modules)],
             reads),
            ("another matrix", ["--poisson", "3", "--json", str(matrix)],
             "precious.mtx', which is not a JSON report of spmvbench: give --json"),
            ("a text", ["--poisson", "3", "--json", str(notes)], "not a JSON report")):
        refused(f"--json over {name}", words, 1, message)
    tap.ok(all(file.read_bytes() == before for file, before in held.items()),
           "and nothing of them is changed")

    table = folder / "table.txt"
    with open(table, "w", encoding="utf-8") as file:
        done = subprocess.run([PROGRAM, "--poisson", "3", "--json", str(table), *QUICK],
                              stdout=file, stderr=subprocess.PIPE, text=True, check=False)
    tap.ok(done.returncode == 1 and "where the table goes" in done.stderr,
           "--json over the file that stdout is: refused", done.stderr)

    empty, alias = folder / "empty.json", folder / "alias.json"
    empty.touch()
    alias.symlink_to(report)
    for name, path, file in (("an empty file", empty, empty), ("an older report", report, report),
                             ("an older report by a link", alias, report)):
        done = run("--poisson", "7", "--json", str(path), *QUICK)
        tap.ok(done.returncode == 0
               and json.loads(file.read_text(encoding="utf-8"))["matrix"]["rows"] == 343,
               f"--json replaces {name}", done.stderr)
        file.write_text('{\n  "cpu": "old"}\n', encoding="utf-8")
    tap.ok(alias.is_symlink(), "and not the link")
    done = run("--poisson", "3", "--json", "/dev/stdout", *QUICK)
    tap.ok(done.returncode == 0 and '"results": [' in done.stdout, "--json writes into a pipe",
           done.stderr)
    if os.path.exists("/dev/full"):
        done = run("--poisson", "3", "--json", "/dev/full", *QUICK)
        tap.ok(done.returncode == 1 and "cannot write" in done.stderr and "GFlop/s" in done.stdout,
               "JSON that cannot be written is an error behind the table", done.stderr)
    test_json_fails(folder)
    tap.ok(not list(folder.glob("*.tmp")), "no file of another name is left")


def test_odd_names(folder):
    """A name may hold any bytes: JSON stays valid, and a terminal gets only printable letters."""
    odd = b'caf\xe9 \xc3\xa9\n\x1b[31m\xc2\x9b"\\\xe2\x80\xae.mtx'
    shown = 'caf\\xe9 \xe9\\x0a\\x1b[31m\\u{009b}"\\\\u{202e}.mtx'
    path, report = os.path.join(os.fsencode(folder), odd), folder / "odd.json"
    with open(path, "wb") as file:
        file.write(b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n")
    done = run(path, "--json", str(report), *QUICK)
    text = report.read_text(encoding="utf-8") if report.exists() else "{}"
    tap.ok(done.returncode == 0
           and json.loads(text)["matrix"]["name"] ==
           'caf\\xe9 \xe9\n\x1b[31m\x9b"\\\u202e.mtx' and not re.search("[\x9b\u202e]", text),
           "--json names a file whose name is not UTF-8", text + done.stderr)
    for name, words in (("the table", QUICK), ("--statistics", ["--statistics"]),
                        ("--explain", ["--explain"])):
        done = run(path, *words)
        tap.ok(done.returncode == 0 and f"matrix   {shown}: 2 x 2" in done.stdout,
               f"{name} shows it escaped", done.stdout)
    for name, words in (("a missing file", [path + b"x"]), ("an option", [b"--" + odd]),
                        ("two files", [odd, odd]), ("a method", [path, "--method", odd]),
                        ("a device", ["--device", odd]), ("modules", ["--modules", odd]),
                        ("a peer", ["--peer", odd, "--poisson", "3"]),
                        ("a report", ["--poisson", "3", "--json", b"/none/" + odd])):
        done = run(*words)
        tap.ok(done.returncode in (1, 2) and shown[:20] in done.stderr
               and done.stderr.count("\n") == 1 and done.stderr[:-1].isprintable(),
               f"{name} of that name: one line of printable letters", done.stderr)
    test_odd_records(folder, path, shown)


def test_odd_records(folder, path, shown):
    """What shows records gets names of any bytes from them, too."""
    records, sheet, page = (folder / f"odd.{ending}" for ending in ("jsonl", "csv", "html"))
    done = run(path, "--save", str(records), "--save", str(sheet), *QUICK)
    records.write_text(records.read_text(encoding="utf-8")   # as something else may write it
                       .replace('"method": "csr5"', '"method": "csr5\\n\\u001b[31m"'),
                       encoding="utf-8")
    tap.ok(done.returncode == 0, "records of an odd name", done.stderr)
    done = run("compare", str(records), str(records), "--all")
    tap.ok(done.returncode == 0 and "caf\\xe9 \xe9\\x0a\\x1b[31m" in done.stdout
           and "csr5\\x0a\\x1b[31m" in done.stdout
           and done.stdout.replace("\n", "").isprintable(),
           "compare shows it and names of methods escaped", done.stdout + done.stderr)
    done = run("report", str(records), "--output", str(page))
    tap.ok(done.returncode == 0, "a page of an odd name", done.stderr)
    quoted = shown.replace('"', '""')
    for file, expected in ((sheet, quoted), (page, "caf")):
        text = file.read_bytes().decode(errors="replace")
        tap.ok(expected in text and text.replace("\n", "").isprintable(),
               f"{file.name} is UTF-8 of printable letters", text[:3000])


def test_json_fails(folder):
    """Files are limited to 512 bytes, which does not affect the table in a pipe."""
    path = folder / "held.json"
    before = '{\n  "cpu": "old"}\n'
    path.write_text(before, encoding="utf-8")

    def limit():
        import resource
        import signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
    done = subprocess.run([PROGRAM, "--poisson", "6", "--json", str(path), *QUICK], text=True,
                          capture_output=True, check=False, preexec_fn=limit)
    tap.ok(done.returncode == 1 and path.read_text(encoding="utf-8") == before
           and "held.json': File too large; what was there before is as it was" in done.stderr,
           "a report that cannot be written whole leaves the older one as it was", done.stderr)


def main():
    if not has_kernels():
        tap.skip("no kernels are linked in")
    else:
        with tempfile.TemporaryDirectory() as name:
            test_json(pathlib.Path(name))
            test_details(pathlib.Path(name))
            test_odd_names(pathlib.Path(name))
    tap.done()


main()
