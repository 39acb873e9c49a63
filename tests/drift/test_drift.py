"""test_drift.py SPMVGEN SOURCE_ROOT: every committed folder of generated/ is what the generator emits."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap

spmvgen, root = (os.path.abspath(arg) for arg in sys.argv[1:])
generated = os.path.join(root, "generated")

for folder in sorted(os.listdir(generated)):
    # Python leaves a folder of its own beside them. Without its manifest an emitted one has drifted.
    if not os.path.isdir(os.path.join(generated, folder)) or folder == "__pycache__":
        continue
    run = subprocess.run([spmvgen, "--check", os.path.join("generated", folder)], cwd=root,
                         capture_output=True, text=True)
    tap.ok(run.returncode == 0, f"generated/{folder} is what spmvgen emits (else: generated/regenerate)",
           run.stdout + run.stderr)
tap.done()
