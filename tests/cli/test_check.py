#!/usr/bin/env python3
"""test_check.py SPMVGEN ROOT: --check finds the folders that have drifted."""
import json
import shutil
import subprocess

import cli
from cli import check, run, tap

holder, path = cli.folder()
with holder:
    out = path / "generated/board"
    run(path, "--target", "board.lua", "--method", "csr5", "--method", "csr_scalar")
    before = cli.times(out)
    clean = run(path, "--check", "generated/board")
    check(clean.code == 0 and not clean.out and not clean.err, "an untouched folder is silent",
          clean)

    victim = out / "spmv_csr5__board.c"
    original = victim.read_text()
    lines = original.splitlines(keepends=True)
    victim.write_text("".join(lines[:20] + ["/* mine */\n"] + lines[21:]))
    edited = run(path, "--check", "generated/board")
    check(edited.code == 1 and f"--- generated/board/{victim.name}\n" in edited.out
          and "\n-/* mine */\n" in edited.out, "an edited file is shown as a unified diff", edited)
    if shutil.which("patch"):
        diff = edited.out[:edited.out.rindex("generated/board: ")]
        done = subprocess.run(["patch", "-p0", "-s"], cwd=path, input=diff, text=True,
                              capture_output=True)
        tap.ok(done.returncode == 0 and victim.read_text() == original,
               "patch takes the diff and restores the file", done.stdout + done.stderr)
    else:
        tap.skip("no patch")
    victim.write_text(original + "/* mine */\n")
    no_diff = run(path, "--check", "generated/board", env=cli.environment(PATH=str(path)))
    check(no_diff.code == 1 and f"differs: generated/board/{victim.name}\n" in no_diff.out
          and "1 changed, 0 missing" in no_diff.out and "diffutils" in no_diff.err,
          "without diff, the edited file is named, with the advice", no_diff)
    victim.write_text(original)

    victim.unlink()
    missing = run(path, "--check", "generated/board")
    check(missing.code == 1 and f"missing: generated/board/{victim.name}\n" in missing.out,
          "a missing file is named", missing)
    victim.write_text(original)

    orphan = out / "spmv_csr6__board.c"
    orphan.write_text("/* of an earlier version */\n")
    found = run(path, "--check", "generated/board")
    check(found.code == 1 and f"orphan: generated/board/{orphan.name}\n" in found.out,
          "an orphan file is named", found)
    check("; remove orphans, or rename those that are yours" in found.out
          and "makes it anew" not in found.out,
          "a folder that only has an orphan gets no command", found)
    orphan.unlink()

    (out / "notes.txt").write_text("mine\n")
    check(run(path, "--check", "generated/board").code == 0,
          "a file that is not spmvgen's is no drift")

    manifest = out / "manifest.json"
    text = manifest.read_text()
    for name, spoiled, expected in (
            ("a truncated manifest", text[:700], "manifest.json:"),
            ("an empty manifest", "", "manifest.json:1:1: error: "),
            ("a manifest with a wrong member", text.replace('"files": [', '"files": 7, "x": [', 1),
             "expected 'files' to be an array"),
            ("a manifest with a hostile name",
             text.replace('"file": "spmv_csr5_', '"file": "../../spmv_csr5_'),
             "expected 'files' to be"),
            ("a manifest of another tool", '{"name": "web"}', "expected a manifest that spmvgen"),
            ("a deeply nested manifest", "[" * 100000, "levels of nesting"),
            ("a manifest of a page that is gone",
             text.replace('"target": "board.lua"', '"target": "gone.lua"'), "gone.lua")):
        manifest.write_text(spoiled)
        result = run(path, "--check", "generated/board")
        check(result.code == 1 and expected in result.err, f"{name} is a located error", result)
    manifest.write_text(text)

    (path / "mine").mkdir()
    (path / "mine/board.lua").write_text((path / "board.lua").read_text() + "rank = 77\n")
    other = run(path, "--check", "generated/board", "--target", "mine/board.lua")
    check(other.code == 1 and "+    .rank = 77,\n" in other.out
          and "'spmvgen --target mine/board.lua --method csr5 --method csr_scalar "
          "-o generated/board' makes it anew" in other.out,
          "--target names the page to compare with", other)
    other = run(path, "--check", "generated/board", "--target", "single.lua")
    check(other.code == 1 and not other.out and other.err == "generated/board/manifest.json: "
          "error: the folder holds what was emitted for target 'board', not 'single'\n",
          "a folder of another target is reported in one line", other)
    run(path, "--target", "single.lua", "--method", "csr_scalar", "--line-directives")
    both = run(path, "--check", "generated/board", "--check", "generated/single", "-v")
    check(both.code == 0
          and both.out == "generated/board: as emitted\ngenerated/single: as emitted\n",
          "several folders are compared, each with its own selection", both)
    selections = json.loads((path / "generated/single/manifest.json").read_text())["selections"]
    check(selections == [{"target": "single.lua", "methods": ["csr_scalar"], "types": [],
                          "offsets": [], "set": [], "figures": False, "one_vector": False,
                          "program_files": False,
                          "bundle": None, "static": False,
                          "line_directives": True}],
          "the manifest records the selection")
tap.done()
