"""Runs a test program on several numbers of ranks, and joins the lines of its cases.

    run_ranks.py MPIRUN PROGRAM RANKS,RANKS,... [ARGUMENT...]

A run fails, too, if PETSc reports an error or memory that was not freed. Without MPIRUN (an empty
argument) the cases are skipped."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../../integrations/petsc")]

import mpi
import tap

CASE = re.compile(r"(not )?ok \d+ ?(.*)")


def run(mpirun, program, ranks, arguments):
    # PETSc's signal handlers would hide where a program crashed.
    command = [mpirun, "-n", str(ranks), program, "-malloc_dump", "-no_signal_handler"] + arguments
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=mpi.CROWDED, check=False)
    where = f"{ranks} rank{'s' if ranks > 1 else ''}"
    other = []
    plan = False
    for line in done.stdout.splitlines():
        case = CASE.match(line)
        if case and case.group(2).startswith("# SKIP"):
            tap.skip(case.group(2)[len("# SKIP"):].strip())
        elif case:
            tap.ok(not case.group(1), f"{where}: {case.group(2).removeprefix('- ')}")
        elif re.match(r"1\.\.\d+$", line):
            plan = True
        else:
            other.append(line)
    tap.ok(done.returncode == 0 and plan, f"{where}: ends", f"exit code {done.returncode}")
    unexpected = [line for line in other if not line.startswith("#")]
    tap.ok(not unexpected, f"{where}: prints no error and leaves no memory allocated")
    for line in other[:100]:
        tap.diag(line)


def main():
    mpirun, program, counts, *arguments = sys.argv[1:]
    if not mpirun:
        tap.skip("there is no mpirun")
        tap.done()
    for ranks in counts.split(","):
        run(mpirun, program, int(ranks), arguments)
    tap.done()


main()
