#!/usr/bin/env python3
"""test_methods.py SPMVGEN ROOT: a method that breaks the contract is an error at its template, and
all fields that a method may declare are documented."""
import re

import cli
from cli import check, run, tap

MEMBERS = ("layout_size", "build_steps", "update_steps", "restore_steps", "launches")
SIMD = "templates/csr_scalar/simd.c"

holder, path = cli.folder()
with holder:
    data = cli.data_copy(path)
    template = data / SIMD
    text = template.read_text()
    table = text.index("static const spmv_method_ops method_ops = {")
    line = text.count("\n", 0, table) + 1
    head, ops = text[:table], text[table:]

    def refused(spoiled, expected, name):
        template.write_text(spoiled)
        result = run(path, "--target", "board.lua", "--data", "data", "--method", "csr_scalar")
        errors = [e for e in result.err.splitlines() if "error: " in e]
        check(result.code == 1 and len(errors) == 1 and errors[0].startswith(expected)
              and not (path / "generated").exists(), name, result)

    for member in MEMBERS:
        at = ops.index(f".{member} =")
        for name, end in (("lacks", ""), ("null", "(void *)0,")):
            refused(head + ops[:at] + (f".{member} = {end}" if end else "") +
                    ops[ops.index(",", at) + 1:],
                    f"{SIMD}:{line}:30: error: method_ops lacks .{member}; ",
                    f"a table without .{member} ({name}) is an error at the template's line")
    refused(head + "static const spmv_method_ops method_ops = { .launches = launches };\n",
            f"{SIMD}:{line}:30: error: method_ops lacks .layout_size, .build_steps, .update_steps, "
            ".restore_steps; ", "all that is missing is named at once")
    refused(head,
            f"{SIMD}: error: the template defines no method_ops, the table of its functions: ",
            "a template without the table is an error at the template")
    refused(head + "const spmv_method_ops method_ops;\n",
            f"{SIMD}:{line}:23: error: expected static const spmv_method_ops method_ops = ",
            "a table that is only declared is no table")
    refused(head + "static const i32 method_ops[1] = { 0 };\n",
            f"{SIMD}:{line}:18: error: expected static const spmv_method_ops method_ops = ",
            "another object of its name is no table")
    template.write_text(text)
    good = run(path, "--target", "board.lua", "--data", "data", "--method", "csr_scalar")
    check(good.code == 0, "the whole table is fine", good)

# The parser's lists of fields: docs/reference/parameters.md has a row for each field.
source = (cli.ROOT / "generator/method/declare.c").read_text()
fields = {f for keys in re.findall(r"keys\[\] = \{(.*?)\}", source, re.S)
          for f in re.findall(r'"(\w+)"', keys)}
documented = (cli.ROOT / "docs/reference/parameters.md").read_text()
rows = {f for row in re.findall(r"^\| (`[^|]*) \|", documented, re.M)
        for f in re.findall(r"`(\w+)`", row)}
tap.ok(len(fields) > 8 and fields <= rows,
       "docs/reference/parameters.md lists every field of params.lua", sorted(fields - rows))
tap.done()
