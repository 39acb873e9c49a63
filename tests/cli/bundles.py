"""bundles.py: shared by the tests of bundles: commands that compile and run them, and cases that
hold for any bundle."""
import os
import re
import shlex
import shutil
import subprocess

import cli
from cli import check, run, tap

CC = os.environ.get("CC", "cc").split()
CXX = next((c for c in (os.environ.get("CXX"), "g++", "c++") if c and shutil.which(c.split()[-1])),
           "c++").split()
EVERY = ("--target", "generic-c")        # for every CPU
ONE = (*EVERY, "-m", "csr_vector")
TYPICAL = ("--target", "x86-64-v3,x86-64-v4", "--type", "f64", "-m", "strips", "-m", "csr_vector",
           "-m", "csr_adaptive")
OPENMP = ["-fopenmp"]
CLASH = "spmv_each_bundle_needs_option_prefix"
X86 = os.uname().machine == "x86_64"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", tap.WERROR]


def command(cwd, *words, env=None):
    words = [str(w) for w in words]
    try:
        return cli.Result(subprocess.run(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         timeout=300))
    except FileNotFoundError as fault:
        return str(fault)


def good(result):
    return isinstance(result, cli.Result) and result.code == 0


def readme_block(folder, language):
    text = (folder / "README.md").read_text()
    return re.search(rf"^```{language}\n(.*?)^```", text, re.M | re.S).group(1)


def symbols(path, *options):
    listed = command(path, "nm", *options)
    return {line.split()[-1] for line in listed.out.splitlines() if line.strip()}


def links(path, *options):
    """Whether the compiler makes a program with these options."""
    (path / "empty.c").write_text("int main(void) { return 0; }\n")
    return good(command(path, *CC, *options, "empty.c", "-o", "empty"))


# Bounds that users of the typical bundle were promised: options, bytes of text, and bytes of code
# for each gcc that was tried. gcc 14 inlines more than gcc 12: the same bundle has 4 % more code.
BOUNDS = [(("--offsets", "i32", "--one-vector", "--set", "strips.narrow_values=no"), 520_000,
           {12: 125_000, 14: 130_000}),
          (("--offsets", "i32"), 660_000, {12: 300_000, 14: 300_000}),
          ((), 690_000, {12: 320_000, 14: 320_000})]


def gcc_version():
    """The major version of a gcc; 0: the compiler is another."""
    result = subprocess.run([*CC, "-dM", "-E", "-"], input="", capture_output=True, text=True,
                            check=False)
    defined = dict(re.findall(r"^#define (\w+) (.*)$", result.stdout, re.M))
    return 0 if "__clang__" in defined else int(defined.get("__GNUC__", 0))


def check_size(*bounds):
    """The typical bundle keeps BOUNDS."""
    holder, path = cli.folder()
    with holder:
        gcc = gcc_version()
        for options, text, by_gcc in bounds:
            done = run(path, *TYPICAL, *options, "--bundle", "out")
            size = sum((path / "out" / f"spmv_kernels.{e}").stat().st_size for e in "ch")
            check(good(done) and size <= text,
                  f"the typical bundle is at most {text} bytes of text", done, size)
            if not X86 or gcc not in by_gcc:
                tap.skip("bytes of code are known for x86-64 by gcc 12 and 14")
                continue
            code = by_gcc[gcc]
            built = command(path, *CC, "-O2", "-c", "out/spmv_kernels.c", "-o", "kernels.o")
            sizes = command(path, "size", "-A", "kernels.o")
            total = sum(int(m) for m in re.findall(r"^\.(?:text|rodata|data|bss)\S*\s+(\d+)",
                                                   sizes.out, re.M))
            check(good(built) and 0 < total <= code,
                  f"and at most {code} bytes of code and data by gcc {gcc}", built, total)


def readme_command(out):
    """The compiler's command in the README, without optimisation, which takes most of the time."""
    line = readme_block(out, "sh").strip()
    return [*shlex.split(line.replace("cc ", " ".join(CC) + " ", 1)), "-O0"]


def check_readme(name, *options, by_tools=False):
    holder, path = cli.folder()
    with holder:
        run(path, *options, "--bundle", "out")
        out = path / "out"
        (out / "main.c").write_text(readme_block(out, "c"))
        (out / "Makefile").write_text(readme_block(out, "make"))
        (out / "meson.build").write_text(readme_block(out, "meson"))
        (out / "CMakeLists.txt").write_text(readme_block(out, "cmake"))
        ways = [("cc", [readme_command(out)], "./main"),
                ("make", [["make", f"CC={' '.join(CC)}"]], "./main"),
                ("meson", [["meson", "setup", "build-meson"], ["ninja", "-C", "build-meson"]],
                 "build-meson/main"),
                ("cmake", [["cmake", "-B", "build-cmake"], ["cmake", "--build", "build-cmake"]],
                 "build-cmake/main")]
        for way, commands, result in ways:
            if (way != "cc") != by_tools:
                continue
            if way != "cc" and not shutil.which(way):
                tap.skip(f"{way} is not installed")
                continue
            for words in commands:
                done = command(out, *words)
                if not good(done):
                    break
            ran = command(out, result) if good(done) else done
            check(good(ran) and ran.out == "7 6 7\n",
                  f"the program of the README {name} builds by {way} and prints 7 6 7", done, ran)
            if way == "cmake":
                flags = command(out, "grep", "-r", "C_FLAGS", "build-cmake/CMakeFiles/main.dir")
                check(good(flags) and "-O" in flags.out,
                      f"the README {name} has CMake optimise by default", flags)
            for left in ("main", "main.o", "spmv_kernels.o"):
                (out / left).unlink(missing_ok=True)


def check_symbols(*options):
    holder, path = cli.folder()
    with holder:
        run(path, *options, "--bundle", "out")
        command(path, *CC, "-O0", "-c", "out/spmv_kernels.c", "-o", "kernels.o")
        header = (path / "out/spmv_kernels.h").read_text()
        declared = set(re.findall(r"^[a-z].*?\b\*?(spmv_\w+)\(", header, re.M)) - {
            "spmv_run_part", "spmv_parallel_for"} | {CLASH}
        found = symbols(path, "--defined-only", "-g", "kernels.o")
        check(found == declared, "the object has what the header declares, and a name for errors",
              found ^ declared)
        needed = symbols(path, "-u", "kernels.o")
        banned = {n for n in needed if re.match(
            r"(f?printf|puts|fopen|open|read|write|getenv|secure_getenv|exit|abort|pthread_\w+|"
            r"dlopen|__printf_chk|__fprintf_chk)$", n)}
        check(not banned, "it opens no file, reads no environment and prints nothing", banned)
