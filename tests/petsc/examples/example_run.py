"""example_run.py: one block of an example of PETSc, run with our type and, if need be, with AIJ.

    chosen.read()                        the lines of examples.txt: [Chosen]
    runner = example_run.Runner(petsc, library, folder, "all")
    verdict = runner.block(chosen)          Verdict; its `failure` is None, or says what differs

Each run of a block (its loops make several) has a folder of its own. The plug-in and the options of
examples.txt stand behind the block's options and win over them. The output, after the block's
filter, is compared with PETSc's expected output by the stricter rule (comparison.py). If they
differ, or PETSc has no such file, the block runs with its options alone, too. Then our type's
output must be AIJ's by the stricter rule, and PETSc's file by PETSc's rule if AIJ's is.

-log_view, into a file, counts the plug-in's products. A block without one fails: it did not run our
kernels.
"""
import dataclasses
import glob
import os
import re
import shutil
import subprocess

import blocks
import chosen
import comparison

# The plug-in's log event of a product, as in "MatSpmvMult   12 1.0 ...".
PRODUCTS = re.compile(r"^MatSpmvMult +(\d+) ", re.M)


@dataclasses.dataclass
class Verdict:
    chosen: "chosen.Chosen"
    ranks: str = ""
    runs: int = 0
    products: int = 0         # by our kernels, of rank 0 and all runs
    against: set = dataclasses.field(default_factory=set)   # what outputs were compared with
    failure: str = None
    skipped: str = None


def plugin(library):
    """Options that load the plug-in, and let it multiply small blocks, too."""
    return ["-dll_append", os.path.abspath(library), "-mat_aijspmv_least_nonzeros", "1",
            "-mat_aijspmv_least_row_nonzeros", "0", "-mat_aijspmv_dense", "always"]


def products_in(folder):
    """Of all products of our kernels on the rank that had most of them."""
    try:
        with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as file:
            return sum(int(count) for count in PRODUCTS.findall(file.read()))
    except FileNotFoundError:
        return 0


def expected_of(petsc, source, block):
    """Texts that PETSc expects; an example may have alternatives."""
    folder = os.path.dirname(os.path.join(petsc.examples, source))
    name = os.path.basename(source).removesuffix(".c")
    first = os.path.join(folder, block.output_file or f"output/{name}_{block.suffix}.out")
    found = []
    for path in [first, *sorted(glob.glob(first.removesuffix(".out") + "_alt*.out"))]:
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                found.append(comparison.filtered(file.read(), block.filter_output))
    return found


def last_lines(result):
    return "\n".join((result.output + result.errors).splitlines()[-12:])


class Runner:
    def __init__(self, petsc, library, folder, runs):
        """runs: the folder in `folder` for the files of runs, which no other runner uses."""
        self.petsc, self.library, self.folder, self.runs = petsc, library, folder, runs

    def find_block(self, source, suffix):
        """(block, None), or (None, why there is none here)"""
        path = os.path.join(self.petsc.examples, source)
        if not os.path.exists(path):
            return None, f"PETSc {self.petsc.version} has no example {source}"
        for block in blocks.of_file(path):
            if block.suffix == suffix:
                return block, self.petsc.obstacle(block.requires)
        return None, f"{source} of PETSc {self.petsc.version} has no block {suffix}"

    def block(self, line):
        verdict = Verdict(line)
        block, verdict.skipped = self.find_block(line.source, line.suffix)
        if verdict.skipped:
            return verdict
        try:
            program = self.petsc.compile(line.source, os.path.join(self.folder, "programs"))
            runs = block.runs()
            verdict.ranks = "/".join(str(n) for n in sorted({n for n, _ in runs}))
            for i, (nsize, arguments) in enumerate(runs):
                folder = os.path.join(self.folder, self.runs, line.name.replace("/", "-"),
                                      str(i))
                verdict.failure = self.one_run(verdict, block, program, nsize, arguments, folder)
                if verdict.failure:
                    verdict.failure = (f"with {nsize} ranks and options "
                                       f"{' '.join(arguments)}:\n{verdict.failure}")
                    break
        except (RuntimeError, blocks.Unreadable) as error:
            verdict.failure = str(error)
        except subprocess.TimeoutExpired as error:
            verdict.failure = f"no end after {error.timeout:.0f} s"
        return verdict

    def one_run(self, verdict, block, program, nsize, arguments, folder):
        arguments = [word.replace("${wPETSC_DIR}", self.petsc.root) for word in arguments]

        def output(name, more):
            place = os.path.join(folder, name)
            shutil.rmtree(place, ignore_errors=True)
            result = self.petsc.run(program, nsize, [*arguments, *more, "-log_view", ":log"], place)
            if result.code != 0:
                raise RuntimeError(f"{name}, with {nsize} ranks and options {' '.join(arguments)}: "
                                   f"exit code {result.code}\n{last_lines(result)}")
            return comparison.filtered(result.output, block.filter)

        ours = output("ours", [*plugin(self.library), *verdict.chosen.options])
        verdict.runs += 1
        count = products_in(os.path.join(folder, "ours"))
        verdict.products += count
        if count == 0:
            return "our kernels did not multiply: -log_view counts no product of theirs"
        expected = expected_of(self.petsc, verdict.chosen.source, block)
        if comparison.is_one_of(ours, expected, "-j" in block.diff_args):
            verdict.against.add("PETSc's file")
            return None
        return self.compare(verdict, ours, output("aij", []), expected, "-j" in block.diff_args)

    def compare(self, verdict, ours, aij, expected, exact):
        differs = comparison.difference(ours, aij)
        if differs:
            return f"our type's output is not AIJ's:\n{differs}"

        def as_expected(text):
            results = [comparison.petscdiff(text, one, exact) for one in expected]
            return None if None in results else results[0]

        verdict.against.add("AIJ")
        if expected and not as_expected(aij):
            verdict.against.add("PETSc's file")
            differs = as_expected(ours)
            if differs:
                return f"our type's output is not PETSc's file:\n{differs}"
        return None
