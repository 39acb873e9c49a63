"""test_fetches.py: compilers leave nothing out of what kernels fetch ahead.

    test_fetches.py --compiler CC

No result depends on it, so nothing else can tell. GCC takes a function that does nothing but fetch for one without
effect, and drops its calls, unless it has put it in line before (FETCHER of templates/prelude/base.h). So committed
modules are compiled twice: as they stand, and with an asm statement, which has to stay, wherever they fetch. Both
must fetch as often, but for what the compiler writes out once more here or there.
"""
import argparse
import re
import shlex
import subprocess

from run_suite import ROOT, tap

FOLDERS = ["zen4", "x86-64-v3"]
FETCH = re.compile(r"^\s*prefetch\w*\s", re.MULTILINE)
STAYS = ["-D__builtin_prefetch(p,...)=__asm__ volatile(\"prefetch %0\" :: \"r\"(p))"]
DROPPED = """
__attribute__((noinline)) static void fetch(const double *x, const int *col, int n)
{
    for (int i = 0; i < n; i++)
        __builtin_prefetch(x + col[i], 0, 2);
}
double first(const double *x, const int *col)
{
    fetch(x, col, 16);
    return x[0];
}
"""


def fetches_of(compiler, options, source, text=None):
    """How many instructions fetch; None: it does not compile."""
    done = subprocess.run([*compiler, "-std=gnu11", "-O2", *options, "-S", "-o", "-", "-x", "c", source],
                          input=text, capture_output=True, text=True, check=False)
    return len(FETCH.findall(done.stdout)) if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    compiler = shlex.split(parser.parse_args().compiler)
    version = subprocess.run([*compiler, "-v"], capture_output=True, text=True, check=False).stderr
    if "gcc version" not in version or not re.search(r"Target: x86_64", version):
        tap.skip("it is GCC that drops them, and the modules that are looked at are for x86-64")
        tap.done()
        return
    found = [fetches_of(compiler, options, "-", DROPPED) for options in ([], STAYS)]
    tap.ok(found == [0, 1], "a function that only fetches is dropped where it may be", str(found))
    for folder in FOLDERS:
        for source in sorted((ROOT / "generated" / folder).glob("spmv_*_f64_i32__*.c")):
            found = [fetches_of(compiler, options, str(source)) for options in ([], STAYS)]
            fetches = "csr_scalar" not in source.name
            tap.ok(None not in found and 10 * found[0] >= 9 * found[1] and (found[0] > 0) == fetches,
                   f"{source.stem}: all that it fetches is there", str(found))
    tap.done()


if __name__ == "__main__":
    main()
