#!/usr/bin/env python3
"""find_cuda.py [PATH[:PATH]...]: where CUDA's headers, libraries and compiler are, a line each:

    cuda_include=DIR       has cuda_runtime_api.h
    cusparse_include=DIR   has cusparse.h
    cudart=FILE cusparse=FILE nvrtc=FILE     libraries, also without a link for the linker
    nvcc=FILE
    sanitizer=FILE         compute-sanitizer itself, with its libraries beside it

A part that is not found has no line. A PATH is a toolkit, or a folder of NVIDIA's Python packages
(such as site-packages/nvidia/cu13, or their parent), whose libraries have a version in the name.
Without a PATH the search goes through CUDA_PATH, CUDA_HOME, the toolkit of the nvcc in PATH, the
usual folders, and the packages of this Python. A folder with cusparse.h comes before the others.
"""
import glob
import os
import re
import shutil
import sys
import sysconfig

USUAL = ["/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"), reverse=True), "/opt/cuda",
         "/usr"]


def default_roots():
    roots = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME")]
    nvcc = shutil.which("nvcc")
    if nvcc:
        roots.append(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))))
    roots += USUAL
    roots += [os.path.join(folder, "nvidia") for folder in sys.path if folder]
    return [root for root in roots if root]


def spread(root):
    """The root, and for NVIDIA's Python packages also the root of each package."""
    packages = {os.path.dirname(found) for name in ("include", "compute-sanitizer")
                for found in glob.glob(os.path.join(root, "*", name))}
    return ([root, *sorted(packages, reverse=True)] if os.path.basename(root) == "nvidia"
            else [root])


def folders(root, kinds):
    found = []
    for kind in kinds:
        found += sorted(glob.glob(os.path.join(root, kind)))
    return [folder for folder in found if os.path.isdir(folder)]


def includes(root):
    return folders(root, ["include", "targets/*/include"])


def library_folders(root):
    multiarch = sysconfig.get_config_var("MULTIARCH") or "*-linux-gnu"
    return folders(root, ["lib64", "lib/" + multiarch, "lib", "targets/*/lib"])


def version(path):
    return [int(number) for number in re.findall(r"\d+", os.path.basename(path))]


def find_header(roots, name):
    return next((folder for root in roots for folder in includes(root)
                 if os.path.isfile(os.path.join(folder, name))), None)


def find_library(roots, name):
    """lib*.so, else the newest lib*.so.N. libcusparseLt.so is another library than libcusparse."""
    for root in roots:
        for folder in library_folders(root):
            plain = os.path.join(folder, f"lib{name}.so")
            if os.path.isfile(plain):
                return plain
            versions = [path for path in glob.glob(plain + ".*")
                        if re.fullmatch(r"\.[\d.]+", path[len(plain):])]
            if versions:
                return max(versions, key=version)
    return None


def find_nvcc(roots):
    candidates = [os.path.join(root, "bin", "nvcc") for root in roots]
    return next((path for path in candidates if os.access(path, os.X_OK)), None)


def find_sanitizer(roots):
    """The program, not the script of the same name in bin/, which looks for it from there."""
    candidates = [os.path.join(root, "compute-sanitizer", "compute-sanitizer") for root in roots]
    return next((path for path in candidates if os.access(path, os.X_OK)), None)


def main():
    given = [path for word in sys.argv[1:] for path in word.split(":") if path]
    roots = []
    for root in given or default_roots():
        roots += [found for found in spread(root) if found not in roots]
    with_cusparse = [root for root in roots if find_header([root], "cusparse.h")]
    roots = with_cusparse + [root for root in roots if root not in with_cusparse]
    for key, value in (("cuda_include", find_header(roots, "cuda_runtime_api.h")),
                       ("cusparse_include", find_header(roots, "cusparse.h")),
                       ("cudart", find_library(roots, "cudart")),
                       ("cusparse", find_library(roots, "cusparse")),
                       ("nvrtc", find_library(roots, "nvrtc")),
                       ("nvcc", find_nvcc(roots)),
                       ("sanitizer", find_sanitizer(roots))):
        if value:
            print(f"{key}={value}")


if __name__ == "__main__":
    main()
