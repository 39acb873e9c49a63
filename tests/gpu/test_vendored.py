"""test_vendored.py NVCC ROOT: examples/vendored_cuda.cu compiles, with emitted kernels alone, and is right
where there is a GPU. NVCC: "" where there is none."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

SKIPPED = 77


def main(nvcc, root):
    if not nvcc:
        tap.skip("nvcc is not installed")
        tap.done()
    emitted = root / "generated/sm_90"
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "vendored_cuda"
        built = subprocess.run([nvcc, "-arch=sm_90", "-I", emitted, root / "examples/vendored_cuda.cu",
                                emitted / "spmv_csr5_f64_i32__sm_90.c", "-o", program],
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


main(sys.argv[1], pathlib.Path(sys.argv[2]))
