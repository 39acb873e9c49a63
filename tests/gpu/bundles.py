"""bundles.py: makes CUDA bundles, and compiles programs with them for this CPU or by nvcc.

For the CPU everything is C++98 against cuda65/cuda_runtime.h; fake_cudart.cpp runs it, and the shim
(tests/kernels/shim.h) runs the kernels."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import tap

CC = os.environ.get("CC", "cc").split()
CXX = os.environ.get("CXX", "c++").split()
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", tap.WERROR]
# As C++98 has no long long, and CUDA's text has pragmas and attributes for nvcc.
KERNEL_WARNINGS = ["-Wall", tap.WERROR, "-Wno-unknown-pragmas", "-Wno-attributes",
                   "-Wno-unused-function"]
STUB = [f"-I{ROOT}", f"-I{ROOT / 'tests/gpu/cuda65'}", f"-I{ROOT / 'tests/gpu'}"]
SHIM = ["-include", str(ROOT / "tests/gpu/shim_launch.h")]
CXX98 = ["-std=c++98", "-Wno-long-long", "-Wno-variadic-macros", "-x", "c++"]
LOCAL = re.compile(r"^( +)__shared__ ([\w ]+) (\w+)\[(.+)\];", re.MULTILINE)


def call(*words, cwd=None, env=None, timeout=600):
    """(exit code, output)"""
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
    return done.returncode, done.stdout


def emit(spmvgen, folder, target, *options):
    return call(spmvgen, "--data", ROOT, "--target", target, *options, "--bundle", folder)


def compile_all(jobs, folder):
    """Runs compilers, each job (words, object), two at a time; returns the output of the first that
    failed, or None."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for code, output in pool.map(
                lambda job: call(*job[0], "-c", "-o", folder / job[1]), jobs):
            if code:
                return output
    return None


def fake_jobs():
    """Compiles the fake CUDA and the shim."""
    c = [*CC, "-std=c11", "-O1", f"-I{ROOT}"]
    return [([*c, ROOT / "tests/kernels/shim.c"], "shim.o"),
            ([*c, ROOT / "tests/kernels/fibers.c"], "fibers.o"),
            ([*c, ROOT / "bench/matrices/random.c"], "random.o"),
            ([*CXX, *WARNINGS, *CXX98, "-O1", *STUB, ROOT / "tests/gpu/fake_cudart.cpp"],
             "fake_cudart.o")]


def bundle_jobs(bundle, prefix="spmv"):
    """Compiles a bundle for the CPU. Local arrays become calls of the shim."""
    text = (bundle / f"{prefix}_kernels.cu").read_text(encoding="utf-8")
    text = LOCAL.sub(r"\1\2 *const \3 = (\2 *)shim_local(sizeof(\2) * (\4));", text)
    shimmed = bundle / f"{prefix}_shimmed.cu"
    shimmed.write_text(text.replace("SPMV_LAUNCH", f"{prefix.upper()}_LAUNCH"), encoding="utf-8")
    launch = [] if prefix == "spmv" else [f"-D{prefix.upper()}_LAUNCH=SPMV_LAUNCH"]
    return [([*CC, "-std=c11", "-O1", *WARNINGS, bundle / f"{prefix}_kernels.c"],
             f"{bundle.name}_c.o"),
            ([*CXX, *KERNEL_WARNINGS, *CXX98, "-O1", *STUB, *SHIM, *launch, shimmed],
             f"{bundle.name}_cu.o")]


def user_job(source, name, *includes, with_fake=True):
    return ([*CXX, *WARNINGS, *CXX98, "-O1", *STUB, *(SHIM if with_fake else []),
             *[f"-I{folder}" for folder in includes], source], name)


def link(folder, program, *objects):
    return call(*CXX, *[folder / o for o in objects], folder / "shim.o", folder / "fibers.o",
                folder / "random.o", folder / "fake_cudart.o", "-lm", "-o", folder / program)
