#!/usr/bin/env python3
"""test_emit.py SPMVGEN ROOT: the files that an emission writes, and when it writes none."""
import json
import os
import re
import resource
import shutil
import subprocess

import cli
import special_files
from cli import check, emitted, run, tap

BOARD = ("--target", "board.lua")
ONE = (*BOARD, "--method", "csr_scalar")        # where files matter, not their text


def test_first_and_second_run():
    holder, path = cli.folder()
    with holder:
        first = run(path, *BOARD)
        out = emitted(path)
        manifest = json.loads((out / "manifest.json").read_text())
        wrote = [line[len("wrote generated/board/"):] for line in first.out.splitlines()
                 if line.startswith("wrote ")]
        listed = [f["file"] for f in manifest["files"]]
        check(first.code == 0 and not first.err, "an emission succeeds without a word on stderr",
              first)
        check(sorted(wrote) == cli.names(out),
              "every file that is there was reported as written", first)
        check(sorted(listed + ["manifest.json"]) == sorted(wrote),
              "the manifest lists every file but itself")
        sources = [f for f in listed if f.endswith(".c") and not f.startswith("spmv_modules")]
        methods = len(list((cli.ROOT / "templates").glob("*/simd.c")))
        check([m["file"] for m in manifest["methods"]] == sorted(sources)
              and len(sources) == methods,
              "the manifest has every method, each with one file")
        types = [[(m["value_type"], m["offset_type"]) for m in method["modules"]]
                 for method in manifest["methods"]]
        check(all(t == [(v, o) for v in ("f32", "f64") for o in ("i32", "i64")] for t in types),
              "each is emitted for both value types and both row-pointer types", types)
        tables = {name for f in sources for name in re.findall(
            r"^const spmv_module (\w+) = \{$", (out / f).read_text(), re.M)}
        check({m["symbol"] for method in manifest["methods"] for m in method["modules"]} == tables,
              "the manifest has every module", tables)
        check(sorted(p.name for p in path.iterdir()) == sorted(
              ["generated", *(p.name for p in (cli.HERE / "pages").iterdir())]),
              "nothing else is written")

        before = cli.times(out)
        second = run(path, *BOARD)
        check(second.code == 0 and not second.out and not second.err,
              "a second run prints nothing", second)
        check(cli.times(out) == before, "a second run touches nothing")


def dumped(path, of, *args):
    """The parts of a dump, by title."""
    result = run(path, *args, f"--dump={of}")
    parts = ("\n" + result.out).split("\n######## ")
    check(result.code == 0 and not result.err and not parts[0], f"--dump={of} prints titles",
          result)
    return {title: text for title, _, text in (part.partition("\n") for part in parts[1:])}


def test_dump():
    holder, path = cli.folder()
    with holder:
        words = ("--target", "board.lua,pocl", "--method", "csr5", "--type", "f64")
        run(path, *words, "-o", "out")
        before = cli.contents(path)
        texts = {name: (path / "out" / name).read_text() for name in cli.names(path / "out")}
        manifest = texts.pop("manifest.json")
        files = dumped(path, "bundle", *words)
        check({name: text.strip("\n") for name, text in files.items()} ==
              {name: text.strip("\n") for name, text in texts.items()},
              "--dump=bundle prints the files that a run writes", files.keys())
        check(run(path, *words, "--dump=manifest").out == manifest,
              "--dump=manifest prints the manifest that a run writes")
        made = dumped(path, "assemble", *words)
        check(made.keys() == texts.keys() - {"spmv_module.h"} and
              all(made[name].strip("\n") == texts[name].strip("\n") for name in made),
              "--dump=assemble prints what becomes of methods and their table", made.keys())
        sections = dumped(path, "join", *words)
        check(len(sections) > 4 and all(
            text.strip("\n") in texts[title.split(":")[0]] for title, text in sections.items()
            if ".c:" in title), "--dump=join prints parts of the files", sections.keys())
        pieces = dumped(path, "specialise", *words)
        check(list(pieces) == [
            "spmv_csr5_f64_i32__board: simd.c", "spmv_csr5_f64_i64__board: simd.c",
            "spmv_csr5_f64_i32__pocl: host.c", "spmv_csr5_f64_i32__pocl: simt.c",
            "spmv_csr5_f64_i64__pocl: host.c", "spmv_csr5_f64_i64__pocl: simt.c"] and
              all("==== own" in text for text in pieces.values()),
              "--dump=specialise prints each template of each module", pieces.keys())
        bundled = dumped(path, "bundle", "--target", "board.lua", "--method", "csr5", "--type",
                         "f64", "--bundle", "b")
        check(list(bundled) == ["spmv_kernels.h", "spmv_kernels.c", "LICENSE", "README.md"],
              "--dump=bundle prints the files of a bundle", bundled.keys())
        check(cli.contents(path) == before, "--dump writes nothing")


def members(value, of=""):
    """The names of all members of a manifest, without those that are names of facts and types."""
    found = set()
    for item in value if isinstance(value, list) else []:
        found |= members(item, of)
    for key, item in value.items() if isinstance(value, dict) else []:
        if of != "facts" and key not in ("f32", "f64"):
            found.add(key)
        found |= members(item, key)
    return found


def test_manifest_is_documented():
    holder, path = cli.folder()
    with holder:
        run(path, "--target", "pocl", "--program-files", "-o", "out")
        run(path, "--target", "generic-c,x86-64-v3", "-m", "csr_scalar", "-o", "shared")
        manifests = [json.loads((path / folder / "manifest.json").read_text())
                     for folder in ("out", "shared")]
        text = (cli.ROOT / "docs/reference/manifest.md").read_text()
        tables = text[text.index("## Members of the file"):]
        rows = set(re.findall(r"^\| `(\w+)` \|", tables, re.M))
        words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", tables))))
        found = members(manifests)
        tap.ok(len(found) > 40 and found <= words, "docs/reference/manifest.md names every member",
               sorted(found - words))
        tap.ok(rows <= found, "docs/reference/manifest.md names no other member",
               sorted(rows - found))
        order = re.findall(r"^\| `(\w+)` \|", tables[:tables.index("## A method")], re.M)
        tap.ok(order == list(manifests[0]), "the manifest's own in its order", order)


def test_page_without_f64():
    holder, path = cli.folder()
    with holder:
        result = run(path, "--target", "single.lua", *ONE[2:], "--verbose")
        check(result.code == 0 and not list(emitted(path, "single").glob("*f64*")),
              "a page that says f64 = false gets no f64", result)
        check("skipped type f64: single.lua:3 says" in result.out, "--verbose says why", result)


def test_kernels_that_are_launched():
    holder, path = cli.folder()
    with holder:
        for repair, counter, expected in (
                ("host", "no", {"speculative_tiles"}),
                ("host", "yes", {"speculative_clear", "speculative_tiles"}),
                ("device", "no", {"speculative_tiles", "speculative_open_rows"}),
                ("records", "no", {"speculative_tiles", "speculative_patch"})):
            page = path / f"{repair}_{counter}.lua"
            page.write_text(f'inherit "pocl"\nspeculative.repair = "{repair}"\n'
                            f'speculative.dirty_counter = "{counter}"\n')
            result = run(path, "--target", page.name, "--method", "speculative", "--type", "f64",
                         "--program-files")
            manifest = json.loads((emitted(path, page.stem) / "manifest.json").read_text())
            method = manifest["methods"][0]
            kernels = {kernel["name"] for kernel in method["kernels"]} - {"scale_rows"}
            text = (emitted(path, page.stem) / method["program"]).read_text()
            texts = {name for name in ("speculative_clear", "speculative_tiles",
                                       "speculative_open_rows", "speculative_patch")
                     if re.search(rf"void {name}(_i32|_i64)?\(", text)}
            check(result.code == 0 and kernels == expected and texts == expected,
                  f"repair = {repair}, dirty_counter = {counter}: the program has the kernels that "
                  "are launched, and no other", result)


def test_borders():
    """The paper's way needs no auxiliary data of the matrix: no kernel reads an array of rows."""
    holder, path = cli.folder()
    with holder:
        for borders in "plan", "kernel":
            result = run(path, "--target", "pocl", "--method", "speculative", "--program-files",
                         "--set", f"speculative.borders={borders}", "-o", borders)
            text = (path / borders / "spmv_speculative__pocl.cl").read_text()
            check(result.code == 0 and ("row_at_border_" in text) == (borders == "kernel")
                  and ("tile_row[" in text) == (borders == "plan"),
                  f"borders = {borders}: who finds the rows at the borders of tiles", result)


def test_output_folder():
    holder, path = cli.folder()
    with holder:
        result = run(path, *ONE, "-o", "a/b/c")
        there = path / "a/b/c"
        check(result.code == 0 and (there / "manifest.json").exists()
              and not emitted(path).exists(),
              "-o names the folder itself, and it is made", result)
        other = run(path, "--target", "single.lua", *ONE[2:], "-o", "a/b/c")
        check(other.code == 1 and "emitted for target 'board'" in other.err,
              "a folder that holds another target is refused", other)
        (path / "web").mkdir()
        (path / "web/manifest.json").write_text('{"name": "my web application"}\n')
        foreign = run(path, *ONE, "-o", "web")
        check(foreign.code == 1 and os.listdir(path / "web") == ["manifest.json"],
              "a manifest.json of somebody else is not overwritten", foreign)


def test_two_targets():
    holder, path = cli.folder()
    with holder:
        bad = run(path, *ONE, "--target", "range.lua")
        check(bad.code == 1 and not (path / "generated").exists(),
              "of two targets, one of which is wrong, neither is written", bad)
        good = run(path, *ONE, "--target", "single.lua")
        check(good.code == 0 and emitted(path).exists() and emitted(path, "single").exists(),
              "two targets are emitted in one run", good)
        twice = run(path, *ONE, *BOARD)
        check(twice.code == 0 and not twice.err, "the same page given twice is one target", twice)

        (path / "mine").mkdir()
        (path / "mine/board.lua").write_text((path / "board.lua").read_text() + "rank = 9\n")
        before = cli.contents(path)
        same = run(path, *ONE, "--target", "mine/board.lua")
        check(same.code == 1 and "mine/board.lua: error: two targets of one name go into one "
              "folder, generated/board: this page and board.lua" in same.err
              and cli.contents(path) == before,
              "two pages of one name are an error, since one of them would be lost", same)
        for name in ("a-b", "a.b"):
            (path / f"{name}.lua").write_text('inherit "generic-c"\n')
        alike = run(path, "--target", "a-b.lua", "--target", "a.b.lua", "--method", "csr_scalar")
        check(alike.code == 0 and "a.b.lua: warning: targets 'a.b' and 'a-b' give functions of the "
              "same names" in alike.err, "pages whose functions have the same names get a warning",
              alike)
        for name in ("case", "Case"):
            (path / f"{name}.lua").write_text('inherit "generic-c"\n')
        alike = run(path, "--target", "case.lua,Case.lua", "--method", "csr_scalar", "-o", "out")
        check(alike.code == 1 and "Case.lua: error: targets 'case' and 'Case' would be told apart "
              "in spmv_csr_scalar__c.h by one macro, FOR_CASE" in alike.err
              and not (path / "out").exists(),
              "targets that differ in case alone share no text", alike)


def test_host():
    holder, path = cli.folder()
    with holder:
        result = run(path, "--target", "host", "--method", "csr_scalar")
        folders = os.listdir(path / "generated") if result.code == 0 else []
        names = [line.split()[0] for line in run(path, "--list-targets").out.splitlines()[1:]]
        check(len(folders) == 1 and folders[0] in names, "host is one of the pages", result)
        if folders:
            text = (path / "generated" / folders[0] / "manifest.json").read_text()
            check("host" not in json.loads(text)["command"],
                  "the command in the output names the page, not the host", text)


def test_names():
    holder, path = cli.folder()
    with holder:
        run(path, "--target", str(path / "board.lua"), *ONE[2:], "-o", "absolute")
        text = b"".join(cli.contents(path / "absolute").values())
        check(str(path).encode() not in text, "an absolute page path does not reach the output")
        run(path, *ONE, "-o", "plain")
        check(cli.contents(path / "absolute") == cli.contents(path / "plain"),
              "an absolute page path gives the same bytes as a relative one")


def test_capability():
    holder, path = cli.folder()
    with holder:
        page = path / "card.lua"
        for line, expected in (("", "nvidia.lua:5:1: error: 'card' states no compute_capability, "
                                "which targets/dialects/cuda.lua asks for: 32 or more"),
                               ("compute_capability = 30\n", "compute_capability is 30, but what "
                                "targets/dialects/cuda.lua emits needs 32 or more")):
            page.write_text(f'inherit "nvidia"\ndescription = "a card"\n{line}')
            result = run(path, "--target", "card.lua", "-o", "out")
            check(result.code == 1 and expected in result.err and not (path / "out").exists(),
                  "a page for CUDA states a capability that the text runs on", result)


def test_failures_leave_nothing():
    holder, path = cli.folder()
    with holder:
        data = cli.data_copy(path)
        template = data / "templates/csr_vector/simd.c"
        text = template.read_text()
        head = "static i32 launches(const spmv_job *job, spmv_step *step)\n{\n"
        assert head in text
        template.write_text(text.replace(head, head + "    goto out;\nout:\n"))
        result = run(path, *ONE, "--method", "csr_vector", "--data", "data")
        check(result.code == 1 and "templates/csr_vector/simd.c" in result.err,
              "a method that cannot be specialised is a located error", result)
        check(not (path / "generated").exists(), "and nothing is written for the others", result)
        errors = [line for line in result.err.splitlines() if ": error: " in line]
        check(len(errors) == len(set(errors)), "and is reported once, not for every type", result)

        (path / "file").write_text("in the way\n")
        result = run(path, *ONE, "-o", "file/below")
        check(result.code == 1 and "nothing was changed" in result.err
              and (path / "file").read_text() == "in the way\n",
              "an output folder that cannot be made is an error", result)

        if os.path.isdir("/proc/self"):
            result = run(path, *ONE, "-o", "/proc/nope/below")
            check(result.code == 1 and result.err == "/proc/nope: error: cannot be made: that file "
                  "system takes no new folders; nothing was changed\n",
                  "a file system without folders of ours is called that", result)
        else:
            tap.skip("no /proc")

        (path / "half/spmv_modules__board.c").mkdir(parents=True)
        result = run(path, *ONE, "-o", "half")
        check(result.code == 1 and os.listdir(path / "half") == ["spmv_modules__board.c"],
              "a folder in the way of one file keeps all files from being written", result)


def test_special_files():
    """Files of an output folder may be links, but no pipe and no device."""
    holder, path = cli.folder()
    with holder:
        for option, name in (("-o", "manifest.json"), ("-o", "spmv_csr_scalar__board.c"),
                             ("--bundle", "spmv_kernels.h")):
            special_files.check(
                f"{option} and its {name}", name,
                lambda file, option=option: run(
                    path, *ONE, "--type", "f64", "--offsets", "i32", "--force", option,
                    str(file.parent)),
                refused=True, again=False)


def test_broken_table():
    holder, path = cli.folder()
    with holder:
        data = cli.data_copy(path)
        table = data / "targets/isa/scalar.lua"
        text = table.read_text()
        assert "words = {}" in text
        table.write_text(text.replace("words = {}", 'words = { r_fma = "nothing($1, $2, $3)" }'))
        result = run(path, *ONE, "--data", "data")
        check(result.code == 1 and "__board.c:" in result.err and "emitted text" in result.err
              and not (path / "generated").exists(),
              "a table that makes wrong C is an error at the emitted line; no file is written",
              result)


def test_unwritable():
    holder, path = cli.folder()
    with holder:
        (path / "locked").mkdir()
        (path / "locked").chmod(0o555)
        if os.access(path / "locked", os.W_OK):
            tap.skip("this user may write everywhere")
        else:
            result = run(path, *ONE, "-o", "locked")
            check(result.code == 1 and "not permitted" in result.err
                  and not os.listdir(path / "locked"), "an unwritable folder is an error", result)
        (path / "locked").chmod(0o755)


def test_contract_hash():
    """Only a line that defines the hash is read, and there is one."""
    holder, path = cli.folder()
    with holder:
        data = cli.data_copy(path)
        header = data / "runtime/spmv_module.h"
        text = header.read_text()
        line = next(l for l in text.splitlines() if l.startswith("#define SPMV_MODULE_ABI "))
        stated = line[line.index("0x") + 2:-1]
        other = line.replace(stated, "0" * 16)
        args = (*ONE, "--data", "data")
        header.write_text(f"/* It was {other}. */\n{text}")
        result = run(path, *args)
        check(result.code == 0 and json.loads((emitted(path) / "manifest.json").read_text())
              ["abi_hash"] == stated, "a comment that quotes a hash is not taken for it", result)
        for name, spoilt in (("two lines that define the hash", f"{other}\n{text}"),
                             ("no such line", text.replace(line, "")),
                             ("a hash of 15 digits", text.replace(stated, stated[1:])),
                             ("something behind it", text.replace(line, line + " + 1"))):
            header.write_text(spoilt)
            result = run(path, *args)
            check(result.code == 1 and "expected one line '#define SPMV_MODULE_ABI UINT64_C(0x...)'"
                  in result.err, f"{name}: refused", result)


def test_full_disk():
    """A limit on the size of files stands in for a full disk: some writes work, others fail."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (12000, 12000))

    holder, path = cli.folder()
    with holder:
        result = run(path, *ONE, preexec_fn=limit, restore_signals=False)
        check(result.code == 1 and "larger than is allowed" in result.err
              and not (path / "generated").exists(),
              "a write that fails half way leaves no file and no folder", result)
        run(path, *ONE)
        before = cli.contents(path)
        result = run(path, *ONE, "--method", "csr_vector", preexec_fn=limit, restore_signals=False)
        check(result.code == 1 and cli.contents(path) == before,
              "a write that fails half way leaves earlier files as they were", result)
    full = "/dev/full"
    if os.path.exists(full):
        with open(full, "wb") as out:
            done = subprocess.run([cli.SPMVGEN, "--help"], stdout=out, stderr=subprocess.PIPE,
                                  env=cli.environment())
        tap.ok(done.returncode == 1 and b"standard output" in done.stderr,
               "a full standard output is an error")
    else:
        tap.skip(f"no {full}")


def test_no_working_folder():
    """Without a working folder Clang would end the process."""
    holder, path = cli.folder()
    with holder:
        for words in ((*BOARD[:1], str(path / "board.lua")), ("--list-targets",),
                      ("--target", "generic-c", "-o", str(path / "out")),
                      ("--check", str(path), "--data", str(cli.ROOT))):
            (path / "gone").mkdir()
            result = cli.Result(subprocess.run(
                ["sh", "-c", 'rmdir ../gone && exec "$@"', "sh", cli.SPMVGEN, *words],
                cwd=path / "gone", env=cli.environment(), stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=60))
            check(result.code == 1 and not result.out
                  and result.err == "spmvgen: error: the working folder cannot be found (No such "
                  "file or directory): it may have been removed; change to a folder that is "
                  "there\n",
                  f"a working folder that is gone is reported: {words[0]}", result)
        check(not (path / "out").exists(), "and nothing is emitted", os.listdir(path))


def test_odd_names():
    """Messages have printable letters only, whatever letters names have."""
    odd = b"a\xe9\n\x1b[31m*\xc2\x9b"
    shown = r"a\xe9\x0a\x1b[31m*\u{009b}"
    holder, path = cli.folder()
    with holder:
        os.mkdir(os.path.join(os.fsencode(path), odd))
        shutil.copy(path / "board.lua", os.path.join(os.fsencode(path), odd, b"board.lua"))
        out = odd + b"/out"
        words = (*ONE, "--type", "f64")
        result = run(path, *words, "-o", out)
        check(result.code == 0 and f"wrote {shown}/out/manifest.json\n" in result.out,
              "names of written files are escaped", result)
        result = run(path, *words, "-o", out, "--verbose")
        check(f"board: {shown}/out is up to date" in result.out,
              "names of folders are escaped", result)
        result = run(path, "--check", out, "--verbose")
        check(result.code == 0 and f"{shown}/out: as emitted" in result.out, "--check escapes",
              result)
        emitted_file = os.path.join(os.fsencode(path), out, b"spmv_module.h")
        os.rename(emitted_file, os.path.join(os.fsencode(path), out, b"spmv_" + odd))
        with open(os.path.join(os.fsencode(path), out, b"spmv_modules__board.c"), "a") as file:
            file.write("/* mine */\n")
        result = run(path, "--check", out)
        check(result.code == 1 and f"missing: {shown}/out/spmv_module.h\n" in result.out
              and f"orphan: {shown}/out/spmv_{shown}\n" in result.out
              and f"--- {shown}/out/spmv_modules__board.c\n" in result.out
              and not re.search("[\x1b\x9b\ufffd]", result.out), "a diff escapes", result)
        for name, args in (("a target", ("-t", odd)), ("a method", (*BOARD, "-m", odd)),
                           ("an option", (b"--" + odd,)),
                           ("a word", (odd,)), ("a data folder", (*BOARD, "--data", odd)),
                           ("a fact", (*BOARD, "--explain", odd)), ("a folder", ("--check", odd)),
                           ("a depfile", (*ONE, "--depfile", b"board.lua/" + odd))):
            result = run(path, *args)
            check(result.code in (1, 2) and not result.out and result.err.count("\n") <= 2
                  and result.err.replace("\n", "").isprintable() and "\ufffd" not in result.err,
                  f"{name} of that name: a message of printable letters", result)


def test_inputs_count():
    holder, path = cli.folder()
    with holder:
        data = cli.data_copy(path)
        args = (*BOARD, "--data", "data", "--method", "csr5")
        run(path, *args)
        for name in ("templates/csr5/simd.c", "templates/csr5/params.lua",
                     "templates/common/subgroup_size.lua", "targets/generic-c.lua",
                     "targets/facts.lua", "targets/isa/scalar.lua", "targets/dialects/c.lua",
                     "templates/prelude/simd.h", "runtime/spmv_module.h"):
            file = data / name
            comment = "\n-- Another.\n" if name.endswith(".lua") else "\n/* Another. */\n"
            file.write_text(file.read_text() + comment)
            result = run(path, *args)
            check(result.code == 0 and "wrote generated/board/manifest.json" in result.out,
                  f"a change of {name} is noticed", result)
        silent = run(path, *args)
        check(not silent.out, "after the emission all is up to date again", silent)
        shutil.copytree(data / "templates/csr_scalar", data / "templates/another")
        result = run(path, *args, "--method", "another")
        check("wrote generated/board/spmv_another__board.c" in result.out,
              "a new method folder is emitted, without a change of the generator", result)


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        tap.diag(name)
        test()
tap.done()
