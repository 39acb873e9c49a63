#!/usr/bin/env python3
"""test_selection.py SPMVGEN ROOT: options that select and override, in emitted files, in their
command and manifest, and with --check and --verify."""
import json
import shutil

import cli
from cli import check, run, tap

BOARD = ("--target", "board.lua", "--method", "csr_scalar", "-o", "out")


def manifest_of(path, folder="out"):
    return json.loads((path / folder / "manifest.json").read_text())


def modules_of(path, folder="out"):
    return [module for method in manifest_of(path, folder)["methods"]
            for module in method["modules"]]


def selection_of(path):
    selections = manifest_of(path)["selections"]
    assert len(selections) == 1, selections
    return selections[0]


def offsets_of(path):
    return sorted({module["offset_type"] for module in modules_of(path)})


def repeats(name, path, args, words, key, value):
    """The command and the manifest have these words, and later runs repeat the emission."""
    first = run(path, *BOARD, *args)
    manifest = manifest_of(path)
    check(first.code == 0 and not first.err
          and manifest["command"] == f"spmvgen --target board.lua --method csr_scalar {words}"
          and selection_of(path)[key] == value, f"{name}: command and manifest repeat it",
          first, manifest["command"], manifest["selections"])
    before = cli.times(path / "out")
    second = run(path, *BOARD, *args)
    check(second.code == 0 and not second.out and not second.err
          and cli.times(path / "out") == before, f"{name}: a second run writes nothing", second)
    checked = run(path, "--check", "out")
    check(checked.code == 0 and not checked.out and not checked.err,
          f"{name}: --check emits with it", checked)
    plain = run(path, *BOARD)
    check(plain.code == 0 and "wrote out/manifest.json\n" in plain.out
          and selection_of(path)[key] in ([], False),
          f"{name}: without it is another emission", plain)


def test_method_list():
    holder, path = cli.folder()
    with holder:
        done = run(path, *BOARD[:2], "--method", "csr_vector,csr_scalar", *BOARD[4:])
        methods = {entry["method"] for entry in manifest_of(path)["methods"]}
        check(done.code == 0 and methods == {"csr_scalar", "csr_vector"},
              "--method NAME,NAME emits both", done)
        done = run(path, *BOARD[:2], "--method", "csr_scalar,csr_vectro", "-o", "none")
        check(done.code == 1 and "unknown method 'csr_vectro'; did you mean 'csr_vector'?"
              in done.err, "an unknown name of a list is named alone", done)


def test_offsets():
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD)
        check(offsets_of(path) == ["i32", "i64"], "without --offsets both are emitted")
        for words, expected in ((("i64",), ["i64"]), (("i64", "i32"), ["i32", "i64"])):
            args = [word for name in words for word in ("--offsets", name)]
            run(path, *BOARD, *args)
            check(offsets_of(path) == expected, f"--offsets {words}: these row pointers alone",
                  modules_of(path))
        repeats("--offsets", path, ("--offsets", "i64", "--offsets", "i32"),
                "--offsets i32 --offsets i64", "offsets", ["i32", "i64"])
        run(path, *BOARD, "--type", "f64", "--offsets", "i32")
        modules = [(m["value_type"], m["offset_type"]) for m in modules_of(path)]
        check(modules == [("f64", "i32")], "with --type one pair of types remains", modules)
        shown = run(path, "--target", "firepro-w9100", "--method", "csr_scalar", "--type", "f64",
                    "--offsets", "i32", "--verify")
        check(shown.code == 0 and ": 1 program for " in shown.out, "--verify takes it, too", shown)


def test_figures():
    holder, path = cli.folder()
    with holder:
        repeats("--figures", path, ("--figures",), "--figures", "figures", True)
        data = cli.data_copy(path)
        words = ("--target", "board.lua", "--method", "csr5", "--type", "f64", "-o", "csr5",
                 "--data", "data")
        for args, has in (((), False), (("--figures",), True)):
            result = run(path, *words, *args)
            method = manifest_of(path, "csr5")["methods"][0]
            text = (path / "csr5" / method["file"]).read_text()
            check(result.code == 0 and not result.err
                  and (".figures = layout_stats," in text) == has
                  and ("int32_t layout_stats(" in text) == has,
                  f"{args}: a template's FIGURES is {int(has)}", result)
            check("FIGURES" not in text
                  and all(p["name"] != "figures" for p in method["parameters"]),
                  f"{args}: it is no parameter of the method", method["parameters"])
        params = data / "templates/csr_scalar/params.lua"
        params.write_text(params.read_text().replace('"work_group_size"', '"figures"', 1))
        result = run(path, *BOARD, "--data", "data")
        check(result.code == 1 and "a parameter cannot be called 'figures'" in result.err,
              "a method cannot declare it", result)


def test_one_vector():
    holder, path = cli.folder()
    with holder:
        repeats("--one-vector", path, ("--one-vector",), "--one-vector", "one_vector", True)
        data = cli.data_copy(path)
        words = ("--target", "generic-c", "--method", "strips", "--type", "f64", "--data", "data")
        for args, has in (((), True), (("--one-vector",), False)):
            result = run(path, *words, "-o", "strips", *args)
            method = manifest_of(path, "strips")["methods"][0]
            text = (path / "strips" / method["file"]).read_text()
            check(result.code == 0 and not result.err
                  and (".launches_columns = launches_columns," in text) == has
                  and "SEVERAL_VECTORS" not in text,
                  f"{args}: a template's SEVERAL_VECTORS is {int(has)}", result)
        result = run(path, *words[:-2], "--offsets", "i32", "--static", "--bundle", "static")
        check(result.code == 0
              and "launches_columns = launches" not in (path / "static/spmv_kernels.c").read_text(),
              "--static leaves them out, too", result)
        params = data / "templates/csr_scalar/params.lua"
        params.write_text(params.read_text().replace('"work_group_size"', '"several_vectors"', 1))
        result = run(path, *BOARD, "--data", "data")
        check(result.code == 1 and "a parameter cannot be called 'several_vectors'" in result.err,
              "a method cannot declare it", result)


def test_set():
    holder, path = cli.folder()
    with holder:
        repeats("--set", path, ("--set", "simd_bits = 512", "--set", "csr_scalar.chunk_weight=9",
                                "--set", "csr_scalar.f32.chunk_weight=0x80",
                                "--set", "csr_scalar.chunk_weight=100"),
                "--set csr_scalar.chunk_weight=100 --set csr_scalar.f32.chunk_weight=128 "
                "--set simd_bits=512", "set",
                ["csr_scalar.chunk_weight=100", "csr_scalar.f32.chunk_weight=128", "simd_bits=512"])

        run(path, *BOARD, "--set", "csr_scalar.chunk_weight=100", "--set", "simd_bits=512")
        first = cli.contents(path / "out")
        same = run(path, *BOARD, "--set", "csr_scalar.chunk_weight=7", "--set", "simd_bits=0x200",
                   "--set", 'csr_scalar.chunk_weight=100')
        check(same.code == 0 and not same.out and cli.contents(path / "out") == first,
              "the same values in other words are the same emission", same)
        manifest = manifest_of(path)
        method = manifest["methods"][0]
        weight = next(p for p in method["parameters"] if p["name"] == "chunk_weight")
        text = (path / "out" / method["file"]).read_text()
        stated = {"value": 100, "origin": "the command line"}
        check(weight["f32"] == weight["f64"] == stated
              and manifest["targets"][0]["facts"]["simd_bits"]["origin"] == "the command line"
              and '{ "chunk_weight", 100, "the command line" }' in text,
              "manifest and module name the command line", weight)
        other = run(path, *BOARD, "--set", "csr_scalar.chunk_weight=101", "--set", "simd_bits=512")
        check("wrote out/manifest.json\n" in other.out, "another value is another emission", other)

        page = path / "typed.lua"
        page.write_text('inherit "board"\ncsr_scalar.f64.chunk_weight = 4097\n')
        shown = run(path, "--target", "typed.lua", "--set", "csr_scalar.chunk_weight=100",
                    "--explain", "csr_scalar.chunk_weight")
        check(shown.out.count("100  the command line  --set csr_scalar.chunk_weight=100\n") == 2,
              "it wins over the page's value for one type", shown)

        words = "'usable=__builtin_cpu_supports(\"avx2\")'"
        run(path, *BOARD, "--set", words[1:-1])
        check(manifest_of(path)["command"].endswith(f" --set {words}")
              and run(path, "--check", "out").code == 0,
              "the command has quotes where a shell needs them", manifest_of(path)["command"])
        shown = run(path, "--target", "firepro-w9100", "--method", "csr_scalar", "--type", "f64",
                    "--set", "csr_scalar.work_group_size=100000", "--verify")
        check(shown.code == 1 and shown.err.startswith(
              "the command line: --set csr_scalar.work_group_size=100000: error: "),
              "--verify takes it, too", shown)


def test_hostile_set():
    holder, path = cli.folder()
    with holder:
        for name, text in (("a line feed", "csr_scalar.chunk_weight=100\nrank=1"),
                           ("a line feed behind", "csr_scalar.chunk_weight=100\n"),
                           ("an escape", "description=\x1b[31m"),
                           ("an escape in the key", "\x1b=1"),
                           ("no UTF-8", b"description=\xe9"), ("another direction", "match=\u202e"),
                           ("a long value", "description=" + "x" * 1001),
                           ("a long key", "x" * 65 + "=1"), ("dots", "." * 100000 + "=1"),
                           ("two kinds of quotes", "match=\"a'")):
            result = run(path, *BOARD, "--set", text)
            check(result.code == 1 and not result.out and not (path / "out").exists()
                  and result.err.startswith("the command line: --set ")
                  and result.err.count("\n") == 1
                  and result.err.replace("\n", "").isprintable(),
                  f"{name}: one line of printable letters, and nothing is written",
                  result.err[:300])
        run(path, *BOARD)
        manifest = path / "out/manifest.json"
        for name, entries in (("lines", ["rank=1\nrank=2"]), ("no key", ["=1"]),
                              ("another kind", [7]),
                              ("100000 values", [f"rank={i}" for i in range(100000)])):
            spoilt = manifest_of(path)
            spoilt["selections"][0]["set"] = entries
            manifest.write_text(json.dumps(spoilt))
            result = run(path, "--check", "out")
            check(result.code == 1 and ": error: " in result.err and not result.out,
                  f"a manifest's set with {name} is an error", result)
            manifest.unlink()
            run(path, *BOARD)


def older(path, schema, lost, files=()):
    """Makes the folder as an earlier version left it: without choices, with these files."""
    manifest = manifest_of(path)
    selection = {k: v for k, v in manifest["selections"][0].items() if k not in lost}
    if schema == 1:
        manifest = {**{k: manifest[k] for k in ("generator", "generator_version", "command",
                                                "abi_hash", "input_hash", "inputs", "files")},
                    "schema_version": 1, "target": "board", "selection": selection,
                    "facts": manifest["targets"][0]["facts"], "modules": []}
    else:
        manifest["selections"] = [selection]
    for file, text in files:
        (path / "out" / file).write_bytes(text)
        manifest["files"] = [f for f in manifest["files"] if f["file"] != file]
        manifest["files"].append({"file": file, "hash": cli.content_hash(text)})
    (path / "out/manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def test_older_manifest():
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD)
        original = cli.contents(path / "out")
        file = manifest_of(path)["methods"][0]["file"]
        former = "spmv_csr_scalar_f64_i32__board.c"
        lost = ("offsets", "set", "figures", "one_vector", "program_files", "bundle", "static")
        for name, schema, choices in (("of schema 1", 1, lost),
                                      ("of schema 1 without its last choices", 1, lost[1:]),
                                      ("that lacks a choice", 2, lost[-1:])):
            older(path, schema, choices)
            checked = run(path, "--check", "out")
            check(checked.code == 1 and not checked.err and "makes it anew" in checked.out,
                  f"a manifest {name} has drifted", checked)
            result = run(path, *BOARD)
            check(result.code == 0 and not result.err and cli.contents(path / "out") == original
                  and result.out.startswith("wrote out/manifest.json\n"),
                  f"a manifest {name} is replaced", result)
            older(path, schema, choices, ((file, original[file] + b"/* older */\n"),
                                          (former, b"/* older */\n")))
            result = run(path, *BOARD)
            check(result.code == 0 and not result.err and cli.contents(path / "out") == original
                  and f"removed out/{former}\n" in result.out,
                  f"and so is what a manifest {name} vouches for", result)
            older(path, schema, choices)
            result = run(path, *BOARD[:2], "--method", "csr_vector", *BOARD[4:])
            check(result.code == 0 and not result.err
                  and [m["method"] for m in manifest_of(path)["methods"]]
                  == ["csr_scalar", "csr_vector"], f"the methods of a manifest {name} are kept",
                  result)
            shutil.rmtree(path / "out")
            run(path, *BOARD)
        spoilt = manifest_of(path)
        spoilt["selections"][0]["offsets"] = 7
        (path / "out/manifest.json").write_text(json.dumps(spoilt))
        checked = run(path, "--check", "out")
        check(checked.code == 1 and "expected 'offsets' to be an array" in checked.err,
              "a choice of another kind is damage", checked)
        for name, change, expected in (
                ("no selection", {"selections": []}, "expected 'selections' to be"),
                ("no target", {"targets": []}, "expected 'selections' to be"),
                ("a schema to come", {"schema_version": 3}, "expected 'schema_version' to be "
                 "from 1 to 2")):
            spoilt = {**json.loads(original["manifest.json"]), **change}
            (path / "out/manifest.json").write_text(json.dumps(spoilt))
            checked = run(path, "--check", "out")
            check(checked.code == 1 and expected in checked.err, f"{name} is damage", checked)


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        tap.diag(name)
        test()
tap.done()
