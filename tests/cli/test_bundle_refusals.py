#!/usr/bin/env python3
"""test_bundle_refusals.py SPMVGEN ROOT: --check of bundles, bundles that are not written, and names
of templates that bundles have."""
import os
import re
import shutil

import cli
from bundles import CC, EVERY, STRICT, command, good
from cli import check, run, tap


def test_check():
    holder, path = cli.folder()
    with holder:
        run(path, *EVERY, "-m", "csr5", "--prefix", "mine", "--bundle", "out")
        done = run(path, "--check", "out", "-v")
        check(good(done) and "as emitted" in done.out, "--check accepts a bundle", done)
        source = path / "out/mine_kernels.c"
        source.write_text(source.read_text().replace("return", "return ", 1))
        done = run(path, "--check", "out")
        check(done.code == 1 and "mine_kernels.c" in done.out and "--bundle out" in done.out,
              "--check shows what was changed, and how to emit it again", done)
        done = run(path, *EVERY, "-m", "csr5", "--prefix", "mine", "--bundle", "out")
        check(done.code == 1 and "was changed since it was emitted" in done.err,
              "a changed bundle is not replaced", done)
        (path / "out/mine_kernels.h").unlink()
        done = run(path, "--check", "out")
        check(done.code == 1 and "missing" in done.out, "--check misses a file", done)


def test_errors():
    holder, path = cli.folder()
    with holder:
        cases = [
            (("--prefix", "a-b"), 2, "expected letters, digits and '_'"),
            (("--prefix", "1a"), 2, "a letter first"),
            (("-o", "x"), 2, "do not go together"),
            (("--figures",), 2, "does not go together"),
            (("--target", "no-such-target"), 1, "no-such-target"),
            (("--target", "pocl"), 1, "a bundle has one"),
            (("-m", "no_such_method"), 1, "no_such_method"),
        ]
        for options, code, words in cases:
            done = run(path, *EVERY, *options, "--bundle", "out")
            check(done.code == code and words in done.err and not (path / "out").exists(),
                  f"{' '.join(options)}: an error, and nothing is written", done)
        for target, prefix, name in (("generic-cuda", "cuda", "spmv_backend"),
                                     ("generic-opencl", "cl", "spmv_")):
            done = run(path, "--target", target, "-m", "csr_scalar", "--prefix", prefix, "--bundle",
                       "out")
            check(done.code == 1 and f"--prefix is '{prefix}', by which {name}" in done.err and
                  not (path / "out").exists(),
                  f"--prefix {prefix} for {target}, which has such names: an error", done)
        done = run(path, *EVERY, "--static")
        check(done.code == 2 and "--bundle DIR" in done.err, "--static needs --bundle", done)
        (path / "a").mkdir()
        (path / "a/low.lua").write_text('inherit "board"\n')
        shutil.copy(path / "board.lua", path / "a")
        (path / "low.lua").write_text('inherit "board"\nrank = 3\n')
        done = run(path, "--target", "low.lua", "--target", "a/low.lua", "--bundle", "out")
        check(done.code == 1 and "two targets of one name" in done.err and
              not (path / "out").exists(), "pages of one name: an error", done)
        (path / "full").mkdir()
        (path / "full/README.md").write_text("mine\n")
        done = run(path, *EVERY, "-m", "csr5", "--bundle", "full")
        check(done.code == 1 and "nothing says that spmvgen wrote it" in done.err and
              cli.names(path / "full") == ["README.md"],
              "a file of the user's: an error, and nothing is written", done)
        run(path, *EVERY, "-m", "csr5", "-o", "modules")
        before = cli.contents(path / "modules")
        done = run(path, *EVERY, "-m", "csr5", "--bundle", "modules")
        check(done.code == 1 and "choose another folder" in done.err and
              cli.contents(path / "modules") == before, "a folder of modules stays", done)
        if os.geteuid() == 0:
            tap.skip("root may write into any folder")
        else:
            (path / "closed").mkdir(mode=0o500)
            done = run(path, *EVERY, "-m", "csr5", "--bundle", "closed")
            check(done.code == 1 and "closed" in done.err, "a folder that cannot be written", done)
        (path / "file").write_text("")
        done = run(path, *EVERY, "-m", "csr5", "--bundle", "file")
        check(done.code == 1 and "file" in done.err, "a file in place of the folder", done)


def headers_of(source):
    """Lines that include the system's headers of the source, as far as there are such."""
    names = sorted(set(re.findall(r"# *include (<.*?>)", source)))
    return "".join(f"#if __has_include({n})\n#include {n}\n#endif\n" for n in names)


def find_clashes(path, source):
    """Prefixes that make a name of the source one that its headers declare, and these names."""
    small, capital = (set(re.findall(rf"\b{p}_(\w+)", source)) for p in ("spmv", "SPMV"))
    (path / "headers.c").write_text(headers_of(source))
    words = set(re.findall(r"\b[A-Za-z]\w+", command(path, *CC, "-fopenmp", "-E", "-dD",
                                                     "headers.c").out))
    found = {}
    for word in words:
        for cut in (m.start() for m in re.finditer("_", word)):
            if word[cut + 1:] in small:
                found[word] = word[:cut]
            elif word[:cut].isupper() and word[cut + 1:] in capital:
                found[word] = word[:cut].lower()
    # Parameters and members of the headers are no clash: their names can be declared again.
    lines = headers_of(source).splitlines() + [f"enum {{ {word} }};" for word in found]
    (path / "again.c").write_text("\n".join(lines) + "\n")
    errors = command(path, *CC, "-fopenmp", "-fsyntax-only", "again.c").err
    wrong = {int(n) for n in re.findall(r"^again\.c:(\d+):.*(?:error|in expansion)", errors, re.M)}
    first = len(lines) - len(found) + 1
    return {prefix: word for n, (word, prefix) in enumerate(found.items(), first) if n in wrong}


def test_prefixes_of_headers():
    holder, path = cli.folder()
    with holder:
        for target in ("generic-c", "generic-opencl"):
            run(path, "--target", target, "--bundle", target)
            source = "".join((path / target / f"spmv_kernels.{kind}").read_text() for kind in "hc")
            clashes = find_clashes(path, source)
            check("fe" in clashes, f"{target}: names of headers are found", clashes)
            tried = set()
            for prefix in sorted(clashes):
                if prefix.split("_")[0] in tried:
                    continue
                tried.add(prefix.split("_")[0])
                done = run(path, "--target", target, "-m", "csr_scalar", "--prefix", prefix,
                           "--bundle", "out")
                check(done.code == 1 and "choose another prefix" in done.err and
                      not (path / "out").exists(),
                      f"{target}: --prefix {prefix} would declare {clashes[prefix]}: an error",
                      done)
        done = run(path, *EVERY, "-m", "csr_scalar", "--prefix", "OMP_kernels", "--bundle", "out")
        check(done.code == 1 and "<omp.h>" in done.err, "the error names the header", done)
        for prefix in ("ompx", "std", "int"):
            done = run(path, *EVERY, "-m", "csr_scalar", "--prefix", prefix, "--bundle", prefix)
            built = command(path, *CC, "-fsyntax-only", f"{prefix}/{prefix}_kernels.c")
            check(good(done) and good(built), f"--prefix {prefix} is accepted", done, built)


def data_with_method(path, *changes):
    """A data folder with the method of examples/dia; its template with these replacements."""
    data = path / "data"
    shutil.rmtree(data, ignore_errors=True)
    (data / "templates").mkdir(parents=True)
    for name in ("targets", "runtime", "LICENSE"):
        (data / name).symlink_to(cli.ROOT / name)
    for entry in (cli.ROOT / "templates").iterdir():
        (data / "templates" / entry.name).symlink_to(entry)
    shutil.copytree(cli.ROOT / "examples/dia", data / "templates/dia")
    template = data / "templates/dia/simd.c"
    for old, new in changes:
        template.write_text(re.sub(rf"\b{old}\b", new, template.read_text()))
    return data


def test_names():
    holder, path = cli.folder()
    with holder:
        command_line = ("--data", "data", *EVERY, "-m", "dia", "--type", "f64", "--offsets", "i32")
        data = data_with_method(path)
        done = run(path, *command_line, "--bundle", "out")
        built = command(path, *CC, "-std=c11", *STRICT, "-c", "out/spmv_kernels.c", "-o", "c.o")
        check(good(done) and good(built), "a method of the user's own is in a bundle", done, built)
        for old, new, line in (("fill_rows", "leave_out", "static void leave_out("),
                               ("MASK", "THERE_IS", "enum { THERE_IS,"),
                               ("next", "SPMV_OPTIONS_WORD", "static void multiply_rows(")):
            data = data_with_method(path, (old, new))
            done = run(path, *command_line, "--bundle", "clash")
            text = (data / "templates/dia/simd.c").read_text().splitlines()
            found = re.match(r"templates/dia/simd\.c:(\d+): error: the name '(\w+)' is taken",
                             done.err)
            check(done.code == 1 and found and found.group(2) == new and
                  done.err.count("error: ") == 1 and "note: " in done.err and
                  not (path / "clash").exists(),
                  f"a template's {new}, which the runtime has, is an error of the template", done)
            check(found and line in text[int(found.group(1)) - 1],
                  "and the error is at its declaration", done)
            done = run(path, *command_line, "-o", f"modules_{new}")
            check(good(done), "a folder of modules may have the name", done)
        (data_with_method(path) / "LICENSE").unlink()
        done = run(path, *command_line, "--bundle", "lacking")
        check(done.code == 1 and "LICENSE: error: cannot be read" in done.err and
              "--data" in done.err, "a data folder without LICENSE: the error says what to do",
              done)


test_check()
test_errors()
test_prefixes_of_headers()
test_names()
tap.done()
