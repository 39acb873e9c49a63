"""test_bundle_nvcc.py NVCC SPMVGEN: nvcc compiles and links bundles for CUDA, alone and two in one
program, and the examples with them; on a GPU they run. NVCC and SPMVGEN: "" if there is none."""
import pathlib
import re
import shutil
import sys
import tempfile

from bundles import ROOT, call, emit

import tap

METHODS = ["csr5", "csr_adaptive", "csr_scalar", "csr_vector", "evc_hyb", "slices", "speculative"]
SKIPPED = 77
ARCH = "-arch=sm_75"             # the oldest of nvcc 13; the kernels of tegra-k1 are the same text


def try_program(nvcc, name, program, sources, includes, *arguments):
    code, output = call(nvcc, ARCH, "-O1", "-Xcompiler", "-Wall,-Wextra,-Wno-unknown-pragmas",
                        *[f"-I{folder}" for folder in includes], *sources, "-o", program)
    if not tap.ok(code == 0 and "warning" not in output, f"nvcc compiles and links {name}", output):
        return
    code, output = call(program, *arguments)
    if code == SKIPPED:
        tap.skip(f"{name}: {output.strip()}")
    else:
        tap.diag(output)
        tap.ok(code == 0, f"{name} is right", output)


def check_readme(nvcc, bundle):
    """The program of the README builds in every way that it names."""
    text = (bundle / "README.md").read_text(encoding="utf-8")
    # The first of each language is the program's; later ones are for shared libraries.
    blocks = dict(reversed(re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)))
    for name, language in (("main.cu", "cuda"), ("Makefile", "make"), ("meson.build", "meson"),
                           ("CMakeLists.txt", "cmake")):
        number = "75" if language == "cmake" else "sm_75"
        (bundle / name).write_text(blocks[language].replace("native", number), encoding="utf-8")
    line = blocks["sh"].replace("native", "sm_75").split()
    for way, commands, program in (
            ("nvcc", [[nvcc, *line[1:]]], "main"), ("make", [["make", "-B"]], "main"),
            ("meson", [["meson", "setup", "by-meson"], ["ninja", "-C", "by-meson"]],
             "by-meson/main"),
            ("cmake", [["cmake", "-B", "by-cmake"], ["cmake", "--build", "by-cmake"]],
             "by-cmake/main")):
        if not shutil.which(way):
            tap.skip(f"{way} is not on the PATH")
            continue
        code, output = 0, ""
        for words in commands:
            code, output = call(*words, cwd=bundle) if code == 0 else (code, output)
        if not tap.ok(code == 0, f"the README's program builds by {way}", output):
            continue
        code, output = call(bundle / program)
        tap.ok(code == SKIPPED or (code == 0 and output == "7 6 7\n"),
               f"built by {way} it is right, or there is no GPU", output)


def files_of(bundle):
    return [*sorted(bundle.glob("*.cu")), *sorted(bundle.glob("*.c"))]


def main(nvcc, spmvgen):
    if not nvcc or not spmvgen:
        tap.skip("nvcc is not installed" if not nvcc else "spmvgen was not built")
        tap.done()
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        for target in "tegra-k1", "sm_75", "generic-cuda":
            code, output = emit(spmvgen, work / target, target)
            tap.ok(code == 0, f"spmvgen makes a bundle for {target}", output)
            try_program(nvcc, f"a program with all of {target}", work / f"user_{target}",
                        [ROOT / "tests/gpu/bundle_cuda_user.cu", *files_of(work / target)],
                        [work / target], *METHODS)
        for example, options in (("speculative_tegra", ["-m", "speculative"]), ("bundle_cuda", [])):
            target = "tegra-k1" if options else "generic-cuda"
            bundle = work / example
            emit(spmvgen, bundle, target, *options, "--type", "f64", "--offsets", "i32")
            try_program(nvcc, f"{example}.cu", work / f"{example}.out",
                        [ROOT / f"examples/{example}.cu", *files_of(bundle)], [bundle])
        folders = []
        for prefix, target in ("one", "tegra-k1"), ("two", "sm_75"):
            folders.append(work / prefix)
            emit(spmvgen, work / prefix, target, "--prefix", prefix, "-m", "csr5", "--type", "f64")
        code, output = call(nvcc, ARCH, "-shared", "-Xcompiler", "-fPIC",
                            *[file for folder in folders for file in files_of(folder)], "-o",
                            work / "both.so")
        tap.ok(code == 0, "nvcc links two bundles", output)
        emit(spmvgen, work / "readme", "generic-cuda", "-m", "csr_vector", "--type", "f64")
        check_readme(nvcc, work / "readme")
    tap.done()


main(sys.argv[1], sys.argv[2])
