#!/usr/bin/env python3
"""test_same_bytes.py SPMVGEN ROOT: output is a function of templates, targets and version alone."""
import subprocess

import cli
from cli import check, run, tap


def other_locales():
    """UTF-8 locales of this system, if possible one with a decimal comma."""
    try:
        names = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    except OSError:
        return []
    utf8 = [n for n in names if n.lower().replace("-", "").endswith("utf8")]
    return sorted(utf8, key=lambda n: (not n.startswith(("de", "fr", "tr")), n))[:2]


def emission(*args, env=None, data=None, cwd=""):
    """The result and the files of an emission in a temporary folder."""
    holder, path = cli.folder()
    with holder:
        place = path / cwd
        place.mkdir(parents=True, exist_ok=True)
        if cwd:
            (place / "board.lua").write_bytes((path / "board.lua").read_bytes())
        if data:
            args = (*args, "--data", str(cli.data_copy(path)))
        result = run(place, *args, env=env)
        return result, cli.contents(place / "generated")


# Methods are emitted one as the other: the second emission has two of them.
for args in (("--target", "board.lua"),
             ("--target", "x86-64-v3", "--line-directives", "-m", "csr5", "-m", "csr_vector")):
    name = " ".join(args)
    first, expected = emission(*args)
    check(first.code == 0 and expected, f"{name}: emits", first)
    cases = {
        "a second run": {},
        "another folder, deeper and with a space": {"cwd": "a folder/deeper"},
        "another data folder": {"data": True},
        "another time zone and home": {"env": cli.environment(TZ="Asia/Tokyo", HOME="/none")},
    }
    for locale in other_locales():
        cases[f"locale {locale}"] = {"env": cli.environment(LC_ALL=locale, LANG=locale)}
    for case, how in cases.items():
        result, got = emission(*args, **how)
        check(got == expected and result.out == first.out, f"{name}: {case} gives the same bytes",
              result)
    for jobs in ("1", "7"):
        result, got = emission(*args, "--jobs", jobs)
        check(got == expected, f"{name}: {jobs} threads give the same bytes", result)
    text = b"".join(expected.values())
    check(str(cli.ROOT).encode() not in text, f"{name}: no absolute path is in it")
if not other_locales():
    tap.skip("no UTF-8 locale")
tap.done()
