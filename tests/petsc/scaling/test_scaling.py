"""The model of products on many ranks, by numbers computed by hand, and the document's tables.

With --slice, without the tables.
"""
import sys

from programs import MATRICES, PETSC, ROOT, run, said

import tap

try:
    import numpy as np
    import model
    from partition import Counts, boxes_of_ranks
except ImportError:
    tap.skip("NumPy is not installed (Debian: python3-numpy)")
    tap.done()

LOCAL = model.Local((1000.0, 100000.0), (11e-6, 1001e-6), 1e-6, 1e9)
NETWORK = model.Network(latency=20e-6, overhead=2e-6, bandwidth=1e8, eager=4000, burst=500)


def near(found, expected, name):
    tap.ok(abs(found - expected) <= 1e-9 * abs(expected), name, f"{found}, expected {expected}")


def counts_of(rows, nonzeros, received, messages):
    """Two ranks without an off-diagonal block that counts; the second has nothing."""
    counts = Counts(2)
    counts.rows[0], counts.nonzeros[0] = rows, nonzeros
    counts.received[:] = counts.sent[:] = received
    counts.messages_received[:] = counts.messages_sent[:] = messages
    return counts


near(float(LOCAL.seconds(500.0)), 6e-6, "half the least bytes: half the time beside the start")
near(float(LOCAL.seconds(10000.0)), (11e-6 * 1001e-6) ** 0.5, "the middle of the logarithms")
near(float(LOCAL.seconds(200000.0)), 2002e-6, "twice the most bytes take twice as long")

# 100 rows and 800 nonzeros: 12 * 800 + 4 * 101 + 16 * 100 bytes.
none = counts_of(100, 800, 0, 0)
size = 9600 + 404 + 1600
home = float(LOCAL.seconds(float(size)))
near(model.product_time(none, LOCAL, NETWORK), home, "without messages a product is local")
near(model.iteration_time(none, LOCAL, NETWORK), home + 3 * 20e-6 + 136 * 100 / 1e9,
     "an iteration has three reductions and 136 bytes a row")
short = counts_of(100, 800, 100, 1)
near(model.exchange_time(short, NETWORK), 20e-6 + 300 / 1e8, "the burst passes at once")
near(model.product_time(short, LOCAL, NETWORK), home + 40 * 100 * (home - 1e-6) / size,
     "short messages are hidden; copies are not")
many = counts_of(1, 7, 100, 500)
travel = 20e-6 + 499 * 2e-6 + 300 / 1e8
tap.ok(model.product_time(many, LOCAL, NETWORK) >= travel > home,
       "messages that take longer than the diagonal block are the limit")
long = counts_of(100, 800, 1000, 1)
near(model.exchange_time(long, NETWORK), 3 * 20e-6 + 7500 / 1e8, "a long message waits twice more")
near(model.product_time(long, LOCAL, NETWORK),
     home + 20e-6 + 20e-6 + 7500 / 1e8 + 40 * 1000 * (home - 1e-6) / size,
     "a long message is not hidden")
near(model.reduce_time(1, NETWORK), 0, "one rank reduces alone")
near(model.reduce_time(1000, NETWORK), 10 * 20e-6, "1000 ranks reduce in 10 steps")

for ranks in (1, 2, 6, 64, 1000, 1024):
    boxes = [int(np.prod(boxes_of_ranks(dimensions, ranks))) for dimensions in (2, 3)]
    tap.ok(boxes == [ranks, ranks], f"{ranks} ranks have as many boxes", boxes)

document = (ROOT / "docs/background/scaling.md").read_text(encoding="utf-8")
head = [line for line in model.__doc__.splitlines() if line.startswith("    ")]
tap.ok(all(line in document.splitlines() for line in head), "the document has the model's lines")
if "--slice" in sys.argv[1:]:
    pass
elif all((MATRICES / f"{name}.mtx.gz").exists() for name in ("cnr-2000", "soc-Slashdot0902")):
    for command in ("predict", "tables"):
        done = run(sys.executable, PETSC / "scaling.py", command, PETSC / "measured.json")
        lines = [line for line in done.stdout.splitlines() if line.startswith("| ")]
        wrong = [line for line in lines if line not in document.splitlines()]
        tap.ok(done.returncode == 0 and len(lines) > 20 and not wrong,
               f"the document has the tables of scaling.py {command}",
               "\n".join(wrong) or said(done))
else:
    tap.skip(f"no cnr-2000 or soc-Slashdot0902 in {MATRICES}; SPMV_MATRICES names a folder")
tap.done()
