"""cli.py: shared by the tests of the command line: runs spmvgen in a temporary folder.

Every test is called with the program as its first and the source root as its second argument.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap

SPMVGEN = os.path.abspath(sys.argv[1])
ROOT = Path(sys.argv[2]).resolve()
HERE = Path(__file__).resolve().parent


def environment(**more):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("LC_", "LANG", "SPMVGEN_"))}
    env.update(SPMVGEN_DATA=str(ROOT), LC_ALL="C")
    env.update({k: v for k, v in more.items() if v is not None})
    return {k: v for k, v in env.items() if more.get(k, v) is not None}


class Result:
    def __init__(self, done):
        self.code = self.returncode = done.returncode
        self.out = done.stdout.decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")

    def __str__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}"


def run(cwd, *args, env=None, timeout=60, **options):
    return Result(subprocess.run([SPMVGEN, *args], cwd=cwd, env=env or environment(),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=timeout, **options))


def emitted(path, name="board"):
    """The folder of a target that is emitted without -o."""
    return path / "generated" / name


def folder(pages="pages"):
    """A fresh folder that holds the pages of tests/cli/pages, or of another folder of tests/cli."""
    holder = tempfile.TemporaryDirectory(prefix="spmvgen-cli-")
    path = Path(holder.name)
    for page in sorted((HERE / pages).iterdir()):
        shutil.copy(page, path / page.name)
    return holder, path


def data_copy(path):
    """A data folder that a test may change."""
    data = path / "data"
    shutil.copytree(ROOT / "templates", data / "templates")
    shutil.copytree(ROOT / "targets", data / "targets")
    (data / "runtime").mkdir()
    shutil.copy(ROOT / "runtime" / "spmv_module.h", data / "runtime")
    return data


def contents(path):
    """Every file below path, with its bytes."""
    return {str(p.relative_to(path)): p.read_bytes() for p in sorted(path.rglob("*"))
            if p.is_file()}


def names(path):
    """The files that an emission wrote into a folder, without .spmvgen/."""
    return sorted(p.name for p in path.iterdir() if p.name != ".spmvgen")


def times(path):
    return {name: (path / name).stat().st_mtime_ns for name in names(path)}


def content_hash(data):
    """docs/reference/manifest.md: FNV-1a with a final mix."""
    mask = 2**64 - 1
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & mask
    for factor in (0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53):
        value = (value ^ value >> 33) * factor & mask
    return f"{value ^ value >> 33:016x}"


def age(path):
    """Makes files look old enough for a change of time to show, but newer than the program."""
    for p in path.iterdir():
        stamp = p.stat().st_mtime_ns + 5_000_000_000
        os.utime(p, ns=(stamp, stamp))


def check(passed, name, *results):
    return tap.ok(passed, name, "\n".join(str(r) for r in results))
