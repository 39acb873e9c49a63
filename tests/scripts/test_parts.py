"""Meson sets the project up without its optional parts, and each of their suites is there: a suite
that is not built says so in a skipped case.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

PARTS = ["python", "petsc", "bench", "cuda", "nvcc", "generator"]
# They say themselves what is missing.
EXPECTED = ["python plan", "python wheel", "petsc products", "petsc list"]


def run(*words):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)


with tempfile.TemporaryDirectory() as work:
    folder = os.path.join(work, "build")
    result = run("meson", "setup", folder, SOURCE, "-Dbuiltin_targets=generic-c",
                 *(f"-D{part}=disabled" for part in PARTS))
    tap.ok(result.returncode == 0, "meson sets up without " + ", ".join(PARTS),
           result.stdout[-2000:])
    suites = run("meson", "test", "-C", folder, "--list", "--no-rebuild").stdout
    missing = [name for name in EXPECTED if name not in suites]
    tap.ok(not missing, "suites of the parts are there", missing or "")
tap.done()
