"""test_githooks.py: tools/githooks/commit-msg refuses what CONTRIBUTING.md says of subjects."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
from machine import SOURCE

CASES = (("Name the change", ""), ("fixup! " + 80 * "x", ""), ("# a note\nName it", ""),
         ("x" * 72, ""), ("x" * 73, "73 characters"), ("Name the change.", "full stop"),
         ("Regenerate the kernels", "emitted text belongs"),
         ("tests: wrap a line", "wrapped lines"),
         ("", "first line is empty"))

with tempfile.TemporaryDirectory() as folder:
    for text, expected in CASES:
        path = os.path.join(folder, "message")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n\nwhy\n")
        done = subprocess.run([os.path.join(SOURCE, "tools/githooks/commit-msg"), path], text=True,
                              capture_output=True, check=False)
        tap.ok(done.returncode == bool(expected) and expected in done.stderr,
               f"{'refused' if expected else 'accepted'}: {text[:30]!r}", done.stderr)
tap.done()
