"""build_hash.py HEADER DEPFILE WORD... -- FOLDER...: writes SG_BUILD_HASH, a hash of a build.

The hash covers the source files of the folders, and the words: other facts that decide the output,
such as the version of Clang. It does not depend on time, path or machine.
"""
import hashlib
import sys
from pathlib import Path

header, depfile, *rest = sys.argv[1:]
split = rest.index("--")
files = [file for folder in rest[split + 1:] for file in sorted(Path(folder).rglob("*"))
         if file.suffix in (".c", ".h", ".cpp", ".in")]

digest = hashlib.sha256()
parts = [word.encode() for word in rest[:split]]
for file in files:
    parts += [f"{file.parent.name}/{file.name}".encode(), file.read_bytes()]
for part in parts:
    digest.update(len(part).to_bytes(8, "little") + part)
Path(header).write_text('/* build_hash.h: made by build_hash.py. */\n'
                        f'#define SG_BUILD_HASH "{digest.hexdigest()[:16]}"\n')
Path(depfile).write_text(
    header + ": " + " ".join(str(file).replace(" ", "\\ ") for file in files) + "\n")
