#!/usr/bin/env python3
"""test_depfile.py SPMVGEN ROOT: the depfile names every file that was written or read."""
import os
import re
import shutil
import subprocess

import cli
import special_files
from cli import check, run, tap


def parse(text):
    """A make rule as two lists of names."""
    words = re.findall(r"(?:\\[ #:]|\$\$|[^\s\\$])+", text.replace("\\\n", " "))
    words = [re.sub(r"\\([ #:])", r"\1", w).replace("$$", "$") for w in words]
    colon = next(i for i, w in enumerate(words) if w.endswith(":"))
    return words[:colon] + [words[colon][:-1]], words[colon + 1:]


holder, path = cli.folder()
with holder:
    data = cli.data_copy(path)
    build = path / "a build"
    build.mkdir()
    shutil.copy(path / "board.lua", build)
    args = ("--target", "board.lua", "--data", "../data", "-o", "out", "--depfile", "deps.d")
    result = run(build, *args)
    text = (build / "deps.d").read_text()
    outputs, inputs = parse(text)
    check(result.code == 0 and outputs[0] == "out/manifest.json",
          "the manifest is the rule's first target", result)
    check(sorted(outputs) == ["out/" + name for name in cli.names(build / "out")],
          "every written file is a target", text)
    check(all((build / name).is_file() for name in inputs),
          "every input can be opened from the current folder", text)
    check("board.lua" in inputs and "../data/templates/csr5/simd.c" in inputs
          and "../data/templates/prelude/base.h" in inputs
          and "../data/targets/dialects/c.lua" in inputs
          and "../data/templates/speculative/params.lua" in inputs
          and "../data/templates/common/subgroup_size.lua" in inputs
          and "../data/runtime/spmv_module.h" in inputs,
          "pages, templates, prelude, tables and declarations are inputs", text)
    check(not any(name.startswith("/") for name in outputs + inputs), "no name is absolute", text)
    (build / "deps.d").unlink()
    again = run(build, *args)
    check((build / "deps.d").read_text() == text and again.code == 0,
          "a run that finds all up to date writes the same rule", again)

    page = (build / "board.lua").read_text()
    for name in ("board.lua", "out/manifest.json", "out/spmv_module.h", "notes.txt"):
        victim = build / name
        victim.exists() or victim.write_text("mine\n")
        before = victim.read_bytes()
        refused = run(build, *args[:-1], name)
        check(refused.code == 1 and victim.read_bytes() == before
              and f"{name}: error: expected no file, or an older rule of --depfile" in refused.err,
              f"{name} is not replaced by the rule", refused)
    (build / "empty.d").touch()
    result = run(build, *args[:-1], "empty.d")
    check(result.code == 0 and (build / "empty.d").read_text() == text and page,
          "an empty file is, as mktemp makes it", result)
    special_files.check("--depfile", "deps.d", lambda name: run(
        build, *args[:-1], str(name)), refused=True)
    link, log = build / "stdout", build / "log"
    link.symlink_to("/proc/self/fd/1")                # as /dev/stdout is
    result = run(build, *args[:-1], "stdout")
    check(result.code == 1 and not result.out and "pipe of that name is in the way" in result.err
          and link.is_symlink(), "a link to standard output, a pipe, is not replaced", result)
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run([cli.SPMVGEN, *args[:-1], "stdout", "--verbose"], cwd=build,
                              env=cli.environment(), stdout=file, stderr=subprocess.PIPE, text=True)
        tap.ok(done.returncode == 1 and "this run's own messages go to that file" in done.stderr
               and os.fstat(file.fileno()).st_nlink == 1, "nor is the file that it is", done.stderr)
    broken = "a\n\trm b"
    result = run(build, *args[:-3], broken, *args[-2:])
    check(result.code == 1 and "has a line break" in result.err and not (build / broken).exists(),
          "a name that would be a command of make is refused", result)

    if shutil.which("make"):
        (build / "Makefile").write_text("include deps.d\nout/manifest.json:\n\t@echo again\n")
        def made():
            return subprocess.run(["make", "-s", "out/manifest.json"], cwd=build,
                                  capture_output=True, text=True)
        quiet = made()
        newer = (data / "templates/common/simd_scale.h")
        newer.touch()
        cli.age(newer.parent)
        loud = made()
        tap.ok("again" not in quiet.stdout and "again" in loud.stdout,
               "make rebuilds when a spliced template changes", f"{quiet}\n{loud}")
    else:
        tap.skip("no make")
tap.done()
