"""test_bundle_symbols.py LIBRARY STATIC-LIBRARY: what the runtime of a bundle calls, by nm. The
second library is of a bundle that allocates nothing."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap

LIBRARY, STATIC_LIBRARY = sys.argv[1:]

# Standard streams, files, the environment, loading and starting threads.
NEVER = {"printf", "fprintf", "puts", "putchar", "fwrite", "fputs", "stderr", "stdout", "fopen",
         "open", "getenv", "secure_getenv", "environ", "dlopen", "dlsym", "pthread_create",
         "abort", "exit"}
MEMORY = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free", "mmap"}


def undefined(library):
    lines = subprocess.run(["nm", "-u", library], check=True, capture_output=True, text=True)
    return {line.split()[-1].split("@")[0] for line in lines.stdout.splitlines()
            if line.strip() and not line.endswith(":")}


if shutil.which("nm") is None:
    tap.skip("needs nm, of binutils")
else:
    for library, never, what in ((LIBRARY, NEVER, "a bundle uses malloc and free alone"),
                                 (STATIC_LIBRARY, NEVER | MEMORY, "a static one uses none")):
        names = undefined(library)
        tap.ok("memcpy" in names and not names & never, what, sorted(names & never))
    tap.ok(undefined(LIBRARY) & MEMORY == {"malloc", "free"}, "malloc and free are found")
tap.done()
