"""test_completion.py PROGRAM...: bash completes the command lines of the programs."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import programs
import tap


class Bash:
    """bash with the completion of a program, in a folder with files of several kinds."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.path = os.path.join(folder, os.path.basename(program))
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(programs.output(program, "--completion", "bash"))

    def complete(self, *words):
        """What is offered for the last word, which may be ""."""
        script = f'source "$0"\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n' \
                 f'_{os.path.basename(self.program)} "$1"\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", script, self.path, self.program, *words], text=True,
                              capture_output=True, check=False,
                              cwd=os.path.join(self.folder, "files"),
                              env={**programs.environment(self.program), "HOME": self.folder})
        if done.stderr:
            tap.diag(done.stderr)
        return [line.rstrip("/") for line in done.stdout.splitlines()]


def test_options(shell, options, *command):
    offered = shell.complete(*command, "-")
    missing = [option for option in options
               if "--" + option[1] not in offered or (option[0] and "-" + option[0] not in offered)]
    program = " ".join([os.path.basename(shell.program), *command])
    tap.ok(len(options) > (2 if command else 20) and not missing,
           f"{program}: each option is offered", missing)


def offers(shell, words, expected, others=()):
    """expected: words that must be offered; others: words that must not."""
    found = shell.complete(*words)
    program = os.path.basename(shell.program)
    tap.ok(set(expected) <= set(found) and not set(others) & set(found),
           f"{program}: '{' '.join(words)}' is completed", found)


def test_spmvgen(shell):
    targets = [line.split()[0] for line in
               programs.output(shell.program, "--list-targets").splitlines()[1:]]
    methods = [line.split()[0] for line in
               programs.output(shell.program, "--list-methods").splitlines()[1:]]
    offers(shell, ["--target", ""], [*targets, "host", "page.lua", "folder"],
           ["TARGET", "a.mtx", "--target"])
    offers(shell, ["-t", "gene"], ["generic-c"], ["x86-64-v3", "page.lua"])
    offers(shell, ["-m", ""], methods, ["METHOD", "generic-c", "folder"])
    offers(shell, ["--target", "host", "--method", "csr"], ["csr5", "csr_vector"], ["strips"])
    offers(shell, ["--type", ""], ["f32", "f64"], ["folder"])
    offers(shell, ["--output", ""], ["folder", "with space"], ["page.lua"])
    offers(shell, ["--depfile", ""], ["folder", "page.lua", "a.mtx"])
    offers(shell, ["--set", ""], [], ["folder", "page.lua"])
    offers(shell, ["--li"], ["--list-targets", "--list-methods"], ["--target"])
    offers(shell, ["--type", "=", "f3"], ["f32"], ["f64"])
    offers(shell, ["--type", "="], ["f32", "f64"])
    offers(shell, [""], [], ["page.lua", "--target"])


def test_spmvbench(shell):
    offers(shell, [""], ["a.mtx", "b.mtx.gz", "folder", "compare"], ["page.lua", "c.gz"])
    offers(shell, ["comp"], ["compare"], ["a.mtx", "inspect"])
    offers(shell, ["a.mtx", ""], ["a.mtx", "b.mtx.gz"], ["compare"])
    offers(shell, ["compare", ""], ["run.jsonl", "folder"], ["compare", "a.mtx"])
    offers(shell, ["compare", "run.jsonl", "--re"], ["--relative"], ["--repeat"])
    offers(shell, ["--re"], ["--repeat"], ["--relative"])
    offers(shell, ["--shape", "poisson"], ["poisson-3d"], ["generic-c", "csr5"])
    offers(shell, ["--lookalike", ""], ["all", "list", "Wind"], ["name", "classes:"])
    offers(shell, ["--modules", ""], ["m.so", "folder"], ["a.mtx"])
    offers(shell, ["--backend", ""], ["c", "cuda", "opencl"])
    kernels = [line.split() for line in programs.output(shell.program, "--list").splitlines()
               if re.search(r" f(32|64) +i(32|64)$", line)]
    offers(shell, ["--method", ""], [words[0] for words in kernels], ["poisson-3d", "shapes:"])
    offers(shell, ["--target", ""], [words[1] for words in kernels], ["poisson-3d"])


def test_program(program, folder):
    shell = Bash(program, folder)
    test_options(shell, programs.options(program))
    for command in programs.commands(program):
        test_options(shell, programs.options(program, command), command)
    {"spmvgen": test_spmvgen, "spmvbench": test_spmvbench}[os.path.basename(program)](shell)


with tempfile.TemporaryDirectory() as folder:
    for path in ("files/folder/inside", "files/with space/inside", "files/page.lua", "files/a.mtx",
                 "files/b.mtx.gz", "files/c.gz", "files/m.so", "files/run.jsonl"):
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8"):
            pass
    for program in map(os.path.abspath, sys.argv[1:]):
        if shutil.which("bash"):
            test_program(program, folder)
        else:
            tap.skip("bash is not installed")
if len(sys.argv) == 1:
    tap.skip("this build has neither spmvgen nor spmvbench")
tap.done()
