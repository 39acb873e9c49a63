"""programs.py: the options of spmvgen and spmvbench, as their help lists them."""
import os
import re
import subprocess

from machine import SOURCE


def environment(program):
    """SPMV_TARGET and SPMV_DEVICE would change lists; the program is found by its name."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("SPMV_")}
    path = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
    return {**env, "PATH": path, "SPMVGEN_DATA": SOURCE, "LC_ALL": "C.UTF-8"}


def output(program, *words):
    return subprocess.run([program, *words], text=True, capture_output=True, check=True,
                          env=environment(program)).stdout


def options(program, *command):
    """(letter, name, value) of each option; letter and value may be ""."""
    return re.findall(r"^  (?:-(\w), |    )?--([\w-]+)(?: (\S+))?(?=$|  )",
                      output(program, *command, "--help"), flags=re.M)


def commands(program):
    """The commands that the help lists."""
    found = re.search(r"^Commands, as in .*\n((?:  .*\n)+)", output(program, "--help"), flags=re.M)
    return [line.split()[0] for line in found[1].splitlines()] if found else []
