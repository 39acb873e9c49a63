"""chosen.py: the blocks of PETSc's examples that the tests run: the lines of examples.txt.

    chosen.read()             [Chosen] in the order of the file
    chosen.read()[0].name     "mat/tests/ex5.c 11_A"
"""
import dataclasses
import os

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples.txt")


@dataclasses.dataclass(frozen=True)
class Chosen:
    source: str         # below the folder of examples
    suffix: str         # of the block
    options: tuple      # those by which the example uses our type
    in_slice: bool      # whether ./check runs it, too

    @property
    def name(self):
        return f"{self.source} {self.suffix}"


def read(path=LIST):
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split("|")]
            if len(parts) not in (3, 4) or parts[3:] not in ([], ["slice"]):
                raise ValueError(f"{path}:{number}: expected SOURCE | BLOCK | OPTIONS [| slice]")
            found.append(Chosen(parts[0], parts[1], tuple(parts[2].split()), len(parts) == 4))
    return found
