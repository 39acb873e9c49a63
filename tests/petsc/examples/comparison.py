"""comparison.py: whether two runs of an example printed the same.

    comparison.filtered(text, "grep -v type")   the text after a block's filter, a shell command
    comparison.petscdiff(text, expected)        None, or the first difference that petscdiff sees
    comparison.difference(ours, aij)            None, or the first difference by the stricter rule
    comparison.is_one_of(ours, expected)        whether both rules find no difference to one text

PETSc's petscdiff drops numbers with a point or an exponent and compares the rest, spaces aside.
The stricter rule compares these numbers, too: they are equal within 1e-4 of the larger one, or
differ by less than 1e-9, since kernels add in an order of their own and examples print few digits.
Integers, such as counts of iterations, and words are equal in both rules. Views of our type may
differ from AIJ's: "spmv" in names of types and lines that begin with "aijspmv" are dropped.
"""
import re
import subprocess

RELATIVE = 1e-4
ABSOLUTE = 1e-9
# As petscdiff: with an exponent, or with a point.
NUMBER = re.compile(r"< [-+ ]*\d+\.*\d*[eE][-+]\d+|[-+ ]*-*\d+\.*\d*[eE][-+]\d+|[-+ ]*-*\d+\.\d*")


def filtered(text, command):
    if not command:
        return text
    return subprocess.run(["sh", "-c", command], input=text, capture_output=True, text=True,
                          env=None, check=False).stdout


def lines_of(text):
    """Lines as AIJ prints them, without blank ones."""
    text = re.sub(r"\b((?:seq|mpi)?aij)spmv\b(?!:)", r"\1", text)
    return [line for line in text.splitlines()
            if line.strip() and not re.match(r"\s*aijspmv\b.*: ", line)]


def words_of(line):
    """(the line without spaces and numbers, [number])"""
    numbers = NUMBER.findall(line)
    return re.sub(r"\s+", "", NUMBER.sub("#", line)), numbers


def value(text):
    return float(text.lstrip("< ").replace(" ", "").replace("+-", "-").replace("--", "") or 0)


def near(one, other):
    if one.startswith("<") or other.startswith("<"):   # a bound, as in "< 1.e-11"
        return True
    a, b = value(one), value(other)
    return abs(a - b) <= max(ABSOLUTE, RELATIVE * max(abs(a), abs(b)))


def first_difference(one, other, same):
    left, right = lines_of(one), lines_of(other)
    for a, b in zip(left, right):
        if not same(a, b):
            return f"got:      {a}\nexpected: {b}"
    if len(left) != len(right):
        longer = left if len(left) > len(right) else right
        return (f"{len(left)} lines instead of {len(right)}; the first of the rest: "
                f"{longer[min(len(left), len(right))]}")
    return None


def petscdiff(text, expected, exact=False):
    if exact:
        return first_difference(text, expected, lambda a, b: a.split() == b.split())
    return first_difference(text, expected, lambda a, b: words_of(a)[0] == words_of(b)[0])


def difference(ours, aij):
    def same(a, b):
        (words_a, numbers_a), (words_b, numbers_b) = words_of(a), words_of(b)
        return words_a == words_b and all(map(near, numbers_a, numbers_b))
    return first_difference(ours, aij, same)


def is_one_of(text, expected, exact=False):
    return any(not petscdiff(text, one, exact) and not difference(text, one) for one in expected)
