#!/usr/bin/env python3
"""pack.py write FOLDER FILE | pack.py read FILE FOLDER: the results of bench/gpu.sh as one file.

FILE is a tar archive, compressed by gzip. "write" packs the results that FOLDER has, and nothing
else of it: no builds. It replaces FILE only when the new one is complete. "read" unpacks to a
FOLDER that does not exist yet. FILE may come from anywhere, so a member that "write" does not write
is an error, and nothing is unpacked then: another name, a link, a device, a second of one name.
Exit code 1: it did not work, with a sentence on standard error.
"""
import io
import os
import pathlib
import re
import sys
import tarfile
import zlib

NAME = r"[A-Za-z0-9_][A-Za-z0-9_.+-]*"
RESULTS = re.compile(
    rf"""(?:older-[0-9]+/)?(?:
        key | seconds | device\.txt | bandwidth\.json | gpu\.(?:json|txt)
      | stamps/{NAME}
      | (?:checks|sweep)/refused
      | checks/{NAME}/{NAME}\.(?:json|log)
      | (?:time|sweep)/{NAME}\.(?:json|part|log|failed|wrong|faults|before|after)
      | profile/(?:refused|{NAME}\.(?:csv|log|failed))
    )""", re.VERBOSE)
MOST_BYTES = 1 << 28                # of all files; a whole run has some megabytes


def results_of(folder):
    """The names of the results in the folder, sorted."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*")
             if path.is_file() and not path.is_symlink())
    return sorted(name for name in names if RESULTS.fullmatch(name))


def write(folder, file):
    fresh = file.with_name(file.name + ".new")
    with tarfile.open(fresh, "w:gz") as archive:
        for name in results_of(folder):
            content = (folder / name).read_bytes()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    os.replace(fresh, file)


def fault_of(member, names):
    """Why --resume does not take the member; "": it does."""
    kind = ("a symbolic link" if member.issym() else "a hard link" if member.islnk()
            else "" if member.isreg() else "no regular file")
    if not RESULTS.fullmatch(member.name):
        return "no result of bench/gpu.sh has this name"
    return kind and f"it is {kind}" or ("it is there twice" if member.name in names else "")


def contents_of(file):
    """{name: bytes} of the archive."""
    contents, left = {}, MOST_BYTES
    with tarfile.open(file, "r:gz") as archive:
        for member in archive:
            fault = fault_of(member, contents)
            left -= member.size
            if fault or left < 0:
                raise ValueError(f"it holds '{ascii(member.name)[1:-1]}': "
                                 + (fault or f"with it, more than {MOST_BYTES >> 20} MiB"))
            contents[member.name] = archive.extractfile(member).read()
    if "key" not in contents:
        raise ValueError("it holds no file 'key'")
    return contents


def read(file, folder):
    contents = contents_of(file)
    folder.mkdir()
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("write", "read"):
        raise SystemExit(__doc__)
    try:
        (write if sys.argv[1] == "write" else read)(*map(pathlib.Path, sys.argv[2:]))
    except (OSError, EOFError, ValueError, tarfile.TarError, zlib.error) as error:
        raise SystemExit(f"pack.py: {error}") from error


if __name__ == "__main__":
    main()
