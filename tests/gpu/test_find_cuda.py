"""bench/gpu/find_cuda.py finds toolkits and NVIDIA's Python packages by their files."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap

SCRIPT = os.path.join(os.path.dirname(__file__), "../../bench/gpu/find_cuda.py")


def find(*paths, **environment):
    done = subprocess.run([sys.executable, SCRIPT, *paths], text=True, capture_output=True,
                          check=False,
                          env={**os.environ, **environment})
    return dict(line.split("=", 1) for line in done.stdout.splitlines())


def make(top, *names):
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
        path.chmod(0o755)


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    toolkit, package, empty = scratch / "toolkit", scratch / "nvidia", scratch / "empty"
    empty.mkdir()
    make(toolkit, "include/cuda_runtime_api.h", "include/cusparse.h", "lib64/libcudart.so",
         "lib64/libcusparse.so", "lib64/libnvrtc.so", "bin/nvcc",
         "compute-sanitizer/compute-sanitizer")
    make(package, "cu13/include/cuda_runtime_api.h", "cu13/include/cusparse.h",
         "cu13/lib/libcudart.so.13", "cu13/lib/libcusparse.so.12", "cu13/lib/libcusparse.so.11",
         "cu13/lib/libcusparseLt.so.0", "cu13/lib/libnvrtc.so.9", "cu13/lib/libnvrtc.so.13",
         "cu13/lib/libnvrtc.so.13.alt")
    split = scratch / "split"
    make(split, "nvidia/cuda_runtime/include/cuda_runtime_api.h",
         "nvidia/cuda_runtime/lib/libcudart.so.12", "nvidia/cusparse/include/cusparse.h",
         "nvidia/cusparse/lib/libcusparse.so.12",
         "nvidia/sanitizer/compute-sanitizer/compute-sanitizer")

    found = find(str(toolkit))
    tap.ok(found == {"cuda_include": f"{toolkit}/include", "cusparse_include": f"{toolkit}/include",
                     "cudart": f"{toolkit}/lib64/libcudart.so",
                     "cusparse": f"{toolkit}/lib64/libcusparse.so",
                     "nvrtc": f"{toolkit}/lib64/libnvrtc.so", "nvcc": f"{toolkit}/bin/nvcc",
                     "sanitizer": f"{toolkit}/compute-sanitizer/compute-sanitizer"},
           "a toolkit", found)
    for where in package, package / "cu13":
        found = find(str(where), PATH=str(empty))
        tap.ok(found == {"cuda_include": f"{package}/cu13/include",
                         "cusparse_include": f"{package}/cu13/include",
                         "cudart": f"{package}/cu13/lib/libcudart.so.13",
                         "cusparse": f"{package}/cu13/lib/libcusparse.so.12",
                         "nvrtc": f"{package}/cu13/lib/libnvrtc.so.13"},
               f"a Python package, by {where.name}: of several versions the newest, and no other "
               "library whose name begins like it", found)
    found = find(str(split / "nvidia"))
    tap.ok(found.get("cuda_include") == f"{split}/nvidia/cuda_runtime/include"
           and found.get("cusparse_include") == f"{split}/nvidia/cusparse/include"
           and found.get("cudart") == f"{split}/nvidia/cuda_runtime/lib/libcudart.so.12"
           and found.get("sanitizer")
           == f"{split}/nvidia/sanitizer/compute-sanitizer/compute-sanitizer",
           "packages that have a folder each", found)
    found = find(f"{empty}:{toolkit}")
    tap.ok(found.get("cudart") == f"{toolkit}/lib64/libcudart.so", "several paths with colons",
           found)
    found = find(str(empty), PATH=str(empty))
    tap.ok(found == {}, "where there is nothing, nothing is found, whatever else the machine has",
           found)
    found = find(CUDA_PATH=str(toolkit))
    tap.ok(found.get("cusparse") == f"{toolkit}/lib64/libcusparse.so", "CUDA_PATH", found)
tap.done()
