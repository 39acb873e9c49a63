"""Runs the generator, the program `spmvgen`, which emits kernels as source code."""
from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Union

PathLike = Union[str, "os.PathLike[str]"]

HOW_TO_GET = """\
This package has the kernels of libspmv, but not the program that emits others: it contains parts of
LLVM. To get it, build spmvgen from a clone (./quickstart leaves build/generator/spmvgen), or
install the Debian package spmvgen that packaging/build-deb.sh makes. Then put the program on PATH,
or name it by the environment variable SPMVGEN or by emit(..., generator=PATH)."""


class GeneratorNotFound(FileNotFoundError):
    """The program spmvgen is not installed; the text says how to get it."""


class GeneratorError(RuntimeError):
    """The generator refused. The text is the generator's own.

    exit_code: 1 for bad input, 2 for a wrong command line, 3 for an internal error; negative if a
    signal ended the generator.
    """

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text)
        self.exit_code = exit_code


def find_generator(generator: PathLike | None = None) -> str:
    """The path of the program: `generator`, else $SPMVGEN, else `spmvgen` on PATH."""
    named_by, name = "generator", os.fspath(generator) if generator is not None else ""
    if not name:
        named_by, name = "the environment variable SPMVGEN", os.environ.get("SPMVGEN", "")
    if not name:
        named_by, name = "", "spmvgen"
    path = shutil.which(name)
    if path is None and named_by:
        raise GeneratorNotFound(f"{named_by} names {name!r}, which is no program.\n\n{HOW_TO_GET}")
    if path is None:
        raise GeneratorNotFound(f"The program spmvgen is not on PATH.\n\n{HOW_TO_GET}")
    return path


def _names(option: str, value: PathLike | Iterable[PathLike] | None) -> list[str]:
    if value is None:
        return []
    return [f"--{option}={os.fspath(name)}" for name in
            ([value] if isinstance(value, (str, os.PathLike)) else value)]


def emit(target: PathLike | Iterable[PathLike], outdir: PathLike, *,
         method: str | Iterable[str] | None = None, type: str | Iterable[str] | None = None,
         offsets: str | Iterable[str] | None = None, values: Mapping[str, object] | None = None,
         bundle: bool = False, prefix: str | None = None, static: bool = False,
         figures: bool = False, force: bool = False, data: PathLike | None = None,
         generator: PathLike | None = None) -> list[Path]:
    """Emits kernels for `target` into the folder `outdir`, and returns the files that were written.
    Files that are up to date are not written again.

    target      pages of targets/ by name, "host" for the page that fits this CPU best, or the
                paths of pages of your own
    method      methods; None: all. type: "f32", "f64"; offsets: "i32", "i64"
    values      values in place of the page's: {"strips.lanes": 8}
    bundle      True: one header and one source that need no library, with names that begin with
                `prefix`; static: a bundle of one method that allocates nothing
    figures     also emit statistics of layouts
    force       replace files even if they were changed by hand
    data        the folder with templates/, targets/ and runtime/; None: the generator's own
    generator   the program; None: $SPMVGEN, else `spmvgen` on PATH

    Raises GeneratorNotFound or GeneratorError.
    """
    program = find_generator(generator)
    command = [program, *_names("target", target), *_names("method", method),
               *_names("type", type), *_names("offsets", offsets)]
    command += [f"--set={key}={value}" for key, value in (values or {}).items()]
    command += [f"--{'bundle' if bundle else 'output'}={os.fspath(outdir)}"]
    command += _names("prefix", prefix) + _names("data", data)
    command += [f"--{name}" for name, wanted in
                (("static", static), ("figures", figures), ("force", force)) if wanted]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="surrogateescape", check=False)
    if done.returncode != 0:
        text = done.stderr.strip() or f"{program} ended with exit code {done.returncode}"
        raise GeneratorError(text, done.returncode)
    return [Path(line.removeprefix("wrote ")) for line in done.stdout.splitlines()
            if line.startswith("wrote ")]
