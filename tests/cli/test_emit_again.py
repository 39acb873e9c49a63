#!/usr/bin/env python3
"""test_emit_again.py SPMVGEN ROOT: emissions into folders that have files: spmvgen's own, of this
build or another one, and files of others."""
import os
import shutil

import cli
from cli import check, emitted, run, tap

BOARD = ("--target", "board.lua", "--method", "csr_scalar")


def test_repair():
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD)
        out = emitted(path)
        original = cli.contents(out)
        victim = out / "spmv_csr_scalar__board.c"
        cases = {
            "a missing file": victim.unlink,
            "a truncated manifest":
                lambda: (out / "manifest.json").write_bytes(original["manifest.json"][:1000]),
            "an empty manifest": lambda: (out / "manifest.json").write_text(""),
            "a manifest that is a list":
                lambda: (out / "manifest.json").write_text('{"generator": "spmvgen", "files": 7}'),
            "a missing manifest": (out / "manifest.json").unlink,
        }
        for name, spoil in cases.items():
            spoil()
            before = cli.times(out)
            result = run(path, *BOARD)
            changed = {n for n, t in cli.times(out).items() if before.get(n) != t}
            wrote = {line.rsplit("/", 1)[1] for line in result.out.splitlines()
                     if line.startswith("wrote ")}
            check(result.code == 0 and cli.contents(out) == original and len(changed) == 1
                  and wrote == changed, f"{name} is mended, and no other is touched", result)


def test_nothing_of_others_is_replaced():
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD)
        out = emitted(path)
        original = cli.contents(out)
        victim = out / "spmv_csr_scalar__board.c"

        def refused(name, expected, *args):
            before = cli.contents(path)
            result = run(path, *BOARD, *args)
            check(result.code == 1 and not result.out and cli.contents(path) == before
                  and expected in result.err and "--force" in result.err,
                  f"{name} is not replaced, and nothing else is", result)

        victim.write_text(victim.read_text() + "/* mine */\n")
        refused("a file that was changed by hand",
                f"{victim.name}: error: would be replaced, but was changed since it was emitted")
        checked = run(path, "--check", "generated/board")
        check("'spmvgen --target board.lua --method csr_scalar -o generated/board --force' makes "
              "it anew" in checked.out, "--check advises --force", checked)
        forced = run(path, *BOARD, "--force")
        check(forced.code == 0 and cli.contents(out) == original
              and f"wrote generated/board/{victim.name}\n" in forced.out, "--force replaces it",
              forced)

        (out / "manifest.json").unlink()
        victim.write_text("/* mine */\n")
        refused("a file in a folder without a manifest",
                f"{victim.name}: error: would be replaced, but nothing says that spmvgen wrote it")
        victim.write_bytes(original[victim.name])
        for name, text in (("of another tool", '{"name": "web"}\n'), ("that is no JSON", "mine\n"),
                           ("that speaks of ours", 'see "generator": "spmvgen"\n')):
            (out / "manifest.json").write_text(text)
            refused(f"a manifest.json {name}", "is not spmvgen's")
        forced = run(path, *BOARD, "-f")
        check(forced.code == 0 and cli.contents(out) == original, "-f replaces a manifest too",
              forced)

        (path / "in/the/way").mkdir(parents=True)
        (path / "in/the/way/spmv_module.h").write_text("/* mine */\n")
        refused("a file in a folder of somebody else", "in/the/way/spmv_module.h: error: ",
                "-o", "in/the/way")

        # Files from an earlier version of the templates are spmvgen's own.
        data = cli.data_copy(path)
        template = data / "templates/csr_scalar/simd.c"
        template.write_text(template.read_text().replace("static", "/* newer */\nstatic", 1))
        newer = run(path, *BOARD, "--data", "data")
        check(newer.code == 0 and b"/* newer */" in victim.read_bytes(),
              "an unchanged file of spmvgen is replaced without --force", newer)


def as_emitted_by(out, victim, text):
    """Makes the folder as another build would leave it, which emits this text for the victim."""
    manifest = out / "manifest.json"
    old = cli.content_hash(victim.read_bytes())
    victim.write_bytes(text)
    manifest.write_text(manifest.read_text().replace(old, cli.content_hash(text)))
    seen = out / ".spmvgen/generator"
    seen.write_text(f"sources {'0' * 16}\nmanifest {cli.content_hash(manifest.read_bytes())}\n")
    cli.age(out)


def test_another_build():
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD)
        out = emitted(path)
        state = out / ".spmvgen"
        original, before = cli.contents(out), cli.times(out)
        check(sorted(p.name for p in state.iterdir()) == [".gitignore", "generator"]
              and (state / ".gitignore").read_text() == "*\n",
              "beside the files, spmvgen keeps a note that git ignores")

        seen = (state / "generator").read_text()
        (state / "generator").write_text(seen.replace(seen.split()[1], "0" * 16))
        result = run(path, *BOARD)
        check(result.code == 0 and not result.out and cli.times(out) == before
              and cli.contents(out) == original,
              "another build that emits the same is silent, and touches its note alone", result)
        shutil.rmtree(state)
        result = run(path, *BOARD)
        check(result.code == 0 and not result.out and cli.times(out) == before
              and cli.contents(out) == original, "a note that is missing is made anew", result)

        victim = out / "spmv_csr_scalar__board.c"
        older = original[str(victim.relative_to(out))] + b"/* older */\n"
        for name, spoil in (("whatever the files' times say", lambda: None),
                            ("where there is no note", lambda: shutil.rmtree(state)),
                            ("where another manifest was noted",
                             lambda: (state / "generator").write_text(seen))):
            as_emitted_by(out, victim, older)
            spoil()
            result = run(path, *BOARD)
            check(result.code == 0 and cli.contents(out) == original
                  and f"wrote generated/board/{victim.name}\n" in result.out,
                  f"what another build emitted is emitted anew, {name}", result)
        if os.geteuid() == 0:
            tap.skip("this user may write everywhere")
            return
        shutil.rmtree(state)
        out.chmod(0o555)
        result = run(path, *BOARD)
        out.chmod(0o755)
        check(result.code == 0 and not result.err, "a folder that is up to date may be read-only",
              result)


def test_stale():
    holder, path = cli.folder()
    with holder:
        methods = ("csr5", "csr_scalar", "csr_vector")
        words = ("--target", "pocl", "-o", "out", *(w for m in methods for w in ("--method", m)))
        out = path / "out"
        run(path, *words, "--program-files")
        both = cli.names(out)
        (out / "notes.txt").write_text("mine\n")
        edited = out / "spmv_csr5__pocl.cl"
        edited.write_text(edited.read_text() + "/* mine */\n")
        result = run(path, *words)
        left = [name for name in both if not name.endswith(".cl")] + ["notes.txt", edited.name]
        check(result.code == 0 and len(both) == len(left) - 2 + 3
              and cli.names(out) == sorted(left),
              "files that another selection does not emit are removed", result)
        check("removed out/spmv_csr_vector__pocl.cl\n" in result.out,
              "every removed file is reported", result)
        check(f"{edited.name}: warning: " in result.err,
              "a stale file that was changed by hand stays, with a warning", result)
        check((out / "notes.txt").read_text() == "mine\n", "a file of somebody else stays")
        again = run(path, *words, "--program-files")
        check(again.code == 1 and f"{edited.name}: error: " in again.err
              and edited.read_text().endswith("/* mine */\n"),
              "a kept stale file is safe from a later emission of all", again)


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        tap.diag(name)
        test()
tap.done()
