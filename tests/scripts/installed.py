"""installed.py: what the tests of installed files share."""
import os
import shutil
import subprocess

import tap
from machine import SOURCE

QUICK = os.path.join(SOURCE, "examples", "quick.c")


def run(*words, **environment):
    return subprocess.run(words, text=True, capture_output=True, check=False, cwd="/",
                          env={**os.environ, **environment})


def said(result):
    return f"exit code {result.returncode}\n{result.stdout}{result.stderr}"


def find(top, name, parent=""):
    """The file of that name below a folder, in one whose name ends so; None: there is none."""
    for folder, _, files in os.walk(top):
        if name in files and folder.endswith(parent):
            return os.path.join(folder, name)
    return None


def install(build, destination):
    """Installs a build below the folder; returns whether that worked, as a case of the test."""
    result = run("meson", "install", "-C", build, "--destdir", destination, "--no-rebuild")
    return tap.ok(result.returncode == 0, "meson install succeeds", said(result)[-2000:])


def runs_quick(program, name, **environment):
    """A case: the program, examples/quick.c, multiplies."""
    result = run(program, SPMV_TARGET="", SPMV_DEBUG="", **environment)
    tap.ok(result.returncode == 0 and "y = 62 74 50 88" in result.stdout,
           f"{name}: it multiplies", said(result))


def remove_shared(libdir):
    for name in os.listdir(libdir):
        if name.startswith("libspmv.so"):
            os.remove(os.path.join(libdir, name))


def missing_program(name):
    """Adds a skipped case if a program is not installed."""
    if shutil.which(name):
        return False
    tap.skip(f"{name} is not installed")
    return True
