#!/usr/bin/env python3
"""rehearse_seconds.py FAKE_GPUBENCH: how long bench/gpu.sh takes for its matrices, without a GPU.

Each item of the stages time and sweep runs once, with the CUDA and cuSPARSE of fake_cuda.h, the
CPU's kernels in place of the GPU's, and a multiplication of 100 us. A line for each item: the
seconds of the host's processor, which makes the matrix, the formats and the plans, and checks every
result; and the seconds of the fake's clock, in which the GPU works. Their sum is what the item
takes, if the host is as fast as this one, and never waits for another program.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import gpu_machine

VARIANTS = "csr_scalar,evc_hyb,csr5,csr_adaptive"       # csr_scalar in place of slices


def run(program, words):
    """(seconds of the processor, seconds of the device)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *words, "--target", "generic-c", "--patience", "0"], text=True,
                          capture_output=True, check=False,
                          env={**os.environ, "FAKE_US": "100", "OMP_NUM_THREADS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    device = re.search(r"fake: ([\d.]+) s on the device", done.stderr)
    if done.returncode != 0 or not device:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, float(device[1]))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    sums = {}
    for matrix, types, offset, _ in gpu_machine.ranking():
        name, _, size = matrix.removeprefix("shape:").partition("=")
        words = ["--shape" if matrix.startswith("shape:") else "--matrix", name, "--type", types,
                 "--offset", offset, *(["--size", size] if size else [])]
        stages = {"time": ["--only", f"{VARIANTS},cusparse"]}
        if types == "f64":
            stages["sweep"] = ["--only", VARIANTS, "--modes", "1"]
        for stage, more in stages.items():
            host, device = run(program, words + more)
            print(f"{stage:<6} {matrix:<28} {types}  {host:6.1f} s host  {device:6.1f} s device",
                  flush=True)
            sums[stage, types] = sums.get((stage, types), 0) + host + device
    for (stage, types), seconds in sums.items():
        print(f"{stage:<6} {types}: {seconds:.0f} s")


if __name__ == "__main__":
    main()
