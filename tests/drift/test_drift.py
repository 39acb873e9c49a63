"""test_drift.py SPMVGEN SOURCE_ROOT: the generator emits every folder of generated/ as
committed."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap

spmvgen, root = (os.path.abspath(arg) for arg in sys.argv[1:])
generated = os.path.join(root, "generated")

for folder in sorted(os.listdir(generated)):
    # Python may leave __pycache__. An emitted folder without its manifest has drifted.
    if not os.path.isdir(os.path.join(generated, folder)) or folder == "__pycache__":
        continue
    run = subprocess.run([spmvgen, "--check", os.path.join("generated", folder)], cwd=root,
                         capture_output=True, text=True)
    tap.ok(run.returncode == 0,
           f"spmvgen emits generated/{folder} as committed (else: generated/regenerate)",
           run.stdout + run.stderr)
tap.done()
