"""test_completion.py PROGRAM...: bash, zsh and fish complete the command lines of the programs.

Completion is executed in bash and fish. zsh only reads its file.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import programs
import tap


class Shell:
    """A shell with the completion of a program, in a folder with files of several kinds."""

    def __init__(self, name, program, folder):
        self.name, self.program, self.folder = name, program, folder
        self.text = programs.output(program, "--completion", name)
        self.path = os.path.join(folder, f"{os.path.basename(program)}.{name}")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def run(self, script, *words):
        done = subprocess.run([self.name, "-c", script, *words], text=True, capture_output=True,
                              check=False, cwd=os.path.join(self.folder, "files"),
                              env={**programs.environment(self.program), "HOME": self.folder})
        return done.stdout, done.stderr

    def complete(self, *words):
        """What is offered for the last word, which may be ""."""
        name = os.path.basename(self.program)
        if self.name == "bash":
            script = f'source "$0"\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n' \
                     f'_{name} "$1"\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
            out, err = self.run(script, self.path, self.program, *words)
        else:
            line = " ".join([name, *words])
            out, err = self.run(f"source {self.path}; complete -C '{line}'")
        if err:
            tap.diag(f"{self.name}: {err}")
        return [line.split("\t")[0].rstrip("/") for line in out.splitlines()]


def names_in(text, shell, option):
    """Whether the file for zsh or fish has an option."""
    letter, name, _ = option
    if shell == "zsh":
        begin = rf"\{{-{letter}\+?," if letter else r"^ +(?:'\*')?"
        return re.search(rf"{begin}--{name}(?![\w-])", text, flags=re.M)
    of_command = "(?: -n '[^']*')?"
    return re.search(rf"^complete -c \w+{of_command}{' -s ' + letter if letter else ''} -l {name} ",
                     text, flags=re.M)


def test_options(shell, options, *command):
    if shell.name == "bash":
        offered = shell.complete(*command, "-")
        missing = [option for option in options
                   if "--" + option[1] not in offered
                   or (option[0] and "-" + option[0] not in offered)]
    else:
        missing = [option for option in options if not names_in(shell.text, shell.name, option)]
    program = " ".join([os.path.basename(shell.program), *command])
    tap.ok(len(options) > (3 if command else 20) and not missing,
           f"{program}: {shell.name} has each option", missing)


def test_syntax(shell):
    program = os.path.basename(shell.program)
    done = subprocess.run([shell.name, "-n", shell.path], text=True, capture_output=True,
                          check=False)
    tap.ok(done.returncode == 0 and not done.stderr, f"{program}: {shell.name} reads its file",
           done.stderr)


def offers(shell, words, expected, others=()):
    """expected: words that must be offered; others: words that must not. fish offers files with
    other suffixes, too, at the end."""
    found = shell.complete(*words)
    if shell.name == "fish":
        others = [word for word in others if "." not in word]
    program = os.path.basename(shell.program)
    tap.ok(set(expected) <= set(found) and not set(others) & set(found),
           f"{program}: {shell.name} completes '{' '.join(words)}'", found)


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
    if shell.name == "bash":
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


def commands_of(program):
    """The commands that the help lists."""
    found = re.search(r"^Commands, as in .*\n((?:  .*\n)+)", programs.output(program, "--help"),
                      flags=re.M)
    return [line.split()[0] for line in found[1].splitlines()] if found else []


def test_program(program, folder):
    options = programs.options(program)
    for name in ("bash", "zsh", "fish"):
        shell = Shell(name, program, folder)
        if name != "bash":
            test_options(shell, options)
        if not shutil.which(name):
            tap.skip(f"{name} is not installed")
            continue
        test_syntax(shell)
        if name == "bash":
            test_options(shell, options)
            for command in commands_of(program):
                test_options(shell, programs.options(program, command), command)
        if name != "zsh":
            {"spmvgen": test_spmvgen, "spmvbench": test_spmvbench}[os.path.basename(program)](shell)


with tempfile.TemporaryDirectory() as folder:
    for path in ("files/folder/inside", "files/with space/inside", "files/page.lua", "files/a.mtx",
                 "files/b.mtx.gz", "files/c.gz", "files/m.so", "files/run.jsonl"):
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8"):
            pass
    for program in map(os.path.abspath, sys.argv[1:]):
        test_program(program, folder)
if len(sys.argv) == 1:
    tap.skip("this build has neither spmvgen nor spmvbench")
tap.done()
