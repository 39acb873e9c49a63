#!/usr/bin/env python3
"""suites.py: lists and selects the suites of tests/suites.txt.

    suites.py list                       print a table: name, tier, purpose
    suites.py choose TIERS [PATTERN]...  print the names in these tiers (as in fast,slice) that
                                         match one of the shell patterns; without patterns, all
    suites.py of BUILD FILE              print the names in FILE that a Meson build folder has, in
                                         the order of its tests: those of high priority first
    suites.py missing FILE BUILD...      print the names in FILE that no build folder has chosen

Exit code 2: a pattern matches no suite of any tier.
"""
import difflib
import fnmatch
import json
import pathlib
import sys

LIST = pathlib.Path(__file__).resolve().parent.parent / "tests/suites.txt"
TIER_TEXTS = {"fast": "both", "slice": "./check", "full": "--all"}


def read():
    """[(name, tier, purpose)]"""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [tuple(line.split(" | ")) for line in lines if line and not line.startswith("#")]


def show():
    suites = read()
    width = max(len(name) for name, _, _ in suites)
    print(f"{'SUITE':{width}}  {'TIER':7}  PURPOSE")
    for name, tier, purpose in suites:
        print(f"{name:{width}}  {TIER_TEXTS[tier]:7}  {purpose}")


def choose(tiers, patterns):
    names = [name for name, _, _ in read()]
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            near = difflib.get_close_matches(pattern, names, 1, 0.5)
            hint = f"did you mean '{near[0]}'? " if near else ""
            sys.stderr.write(f"check: no suite is called '{pattern}'; {hint}"
                             "./check --list shows all\n")
            return 2
    for name, tier, _ in read():
        if tier in tiers and (not patterns or any(fnmatch.fnmatch(name, p) for p in patterns)):
            print(name)
    return 0


def of_build(build, file):
    """Meson starts tests that are named in the order of their names, whatever their priority."""
    wanted = set(names_in(file))
    with open(pathlib.Path(build) / "meson-info/intro-tests.json", encoding="utf-8") as tests:
        for test in sorted(json.load(tests), key=lambda test: -test.get("priority", 0)):
            if test["name"] in wanted:
                print(test["name"])


def names_in(file):
    path = pathlib.Path(file)
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def missing(file, builds):
    """The names in no build folder. The file `chosen` in a build folder has the output of `of`."""
    there = {name for build in builds for name in names_in(pathlib.Path(build) / "chosen")}
    for name in names_in(file):
        if name not in there:
            print(name)


def main(arguments):
    if arguments[:1] == ["list"]:
        return show()
    if arguments[:1] == ["choose"]:
        return choose(arguments[1].split(","), arguments[2:])
    if arguments[:1] == ["of"]:
        return of_build(*arguments[1:])
    if arguments[:1] == ["missing"]:
        return missing(arguments[1], arguments[2:])
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
