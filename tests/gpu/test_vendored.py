"""test_vendored.py NVCC ROOT SPMVGEN: examples/vendored_cuda.cu compiles with emitted kernels alone
and, on a GPU, is right. NVCC and SPMVGEN: "" if there is none."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

SKIPPED = 77


def main(nvcc, root, spmvgen):
    if not nvcc:
        tap.skip("nvcc is not installed")
        tap.done()
    if not spmvgen:
        tap.skip("spmvgen was not built, which writes the program as a file")
        tap.done()
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "vendored_cuda"
        emitted = pathlib.Path(scratch) / "sm_90"
        subprocess.run([spmvgen, "--data", root, "--target", "sm_90", "--method", "csr5", "--type",
                        "f64", "--offsets", "i32", "--program-files", "-o", emitted], check=True,
                       stdout=subprocess.DEVNULL)
        built = subprocess.run([nvcc, "-arch=sm_90", "-I", emitted,
                                root / "examples/vendored_cuda.cu",
                                emitted / "spmv_csr5__sm_90.c", "-o", program],
                               capture_output=True, text=True, check=False)
        if not tap.ok(built.returncode == 0, "vendored_cuda.cu compiles",
                      built.stdout + built.stderr):
            tap.done()
        done = subprocess.run([program], capture_output=True, text=True, check=False)
        if done.returncode == SKIPPED:
            tap.skip("vendored_cuda: " + done.stdout.strip())
        else:
            tap.ok(done.returncode == 0, "vendored_cuda is right", done.stdout + done.stderr)
    tap.done()


main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3])
