"""example.py: the helpers of the tests of examples: options, commands, modules as a library."""
import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import tap


def run(*words, text=None):
    """Runs a command in the root of the sources."""
    return subprocess.run([str(word) for word in words], cwd=ROOT, input=text, text=True,
                          capture_output=True, check=False)


def said(done):
    return f"exit code {done.returncode}\n" + (done.stdout + done.stderr)[-3000:]


def options():
    """--work, a folder that is emptied, and the programs of the build."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--spmvgen", type=pathlib.Path, required=True)
    parser.add_argument("--spmvbench", type=pathlib.Path)
    parser.add_argument("--compiler", nargs="+", required=True)
    args = parser.parse_args()
    args.work = args.work.resolve()
    args.spmvgen = args.spmvgen.resolve()
    args.spmvbench = args.spmvbench and args.spmvbench.resolve()
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    return args


def compile_modules(args, folder):
    """Compiles emitted files into a shared object, which is returned even if that fails."""
    library = args.work / f"{folder.name}.so"
    done = run(*args.compiler, "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
               "-DSPMV_MODULE_TABLE_EXPORT", f"-I{folder}", *sorted(folder.glob("*.c")), "-o",
               library, "-lm")
    tap.ok(done.returncode == 0, f"{folder.name}: the emitted files compile", said(done))
    return library


def bench(args, library, *matrix):
    """One multiplication by each method of a library; the lines of spmvbench's table."""
    return run(args.spmvbench, "--modules", library, "--repeat", "1", "--threads", "2", "--dram",
               "0", *matrix)
