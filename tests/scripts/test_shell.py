"""The project's shell scripts: they parse, shellcheck finds nothing, and their help is there."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE, project_files


def run(*words):
    return subprocess.run(words, text=True, capture_output=True, check=False, cwd=SOURCE,
                          stdin=subprocess.DEVNULL)


def scripts():
    """Every file of the project that is a shell script, by its name or its first line."""
    found = []
    for path in project_files():
        with open(os.path.join(SOURCE, path), "rb") as file:
            first = file.readline(100)
        if path.endswith(".sh") or re.match(rb"#!.*\b(sh|bash)$", first.rstrip()):
            found.append(path)
    return found


found = scripts()
tap.ok({"quickstart", "check", ".ci/run", "tools/packages.sh"} <= set(found),
       "the scripts of the project are found", found)
for script in found:
    shell = "bash" if script == ".ci/run" else "sh"
    result = run(shell, "-n", script)
    tap.ok(result.returncode == 0, f"{script} parses", result.stderr)
    if shutil.which("shellcheck"):
        result = run("shellcheck", "-x", script)
        tap.ok(result.returncode == 0, f"shellcheck finds nothing in {script}", result.stdout)
    else:
        tap.skip(f"shellcheck is not installed: {script}")

result = run("tools/bare-debian.sh", "--help")
tap.ok(result.returncode == 0 and "usage:" in result.stdout, "bare-debian.sh --help exits with 0",
       result.stderr)
for words in (["11"], ["--mirror"], ["--folder"]):
    result = run("tools/bare-debian.sh", *words)
    tap.ok(result.returncode == 2 and words[0] in result.stderr,
           f"bare-debian.sh {words[0]} is refused before anything is made", result.stderr)

result = run("packaging/build-deb.sh", "--help")
tap.ok(result.returncode == 0 and "usage:" in result.stdout, "build-deb.sh --help exits with 0",
       result.stderr)
for words, named in (["--fast"], "--fast"), ([], "no folder"), (["a", "b"], "'a' or 'b'"):
    result = run("packaging/build-deb.sh", *words)
    tap.ok(result.returncode == 2 and named in result.stderr and "--help" in result.stderr,
           f"build-deb.sh {' '.join(words) or 'without a folder'} is refused", result.stderr)
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "mine"), "w", encoding="utf-8"):
        pass
    result = run("packaging/build-deb.sh", folder)
    tap.ok(result.returncode == 1 and os.listdir(folder) == ["mine"]
           and (folder in result.stderr or "dpkg-buildpackage is not installed" in result.stderr),
           "build-deb.sh refuses a folder with other files", result.stderr)
tap.done()
