"""The tools of the tests of PETSc's examples: they need no PETSc.

The list names enough examples, results.md has its table, and blocks, outputs and
valgrind's reports are read as their files' heads say. A time-out leaves no process behind.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../.."))

import blocks
import chosen
import comparison
import results_table
import system_petsc
import tap
import valgrind_errors


EXAMPLE = """int main(void) { return 0; }
/*TEST

   build:
      requires: !complex double

   test:
      args: -mat_type aij
      # no suffix: block 1
   test:
      suffix: loops
      nsize: {{1 3}}
      requires: hypre
      args: -a {{0 1}shared output} -b
      args: -c
      filter: grep -v type

   testset:
      nsize: 2
      args: -outer "two words"
      output_file: output/both.out
      test:
         suffix: in_1
         args: -inner
      test:
         suffix: in_2
         nsize: 4
   test:
      suffix: apart
      args: -a {{0 1}separate output}

TEST*/
"""


def test_list():
    lines = chosen.read()
    names = [line.name for line in lines]
    sources = {line.source for line in lines}
    tap.ok(len(sources) >= 40 and len(names) == len(set(names)),
           f"the list has {len(names)} blocks of {len(sources)} examples, each once")
    tap.ok({f"mat/tests/ex{n}.c" for n in (5, 62, 237)} <= sources
           and any("ksp/" in s for s in sources) and any("snes/" in s for s in sources),
           "among them MatMult's tests, KSP and SNES")
    tap.ok(0 < sum(line.in_slice for line in lines) <= 8, "a few are in the slice")
    tap.ok(all(any("spmv" in word for word in line.options) for line in lines),
           "each names our type")
    with open(os.path.join(os.path.dirname(__file__), "results.md"), encoding="utf-8") as page:
        listed = results_table.listed(page.read())
    tap.ok(listed == [(line.source, line.suffix, line.options) for line in lines],
           "results.md has the list's table; it says how to renew it")


def test_blocks():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ex1.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(EXAMPLE)
        found = {block.suffix: block for block in blocks.of_file(path)}
        tap.ok(list(found) == ["1", "loops", "in_1", "in_2", "apart"], "blocks and their suffixes",
               list(found))
        tap.ok(found["1"].runs() == [(1, ["-mat_type", "aij"])], "a block without loops runs once")
        tap.ok(found["loops"].runs() == [(n, ["-a", a, "-b", "-c"]) for n in (1, 3) for a in "01"],
               "a block runs for each combination of its loops", found["loops"].runs())
        tap.ok(found["loops"].requires == "!complex double hypre"
               and found["1"].requires == "!complex double",
               "a block has the requirements of the build, too")
        tap.ok(found["in_1"].runs() == [(2, ["-outer", "two words", "-inner"])]
               and found["in_2"].runs() == [(4, ["-outer", "two words"])]
               and found["in_2"].output_file == "output/both.out",
               "a testset's keys are defaults, and its arguments come first")
        try:
            found["apart"].runs()
            tap.ok(False, "a loop that is not understood is an error")
        except blocks.Unreadable as error:
            tap.ok("separate output" in str(error), "a loop that is not understood is an error")


def test_comparison():
    for one, other, equal, equal_for_petsc, name in (
            ("Norm 1.23456e-05 it 7", "Norm  1.23457e-05 it 7", True, True, "other last digit"),
            ("Norm 1.2e-05 it 7", "Norm 1.3e-05 it 7", False, True, "other number"),
            ("error 3.1e-16", "error 9.e-17", True, True, "rounding errors"),
            ("iterations 7", "iterations 8", False, False, "other count"),
            ("x = -1.5", "x = 1.5", False, True, "other sign"),
            ("norm < 1.e-11", "norm < 1.e-12", True, True, "bounds"),
            ("a\n\nb", "a\nb", True, True, "blank lines"),
            ("a\nb", "a", False, False, "a line more"),
            ("  type: seqaijspmv\n  aijspmv: strips for zen: x", "  type: seqaij", True, True,
             "views"),
            ("it 1 1.5 nan", "it 1 1.5 2.5", False, False, "not a number")):
        tap.ok((comparison.difference(one, other) is None) == equal
               and (comparison.petscdiff(one, other) is None) == equal_for_petsc,
               f"{name}: {'equal' if equal else 'different'}")
    for files, equal, name in (
            (["Norm 1.3e-05", "Norm 1.2e-05"], True, "one of two files has the text"),
            (["Norm 1.3e-05"], False, "a file with other numbers is no proof"),
            ([], False, "no file is no proof")):
        tap.ok(comparison.is_one_of("Norm 1.2e-05", files) == equal, name)
    tap.ok(not comparison.is_one_of("a  1.21e-05", ["a 1.21001e-05"], exact=True),
           "a block that wants equal words gets them")
    tap.ok(comparison.filtered("a type\nb\n", "grep -v type") == "b\n", "a block's filter is used")


def test_valgrind():
    def report(*objects):
        frames = "".join(f"<frame><obj>/lib/{obj}</obj><fn>f</fn></frame>" for obj in objects)
        return f"<error><what>bad read</what><stack>{frames}</stack></error>"

    head = "<?xml version='1.0'?><valgrindoutput>"
    text = head + report("libmpi.so", "libpetsc.so") + report("libc.so", "libpetscspmv.so")
    for name, end in (("a report", "</valgrindoutput>"), ("a report without end", "<error><w")):
        found = valgrind_errors.of_text(text + end, "/build/libpetscspmv.so")
        tap.ok([str(error) for error in found]
               == ["bad read\n    f (libc.so)\n    f (libpetscspmv.so)"],
               f"{name}: only errors with a frame of the library count", list(map(str, found)))


# As mpirun: it ends its ranks if it is terminated.
LAUNCHER = """trap 'kill $rank; wait $rank; exit 1' TERM
sleep 300 & rank=$!
echo $rank >rank
wait"""


def test_time_out():
    with tempfile.TemporaryDirectory() as folder:
        try:
            system_petsc.mpi.run(["sh", "-c", LAUNCHER], 1, cwd=folder)
            ended = False
        except subprocess.TimeoutExpired:
            ended = True
        with open(os.path.join(folder, "rank"), encoding="utf-8") as file:
            rank = int(file.read())
        try:
            os.kill(rank, 9)
            left = True
        except ProcessLookupError:
            left = False
        tap.ok(ended and not left, "mpi.run: ranks end at a time-out", f"{ended}, left: {left}")
    done = system_petsc.mpi.run(["sh", "-c", "echo a; echo b >&2; exit 3"], 60)
    tap.ok((done.returncode, done.stdout, done.stderr) == (3, "a\n", "b\n"),
           "mpi.run: output and exit code are the program's", done)


def test_missing():
    """Without PETSc, or a part of it, the suites are skipped with a reason."""
    def script(folder, name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(os.path.join(folder, name), 0o755)

    path = os.environ["PATH"]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PATH"] = folder
        for name, text, reason in (
                (None, None, "pkg-config is not installed"),
                ("pkg-config", "exit 1", "mpicc is not installed"),
                ("mpicc", "", "mpirun is not installed"),
                ("mpirun", "", "finds no PETSc"),
                ("pkg-config", "[ $1 = --modversion ] && echo 3.18.5 || echo /no/such",
                 "libpetsc3.18-dev-examples")):
            if name:
                script(folder, name, text)
            petsc, why = system_petsc.find()
            tap.ok(petsc is None and reason in why, f"a missing part is named: {reason}", why)
    os.environ["PATH"] = path


test_list()
test_missing()
test_time_out()
test_blocks()
test_comparison()
test_valgrind()
tap.done()
