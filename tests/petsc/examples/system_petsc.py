"""system_petsc.py: the PETSc of this system: where it is, what it has, its compiler and mpirun.

    petsc, why = system_petsc.find()      one is None; why says what is missing
    petsc.obstacle("!complex double hypre")   why a block's requirements do not hold here, or None
    petsc.compile(source, folder)         path of the program; compiled once for each source
    petsc.run(program, nsize, arguments, folder)   Result(code, output, errors)

One thread a rank: libraries below PETSc may use OpenMP.
"""
import dataclasses
import fcntl
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../../../integrations/petsc")]

import installed_petsc
import mpi

# Requirements of blocks that are no macro of petscconf.h, and whether they hold.
ALWAYS = {"c99", "double", "x_or_not"}
NEVER = {"datafilespath", "single", "__float128", "__fp16", "complex"}


@dataclasses.dataclass
class Result:
    code: int
    output: str
    errors: str


def find():
    why = installed_petsc.missing()
    if why:
        return None, why
    version = installed_petsc.query("--modversion")
    short = ".".join(version.split(".")[:2])
    root = installed_petsc.query("--variable=prefix")
    examples = os.path.join(root, "share/petsc/examples/src")
    if not os.path.isdir(os.path.join(examples, "mat/tests")):
        return None, (f"PETSc's examples are not in {examples} "
                      f"(Debian: libpetsc{short}-dev-examples)")
    return Petsc(version, root, examples), None


class Petsc:
    def __init__(self, version, root, examples):
        self.version, self.root, self.examples = version, root, examples
        self.flags = installed_petsc.flags()
        self.macros = self.read_macros()
        self.compiler = (["ccache"] if shutil.which("ccache") else []) + ["mpicc"]

    def read_macros(self):
        found = set()
        for folder in (flag[2:] for flag in self.flags if flag.startswith("-I")):
            for path in glob.glob(os.path.join(folder, "petscconf.h")):
                with open(path, encoding="utf-8") as file:
                    found |= set(re.findall(r"^#\s*define\s+(\w+)", file.read(), re.M))
        return found

    def holds(self, word):
        if word in NEVER:
            return {"complex": "PETSC_USE_COMPLEX" in self.macros,
                    "single": "PETSC_USE_REAL_SINGLE" in self.macros}.get(word, False)
        if word in ALWAYS:
            return True
        defined = re.fullmatch(r"defined\((\w+)\)", word)
        return (defined[1] if defined else "PETSC_HAVE_" + word.upper()) in self.macros

    def obstacle(self, requires):
        for word in re.sub(r"\(\s+|\s+\)", lambda m: m[0].strip(), requires).split():
            wanted = not word.startswith("!")
            if self.holds(word.lstrip("!")) != wanted:
                return f"this PETSc ({self.version}) does not meet the block's requirement {word}"
        return None

    def compile(self, source, folder):
        """Path of the program; a RuntimeError with the compiler's words if it does not compile."""
        path = os.path.join(self.examples, source)
        with open(path, "rb") as file:
            key = hashlib.sha256(file.read() + self.version.encode()).hexdigest()[:12]
        name = source.replace("/", "-").removesuffix(".c")
        program = os.path.abspath(os.path.join(folder, f"{name}-{key}"))
        os.makedirs(folder, exist_ok=True)
        # Threads and suites at the same time share programs.
        with open(program + ".lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(program):
                self.build(path, program)
        return program

    def build(self, path, program):
        for command in ([*self.compiler, "-O1", "-c", *self.flags, path, "-o", program + ".o"],
                        ["mpicc", program + ".o", "-o", program + ".new", *self.flags, "-lm"]):
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode != 0:
                raise RuntimeError(result.stderr)
        os.remove(program + ".o")
        os.rename(program + ".new", program)   # complete, or not there

    def run(self, program, nsize, arguments, folder, prefix=(), seconds=120):
        os.makedirs(folder, exist_ok=True)
        words = [*prefix, program, *arguments]
        if nsize > 1:
            words = ["mpirun", "--bind-to", "none", "-n", str(nsize), *words]
        result = mpi.run(words, seconds, cwd=folder, env=mpi.CROWDED, errors="replace")
        return Result(result.returncode, result.stdout, result.stderr)
