#!/usr/bin/env python3
"""oclgrind.py: OpenCL programs under Oclgrind, a simulator that watches every access.

    oclgrind.py --spmvbench FILE --target NAME [--method NAME]... [--slice]

Oclgrind tells races, accesses out of bounds, and barriers that not all work-items reach. (Reads of what
was never written are left to the shim, which fills the workspace with other garbage in each run:
Oclgrind 21.10 calls some memory uninitialised that an earlier kernel wrote.) Each program of the target's modules that are linked into spmvbench multiplies
small matrices of every shape there, and each result is checked. The last line counts programs,
matrices and reports. --slice: a few of the matrices, for ./check.
"""
import argparse
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

# Sizes that reach tiles, blocks and slices of several kinds, and stay in seconds.
SIZES = (30, 200)
SLICE = (200,)
SLICE_SHAPES = {"comb", "remainders", "giant-middle", "inner-empty"}
TYPES = [("f64", "i32"), ("f32", "i32"), ("f64", "i64"), ("f32", "i64")]
FAULTS = re.compile(r"^(Invalid|.*race|Uninitialized|Work-group divergence|Illegal|.*out of bounds)",
                    re.IGNORECASE | re.MULTILINE)


def find_library():
    """The library that the wrapper would preload; libspmv opens it by name."""
    patterns = ("/usr/lib*/oclgrind/liboclgrind-rt.so", "/usr/lib/*/oclgrind/liboclgrind-rt.so",
                "/usr/local/lib/oclgrind/liboclgrind-rt.so", "/usr/local/lib/liboclgrind-rt.so")
    return next((path for pattern in patterns for path in sorted(glob.glob(pattern))), None)


def shapes_of(spmvbench):
    """{name: least size} of all shapes."""
    listed = subprocess.run([spmvbench, "--list"], capture_output=True, text=True, check=True).stdout
    part = listed[listed.index("shape"):]
    return re.findall(r"^  ([a-z][\w-]+)\s", part, re.MULTILINE)


def run(args, library, shape, size, types, log):
    environment = dict(os.environ, SPMV_TARGET=args.target, SPMV_DEVICE="opencl:Oclgrind",
                       SPMV_OPENCL_LIBRARY=library)
    command = ["oclgrind", "--data-races", "--build-options", "-cl-opt-disable", "--log",
               str(log), args.spmvbench, "--shape", shape, "--size", str(size),
               "--type", types[0], "--offset", types[1], "--repeat", "1", "--dram", "0",
               "--beta", "0.5", "--alpha", "2"]
    for method in args.method:
        command += ["--method", method]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                          env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spmvbench", required=True)
    parser.add_argument("--target", default="pocl")
    parser.add_argument("--method", action="append", default=[])
    parser.add_argument("--slice", action="store_true")
    args = parser.parse_args()
    library = find_library()
    if not shutil.which("oclgrind") or not library:
        tap.skip("oclgrind is not installed (Debian 12: oclgrind; Debian 13 has no such package)")
        tap.done()
        return

    matrices = reports = 0
    programs = set()
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        for shape in shapes_of(args.spmvbench):
            if args.slice and shape not in SLICE_SHAPES:
                continue
            for size in SLICE if args.slice else SIZES:
                found = tried = 0
                said = ""
                for types in TYPES[:1] if args.slice else TYPES:
                    log.unlink(missing_ok=True)
                    done = run(args, library, shape, size, types, log)
                    if done.returncode == 2:     # a size that the shape does not take
                        continue
                    text = log.read_text(errors="replace") if log.exists() else ""
                    rows = re.findall(r"^(\w+)\s+\S+\s.*\s(yes|NO)\s*$", done.stdout, re.MULTILINE)
                    programs |= {(method, types) for method, _ in rows}
                    tried += len(rows)
                    faults = len(FAULTS.findall(text))
                    found += faults
                    if faults or done.returncode or not rows:
                        said += " ".join(types) + "\n" + done.stdout[-2000:] + done.stderr[-2000:] + \
                            text[:3000]
                if tried:
                    matrices += 1
                    reports += found
                    tap.ok(not said, f"{shape} {size}: {tried} multiplications, nothing to tell", said)
    tap.diag(f"{len(programs)} programs x {matrices} matrices: {reports} reports")
    tap.done()


if __name__ == "__main__":
    main()
