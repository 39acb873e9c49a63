#!/usr/bin/env python3
"""test_folder.py SPMVGEN ROOT: folders of several targets, and of methods emitted one by one."""
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import cli
from cli import check, run, tap

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../generated"))
import program_text

CC = os.environ.get("CC", "cc").split()
GENERIC = ("--target", "generic-c", "-o", "out")
BOARD = ("--target", "board.lua", "-o", "out")
PAIR = ("--target", "low.lua", "--target", "high.lua", "-o", "out")
TYPES = [(v, o) for v in ("f32", "f64") for o in ("i32", "i64")]
ONE = ("--type", "f64", "--offsets", "i32")        # where the other types only repeat the case


def pages(path):
    """Two targets that every CPU runs, and one above them that none does."""
    for name, rank, usable in (("low", 3, "1"), ("high", 70, "1"), ("none", 90, "0")):
        (path / f"{name}.lua").write_text(f'inherit "board"\ndescription = "{name}"\n'
                                          f"rank = {rank}\nusable = '{usable}'\n")


def manifest_of(path, folder="out"):
    return json.loads((path / folder / "manifest.json").read_text())


def held(path, folder="out"):
    """Target and method of every file, in the manifest's order."""
    return [(m["target"], m["method"]) for m in manifest_of(path, folder)["methods"]]


def files(path):
    return {name: text for name, text in cli.contents(path / "out").items()
            if not name.startswith(".spmvgen")}


def changed(before, now):
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))


def table(path):
    """The modules of a folder's table, in its order."""
    text = (path / "out/spmv_modules.c").read_text()
    entries = text[text.index("const spmv_module *const spmv_modules[] = {"):]
    return re.findall(r"^    &(\w+),$", entries[:entries.index("};")], re.M)


PROGRAM = r"""
#include "spmv_modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes)
{
    return aligned_alloc(SPMV_ALIGNMENT, (bytes / SPMV_ALIGNMENT + 1) * SPMV_ALIGNMENT);
}

static void run_steps(const spmv_job *job, const spmv_step *step, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        step[i].run(job, 0, step[i].grid);
}

int main(void)
{
    static const int32_t row_ptr[] = { 0, 2, 5, 5, 7 }, col_idx[] = { 0, 1, 0, 1, 2, 2, 3 };
    static const double val[] = { 4, 1, 1, 4, 1, 1, 4 }, x[] = { 1, 2, 3, 4 };
    double y[] = { 100, 100, 100, 100 };
    spmv_step step[SPMV_MAX_STEPS];
    spmv_layout layout = { .csr = { .rows = 4, .cols = 4, .nnz = 7, .row_ptr = row_ptr,
                                    .col_idx = col_idx, .val = val, .offset_type = SPMV_I32,
                                    .value_type = SPMV_F64 } };
    spmv_job job = { .layout = &layout, .alpha = 2.0, .beta = 0.5, .x = x, .y = y };
    const spmv_module *const *at = spmv_modules;

    while (*at && (strcmp((*at)->method, "csr5") || (*at)->value_type != SPMV_F64 ||
                   (*at)->offset_type != SPMV_I32 || !(*at)->usable()))
        at++;
    const spmv_module *module = *at;
    if (!module || module->abi != SPMV_MODULE_ABI)
        return 1;
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        layout.setting[i] = module->ops->settings[i].initial;
    layout.scratch = allocate(module->ops->sizing_bytes);
    if (module->ops->layout_size(&layout) != SPMV_OK)
        return 1;
    for (int32_t i = 0; i < layout.array_count; i++)
        layout.array[i].data = allocate(layout.array[i].bytes);
    job.workspace = allocate(layout.build_bytes);
    run_steps(&job, step, module->ops->build_steps(&layout, step));
    job.workspace = allocate(layout.workspace_bytes);
    run_steps(&job, step, module->ops->launches(&job, step));
    printf("%s: %g %g %g %g\n", module->target, y[0], y[1], y[2], y[3]);
    return 0;
}
"""


def test_two_targets():
    holder, path = cli.folder()
    with holder:
        pages(path)
        first = run(path, *PAIR, *ONE)
        manifest, now = manifest_of(path), files(path)
        methods = sorted({method for _, method in held(path)})
        check(first.code == 0 and not first.err
              and [t["name"] for t in manifest["targets"]] == ["low", "high"]
              and held(path) == [(t, m) for t in ("low", "high") for m in methods],
              "each target has a file for each method", first, held(path))
        tables = [f"spmv_modules{t}.{end}" for t in ("", "__low", "__high") for end in "ch"]
        check(sorted(now) == sorted([f"spmv_{m}__{t}.c" for t in ("low", "high") for m in methods]
                                    + [f"spmv_{m}__c.h" for m in methods] + tables
                                    + ["manifest.json", "spmv_module.h"])
              and manifest["table"] == "spmv_modules"
              and [t["table"] for t in manifest["targets"]]
              == ["spmv_modules__low", "spmv_modules__high"],
              "the folder has one text for each method, a table, and one for each target",
              sorted(now))
        expected = [f"spmv_{m}_f64_i32__{t}" for t in ("high", "low") for m in methods]
        check(table(path) == expected and sorted(expected) == sorted(
            m["symbol"] for method in manifest["methods"] for m in method["modules"]),
              "the table has all modules, each once, the higher rank first", table(path))
        command = "spmvgen --target low.lua --target high.lua --type f64 --offsets i32"
        check(manifest["command"] == command,
              "one command gives the folder", manifest["command"])
        before = cli.times(path / "out")
        second = run(path, *PAIR, *ONE)
        check(second.code == 0 and not second.out and not second.err
              and cli.times(path / "out") == before, "a second run writes nothing", second)
        checked = run(path, "--check", "out")
        check(checked.code == 0 and not checked.out and not checked.err, "--check emits both",
              checked)

        for name, wanted, args in (("one target of two", "'high'", PAIR[2:]),
                                   ("a third target", "'none', 'low', 'high'",
                                    ("--target", "none.lua", *PAIR))):
            result = run(path, *args)
            check(result.code == 1 and not result.out and files(path) == now
                  and result.err == "out/manifest.json: error: the folder holds what was emitted "
                  f"for targets 'low', 'high', not {wanted}\n"
                  "note: choose another folder with -o DIR, or remove this one and emit for all "
                  "targets at once\n", f"{name}: the error names the folder's targets", result)
        result = run(path, *PAIR[2:], *ONE, "--method", "csr5", "--set", "csr5.sigma=20")
        check(result.code == 0 and changed(now, files(path)) == sorted(
              ["manifest.json", "spmv_csr5__c.h", "spmv_csr5__high.c", *tables]),
              "--method changes it in one target", result, changed(now, files(path)))
        changes = ("spmvgen --target high.lua --method csr5 --type f64 --offsets i32 "
                   "--set csr5.sigma=20")
        check(manifest_of(path)["command"] == f"{command} && {changes}"
              and run(path, "--check", "out").code == 0, "the commands repeat the option",
              manifest_of(path)["command"])
        header = (path / "out/spmv_modules.h").read_text()
        check(f"\n *     {command}\n *     {changes}\n *\n" in header,
              "and so does the table's banner, one command a line", header)
        now = files(path)
        shutil.rmtree(path / "out")
        for command in json.loads(now["manifest.json"])["command"].split(" && "):
            run(path, *command.split()[1:], "-o", "out")
        check(files(path) == now, "and give the same files again", changed(now, files(path)))


def definitions(text):
    """The functions of a text, from the first line to the last."""
    return re.findall(r"^(?:static|SPMV_INLINED) [^;{]*\([^;{]*\)\n\{\n.*?^\}$", text,
                      re.M | re.S)


def test_shared_text():
    targets = ("generic-c", "x86-64-v3", "x86-64-v4")
    methods = ("--method", "csr_scalar", "--method", "csr_adaptive")
    holder, path = cli.folder()
    with holder:
        run(path, "--target", ",".join(targets), *methods, "-o", "out")
        for target in targets:
            run(path, "--target", target, *methods, "-o", target)
        hashes = [{module["symbol"]: module["source_hash"] for folder in folders
                   for method in manifest_of(path, folder)["methods"]
                   for module in method["modules"]} for folders in (targets, ["out"])]
        check(hashes[0] == hashes[1] and len(hashes[1]) == 24,
              "several targets have the modules that each has alone", hashes)
        for method in ("csr_scalar", "csr_adaptive"):
            shared = (path / f"out/spmv_{method}__c.h").read_text()
            alone = [set(definitions((path / t / f"spmv_{method}__{t.replace('-', '_')}.c")
                                     .read_text())) for t in targets]
            check(shared.endswith("\n") and not shared.endswith("\n\n"),
                  f"{method}: the shared text ends with one line end", repr(shared[-20:]))
            found = definitions(shared)
            common = set.intersection(*alone)
            check(len(found) == len(set(found)) and len(common) > 20 and common <= set(found),
                  f"{method}: what targets share stands once", len(found), len(common))
            spelled = [program_text.of_target(shared, f"FOR_{t.upper().replace('-', '_')}")
                       for t in targets]
            check(all(common <= set(definitions(text)) for text in spelled)
                  and all(set(definitions(text)) <= texts | set(found) and "FOR_" not in
                          text.replace("FOR_EACH", "") for text, texts in zip(spelled, alone)),
                  f"{method}: each target finds its texts")
            lines = shared.splitlines()
            check(len(lines) < sum(map(len, (t.splitlines() for t in spelled))) * 2 / 3,
                  f"{method}: the shared text is far shorter than three", len(lines))
        check(re.search(r"^ \* - lanes of f64: 8 for x86-64-v4; else 4$", shared,
                        re.M), "its banner lists the parameters that differ", shared[:2000])
        one = run(path, "--target", ",".join(targets), "-m", "csr5", "--type", "f64", "-o", "one")
        check(one.code == 0, "with one type, too, whose names carry no labels", one)
        (path / "own.c").write_text('#include "out/spmv_csr_scalar__c.h"\n')
        done = subprocess.run([*CC, "-fsyntax-only", "own.c"], cwd=path, capture_output=True,
                              text=True)
        check(done.returncode != 0 and "it names the target" in done.stderr,
              "a file that includes it for no target is refused", done.stderr[:500])
        edited = path / "out/spmv_csr_scalar__c.h"
        edited.write_text(edited.read_text() + "/* mine */\n")
        kept = run(path, "--target", targets[0], "--method", "csr_adaptive", "-o", "out")
        check(kept.code == 0 and "csr_scalar__c.h: warning: changed by hand: it stays" in kept.err,
              "a kept method's shared text that was changed by hand stays", kept)
        refused = run(path, "--target", targets[0], "--method", "csr_scalar", "-o", "out")
        check(refused.code == 1 and "csr_scalar__c.h: error: would be replaced" in refused.err,
              "and is not replaced by one that is named", refused)


def test_shared_programs():
    targets = ("generic-cuda", "sm_90")
    select = ("--method", "csr_adaptive", "--type", "f64", "--offsets", "i32")
    holder, path = cli.folder()
    with holder:
        run(path, "--target", ",".join(targets), *select, "-o", "out")
        for target in targets:
            run(path, "--target", target, *select, "-o", target)
            name = f"spmv_csr_adaptive__{target.replace('-', '_')}.c"
            texts = [re.sub(r"\n+", "\n", program_text.program_text(
                program_text.read_source(path / folder / name), "f64", "i32"))
                     for folder in (target, "out")]
            check(texts[0] == texts[1] and len(texts[0]) > 10000,
                  f"{target}: the program is that of the target alone", len(texts[0]))
        files_of = run(path, "--target", ",".join(targets), *select, "--program-files", "-o", "cu")
        check(files_of.code == 0 and not list((path / "cu").glob("*__cuda.h")),
              "with --program-files each target has texts of its own", files_of)
        changed_file = path / "out/spmv_csr_adaptive__generic_cuda.c"
        changed_file.write_text(changed_file.read_text() + "/* mine */\n")
        shared = path / "out/spmv_csr_adaptive__cuda.h"
        parted = run(path, "--target", "sm_90", *select, "--program-files", "-o", "out")
        check(parted.code == 0 and shared.exists() and "csr_adaptive__cuda.h: warning: emitted no "
              "more, but spmv_csr_adaptive__generic_cuda.c, which was changed by hand, includes it"
              in parted.err, "a file that was changed by hand keeps the shared text", parted)


def test_commands():
    """The manifest's commands give the folder again, in whichever order methods were added."""
    holder, path = cli.folder()
    with holder:
        pages(path)
        run(path, *PAIR, "--method", "csr_scalar", "--type", "f64")
        run(path, *PAIR[:2], *PAIR[4:], "--method", "csr_vector")
        run(path, *PAIR[2:], "--method", "csr_scalar", "--offsets", "i32")
        run(path, *PAIR[:2], *PAIR[4:], "--method", "csr_scalar", "--type", "f32")
        now = files(path)
        commands = json.loads(now["manifest.json"])["command"].split(" && ")
        check(commands == ["spmvgen --target low.lua --target high.lua --method csr_scalar",
                           "spmvgen --target low.lua --method csr_scalar --type f32",
                           "spmvgen --target low.lua --method csr_vector",
                           "spmvgen --target high.lua --method csr_scalar --offsets i32"],
              "the first command is for all targets", commands)
        shutil.rmtree(path / "out")
        codes = [run(path, *command.split()[1:], "-o", "out").code for command in commands]
        check(codes == [0] * 4 and files(path) == now, "the commands give the same files again",
              changed(now, files(path)))


def test_two_names():
    """One target by its name and by its page."""
    holder, path = cli.folder()
    with holder:
        names = ("--target", "low.lua", "--target", "./low.lua", "--target", "high.lua")
        pages(path)
        run(path, *PAIR, "--method", "csr_scalar")
        once = files(path)
        for _ in range(2):
            result = run(path, *names, "-o", "out", "--method", "csr_scalar")
            check(result.code == 0 and not result.out and files(path) == once,
                  "a target that is named in two ways is emitted once", result)
        manifest = manifest_of(path)
        manifest["selections"] += [{**manifest["selections"][1], "target": "./high.lua",
                                    "types": ["f64"]}]
        (path / "out/manifest.json").write_text(json.dumps(manifest))
        before = files(path)
        result = run(path, *PAIR[:2], *PAIR[4:], "--method", "csr_vector")
        check(result.code == 1 and files(path) == before
              and "two selections of one folder give spmv_csr_scalar__high.c" in result.err,
              "a manifest that gives a file twice is an error", result)


def test_dispatch():
    if not shutil.which(CC[0]):
        tap.skip(f"no compiler {CC[0]}")
        return
    holder, path = cli.folder()
    with holder:
        pages(path)
        run(path, "--target", "none.lua", *PAIR, "--method", "csr5")
        (path / "main.c").write_text(PROGRAM)
        built = subprocess.run([*CC, "-std=c11", "-Wall", "-Wextra", tap.WERROR, "-Iout", "main.c",
                                *sorted(str(p) for p in (path / "out").glob("*.c")), "-o", "main",
                                "-lm"], cwd=path, capture_output=True, text=True)
        done = subprocess.run(["./main"], cwd=path, capture_output=True,
                              text=True) if built.returncode == 0 else None
        check(done and done.stdout == "high: 62 74 50 88\n", "a program with all targets takes the "
              "first usable module of the table", built.stderr, done)


def test_methods_accumulate():
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD, "--method", "csr5")
        first = files(path)
        result = run(path, *BOARD, "--method", "csr_vector")
        second = files(path)
        check(result.code == 0 and not result.err and changed(first, second) == [
              "manifest.json", "spmv_csr_vector__board.c", "spmv_modules__board.c",
              "spmv_modules__board.h"]
              and held(path) == [("board", "csr5"), ("board", "csr_vector")],
              "a method is added to those that are there, whose files stay", result)
        symbols = [f"spmv_{m}_{v}_{o}__board" for m in ("csr5", "csr_vector") for v, o in TYPES]
        check(all(f"    &{symbol},\n".encode() in second["spmv_modules__board.c"]
                  for symbol in symbols), "the table has both")
        silent = run(path, *BOARD, "--method", "csr5")
        check(silent.code == 0 and not silent.out and not silent.err and files(path) == second,
              "emitting one of them again changes nothing", silent)
        check(run(path, "--check", "out").code == 0, "--check emits both")
        shutil.rmtree(path / "out")
        run(path, *BOARD, "--method", "csr_vector", "--method", "csr5")
        check(files(path) == second, "one run for both gives the same files",
              changed(second, files(path)))

        result = run(path, *BOARD, "--method", "csr5", "--set", "csr5.sigma=20")
        third = files(path)
        check(result.code == 0 and changed(second, third) == [
              "manifest.json", "spmv_csr5__board.c", "spmv_modules__board.c",
              "spmv_modules__board.h"], "another value of a method changes its file alone", result,
              changed(second, third))
        check(manifest_of(path)["command"] == "spmvgen --target board.lua --method csr5 --set "
              "csr5.sigma=20 && spmvgen --target board.lua --method csr_vector",
              "a command for each", manifest_of(path)["command"])
        result = run(path, *BOARD)
        alone = run(path, *BOARD[:2], "-o", "alone")
        check(result.code == alone.code == 0 and not result.err
              and files(path) == {k: v for k, v in cli.contents(path / "alone").items()
                                  if not k.startswith(".spmvgen")},
              "without --method the folder is as in an empty place", result)
        now = files(path)
        result = run(path, *BOARD, "--method", "csr5", "--set", "csr5.sigma=20")
        check(result.code == 0 and "spmv_csr_vector__board.c" in files(path)
              and changed(now, files(path)) == changed(second, third),
              "and a method of all can be emitted anew", result, changed(now, files(path)))
        result = run(path, *BOARD, "--method", "csr5")
        check(result.code == 0 and files(path) == now,
              "the first value restores the folder", result, changed(now, files(path)))


def test_page_elsewhere():
    """A page of the user's own may be named from another folder."""
    holder, path = cli.folder()
    with holder:
        (path / "deeper").mkdir()
        run(path, "--target", "board.lua", "--method", "csr_scalar", "-o", "out")
        result = run(path / "deeper", "--target", "../board.lua", "--method", "csr_vector",
                     "-o", "../out")
        check(result.code == 0 and not result.err
              and held(path) == [("board", "csr_scalar"), ("board", "csr_vector")],
              "the methods of a page that was named otherwise are kept", result)


def test_blank_in_path():
    """The command can be typed into a shell as it stands."""
    holder, path = cli.folder()
    with holder:
        (path / "my pages").mkdir()
        shutil.copy(path / "board.lua", path / "my pages/odd.lua")
        result = run(path, "--target", "my pages/odd.lua", "--method", "csr_vector", "-o", "out")
        command = "spmvgen --target 'my pages/odd.lua' --method csr_vector"
        check(result.code == 0 and manifest_of(path)["command"] == command
              and f"\n *     {command}\n".encode() in files(path)["spmv_csr_vector__odd.c"],
              "a page's path is in quotes where it has blanks", result)
        again = run(path, *shlex.split(command)[1:], "-o", "out")
        check(again.code == 0 and not again.out, "and gives the same folder", again)


def test_changed_by_hand():
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD, "--method", "csr5")
        edited = path / "out/spmv_csr5__board.c"
        emitted = edited.read_bytes()
        edited.write_bytes(emitted + b"/* mine */\n")
        warning = ("out/spmv_csr5__board.c: warning: changed by hand: it stays, since this run "
                   "names other methods\n")
        result = run(path, *BOARD, "--method", "csr_vector")
        check(result.code == 0 and result.err == warning
              and held(path) == [("board", "csr5"), ("board", "csr_vector")]
              and edited.read_bytes() == emitted + b"/* mine */\n",
              "a kept method's file that was changed by hand stays, with a warning", result)
        before = cli.times(path / "out")
        again = run(path, *BOARD, "--method", "csr_vector")
        check(again.code == 0 and again.err == warning and not again.out
              and cli.times(path / "out") == before, "a second run writes nothing", again)
        forced = run(path, *BOARD, "--method", "csr_vector", "--force")
        check(forced.code == 0 and forced.err == warning
              and edited.read_bytes() == emitted + b"/* mine */\n",
              "--force is for the methods that the run names", forced)
        checked = run(path, "--check", "out")
        check(checked.code == 1 and "\n-/* mine */\n" in checked.out, "--check shows the change",
              checked)
        now = files(path)
        for args in (("--method", "csr5"), ("--method", "csr5", "--set", "csr5.sigma=20"), ()):
            refused = run(path, *BOARD, *args)
            check(refused.code == 1 and files(path) == now and "spmv_csr5__board.c: error: would "
                  "be replaced, but was changed since it was emitted" in refused.err,
                  f"{args}: a run that is for the method refuses to replace it", refused)
        forced = run(path, *BOARD, "--method", "csr5", "--force")
        check(forced.code == 0 and not forced.err and edited.read_bytes() == emitted,
              "with --force the run replaces it", forced)
        shared = path / "out/spmv_modules__board.c"
        shared.write_bytes(shared.read_bytes() + b"/* mine */\n")
        now = files(path)
        refused = run(path, *BOARD, "--method", "csr_scalar")
        check(refused.code == 1 and files(path) == now
              and "spmv_modules__board.c: error: would be replaced" in refused.err,
              "the table is every method's: changed by hand, it is not replaced", refused)


def test_names_elsewhere():
    """A manifest that names a file outside its folder, with that file's hash."""
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD, "--method", "csr_scalar")
        manifest = manifest_of(path)
        victim = path / "victim.c"
        shutil.copy(path / "out" / manifest["files"][0]["file"], victim)
        manifest["files"].append({"file": "../victim.c", "hash": manifest["files"][0]["hash"]})
        (path / "out/manifest.json").write_text(json.dumps(manifest))
        result = run(path, *BOARD, "--method", "csr_scalar")
        check(result.code == 0 and victim.exists() and "victim" not in result.out,
              "a file that a manifest names outside its folder is not removed", result)
        check("loses the methods that this run does not name" in result.err,
              "a run with --method warns that the folder's other methods are lost", result)


# Locks the folder that it is started in, says so, and keeps the lock until it is killed.
HOLDER = """
import fcntl, os, sys, time
fcntl.flock(os.open(".", os.O_RDONLY), fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


def waits_for_lock(process):
    """Until the process waits for a lock, or ends."""
    while process.poll() is None:
        if any("->" in line and f" {process.pid} " in line
               for line in Path("/proc/locks").read_text().splitlines()):
            return True
    return False


def start(path, *args):
    return subprocess.Popen([cli.SPMVGEN, *args], cwd=path, env=cli.environment(),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def test_waits_for_another_run():
    holder, path = cli.folder()
    with holder:
        if not Path("/proc/locks").exists():
            tap.skip("needs /proc/locks, to see that a run waits")
            return
        run(path, *GENERIC, "--method", "csr_scalar")
        shutil.copytree(path / "out", path / "by_other")
        shutil.rmtree(path / "out")
        (path / "out").mkdir()
        other = subprocess.Popen([sys.executable, "-c", HOLDER], cwd=path / "out",
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        other.stdout.readline()
        waiting = start(path, *GENERIC, "--method", "csr_vector")
        waits = waits_for_lock(waiting)
        shutil.copytree(path / "by_other", path / "out", dirs_exist_ok=True)
        other.kill()
        other.communicate()
        told = waiting.communicate()
        check(waits, "a run waits while another one has the folder", told)
        check(waiting.returncode == 0 and
              {method for _, method in held(path)} == {"csr_scalar", "csr_vector"},
              "when the other one is killed, it goes on from what that has written", told)


def test_runs_at_once():
    methods = ("csr_scalar", "csr_vector", "csr_adaptive")
    holder, path = cli.folder()
    with holder:
        runs = [start(path, "--target", "generic-c", "-o", "new/out", "--method", method)
                for method in methods]
        told = [one.communicate() for one in runs]
        check(all(one.returncode == 0 for one in runs) and
              {method for _, method in held(path, "new/out")} == set(methods),
              "three runs that emit different methods into a new folder at once add them up", told)
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        result = run(path, "--target", "generic-c", "-o", "other/out", preexec_fn=limit,
                     restore_signals=False)
        check(result.code != 0 and not (path / "other").exists(),
              "a run that fails leaves no folder", result)


def test_few_files():
    """A user vendors few files: one for each method, the table, the contract and the manifest."""
    holder, path = cli.folder()
    with holder:
        for target in ("generic-c", "pocl"):
            run(path, "--target", target, *ONE, "-o", target)
            names = cli.names(path / target)
            methods = {method for _, method in held(path, target)}
            check(len(names) == len(methods) + 4 <= 13, f"{target}: at most 13 files", names)


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        tap.diag(name)
        test()
tap.done()
