"""python_venv.py: what the tests that install the Python package share."""
import json
import os
import shutil
import subprocess
import sys

import tap
from installed import said
from machine import SOURCE

PRODUCT = os.path.join(SOURCE, "tests", "scripts", "product.py")
# What pip and its builds may not take from this process.
UNSET = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CFLAGS", "LDFLAGS", "SPMV_TARGET")


def clean_environment(**changes):
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **changes}


def call(*words, cwd="/", **environment):
    return subprocess.run(words, text=True, capture_output=True, check=False, cwd=cwd,
                          stdin=subprocess.DEVNULL, env=clean_environment(**environment))


class Interpreter:
    def __init__(self, path):
        self.path = path
        result = call(path, "-c", "import json, os, sys, sysconfig, ensurepip, venv\n"
                      "header = os.path.join(sysconfig.get_path('include'), 'Python.h')\n"
                      "print(json.dumps([sys.version_info[:2], sys.version.split()[0],"
                      " os.path.exists(header)]))")
        self.works = result.returncode == 0
        self.minor, self.version, self.has_headers = (
            json.loads(result.stdout) if self.works else ((0, 0), "", False))


def interpreters():
    """The Pythons from 3.11 on that can make virtual environments, the oldest first, one of each
    minor version. Those that can build extensions come first within a version."""
    names = [f"python3.{minor}" for minor in range(11, 20)]
    paths = [sys.executable] + [os.path.join(folder, name) for name in names
                                for folder in os.environ["PATH"].split(os.pathsep)]
    found = {}
    for path in paths:
        if not os.path.exists(path):
            continue
        one = Interpreter(path)
        key = tuple(one.minor)
        if one.works and key >= (3, 11) and (key not in found or
                                             one.has_headers and not found[key].has_headers):
            found[key] = one
    return [found[key] for key in sorted(found)]


class Venv:
    """A fresh virtual environment in a folder, which is replaced."""

    def __init__(self, folder, interpreter):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder = folder
        self.python = os.path.join(folder, "bin", "python")
        self.made = call(interpreter.path, "-m", "venv", folder)

    def pip(self, *words, **environment):
        return call(self.python, "-m", "pip", *words, **environment)

    def installs(self, name, *words, **environment):
        """A case: pip installs this."""
        result = self.pip("install", "--quiet", *words, **environment)
        return tap.ok(result.returncode == 0, name, said(result)[-4000:])

    def site(self):
        return call(self.python, "-c",
                    "import sysconfig; print(sysconfig.get_path('platlib'))").stdout.strip()


def why_no_pypi(venv):
    """Why pip reaches no package index; None: it does."""
    result = venv.pip("install", "--dry-run", "--quiet", "--no-deps", "meson-python",
                      PIP_RETRIES="1", PIP_DEFAULT_TIMEOUT="20")
    return None if result.returncode == 0 else ("pip reaches no package index: "
                                                + " ".join(said(result).split())[-300:])


def copy_project(folder):
    """Copies the project's files, uncommitted ones included, and without builds."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if shutil.which("git") and os.path.exists(os.path.join(SOURCE, ".git")):
        command = ("git ls-files -z --cached --others --exclude-standard |"
                   ' tar -c --null --ignore-failed-read -T - | tar -x -C "$1"')
    else:
        command = ("tar -c --exclude=./.git --exclude='./build*' --exclude=__pycache__ . |"
                   ' tar -x -C "$1"')
    subprocess.run(["sh", "-c", command, "sh", folder], cwd=SOURCE, check=True)


def make_repository(project):
    """Makes a copy of the project a git repository, as Meson needs it for a source distribution.
    Returns whether that worked; if not, that is a case."""
    identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    for words in (["init", "--quiet"], ["add", "--all"], [*identity, "commit", "-qm", "all"]):
        result = call("git", *words, cwd=project)
        if result.returncode != 0:
            return tap.ok(False, "the copy of the project is a git repository", said(result))
    return True



def prepare_build(folder):
    """Prepares the folder for packaging/build-wheel.sh. Returns an interpreter with headers, an
    environment made by it, and the project's copy, a git repository; None: a case says why not."""
    os.makedirs(folder, exist_ok=True)
    able = [interpreter for interpreter in interpreters() if interpreter.has_headers]
    if not able or not shutil.which("git"):
        tap.skip("git, or a Python 3.11 or later with venv and headers, is not installed "
                 "(Debian: git, python3-venv, python3-dev)")
        return None
    tools = Venv(os.path.join(folder, "tools"), able[0])
    why = why_no_pypi(tools)
    if why:
        tap.skip(why)
        return None
    project = os.path.join(folder, "project")
    copy_project(project)
    return (able[0], tools, project) if make_repository(project) else None


def product(name, python, version, **environment):
    """Cases: the package that this Python finds multiplies and solves. Returns what product.py
    prints; None: it failed."""
    words = python if isinstance(python, list) else [python]
    result = call(*words, PRODUCT, **environment)
    if not tap.ok(result.returncode == 0, f"{name}: it multiplies and solves",
                  said(result)[-3000:]):
        return None
    found = json.loads(result.stdout)
    tap.diag(f"{found['folder']}, NumPy {found['numpy']}, SciPy {found['scipy']}")
    tap.ok(found["version"] == version and found["bits"] and found["worst"] < 64
           and found["info"] == 0 and found["residual"] < 1e-2,
           f"{name}: products and solution are right", {**found, "bits": len(found["bits"])})
    return found


def same_bits(name, one, other):
    """A case: both have the same bits wherever both have a product."""
    if not one or not other:
        return
    common = one["bits"].keys() & other["bits"].keys()
    different = sorted(key for key in common if one["bits"][key] != other["bits"][key])
    tap.ok(common and not different, f"{name}: {len(common)} products have the same bits",
           different or sorted(one["bits"]))


def run_pytest(name, venv):
    """A case: the tests of the Python package pass with the one that is installed."""
    folder = os.path.join(SOURCE, "tests", "python")
    files = sorted(os.path.join(folder, file) for file in os.listdir(folder)
                   if file.startswith("test_") and file.endswith(".py"))
    result = call(venv.python, os.path.join(folder, "run.py"), venv.site(), *files)
    lines = result.stdout.splitlines()
    passed = sum(line.startswith("ok ") and "# SKIP" not in line for line in lines)
    failed = [line for line in lines if line.startswith("not ok")]
    tap.ok(result.returncode == 0 and passed > 10 and not failed,
           f"{name}: the tests of tests/python pass", said(result)[-4000:])
    tap.diag(f"{passed} passed")
