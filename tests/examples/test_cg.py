"""test_cg.py CG: examples/cg.c takes the same iterations by each method and with --permuted."""
import pathlib
import re
import sys

from example import run, said, tap

CG = pathlib.Path(sys.argv[1]).resolve()
SIDE = "90"

taken = {}
for words in ([], ["--method", "csr_vector"], ["--method", "evc_hyb"], ["--permuted"]):
    name = " ".join(words) or "libspmv's choice"
    done = run(CG, *words, SIDE)
    told = re.search(r"^(\d+) iterations, largest error (\S+), (\S+) us an iteration$",
                     done.stdout, re.M)
    tap.ok(done.returncode == 0 and told and float(told[2]) < 1e-6, f"{name}: it solves",
           said(done))
    taken[name] = told and told[1]
    if words:
        method = words[-1] if words[0] == "--method" else "evc_hyb"
        tap.ok(f"spmv_{method}_" in done.stdout, f"{name}: the method is {method}", said(done))
tap.ok(len(set(taken.values())) == 1, "the iterations are the same", taken)

done = run(CG, "--method", "nothing", SIDE)
tap.ok(done.returncode == 1 and "nothing" in done.stderr, "an unknown method is refused",
       said(done))
done = run(CG, "0")
tap.ok(done.returncode == 2 and "usage" in done.stderr, "no grid is refused", said(done))
tap.done()
