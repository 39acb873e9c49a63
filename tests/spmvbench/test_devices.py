"""test_devices.py: messages of spmvbench and libspmv about devices, with a mock of an
OpenCL library, which builds and caches programs but does not run these kernels. spmvbench.py
describes the arguments.
"""
import pathlib
import re
import tempfile

from spmvbench import MOCK, QUICK, refused, run, tap

# The device's full name, since the page pocl matches another device.
DEVICE = {"SPMV_OPENCL_LIBRARY": MOCK, "SPMV_DEVICE": "opencl:Mock device"}

def debug(*arguments, **settings):
    """The lines that SPMV_DEBUG prints on the mock's device."""
    done = run(*arguments, SPMV_DEBUG="1", **DEVICE, **settings)
    return [line for line in done.stderr.splitlines() if line.startswith("spmv: ")]


def test_names():
    expected = r"""options.device is '%s'; expected "cpu", "opencl".*"""
    refused("a device's name alone", ["--device", "Hawaii", "--list"], 2,
            expected % "Hawaii" + r"; did you mean --device 'opencl:Hawaii'\?$")
    refused("a mistyped backend", ["--device", "opencI", "--list"], 2,
            expected % "opencI" + r"; did you mean --device 'opencl'\?$")
    done = run("--device", "opencl:mOCK", "--list", SPMV_OPENCL_LIBRARY=MOCK)
    tap.ok(done.returncode == 1 and re.search("no OpenCL device has 'mOCK' in its name; there is '",
                                              done.stderr),
           "a device's name in other case is another name", done.stdout + done.stderr)
    done = run("--backend", "cuda", "--list", SPMV_CUDA_LIBRARY="/no/such/libcuda.so")
    tap.ok(done.returncode == 1 and not done.stdout and
           re.search(r"no CUDA driver: .*; install NVIDIA's driver", done.stderr),
           "--backend cuda without a driver says what to install", done.stdout + done.stderr)


def test_modules():
    lines = debug("--list")
    total = [int(m[1]) for line in lines if (m := re.fullmatch(r"spmv: (\d+) modules, .*", line))]
    others = [int(m[1]) for line in lines
              if (m := re.fullmatch(r"spmv:   (\d+) more are in another language .*", line))]
    listed = [line for line in lines if ": rank " in line]
    tap.ok(len(others) == 1 and total == [len(listed) + others[0]] and others[0] > 0
           and not any("language" in line for line in listed),
           "SPMV_DEBUG: modules of another language are counted in a line", "\n".join(lines))


def cache_lines(cache):
    lines = debug("--poisson", "3", "--method", "csr_scalar", "--type", "f32", *QUICK,
                  SPMV_TARGET="pocl", SPMV_CACHE=str(cache))
    return [line for line in lines if "cache: " in line]


def one_line(name, cache, text):
    lines = cache_lines(cache)
    tap.ok(len(lines) == 1 and re.search(text, lines[0]), f"SPMV_DEBUG: {name} is one line",
           "\n".join(lines))


def test_cache(folder):
    cache = folder / "cache"
    tap.ok(cache_lines(cache) == [] and len(list(cache.iterdir())) == 1,
           "SPMV_DEBUG: a program that is kept needs no word", list(folder.glob("*/*")))
    tap.ok(cache_lines(cache) == [], "nor one that is found")
    entry = next(cache.iterdir())
    good = entry.read_bytes()
    for name, data, text in (
            ("a damaged entry", good[:-1] + bytes([good[-1] ^ 1]),
             "damaged: its checksum is wrong"),
            ("an entry of another key", good[:9] + b"#" + good[10:], "not this entry's"),
            ("an entry that was cut", good[:20], "its size is none that an entry can have")):
        entry.write_bytes(data)
        one_line(name, cache, f"entry '{entry}' is not used: .*{text}")
        tap.ok(entry.read_bytes() == good, "and it is made again")
    cache.chmod(0o770)
    one_line("a folder that others can write to", cache, f"'{cache}' is not used: others can write")
    one_line("a folder that cannot be made", folder / "none/at/all", "not there and cannot be made")
    one_line("a file in its place", entry, "it is no folder")
    one_line("a folder of a long name", folder / ("x/" * 600), "its name is too long")
    one_line("an empty SPMV_CACHE", "", "SPMV_CACHE is empty")
    cache.chmod(0o700)
    entry.unlink()
    entry.mkdir()
    lines = cache_lines(cache)
    tap.ok(len(lines) == 2 and f"entry '{entry}' is not used: it is no regular file" in lines[0]
           and f"entry '{entry}' is not written: " in lines[1],
           "SPMV_DEBUG: an entry that can be neither read nor written is reported",
           "\n".join(lines))


def main():
    test_names()
    if not re.search(r" pocl ", run("--list", SPMV_TARGET="pocl", **DEVICE).stdout):
        tap.skip("what is linked in has nothing for the target pocl")
    else:
        test_modules()
        with tempfile.TemporaryDirectory() as name:
            test_cache(pathlib.Path(name))
    tap.done()


main()
