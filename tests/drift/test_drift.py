"""test_drift.py SPMVGEN SOURCE_ROOT: the generator emits every folder of generated/, and
examples/bundle/, as committed."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap

spmvgen, root = (os.path.abspath(arg) for arg in sys.argv[1:])
generated = os.path.join(root, "generated")

# Python may leave __pycache__. An emitted folder without its manifest has drifted.
folders = [os.path.join("generated", name) for name in sorted(os.listdir(generated))
           if os.path.isdir(os.path.join(generated, name)) and name != "__pycache__"]
for folder in [*folders, "examples/bundle"]:
    run = subprocess.run([spmvgen, "--check", folder], cwd=root, capture_output=True, text=True)
    tap.ok(run.returncode == 0,
           f"spmvgen emits {folder} as committed (else: generated/regenerate)",
           run.stdout + run.stderr)
tap.done()
