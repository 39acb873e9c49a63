#!/usr/bin/env python3
"""test_verify_pages.py SPMVGEN ROOT: every shipped page that names a compiler is verified with all
of its methods: no kernel spills, all fit, and the compiler counts the local memory that the
manifest states. csr5's sigma suits its wide loads. Kernels have 64-bit row pointers, which take
more registers; those that differ in nothing else are not compiled.
"""
import json
import re

import cli
from cli import check, run, tap
from table import rows

SCRATCH = {"scratch bytes", "spilled bytes", "stack bytes"}     # titles in compilers' tables
LOCAL = ("LDS bytes", "SLM bytes", "shared bytes")
WIDE = ("--offsets", "i64")
PADDING = 64  # bytes of a kernel between its local arrays, which compilers place as they like


def pages():
    """Pages with the compiler that each names, by its fact."""
    found = {}
    for page in sorted((cli.ROOT / "targets").glob("*.lua")):
        if re.search(r"^abstract = true", page.read_text(), flags=re.M) or page.stem == "facts":
            continue
        explained = run(path, "--target", page.stem, "--explain", "compiler")
        value = explained.out.splitlines()[1].split()[0].strip('"') if explained.code == 0 else "no"
        if value != "no":
            found.setdefault(value, []).append(page.stem)
    return found


def stated(target):
    """Local memory of every kernel, as the manifest has it."""
    run(path, "--target", target, *WIDE, "-o", target)
    manifest = json.loads((path / target / "manifest.json").read_text())
    return {(method["method"], f"{m['value_type']} {m['offset_type']}", k["name"]): k["local_bytes"]
            for method in manifest["methods"] for m in method["modules"] for k in method["kernels"]
            if k["symbol"] in m["kernels"]}


def test_sigma(target):
    """Another sigma is right, but its last nonzeros are loaded one by one."""
    run(path, "--target", target, "--method", "csr5", "-o", f"{target}-csr5")
    manifest = json.loads((path / f"{target}-csr5/manifest.json").read_text())
    parameters = {p["name"]: p for p in manifest["methods"][0]["parameters"]}
    odd = [kind for kind in ("f32", "f64") if kind in parameters["sigma"]
           and parameters["sigma"][kind]["value"] % parameters["load_width"][kind]["value"]]
    tap.ok(not odd, f"{target}: csr5's sigma is a multiple of load_width, or 0", odd)


def counted(table, title):
    """Local memory as the compiler counts it; a row may be of both types of row pointers."""
    found, method = {}, ""
    for row in table:
        method = row["METHOD"] or method
        value, *offsets = re.findall(r"\w+", row["TYPES"])
        for offset in offsets:
            found[method, f"{value} {offset}", row["KERNEL"]] = int(row[title])
    return found


def test_page(target, compiler):
    result = run(path, "--target", target, *WIDE, "--verify", timeout=250)
    unknown = re.search(r"[Uu]nknown device|[Cc]ould not determine device.*", result.err)
    if result.code == 4 or (result.code == 1 and unknown):
        tap.skip(f"{target}: " + result.err.splitlines()[0].split("error: ")[1])
        return
    table = rows(result)
    check(result.code == 0 and not result.err and table, f"{target}: verified by {compiler}",
          result)
    if not SCRATCH & set(table[0]):
        tap.skip(f"{target}: {compiler} says nothing of registers and local memory")
        return
    check(all(row[title] == "0" for row in table for title in SCRATCH & set(row)),
          f"{target}: no kernel spills", result)
    check("other resources" not in result.out,
          f"{target}: its facts tell what limits each kernel's waves", result)
    title = next((t for t in LOCAL if t in table[0]), None)
    expected = stated(target)
    got = counted(table, title) if title else {}
    wrong = {k: (expected[k], got.get(k)) for k in expected
             if k not in got or abs(expected[k] - got[k]) > PADDING}
    tap.ok(expected and not wrong, f"{target}: local memory is what the manifest states", wrong)


holder, path = cli.folder()
with holder:
    found = pages()
    tap.ok({"amdgpu", "amdgpu_hip", "nvcc", "nvptx", "ocloc"} <= set(found), "pages name compilers",
           found)
    for compiler, targets in sorted(found.items()):
        for target in targets:
            test_sigma(target)
            test_page(target, compiler)
tap.done()
