#!/usr/bin/env python3
"""test_module.py SPMVGEN ROOT: the facts that an emitted module states, and compilers for it."""
import json
import os
import re
import shutil
import subprocess

import cli
from cli import ROOT, check, run, tap

BOARD = ("--target", "board.lua", "-o", "out")
CC = os.environ.get("CC", "cc").split()
SYMBOL = "spmv_csr5_f64_i32__"


def hash_of(path, symbol=SYMBOL, folder="out"):
    """The module's source hash, from the manifest and from the module's table."""
    manifest = json.loads((path / folder / "manifest.json").read_text())
    method, module = next((method, module) for method in manifest["methods"]
                          for module in method["modules"] if module["symbol"].startswith(symbol))
    table = (path / folder / method["file"]).read_text()
    table = table[table.index(f"\nconst spmv_module {module['symbol']} = {{\n"):]
    return (module["source_hash"],
            re.search(r"\.source_hash = UINT64_C\(0x([0-9a-f]{16})\)", table)[1])


def test_source_hash_of_requests():
    """A saved plan names a module by its hash, which other emitted modules must not change."""
    holder, path = cli.folder()
    with holder:
        (path / "deeper").mkdir()
        for page in ("board.lua", "pocl"):
            words = ("--target", page, "-o", "out")
            shutil.rmtree(path / "out", ignore_errors=True)
            run(path, *words)
            first = hash_of(path)
            check(len(set(first)) == 1, f"{page}: table and manifest state one source hash", first)
            words += ("--method", "csr5")
            for more in (("--type", "f64"), ("--offsets", "i32"), ("--method", "csr_vector"),
                         ("--type", "f64", "--offsets", "i32"), ("--program-files",)):
                shutil.rmtree(path / "out")
                result = run(path, *words, *more)
                check(result.code == 0 and hash_of(path) == first,
                      f"{page} {' '.join(more)}: the same source hash", result, hash_of(path))
            shutil.rmtree(path / "out")
            result = run(path, *words, "--set", "csr5.sigma=20")
            check(result.code == 0 and hash_of(path)[0] == hash_of(path)[1] != first[0],
                  f"{page} --set csr5.sigma=20: another source hash", result)
        shutil.rmtree(path / "out")
        run(path, *BOARD, "--method", "csr5")
        first = hash_of(path)
        for page in ("./board.lua", "deeper/../board.lua"):
            result = run(path, "--target", page, "--method", "csr5", "-o", "out")
            check(result.code == 0 and hash_of(path) == first,
                  f"--target {page}: the same source hash", result)


def test_source_hash_of_inputs():
    holder, path = cli.folder()
    with holder:
        data = cli.data_copy(path)
        args = (*BOARD, "--data", "data", "--method", "csr5", "--method", "csr_vector")
        run(path, *args)
        seen = {hash_of(path)}
        page, template = path / "board.lua", data / "templates/csr5/simd.c"
        contract = data / "runtime/spmv_module.h"
        text = contract.read_text()
        abi = re.search(r"ABI UINT64_C\(0x(\w{16})\)", text)[1]
        assert template.read_text().count("tail_rows(") == 2

        def emits(name, changes):
            result = run(path, *args)
            now = hash_of(path)
            check(result.code == 0 and "wrote out/manifest.json" in result.out
                  and now[0] == now[1] and (now not in seen) == changes, name, result, now)
            seen.add(now)

        page.write_text(page.read_text() + "-- mine\n")
        emits("a page's comment does not change the source hash", False)
        contract.write_text(text + "/* mine */\n")
        emits("a comment of the contract does not change the source hash", False)
        other = data / "templates/csr_vector/simd.c"
        other.write_text(re.sub(r"\bsum\b", "total", other.read_text()))
        emits("another method's template does not change the source hash", False)
        contract.write_text(text.replace(abi, "0" * 16))
        emits("another contract changes the source hash", True)
        template.write_text(template.read_text().replace("tail_rows(", "last_rows("))
        emits("a template changes the source hash", True)
        table = data / "targets/dialects/c.lua"
        table.write_text(table.read_text().replace("#include <float.h>", "#include <float.h> "))
        emits("a table of the language changes the source hash", True)


def compiler_says(path, *options):
    return subprocess.run([*CC, "-std=c11", "-fsyntax-only", *options,
                           *sorted(str(p) for p in (path / "out").glob("*.c"))],
                          capture_output=True, text=True)


def test_compiles():
    if not shutil.which(CC[0]):
        tap.skip(f"no compiler {CC[0]}")
        return
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD)
        warnings = ("-Wall", "-Wextra", "-Wmissing-prototypes", "-Wmissing-declarations",
                    "-Wshadow", tap.WERROR)
        for define in ((), ("-DSPMV_MODULE_TABLE_EXPORT",)):
            done = compiler_says(path, *warnings, *define)
            tap.ok(done.returncode == 0, f"the files compile without a warning {define}",
                   done.stderr)


def test_usable():
    """usable() joins the page's condition on CPUs with the condition of its isa."""
    holder, path = cli.folder()
    with holder:
        for name, usable in (("always", ""), ("never", "0 == 1"), ("both", "1 == 1")):
            (path / f"{name}.lua").write_text(
                f'inherit "generic-c"\ndescription = "{name}"\n'
                + (f'usable = "{usable}"\n' if usable else ""))
            done = run(path, "--target", f"{name}.lua", "--data", str(cli.ROOT), "-m", "csr_scalar",
                       "-o", name)
            symbol = f"spmv_csr_scalar_f64_i32__{name}"
            (path / "main.c").write_text(
                f'#include "spmv_module.h"\nextern const spmv_module {symbol};\n'
                f"int main(void) {{ return {symbol}.usable() ? 10 : 20; }}\n")
            if not shutil.which(CC[0]):
                tap.skip(f"no compiler {CC[0]}")
                continue
            built = subprocess.run([*CC, "-std=c11", "-fopenmp", f"-I{name}", "main.c",
                                    *sorted(str(p) for p in (path / name).glob("spmv_csr*.c")),
                                    "-o", "main", "-lm"], cwd=path, capture_output=True, text=True)
            code = (subprocess.run(["./main"], cwd=path).returncode if built.returncode == 0
                    else None)
            check(code == (20 if name == "never" else 10), f"usable = '{usable}': {name}", done,
                  built.stderr, code)


def test_joined():
    """Both conditions must hold, with any operators; a long one takes several lines."""
    holder, path = cli.folder()
    with holder:
        data = cli.data_copy(path)
        table = data / "targets/isa/scalar.lua"
        for isa, page, expected in (("0", "1 || 1", "    return 0 && (1 || 1);\n"),
                                    ("1 || 0", "0", "    return (1 || 0) && 0;\n"),
                                    ("1", "1 ? 0 : 1", "    return 1 && (1 ? 0 : 1);\n"),
                                    ("1", "2 && 3", "    return 1 && 2 && 3;\n")):
            table.write_text((ROOT / "targets/isa/scalar.lua").read_text().replace(
                'usable = "1"', f'usable = "{isa}"'))
            (path / "page.lua").write_text(f"inherit 'generic-c'\nusable = '{page}'\n")
            done = run(path, "--target", "page.lua", "--data", "data", "-m", "csr_scalar",
                       "-o", "out")
            text = (path / "out/spmv_csr_scalar__page.c").read_text()
            check(done.code == 0 and expected in text, f"usable: '{isa}' and '{page}'", done)
        words = " && ".join('__builtin_cpu_supports("avx2")' for _ in range(5))
        (path / "page.lua").write_text(f"inherit 'generic-c'\nusable = '{words}'\n")
        done = run(path, "--target", "page.lua", "-m", "csr_scalar", "-o", "out")
        text = (path / "out/spmv_csr_scalar__page.c").read_text()
        check(done.code == 0 and text.count('__builtin_cpu_supports("avx2") &&\n') == 4,
              "a long condition gets one operand a line", done)


def test_texts():
    """A page's texts reach C and JSON unchanged; nothing in them becomes syntax."""
    holder, path = cli.folder()
    with holder:
        odd_text = 'what??/ "is" ???! \u00e4'
        (path / "page.lua").write_text(
            f"inherit 'pocl'\ndescription = '{odd_text}'\nmatch = '{odd_text}'\n")
        done = run(path, "--target", "page.lua", "-m", "csr_scalar", "--type", "f64", "-o", "out")
        text = (path / "out/spmv_csr_scalar__page.c").read_text()
        check(done.code == 0 and '.match = "what?\\?/ \\"is\\" ?\\?\\?! \u00e4",\n' in text,
              "question marks in strings make no trigraph", done)
        odd = path / "a\u202e\x1b*\u2044b\udcff"
        odd.mkdir()
        (odd / "page.lua").write_text("inherit 'generic-c'\n")
        name = f"{odd.name}/page.lua"
        done = run(path, "--target", name, "-m", "csr_scalar", "--type", "f64", "-o", "odd")
        raw = (path / "odd/manifest.json").read_bytes()
        manifest = json.loads(raw.decode())
        banner = (path / "odd/spmv_csr_scalar__page.c").read_text()
        check(done.code == 0 and b"\x1b" not in raw and "\u202e" not in raw.decode()
              and manifest["selections"][0]["target"] == "a\u202e\x1b*\u2044b\\xff/page.lua"
              and "spmvgen --target 'a\\u{202e}\\x1b*\u2044b\\xff/page.lua'" in banner,
              "odd letters of a path are escapes in the manifest and in comments", done, raw[:600])
        done = run(path, "--target", f"{odd.name}/none.lua")
        check(done.code == 1 and "a\\u{202e}\\x1b*\u2044b\\xff/none.lua: error: " in done.err,
              "odd letters of a path are escapes in messages", done)


def takes(*options):
    """True if the compiler knows these options, without the headers of a system."""
    return shutil.which(CC[0]) and subprocess.run(
        [*CC, *options, "-fsyntax-only", "-x", "c", "-"], input="#include <float.h>\n", text=True,
        capture_output=True).returncode == 0


def test_digits():
    x87 = ("-ffreestanding", "-m32", "-mno-sse")
    sse = ("-ffreestanding", "-m32", "-msse2", "-mfpmath=sse")
    half = ("-std=gnu11", "-ffreestanding", "-mavx512fp16")
    holder, path = cli.folder()
    with holder:
        run(path, *BOARD, "--method", "csr_scalar")        # all files have the same lines
        if takes(*x87) and takes(*sse):
            done = compiler_says(path, *x87)
            tap.ok(done.returncode != 0 and "-msse2 -mfpmath=sse" in done.stderr,
                   "x87 arithmetic is refused, with what to do", done.stderr)
            done = compiler_says(path, *sse)
            tap.ok(done.returncode == 0, "-msse2 -mfpmath=sse compiles", done.stderr)
        else:
            tap.skip("the compiler has no 32-bit x86")
        cross = "s390x-linux-gnu-gcc"
        if shutil.which(cross):
            compile_it = [cross, "-ffreestanding", "-fsyntax-only", "-x", "c", "-"]
            text = (ROOT / "targets/dialects/c.lua").read_text()
            text = re.search(r"#if FLT_EVAL.*?#endif\n", text, re.S).group()
            for options, refused in ((["-std=c11"], True), (["-std=gnu11"], False),
                                     (["-std=c11", "-fexcess-precision=fast"], False)):
                done = subprocess.run([*compile_it, *options], text=True, capture_output=True,
                                      input="#include <float.h>\n" + text)
                tap.ok((done.returncode != 0) == refused and
                       ("-fexcess-precision=fast" in done.stderr) == refused,
                       f"s390x with {' '.join(options)}: refused, with what to do, or accepted",
                       done.stderr)
        else:
            tap.skip(f"{cross} is not installed")
        if takes(*half):
            done = compiler_says(path, *half)
            tap.ok(done.returncode == 0, "a CPU with _Float16 is no reason to refuse", done.stderr)
        else:
            tap.skip("the compiler has no -mavx512fp16")


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        tap.diag(name)
        test()
tap.done()
