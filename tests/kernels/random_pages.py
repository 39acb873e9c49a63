"""random_pages.py: target pages that draw every parameter of a method from its range.

    for page in random_pages.draw(ROOT, seed, count, form, parents):
        page.name, page.method, page.selection, page.write(FOLDER)

`form` is the form of templates, simd or simt; each page inherits one of `parents`. The selection
holds options of spmvgen that select types.

Ranges are read from params.lua and its includes, so new methods and parameters are drawn too.
Values are small, large, powers of two, or anything between. spmvgen must refuse values that
contradict each other.
"""
import random
import re

# For the form simd: targets that the compilers of a CPU support besides plain C.
PARENTS = {"x86_64": ["x86-64-v2", "x86-64-v3", "x86-64-v4"], "aarch64": ["aarch64"]}


def cpu_parents(cpu):
    return ["generic-c", *PARENTS.get(cpu, [])]


class Parameter:
    """A parameter, read from its declaration in params.lua."""

    def __init__(self, name, body):
        self.name = name
        choices = re.search(r"choices = \{([^}]*)\}", body)
        self.choices = re.findall(r"(\w+) =", choices[1]) if choices else None
        limits = re.search(r"min = ([\d< ]+), max = ([\d< ]+)", body)
        if not limits and not choices:
            raise ValueError(f"parameter {name}: neither min and max nor choices")
        self.limits = [eval(text) for text in limits.groups()] if limits else None  # 1 << 24

    def draw(self, rng):
        if self.choices:
            return '"' + rng.choice(self.choices) + '"'
        least, most = self.limits
        kind = rng.randrange(5)
        if kind == 0:
            return least
        if kind == 1:
            return most
        if kind == 2:
            return rng.randint(least, min(most, least + 8))
        power = 1 << rng.randrange(most.bit_length())
        return power if least <= power <= most else rng.randint(least, most)


class Page:
    def __init__(self, name, method, selection, text):
        self.name, self.method, self.selection, self.text = name, method, selection, text

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.lua"
        path.write_text(self.text, encoding="utf-8")
        return path


def read_declarations(path):
    """The text of a params.lua, with each include replaced by the included text."""
    common = path.parent.parent / "common"
    return re.sub(r'^include "(\w+)"$',
                  lambda include: (common / f"{include[1]}.lua").read_text(encoding="utf-8"),
                  path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def read_parameters(path):
    text = read_declarations(path)
    return [Parameter(name, body) for name, body in
            re.findall(r'^param "(\w+)" \{\n(.*?)^\}', text, re.MULTILINE | re.DOTALL)]


def draw(root, seed, count, form, parents):
    """Draws `count` pages, one method after another."""
    rng = random.Random(seed)
    methods = sorted(path.parent for path in root.glob(f"templates/*/{form}.c"))
    parameters = {method.name: read_parameters(method / "params.lua") for method in methods}
    for i in range(count):
        method = methods[i % len(methods)].name
        lines = [f'inherit "{rng.choice(parents)}"']
        # Most pages set few parameters, so that they have a chance to be legal.
        chosen = [p for p in parameters[method] if rng.random() < rng.choice((0.3, 0.6, 1))]
        lines += [f"{method}.{p.name} = {p.draw(rng)}" for p in chosen]
        # One, two or four modules in a file, which share text.
        selection = [*rng.choice(([], ["--type", "f32"], ["--type", "f64"])),
                     *rng.choice(([], ["--offsets", "i32"], ["--offsets", "i64"]))]
        yield Page(f"random-{seed}-{i}", method, selection, "\n".join(lines) + "\n")
