"""test_exports.py HEADER LIBRARY: the shared library exports the functions of the header alone."""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap

header, library = sys.argv[1:]
text = re.sub(r"/\*.*?\*/", "", pathlib.Path(header).read_text(encoding="utf-8"), flags=re.S)
declared = set(re.findall(r"^(?!typedef)\w[\w \*]*?\b(spmv_\w+)\(", text, flags=re.M))

if shutil.which("nm") is None:
    tap.skip("needs nm")
else:
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                             capture_output=True, text=True).stdout
    exported = {line.split()[2].split("@")[0] for line in listing.splitlines()}
    exported -= {"_init", "_fini"}
    tap.ok(len(declared) > 10, "the header declares functions", declared)
    tap.ok(not declared - exported, "every declared function is exported", declared - exported)
    tap.ok(not exported - declared, "nothing else is exported", exported - declared)
tap.done()
