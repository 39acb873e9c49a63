"""root.py: ROOT, the root of the sources. Importing this file lets tests import tests/tap.py and
the modules of generated/.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "generated"), str(ROOT / "tests")]
