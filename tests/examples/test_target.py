"""test_target.py --work DIR --spmvgen SPMVGEN [--spmvbench SPMVBENCH] --compiler CC: the target of
examples/my-cpu.lua is emitted with the page's values, compiles, and multiplies correctly.
"""
import re

from example import bench, compile_modules, options, run, said, tap

PAGE = "examples/my-cpu.lua"


def main():
    args = options()
    folder = args.work / "my-cpu"
    done = run(args.spmvgen, "--target", PAGE, "-m", "csr5", "-m", "csr_vector", "--type", "f64",
               "-o", folder)
    tap.ok(done.returncode == 0, "the page is emitted", said(done))
    for what, value in ("simd_bits", "512"), ("csr5.sigma", "24"), ("csr5.lanes", "8"):
        done = run(args.spmvgen, "--target", PAGE, "--explain", what)
        tap.ok(done.returncode == 0 and re.search(rf"\b{value}\b", done.stdout),
               f"{what} is {value}", said(done))
    library = compile_modules(args, folder)
    if args.spmvbench:
        done = bench(args, library, "--poisson", "12")
        tap.ok(done.returncode == 0 and
               sorted(re.findall(r"^(\S+) .* (yes|NO|declines) +my-cpu$", done.stdout,
                                 re.MULTILINE)) ==
               [("csr5", "yes"), ("csr_vector", "yes")], "libspmv multiplies by them", said(done))
    else:
        tap.skip("spmvbench is not built")
    tap.done()


main()
