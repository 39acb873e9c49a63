"""test_tune.py: `spmvbench tune`. spmvbench.py describes the first arguments; behind them
stand SPMVGEN and COMPILER.

A compiler that is a script plants what is slow: in kernels of the page as it is, or in those with
other values, a multiplication sleeps for many times its work. So what a search finds does not
depend on the machine, or on how busy it is.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from spmvbench import PROGRAM, run, tap

SPMVGEN, COMPILER = os.path.abspath(sys.argv[5]), sys.argv[6]
INPUTS = ["model:poisson7:12", "model:banded:3000:4", "model:rmat:9:8", "model:blocks:300:3:6"]
SLEEP = "{ extern int usleep(unsigned); usleep(3000);"
QUICK = ["--method", "csr5", "--threads", "1", "--candidates", "4", "--budget", "1s"]


class Place:
    """A cache, a folder for pages, and compilers."""

    def __init__(self, folder):
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir()

    def compiler(self, name, slow):
        """A compiler that makes kernels slow: "page", "others" or "none" of them."""
        path = self.folder / name
        test = {"page": "! grep -q -e --set", "others": "grep -q -e --set", "none": "false"}[slow]
        path.write_text('#!/bin/sh\nfor word; do case "$word" in -I*) in=${word#-I};; esac; done\n'
                        f'{test} "$in"/*.c && sed -i "/^static void csr5_tiles(/,/^{{/s/^{{/'
                        f'{SLEEP}/" "$in"/spmv_csr5_*.c\n'
                        f'exec {COMPILER} "$@" -O0\n', encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def settings(self, compiler):
        return {"SPMVGEN": SPMVGEN, "CC": compiler, "CFLAGS": "",
                "SPMV_CACHE": str(self.folder / "cache")}

    def tune(self, *arguments, compiler=COMPILER, **settings):
        return subprocess.run([PROGRAM, "tune", *arguments], capture_output=True, text=True,
                              check=False, cwd=self.work,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive",
                                   **self.settings(compiler), **settings})

    def pages(self):
        return sorted(path.name for path in self.work.iterdir())


def spmvgen(*arguments, cwd):
    return subprocess.run([SPMVGEN, *arguments], capture_output=True, text=True, check=False,
                          cwd=cwd)


def test_better(place):
    """The page's own kernel is slow: any other is found."""
    slow_page = place.compiler("slow-page", "page")
    done = place.tune("generic-c", *INPUTS, *QUICK, "--seed", "3", compiler=slow_page)
    page = place.work / "generic-c-tuned.lua"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    values = re.findall(r"^csr5\.f64\.(\w+) = (\S+) +-- tune: [\d.]+ times the speed of "
                        r"\S+, all else equal$", text, flags=re.M)
    tap.ok(done.returncode == 0 and 'inherit "generic-c"\n' in text and values
           and f"spmvgen --target ./{page.name}" in done.stdout,
           "where another value is faster, a page is written, each value with its evidence",
           f"{done.returncode}\n{done.stdout}{done.stderr}{text}")
    tap.ok(re.search(r"^-- command +spmvbench tune generic-c model:poisson7:12 .*--seed\b", text,
                     flags=re.M | re.S)
           and re.search("^-- validation +model:", text, flags=re.M)
           and all(len(line) <= 100 for line in text.splitlines())
           and str(place.folder) not in text and os.uname().nodename not in text
           and not re.search(r"\b20\d\d-\d\d", text),
           "its head has command and matrices, and no folder, host or date", text)
    kernels = spmvgen("--target", f"./{page.name}", "--method", "csr5", "-o", "kernels",
                      cwd=place.work)
    name = values[0][0] if values else "sigma"
    explained = spmvgen("--target", f"./{page.name}", "--explain", f"csr5.{name}", cwd=place.work)
    line = next((i for i, each in enumerate(text.splitlines(), 1)
                 if each.startswith(f"csr5.f64.{name} = ")), 0)
    tap.ok(kernels.returncode == 0 and explained.returncode == 0
           and f"generic-c-tuned.lua:{line} " in explained.stdout,
           "spmvgen emits by the page, and --explain shows its line",
           kernels.stderr + explained.stdout + explained.stderr)
    again = place.tune("./generic-c-tuned.lua", "--list", *INPUTS, *QUICK)
    tap.ok(again.returncode == 0 and "generic-c-tuned-tuned.lua" in again.stdout,
           "a page of one's own is tuned likewise", again.stdout + again.stderr)
    before = page.read_bytes() if page.exists() else b""
    done = place.tune("generic-c", *INPUTS, *QUICK, compiler=slow_page)
    tap.ok(done.returncode == 2 and "is there already, and tune replaces no file" in done.stderr
           and not done.stdout and before and page.read_bytes() == before,
           "a page that is there is not replaced, and nothing is measured for it",
           done.stdout + done.stderr)


def test_nothing(place):
    """All kernels but the page's own are slow."""
    before = place.pages()
    done = place.tune("generic-c", *INPUTS, *QUICK, "--out", "none.lua",
                      compiler=place.compiler("slow-others", "others"))
    tap.ok(done.returncode == 3 and place.pages() == before and "not better" in done.stdout
           and done.stdout.endswith("\nnothing better than generic-c was found; nothing is "
                                    "written\n"),
           "where nothing is faster, nothing is written: exit code 3",
           f"{done.returncode}\n{done.stdout}{done.stderr}")


def test_slow_compiler(place):
    """A compiler that takes longer than the budget."""
    path = place.folder / "sleepy"
    path.write_text(f'#!/bin/sh\nsleep 0.7\nexec {COMPILER} "$@" -O0\n', encoding="utf-8")
    path.chmod(0o755)
    done = place.tune("generic-c", *INPUTS, *QUICK, "--out", "sleepy.lua", compiler=str(path))
    tap.ok(done.returncode in (0, 3) and "compiling took the whole budget" in done.stderr,
           "a budget that compiling takes is told",
           f"{done.returncode}\n{done.stdout}{done.stderr}")
    (place.work / "sleepy.lua").unlink(missing_ok=True)


def test_no_device(place):
    """Kernels of a GPU, without a driver."""
    before = place.pages()
    done = place.tune("tesla-k20x", *INPUTS, *QUICK, SPMV_CUDA_LIBRARY=str(place.folder / "none"))
    tap.ok(done.returncode == 1 and place.pages() == before
           and "no kernel can run on this machine" in done.stdout
           and done.stderr.endswith("nothing could be measured, for the reasons above; nothing is "
                                    "written\n"),
           "a page of a device that is not here is a failure, and nothing is written",
           f"{done.returncode}\n{done.stdout}{done.stderr}")


def test_list(place):
    words = ["generic-c", "--list", *INPUTS, "--method", "csr5", "--type", "f64,f32",
             "--candidates", "12"]
    one, two = place.tune(*words), place.tune(*words)
    other = place.tune(*words, "--seed", "2")
    tap.ok(one.returncode == 0 and one.stdout == two.stdout != other.stdout
           and one.stdout.count("\nstudy ") == 2 and one.stdout.count("  as the page is\n") == 2,
           "the seed decides the candidates and the matrices of the validation", one.stdout)
    split = {line.split()[0]: line.split()[1:] for line in one.stdout.splitlines()[1:3]}
    seen, unseen = (set(split.get(name, [])) for name in ("search", "validation"))
    tap.ok(len(seen) == 3 and len(unseen) == 1 and not seen & unseen
           and len(seen | unseen) == len(INPUTS), "a third of the matrices is for the validation",
           one.stdout)
    suite = place.tune("generic-c", "--list", "--method", "csr5")
    lists = [line.split()[1:] for line in suite.stdout.splitlines()[1:3]]
    tap.ok([len(each) for each in lists] == [12, 6], "without matrices there are 18 look-alikes",
           suite.stdout + suite.stderr)


def test_illegal(place):
    """A parameter's values may be illegal on a page: they are named and left out."""
    page = place.work / "odd.lua"
    page.write_text('inherit "generic-c"\nspeculative.lanes = 16\nspeculative.B = 32\n'
                    "speculative.T = 16\nspeculative.W = 16\n", encoding="utf-8")
    done = place.tune("odd.lua", *INPUTS, "--method", "speculative", "--threads", "1", "--budget",
                      "1s", "--candidates", "16", "--type", "f64",
                      compiler=place.compiler("none", "none"))
    tap.ok(done.returncode in (0, 3) and re.search(r"^illegal  odd f64: .*must\s", done.stdout,
                                                   flags=re.M),
           "illegal combinations are skipped with spmvgen's reason",
           f"{done.returncode}\n{done.stdout}{done.stderr}")


def test_mistakes(place):
    os.mkfifo(place.folder / "pipe.lua")
    for name, words, code, message in (
            ("no target", [], 2, "tune takes a TARGET"),
            ("a wrong target", ["generic-d", *INPUTS], 2, "unknown target 'generic-d'"),
            ("a wrong method", ["generic-c", *INPUTS, "--method", "csr6"], 2,
             "--method csr6 has no parameter to tune for generic-c; these have: .*csr5"),
            ("two matrices", ["generic-c", *INPUTS[:2]], 2, "3 or more matrices, .*; 2 are given"),
            ("a wrong matrix", ["generic-c", "model:none", *INPUTS], 2, "none"),
            ("a wrong budget", ["generic-c", "--budget", "soon"], 2, "--budget takes a time"),
            ("a page's name", ["generic-c", *INPUTS, "--out", "page.txt"], 2, "FILE.lua"),
            ("letters of a page's name", ["generic-c", *INPUTS, "--out", "a b.lua"], 2,
             "the name of a page has letters"),
            ("the page itself", ["generic-c", *INPUTS, "--out", "generic-c.lua"], 2,
             "would inherit from itself"),
            ("another folder", ["./odd.lua", *INPUTS, "--out", "/tmp/none/tuned.lua"], 2,
             "stands in its folder"),
            ("no such folder", ["generic-c", *INPUTS, "--out", "none/tuned.lua"], 2,
             "cannot write 'none/tuned.lua'"),
            ("a pipe", ["generic-c", *INPUTS, "--out", str(place.folder / "pipe.lua")], 2,
             "is there already, and tune replaces no file")):
        before = place.pages()
        done = place.tune(*words)
        tap.ok(done.returncode == code and re.search(message, done.stderr) and not done.stdout
               and done.stderr.startswith("spmvbench: ") and done.stderr.count("\n") == 1
               and place.pages() == before, f"{name}: exit code {code} and one line that says why",
               f"{done.returncode}\n{done.stdout}{done.stderr}")


def test_interruption(place):
    """Ctrl-C after the first rung."""
    before = place.pages()
    process = subprocess.Popen(
        [PROGRAM, "tune", "generic-c", *INPUTS, "--method", "csr5", "--threads", "1",
         "--candidates", "4", "--budget", "30s", "--out", "late.lua"], cwd=place.work, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "OMP_WAIT_POLICY": "passive",
             **place.settings(place.compiler("slow-page", "page"))})
    for line in process.stdout:
        if line.startswith("rung "):
            break
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    tap.ok(process.returncode == 130 and place.pages() == before
           and re.search(r"^best +csr5 f64: \w+=\S+.* times the page's speed", output, flags=re.M)
           and errors.endswith("spmvbench: interrupted: nothing is written\n"),
           "Ctrl-C shows the best so far, writes nothing, and gives exit code 130",
           f"{process.returncode}\n{output}{errors}")


def test_about(place):
    done = run("tune", "--help")
    tap.ok(done.returncode == 0
           and done.stdout.startswith("Usage: spmvbench tune TARGET [INPUT]... [OPTION]...")
           and re.search("^ +3 +nothing better was found", done.stdout, flags=re.M),
           "--help has the exit codes", done.stdout)


def main():
    with tempfile.TemporaryDirectory() as name:
        place = Place(pathlib.Path(name))
        test_better(place)
        test_nothing(place)
        test_slow_compiler(place)
        test_no_device(place)
        test_list(place)
        test_illegal(place)
        test_mistakes(place)
        test_interruption(place)
        test_about(place)
    tap.done()


main()
