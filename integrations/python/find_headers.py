"""find_headers.py: prints the folders of NumPy's headers and Python's, one a line.

NumPy's come first: Debian's Python has a link to the headers of Debian's NumPy beside its own.

Exit code 1: this Python cannot build the extension; the reason is on standard error.
"""
import os
import sys
import sysconfig

if sys.version_info < (3, 11):
    sys.exit(f"{sys.executable} is Python {sys.version.split()[0]}; 3.11 or later is needed")
folders = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
if not any(os.path.exists(os.path.join(folder, "Python.h")) for folder in folders):
    sys.exit(f"the headers of {sys.executable} are not installed (Debian: python3-dev)")
try:
    import numpy
except ImportError as why:
    sys.exit(f"{sys.executable} cannot import NumPy (Debian: python3-numpy): {why}")
print("\n".join([numpy.get_include(), *sorted(folders)]))
