"""test_bundle_cuda.py SPMVGEN: bundles for CUDA and examples/speculative_tegra.cu on this CPU:
kernels in the shim, CUDA in fake_cudart.cpp, all of it as C++98 against what CUDA 6.5 declares."""
import os
import pathlib
import re
import shutil
import tempfile

import bundles
from bundles import CC, ROOT, call, emit

import tap

METHODS = ["csr5", "csr_adaptive", "csr_scalar", "csr_vector", "evc_hyb", "slices", "speculative"]
EXAMPLE = ROOT / "examples/speculative_tegra.cu"


def words_of_cuda():
    """Declarations for Clang in place of the toolkit's headers."""
    lua = (ROOT / "targets/dialects/cuda.lua").read_text(encoding="utf-8")
    return lua[lua.index("prefix = [[") + 11:].split("]]")[0]


def check_users(spmvgen, work):
    """Every method of a page with one memory, and some of a page with two, in every type."""
    for target, options, methods in (
            ("tegra-k1", [], METHODS),
            ("generic-cuda", ["-m", "csr5", "-m", "speculative"], ["csr5", "speculative"]),
            ("sm_75,sm_90,sm_100", ["-m", "csr_vector"], ["csr_vector"])):
        bundle = work / target
        code, output = emit(spmvgen, bundle, target, *options)
        if not tap.ok(code == 0, f"spmvgen makes a bundle for {target}", output):
            continue
        fault = bundles.compile_all(
            [*bundles.bundle_jobs(bundle),
             bundles.user_job(ROOT / "tests/gpu/bundle_cuda_user.cu", f"{target}_user.o", bundle)],
            work)
        if not tap.ok(fault is None, f"{target}: C11 and C++98 without a warning", fault or ""):
            continue
        code, output = bundles.link(work, f"{target}_user", f"{target}_c.o", f"{target}_cu.o",
                                    f"{target}_user.o")
        tap.ok(code == 0, f"{target}: nothing but libc, libm and CUDA is linked", output)
        if "," in target:        # the fake device has compute capability 9.0
            code, output = call(work / f"{target}_user", *methods)
            tap.ok(code == 0 and "csr_vector of sm_90," in output,
                   f"{target}: the last that the device can run is chosen", output)
            continue
        for kind in "tegra", "discrete":
            code, output = call(work / f"{target}_user", *methods,
                                env={**os.environ, "FAKE_CUDA": kind})
            tap.ok(code == 0 and "0 failures" in output,
                   f"{target} on a device that is {kind}: {', '.join(methods)}", f"{code} {output}")


def check_heir(spmvgen, work):
    """HIP inherits CUDA's words, not its bundle."""
    code, output = emit(spmvgen, work / "hip", "hip-gfx90a", "-m", "csr_vector")
    tap.ok(code == 1 and "dialect 'hip' has no bundle" in output and not (work / "hip").exists(),
           "there is no bundle for HIP", output)


def check_text(work):
    bundle = work / "tegra-k1"
    header = (bundle / "spmv_kernels.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"^[a-z].*?\b\*?(spmv_\w+)\(", header, re.M)) - {
        "spmv_run_part", "spmv_parallel_for"}
    code, listed = call("nm", "--defined-only", "-g", work / "tegra-k1_c.o")
    found = {line.split()[-1] for line in listed.splitlines()}
    # The last one makes the linker's error name --prefix.
    declared.add("spmv_each_bundle_needs_option_prefix")
    tap.ok(code == 0 and found == declared, "the C file exports what the header declares",
           str(found ^ declared))
    code, output = call(*CC, "-std=c99", "-Wall", tap.WERROR, "-fsyntax-only",
                        bundle / "spmv_kernels.c")
    tap.ok(code == 0, "the C file compiles as C99, too", output)
    for cross in "arm-linux-gnueabihf-gcc", "x86_64-w64-mingw32-gcc":
        if not shutil.which(cross):
            tap.skip(f"{cross} is not installed")
            continue
        code, output = call(cross, "-std=c11", "-O1", "-Wall", "-Wextra", tap.WERROR,
                            "-fsyntax-only", bundle / "spmv_kernels.c")
        tap.ok(code == 0, f"{cross} compiles the C file", output)
    code, output = call(*CC, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", tap.WERROR, "-x", "c",
                        "-fsyntax-only", "-include", bundle / "spmv_kernels.h", "/dev/null")
    tap.ok(code == 0, "the header is C", output)
    text = "".join((bundle / f"spmv_kernels.{e}").read_text(encoding="utf-8") for e in "ch")
    tap.ok("SPMV_BUNDLE" not in text and '#include "runtime' not in text and "cuda_runtime" not in
           text, "nothing of how it was put together is left, and no header of CUDA")


def check_prefixes(spmvgen, work):
    """Two bundles are in one program, with equal kernels."""
    jobs = []
    for prefix in "one", "two":
        code, output = emit(spmvgen, work / prefix, "tegra-k1", "-m", "speculative", "--type",
                            "f64", "--offsets", "i32", "--prefix", prefix)
        tap.ok(code == 0, f"spmvgen makes a bundle with --prefix {prefix}", output)
        jobs += bundles.bundle_jobs(work / prefix, prefix)
        text = "".join((work / prefix / f"{prefix}_kernels.{e}").read_text(encoding="utf-8")
                       for e in ("c", "cu", "h"))
        tap.ok(not re.search(r"\bspmv_|\bSPMV_", text), f"{prefix}: no name begins with spmv_",
               " ".join(re.findall(r"\b(?:spmv|SPMV)_\w+", text)[:9]))
    (work / "main.cu").write_text("""
#include <cuda_runtime.h>
#include "one_kernels.h"
#include "two_kernels.h"
int main()
{
    const int32_t row_ptr[] = {0, 1}, col_idx[] = {0};
    const double val[] = {2};
    void *memory = NULL;
    cudaMallocManaged(&memory, 3 * sizeof(double), cudaMemAttachGlobal);
    double *v = static_cast<double *>(memory);
    v[0] = 3;
    one_error error;
    two_error other;
    one_matrix *a = one_matrix_create_f64(1, 1, row_ptr, col_idx, val, &error);
    two_matrix *b = two_matrix_create_f64(1, 1, row_ptr, col_idx, val, &other);
    const int bad = !a || !b || one_multiply_f64(a, 1, v, 0, v + 1, NULL) != ONE_OK ||
                    two_multiply_f64(b, 2, v, 0, v + 2, NULL) != TWO_OK;
    cudaDeviceSynchronize();
    one_matrix_destroy(a);
    two_matrix_destroy(b);
    return bad || v[1] != 6 || v[2] != 12;
}
""", encoding="utf-8")
    jobs.append(bundles.user_job(work / "main.cu", "main.o", work / "one", work / "two",
                                 with_fake=False))
    fault = bundles.compile_all(jobs, work)
    if tap.ok(fault is None, "two bundles compile", fault or ""):
        code, output = bundles.link(work, "main", "one_c.o", "one_cu.o", "two_c.o", "two_cu.o",
                                    "main.o")
        ran = call(work / "main") if code == 0 else (code, output)
        tap.ok(ran[0] == 0, "two bundles are in one program", str(ran))


def check_example(spmvgen, work):
    """The speculative method with its repair by the CPU, on managed memory."""
    bundle = work / "speculative"
    code, output = emit(spmvgen, bundle, "tegra-k1", "-m", "speculative")
    tap.ok(code == 0, "spmvgen makes the example's bundle", output)
    fault = bundles.compile_all(
        [*bundles.bundle_jobs(bundle),
         bundles.user_job(EXAMPLE, "example.o", bundle, with_fake=False)], work)
    if not tap.ok(fault is None, "speculative_tegra.cu is C++98 for CUDA 6.5", fault or ""):
        return
    code, output = bundles.link(work, "example", "speculative_c.o", "speculative_cu.o", "example.o")
    ran = call(work / "example", "2000", "2") if code == 0 else (code, output)
    tap.diag(ran[1])
    stages = set(re.findall(r"^(\w+) +\d+\.\d+ ms$", ran[1], re.M))
    tap.ok(ran[0] == 0 and ran[1].endswith(", y is right\n") and
           stages == {"speculative_clear", "speculative_tiles", "waiting",
                      "speculative_repair"},
           "speculative_tegra runs, and y is right", str(ran))


def check_repair(work):
    """The fake's CPU finds what a device would: y is wrong without the repair, and the CPU must not
    touch managed memory while the device of a K1 is busy."""
    source = work / "speculative/spmv_kernels.c"
    text = source.read_text(encoding="utf-8")
    for name, old, new in (
            ("the repair", "    r->status = spmv_steps_run(&job, step, 1, r->p->threads);\n", ""),
            ("the wait", "shares && !state->is_concurrent ? spmv_cuda_wait_for_all()\n",
             "shares && !state->is_concurrent ? 0\n")):
        tap.ok(text.count(old) == 1, f"the text has {name} once")
        source.write_text(text.replace(old, new), encoding="utf-8")
        fault = bundles.compile_all([([*CC, "-std=c11", "-O1", "-w", source], "broken.o")], work)
        code, output = bundles.link(work, "broken", "broken.o", "speculative_cu.o", "example.o")
        if tap.ok(not fault and code == 0, f"without {name} it compiles", fault or output):
            ran = call(work / "broken", "2000", "1")
            tap.ok(ran[0] != 0, f"without {name} the example fails", str(ran))
    source.write_text(text, encoding="utf-8")


def check_device_code(work):
    """Clang compiles the kernels for the K1 itself."""
    clang = next((name for name in ("clang-19", "clang") if shutil.which(name)), None)
    if not clang:
        tap.skip("no clang")
        return
    (work / "words.h").write_text(words_of_cuda(), encoding="utf-8")
    options = ["-x", "cuda", "-std=c++98", "--cuda-device-only", "--cuda-gpu-arch=sm_32",
               "-nocudainc", "-nocudalib", "-include", work / "words.h", *bundles.STUB, "-O1", "-S"]
    for name in "tegra-k1", "speculative":
        code, output = call(clang, *options, work / name / "spmv_kernels.cu", "-o",
                            work / "kernels.ptx")
        ptx = (work / "kernels.ptx").read_text(encoding="utf-8") if code == 0 else ""
        tap.ok(".target sm_32" in ptx and ".entry" in ptx, f"{clang} compiles {name} for sm_32",
               output[:2000])


def main(spmvgen):
    if not spmvgen:
        tap.skip("spmvgen was not built")
        tap.done()
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        fault = bundles.compile_all(bundles.fake_jobs(), work)
        if not tap.ok(fault is None, "the fake CUDA compiles", fault or ""):
            tap.done()
        check_users(spmvgen, work)
        check_heir(spmvgen, work)
        check_text(work)
        check_prefixes(spmvgen, work)
        check_example(spmvgen, work)
        check_repair(work)
        check_device_code(work)
    tap.done()


if __name__ == "__main__":
    import sys
    main(sys.argv[1])
