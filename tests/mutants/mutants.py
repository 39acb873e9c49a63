#!/usr/bin/env python3
"""mutants.py: plants faults into C files, one at a time, and counts those that tests notice.

    tests/mutants/mutants.py [--seed N] [--count N] [--commit C] [--until HH:MM] [--work DIR]

A mutant changes one place that is drawn from the functions of runtime/, generator/ and generated/:
another relational or arithmetic operator, a constant that is one larger, a dropped statement, a
negated condition. Seed and commit determine all draws. The commit is copied into DIR
(build-check/mutants) and built there. For each mutant one file is compiled again, and the suites
that CLAIMS names for it run, the likeliest first, until one fails. Prints, separated by tabs,

    killed | survived | not compiled, FILE:LINE, kind, BEFORE -> AFTER, the suite or their number

and the counts. DIR/SEED-COMMIT.tsv keeps these lines, so the same command goes on where it was
stopped. A mutant that survives may be equivalent to its original: read it.
"""
import argparse
import fnmatch
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
         "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+="}

# A pattern, whose group is replaced, and the replacement. A statement is dropped where it has a
# line of its own and is no declaration.
STATEMENT = (r"(?!return|break|continue|goto)(\*?[\w.>\[\]-]+"
             r"(?:\([^;{}\n]*\)| [-+|&]?= [^;{}\n]*|\+\+|--));$")
KINDS = {
    "relational": (r"(?<= )(<=|>=|==|!=|<|>)(?= )", OTHER.get),
    "arithmetic": (r"(?<= )(\+=|-=|\+|-|\*|/|%)(?= )", OTHER.get),
    "constant": (r"(?<![\w.])(\d+)(?![\w.])", lambda word: str(int(word) + 1)),
    "dropped": (r"(?<=[;{})]\n)[ ]+" + STATEMENT, lambda word: f"while (0) {word}"),
    "negated": (r"\bif \((.+)\)(?: \{)?$", lambda word: f"!({word})"),
}

# Lists of suites, one after another, for the files whose path matches; the first match counts.
# Files of generated/ are tried by kernel_suite, on their modules.
TOOL = [["generator-*"], ["drift", "cli goldens"],
        ["specialise-*", "cli [cdefmpst]*", "cli verify"], ["cli bundle", "cli bundle_refusals"]]
LIBRARY = [["runtime [!b]*"], ["kernels teams", "spmvbench explain", "spmvbench products"],
           ["runtime bundle", "runtime bundle static*"]]
CLAIMS = [(re.compile(pattern), lists) for pattern, lists in (
    ("generator/bundle/", [["generator-expand"], ["cli bundle"], *TOOL]),
    ("generator/(join|assemble|plan)/", [["drift"], *TOOL]),
    ("generator/outputs/", [["cli emit*", "cli check", "cli depfile", "cli write"], *TOOL]),
    ("generator/show/", [["cli goldens"], *TOOL]),
    ("generator/verify/", [["cli verify"], *TOOL]),
    ("generator/", TOOL),
    ("runtime/bundle/cuda/", [["gpu bundle"]]),
    ("runtime/bundle/", [["runtime bundle", "runtime bundle static*"], ["cli bundle"]]),
    ("runtime/device/opencl/", [["runtime opencl*"], *LIBRARY]),
    ("runtime/device/", [["runtime device", "runtime cuda*"], ["runtime opencl*"], *LIBRARY]),
    ("runtime/.*(execute|update)/", [["runtime execute", "runtime columns"], *LIBRARY]),
    ("runtime/.*(plan|create)/", [["runtime plan", "runtime explain", "runtime transposed"],
                                  *LIBRARY]),
    ("runtime/.*saved/", [["runtime saved", "runtime stale", "runtime plan_file"], *LIBRARY]),
    ("runtime/.*threads/", [["runtime threads", "runtime callers", "runtime pool*"], *LIBRARY]),
    ("runtime/", LIBRARY))]


def run(*words, cwd, **options):
    return subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True,
                          errors="replace", check=False, **options)


# ---- drawing -----------------------------------------------------------------------------------

def blanked(text):
    """The text with spaces for comments, strings and preprocessor lines."""
    pattern = (r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
               r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*")
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.M | re.S)


def places(tree, paths):
    """{kind: [(path, first, last)]} of the code in functions."""
    found = {kind: [] for kind in KINDS}
    for path in sorted(paths):
        code = blanked((tree / path).read_text(encoding="utf-8"))
        for body in re.finditer(r"^\{\n(.*?)^\}", code, re.M | re.S):
            for kind, (pattern, _) in KINDS.items():
                found[kind] += [(path, *match.span(1)) for match in
                                re.compile(pattern, re.M).finditer(code, *body.span(1))]
    return found


def draw(tree, kernels, seed, count):
    """The mutants, of each group of files in turn."""
    generator = random.Random(seed)
    groups = [places(tree, [pathlib.Path(p).relative_to(tree) for p in paths]) for paths in
              (tree.glob("runtime/**/*.c"), tree.glob("generator/**/*.c"), kernels)]
    drawn = []
    while len(drawn) < count:
        kind = generator.choice(sorted(KINDS))
        mutant = kind, *generator.choice(groups[len(drawn) % len(groups)][kind])
        if mutant not in drawn:
            drawn.append(mutant)
    return drawn


# ---- building and testing ----------------------------------------------------------------------

def modules_of(sources):
    """{file: names of modules} of the emitted files and of the texts that they share."""
    found = {}
    for source in sources:
        text = source.read_text(encoding="utf-8")
        names = re.findall(r"^const spmv_module (\w+) =", text, re.M)
        shared = re.findall(r'^#include "(spmv_\w+__\w+\.h)"', text, re.M)
        for file in source, *(source.parent / name for name in shared):
            found.setdefault(file, []).extend(names)
    return {file: names for file, names in found.items() if names}


class Build:
    def __init__(self, tree):
        self.tree, self.folder = tree, tree / "build-check/fast"
        if not (self.folder / "meson-private/build.dat").exists():
            run("meson", "setup", "-Dwerror=true", "-Dgenerator=enabled", "-Dbench=enabled",
                "-Dbuiltin_targets=generic-c,native", self.folder, ".", cwd=tree)
        if not self.compiles([]):
            sys.exit(f"mutants: {self.tree} does not build: run ninja in {self.folder}")
        tests, targets = (json.loads((self.folder / f"meson-info/intro-{name}.json").read_text())
                          for name in ("tests", "targets"))
        files = {target["id"]: target["filename"][0] for target in targets}
        sources = next(target["target_sources"][0]["sources"] for target in targets
                       if target["name"] == "builtin_kernels")
        self.modules = modules_of(map(pathlib.Path, sources))
        self.kernel_suite = self.folder / "tests/kernels/kernel_suite"
        self.original = self.kernel_suite.read_bytes()
        self.needs = {test["name"]: {files[i] for i in test["depends"]} |
                      set(test["cmd"]) & set(files.values())
                      for test in tests if not any(s.endswith(":full") for s in test["suite"])}
        claimed = self.matching(p for _, lists in CLAIMS for patterns in lists for p in patterns)
        known = self.folder / "sound.json"
        if not known.exists():
            known.write_text(json.dumps([n for n, result in self.test(claimed) if result == "OK"]))
        sound = json.loads(known.read_text())
        self.needs = {name: self.needs[name] for name in sound}
        print("not used, since they fail or skip without a mutant:",
              ", ".join(sorted(set(claimed) - set(sound))) or "none", flush=True)

    def matching(self, patterns):
        patterns = list(patterns)
        return [name for name in self.needs if any(fnmatch.fnmatch(name, p) for p in patterns)]

    def compiles(self, files):
        return run("ninja", *(os.path.relpath(file, self.folder) for file in files),
                   cwd=self.folder).returncode == 0

    def test(self, suites, *options):
        """[(suite, result)]"""
        log = self.folder / "meson-logs/testlog.json"
        log.unlink(missing_ok=True)
        run("meson", "test", "--no-rebuild", "-t", "4", *options, *suites, cwd=self.folder)
        results = map(json.loads, log.read_text(encoding="utf-8").splitlines())
        return [(result["name"].split(" / ")[-1], result["result"]) for result in results]

    def judge_kernels(self, path):
        if not self.compiles([self.kernel_suite]):
            return "not compiled", ""
        if self.kernel_suite.read_bytes() == self.original:
            return "not compiled", "the same code, or that of a target that is not built"
        words = [w for name in self.modules[self.tree / path] for w in ("--module", name)]
        try:
            code = run(self.kernel_suite, "--effort", "brief", *words, cwd=self.folder,
                       timeout=1800, env={**os.environ, "OMP_WAIT_POLICY": "passive",
                                          "SPMV_WAKE_NS": "0"}).returncode
        except subprocess.TimeoutExpired:
            code = "time"
        return ("killed", f"kernel_suite, {code}") if code else ("survived", "kernel_suite")

    def judge(self, path):
        """(the verdict, the suites)"""
        claim = next((lists for pattern, lists in CLAIMS if pattern.match(str(path))), None)
        if not claim:
            return self.judge_kernels(path)
        tried = []
        for patterns in claim:
            suites = [name for name in self.matching(patterns) if name not in tried]
            if not self.compiles({file for name in suites for file in self.needs[name]}):
                return "not compiled", ""
            tried += suites
            for name, result in self.test(suites, "--maxfail", "1") if suites else ():
                if result not in ("OK", "SKIP", "INTERRUPT"):
                    return "killed", name
        return "survived", f"{len(tried)} suites"

    def try_mutant(self, kind, path, first, last):
        file = self.tree / path
        text = file.read_text(encoding="utf-8")
        word = text[first:last]
        other = KINDS[kind][1](word)
        file.write_text(text[:first] + other + text[last:], encoding="utf-8")
        try:
            verdict, suites = self.judge(path)
        finally:
            file.write_text(text, encoding="utf-8")
        line = text.count("\n", 0, first) + 1
        return "\t".join([verdict, f"{path}:{line}", kind, f"{word} -> {other}", suites])


def copy(commit, tree):
    """Writes the commit's files, those that a stopped run left changed, too."""
    done = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        for member in archive:
            path = tree / member.name
            if not (member.isfile() and path.exists() and
                    path.read_bytes() == archive.extractfile(member).read()):
                archive.extract(member, tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--until", metavar="HH:MM", default="99", help="start no mutant later")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-check/mutants")
    args = parser.parse_args()
    commit = run("git", "rev-parse", "--short=10", args.commit, cwd=ROOT).stdout.strip()
    print(f"seed {args.seed}, commit {commit}", flush=True)
    tree = args.work.resolve() / commit
    copy(commit, tree)
    build = Build(tree)
    kept = args.work / f"{args.seed}-{commit}.tsv"
    done = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    print("\n".join(done), flush=True)
    with open(kept, "a", encoding="utf-8") as file:
        for mutant in draw(tree, build.modules, args.seed, args.count)[len(done):]:
            if time.strftime("%H:%M") >= args.until:
                break
            done.append(build.try_mutant(*mutant))
            print(done[-1], flush=True)
            print(done[-1], file=file, flush=True)
    counts = [f"{sum(line.startswith(word) for line in done)} {word}"
              for word in ("killed", "survived", "not compiled")]
    print(f"{len(done)} of {args.count} mutants: {', '.join(counts)}")


if __name__ == "__main__":
    main()
