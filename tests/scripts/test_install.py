"""test_install.py BUILD VERSION SANITIZE CC...: the files that `meson install` installs can be
used.

They are installed into a temporary folder. examples/quick.c is built with the flags of pkg-config
alone and runs, also by the commands of docs/how-to/install.md; the installed spmvgen uses the
installed data, the installed spmvbench its peers.
"""
import filecmp
import os
import re
import shlex
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import pages
import tap
from installed import QUICK, find, install, missing_program, remove_shared, run, runs_quick, said
from machine import SOURCE

BUILD, VERSION, SANITIZE, *CC = sys.argv[1:]


def files_below(top):
    return {os.path.relpath(os.path.join(folder, name), top)
            for folder, _, names in os.walk(top) for name in names}


def build_and_run(name, scratch, libdir, flags):
    program = os.path.join(scratch, name)
    result = run(*CC, "-std=c11", "-o", program, QUICK, *flags)
    if tap.ok(result.returncode == 0, f"{name}: a program compiles and links", said(result)):
        runs_quick(program, name, LD_LIBRARY_PATH=libdir)


def test_documented(scratch, libdir, include):
    """The commands of docs/how-to/install.md work for an installation in $HOME/spmv."""
    page = pages.read("docs/how-to/install.md")
    commands = [block for block in re.findall(r"^```sh\n(.*?)^```$", page, flags=re.S | re.M)
                if "$HOME/spmv/lib/pkgconfig" in block]
    home, tools = os.path.join(scratch, "home"), os.path.join(scratch, "tools")
    shutil.copytree(libdir, os.path.join(home, "spmv", "lib"), symlinks=True)
    shutil.copytree(include, os.path.join(home, "spmv", "include"))
    config = os.path.join(home, "spmv/lib/pkgconfig/spmv.pc")
    with open(config, encoding="utf-8") as file:
        text = file.read()
    for name, value in (("prefix", f"{home}/spmv"), ("libdir", "${prefix}/lib")):
        text = re.sub(rf"^{name}=.*$", f"{name}={value}", text, flags=re.M)
    with open(config, "w", encoding="utf-8") as file:
        file.write(text)
    os.mkdir(tools)
    with open(os.path.join(tools, "cc"), "w", encoding="utf-8") as file:
        # With this folder in PATH, ccache would find this file as the compiler.
        file.write(f'#!/bin/sh\nexec env PATH={shlex.quote(os.environ["PATH"])} '
                   f'{shlex.join(CC)} "$@"\n')
    os.chmod(os.path.join(tools, "cc"), 0o755)
    os.symlink(os.path.join(SOURCE, "examples"), os.path.join(scratch, "examples"))
    result = run("sh", "-euc", f"cd {shlex.quote(scratch)}; unset LD_LIBRARY_PATH\n{commands[0]}",
                 HOME=home, PATH=tools + os.pathsep + os.environ["PATH"], SPMV_TARGET="")
    tap.ok(len(commands) == 1 and result.returncode == 0 and "y = 62 74 50 88" in result.stdout,
           "the documented commands work without LD_LIBRARY_PATH", said(result))


def test_library(scratch, destination):
    config = find(destination, "spmv.pc")
    if not tap.ok(config, "there is a pkg-config file"):
        return
    if missing_program("pkg-config"):
        return
    with open(config, encoding="utf-8") as file:
        text = file.read()
    tap.ok(BUILD not in text and SOURCE not in text, "it names no folder of the build", text)

    def ask(*words):
        result = run("pkg-config", *words, "spmv", PKG_CONFIG_LIBDIR=os.path.dirname(config),
                     PKG_CONFIG_PATH="", PKG_CONFIG_SYSROOT_DIR=destination)
        return result.stdout.split()

    tap.ok(ask("--modversion") == [VERSION], "it has the project's version", ask("--modversion"))
    if SANITIZE != "none":
        tap.skip("a library with sanitizers needs a program with the same: " + SANITIZE)
        return
    libdir = os.path.dirname(find(destination, "libspmv.so"))
    test_documented(scratch, libdir, os.path.dirname(find(destination, "spmv.h", "include")))
    build_and_run("shared", scratch, libdir, ask("--cflags", "--libs"))
    remove_shared(libdir)
    build_and_run("static", scratch, "", ask("--static", "--cflags", "--libs"))


def test_described(destination):
    """Man pages and completion stand where man and bash look."""
    for name in ("spmv.3", "spmv_execute.3"):
        tap.ok(find(destination, name, "share/man/man3"), f"man3/{name} is installed")
    for program in ("spmvgen", "spmvbench"):
        if not os.path.exists(os.path.join(BUILD, "docs", program + ".1")):
            tap.skip(f"{program} or help2man is not part of this build")
            continue
        for name, folder in ((f"{program}.1", "man/man1"),
                             (program, "bash-completion/completions")):
            path = os.path.join("share", folder, name)
            tap.ok(any(file.endswith(path) for file in files_below(destination)),
                   f"{path} is installed")


def test_generator(scratch, destination):
    spmvgen = find(destination, "spmvgen", "bin")
    if not spmvgen:
        tap.skip("spmvgen is not part of this build")
        return
    data = os.path.join(os.path.dirname(os.path.dirname(spmvgen)), "share", "spmvgen")
    for part in ("templates", "targets"):
        wanted = files_below(os.path.join(SOURCE, part))
        there = files_below(os.path.join(data, part))
        tap.ok(wanted and wanted == there, f"all files of {part}/ are installed, and no others",
               f"missing {sorted(wanted - there)}, more {sorted(there - wanted)}")
        tap.ok(all(filecmp.cmp(os.path.join(SOURCE, part, name), os.path.join(data, part, name),
                               shallow=False) for name in wanted & there),
               f"the files of {part}/ are those of the sources")
    page = os.path.join(data, "targets", "only-here.lua")
    with open(page, "w", encoding="utf-8") as file:
        file.write('inherit "generic-c"\ndescription = "a page of this installation alone"\n')
    result = run(spmvgen, "--list-targets", SPMVGEN_DATA="")
    tap.ok(result.returncode == 0 and "only-here" in result.stdout,
           "an installed spmvgen reads its own data", said(result))
    output = os.path.join(scratch, "kernels")
    result = run(spmvgen, "--target", "only-here", "-o", output, SPMVGEN_DATA="")
    tap.ok(result.returncode == 0 and os.path.exists(os.path.join(output, "manifest.json")),
           "an installed spmvgen emits kernels", said(result))


def test_spmvbench(destination):
    if not os.path.exists(os.path.join(BUILD, "bench", "spmvbench")):
        tap.skip("spmvbench is not part of this build")
        return
    spmvbench = find(destination, "spmvbench", "bin")
    if not tap.ok(spmvbench, "spmvbench is installed"):
        return
    result = run(spmvbench, "--poisson", "6", "--method", "csr_scalar", "--peers",
                 "--seconds", "0.001", "--repeat", "1", "--dram", "1", SPMV_TARGET="")
    tap.ok(result.returncode == 0 and "csr_scalar" in result.stdout,
           "an installed spmvbench multiplies", said(result))
    tap.ok("csr_omp" in result.stdout, "an installed spmvbench has its peers", said(result))


with tempfile.TemporaryDirectory() as scratch:
    destination = os.path.join(scratch, "installed")
    if install(BUILD, destination):
        for header in ("spmv.h", "spmv.hpp", "spmv_module.h"):
            tap.ok(find(destination, header), f"{header} is installed")
        test_described(destination)
        test_generator(scratch, destination)
        test_spmvbench(destination)
        test_library(scratch, destination)
tap.done()
