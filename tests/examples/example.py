"""example.py: the helpers of the tests of examples: options, commands, methods outside of
templates/, modules as a library."""
import argparse
import pathlib
import re
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


def link_method(args, name):
    """A data folder with the method of examples/NAME beside the shipped ones."""
    (args.work / "data/templates").mkdir(parents=True)
    for folder in "targets", "runtime":
        (args.work / "data" / folder).symlink_to(ROOT / folder)
    for folder in [*(ROOT / "templates").iterdir(), ROOT / "examples" / name]:
        (args.work / "data/templates" / folder.name).symlink_to(folder)


def check_template(args, name):
    done = run(*args.compiler, "-std=c11", "-Wall", "-Wextra", "-Wno-unused", tap.WERROR,
               "-fsyntax-only", "-Itemplates/common", f"-Iexamples/{name}", "-Iruntime",
               f"examples/{name}/simd.c")
    tap.ok(done.returncode == 0, "the template compiles as it stands", said(done))


def emit_method(args, name, target, *settings, folder=None):
    """Emits and compiles the method that link_method linked; returns the shared object."""
    folder = args.work / (folder or target)
    spmvgen = args.spmvgen, "--data", args.work / "data"
    done = run(*spmvgen, "--target", target, "--method", name, *settings, "-o", folder)
    tap.ok(done.returncode == 0, f"{folder.name}: spmvgen emits it", said(done))
    done = run(*spmvgen, "--check", folder)
    tap.ok(done.returncode == 0, f"{folder.name}: --check finds no drift", said(done))
    return compile_modules(args, folder)


def check_kernels(args, name, folder, least):
    """The suite of kernels, which the method must pass and of which it must take some matrices."""
    done = run(sys.executable, "tests/kernels/run_suite.py", "--work",
               args.work.parent / f"{name}-suite", "--compiler", args.compiler[-1], "--optimise",
               "1", "--effort", "brief", f"{args.work / folder} --type f64 --offsets i32")
    taken = re.findall(r"declines (\d+) of (\d+) matrices$", done.stdout, re.MULTILINE)
    tap.ok(done.returncode == 0 and "not ok" not in done.stdout,
           f"{folder}: the suite of kernels passes",
           "\n".join(re.findall(r"^(?!ok).*", done.stdout, re.MULTILINE))[-3000:] + done.stderr)
    tap.ok(taken and all(int(all_) - int(declined) > least for declined, all_ in taken),
           f"{folder}: it takes more than {least} of the suite's matrices", taken)


def compile_modules(args, folder):
    """Compiles emitted files into a shared object, which is returned even if that fails."""
    library = args.work / f"{folder.name}.so"
    done = run(*args.compiler, "-std=c11", "-O1", "-Wall", "-Wextra", tap.WERROR, "-fPIC",
               "-shared", "-DSPMV_MODULE_TABLE_EXPORT", f"-I{folder}", *sorted(folder.glob("*.c")),
               "-o", library, "-lm")
    tap.ok(done.returncode == 0, f"{folder.name}: the emitted files compile", said(done))
    return library


def bench(args, library, *matrix):
    """One multiplication by each method of a library; the lines of spmvbench's table."""
    return run(args.spmvbench, "--modules", library, "--repeat", "1", "--threads", "2", "--dram",
               "0", *matrix)
