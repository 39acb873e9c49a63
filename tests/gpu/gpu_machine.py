"""gpu_machine.py: the fake machine of tests/scripts/machine.py, with a fake CUDA and GPU."""
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../scripts"))
from machine import BUILD_PACKAGES, SOURCE, Machine

COPIED = ["bench/gpu.sh", "bench/gpu/build.sh", "bench/gpu/check.sh", "bench/gpu/results.sh",
          "bench/gpu/time.sh", "bench/gpu/profile.sh", "bench/gpu/pack.py",
          "bench/gpu/find_cuda.py",
          "bench/gpu/report.py", "bench/gpu/counters.py", "bench/gpu/ranking.txt",
          "bench/gpu/sweep.sh", "bench/gpu/sweep.txt",
          "tests/kernels/compiling.py", "tests/kernels/cuda_suite.py", "tests/kernels/machines.py",
          "tests/kernels/locks.py", "tests/kernels/manifests.py", "tests/kernels/modules.py",
          "tests/kernels/pages.py",
          "tests/kernels/run_suite.py", "tests/kernels/programs.py", "tests/kernels/root.py",
          "tests/tap.py", "generated/program_text.py", "generated/select_targets.py"]
TOOLS = "cksum date dirname expr gzip readlink rmdir seq tar timeout tr".split()
METHODS = ["csr5", "csr_vector"]
TYPES = ["f64_i32", "f32_i64", "f32_i32", "f64_i64"]
TEXT = '''static const char *const module_text[] = {
    "\\n",
};

static const spmv_program_part module_parts[] = {
    { module_text, 1 },
};
'''

NINJA = r'''
for word; do [ "${before-}" != -C ] || folder=$word; before=$word; done
case " $* " in
*" -n "*) exit ;;
*" -t query generator/spmvgen "*) [ -e "$MACHINE/spmvgen" ]; exit ;;
*" -t query "*) [ -e "$MACHINE/gpubench" ]; exit ;;
*generator/spmvgen*) mkdir -p "$folder/generator"; cp "$MACHINE/spmvgen" "$folder/generator/" ;;
*"/kernel_suite "*) case $word in /*) ;; *) word=$folder/$word ;; esac
    mkdir -p "${word%/*}"; cp "$MACHINE/kernel_suite" "$word" ;;
*gpubench*) mkdir -p "$folder/bench/gpu" "$folder/generated"
    : >"$folder/generated/spmv_cuda_binaries.c"; cp "$MACHINE/gpubench" "$folder/bench/gpu/" ;;
esac'''

KERNEL_SUITE = r'''
for word; do
    case ${before-} in --module) module=$word ;; --effort) effort=$word ;; esac
    before=$word
done
[ "$effort" != tiny ] || printf 'module: x\ninput: one\ninput: two\n' >&2
if [ -e "$MACHINE/wrong.$module" ]; then
    printf 'not ok 1 - %s: exact\n1..1\n' "$module"
    exit 1
fi
[ ! -e "$MACHINE/skipped.$module" ] || { printf 'ok 1 # SKIP no libcuda.so.1\n1..1\n'; exit; }
printf 'ok 1 - %s: exact\n1..1\n' "$module"'''

SANITIZER = r'''
while [ $# -gt 0 ]; do
    case $1 in
    --log-file) log=$2; shift 2 ;;
    --tool) tool=$2; shift 2 ;;
    --*) shift 2 ;;
    *) break ;;
    esac
done
code=0
"$@" || code=$?
summary=ERROR things=errors
[ "$tool" != racecheck ] || summary=RACECHECK things="hazards displayed (0 errors, 3 warnings)"
if [ -e "$MACHINE/finds.$tool" ]; then
    echo "========= $summary SUMMARY: 3 $things" >"$log"
    [ "$tool" = racecheck ] || exit 99
elif [ -e "$MACHINE/refuses.$tool" ]; then
    echo "========= Error: Device not supported" >"$log"
else
    echo "========= $summary SUMMARY: 0 $things" >"$log"
fi
exit "$code"'''

# Nsight Compute: two kernels of each variant, with the number 7 for every metric.
NCU = r'''
while [ $# -gt 0 ]; do
    case $1 in
    --log-file) log=$2; shift 2 ;;
    --metrics) metrics=$2; shift 2 ;;
    --csv) shift ;;
    --*) shift 2 ;;
    *) break ;;
    esac
done
if [ -e "$MACHINE/refuses.ncu" ]; then
    echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to count" >"$log"
    exit 1
fi
printf '==PROF== Connected to process 1\n' >"$log"
code=0
"$@" || code=$?
{
    printf '"ID","Kernel Name","%s"\n' "$(printf '%s' "$metrics" | sed 's/,/","/g')"
    printf '"","","%s"\n' "$(printf '%s' "$metrics" | sed 's/[^,]*/unit/g;s/,/","/g')"
    for kernel in one two; do
        printf '"1","%s(int, const double *)","%s"\n' "$kernel" \
            "$(printf '%s' "$metrics" | sed 's/[^,]*/7/g;s/,/","/g')"
    done
} >>"$log"
exit "$code"'''

GPUBENCH = r'''
matrix='' faults=''
for word; do
    case ${before-} in
    --matrix | --shape) matrix=$word ;; --size) matrix="$matrix --size $word" ;;
    --json) json=$word ;; --faults) faults=$word ;;
    esac
    before=$word
done
[ ! -e "$MACHINE/no.cusparse" ] || {
    echo "$0: error while loading shared libraries: libcusparse.so.12: cannot open" >&2
    exit 127
}
case " $* " in
*" --probe "*) [ ! -e "$MACHINE/old.driver" ] ||
        { echo "gpubench: the driver is for CUDA 11.8" >&2; exit 1; }
    [ ! -e "$MACHINE/no.gpu" ] || { echo "gpubench: no GPU" >&2; exit 1; }
    cat "$MACHINE/probe"; exit ;;
*" --bandwidth "*) cp "$MACHINE/bandwidth.json" "$json"; exit ;;
*" --describe "*) echo "$matrix: described"; exit ;;
*" --profile "*) [ ! -e "$MACHINE/unprofiled.$matrix" ] || { echo "gpubench: no label"; exit 1; }
    echo "csr5 fake"; exit ;;
esac
if [ -e "$MACHINE/cut.$matrix" ]; then
    rm "$MACHINE/cut.$matrix"
    kill -KILL "$(cat "$MACHINE/pid")"
    exit 1
fi
[ ! -e "$MACHINE/fails.$matrix" ] || { echo "gpubench: no luck" >&2; exit 1; }
if [ -e "$MACHINE/breaks.$matrix" ] && [ ! -e "$faults" ]; then
    echo "csr5: an illegal access" >"$faults"
    exit 4
fi
time=50
[ ! -e "$MACHINE/time.$matrix" ] || time=$(cat "$MACHINE/time.$matrix")
sed "s/NAME/$matrix/; s/\"TIME\"/${time}e-6/" "$MACHINE/matrix.json" >"$json"
[ ! -e "$MACHINE/inexact.$matrix" ] || { echo "gpubench: a wrong result"; exit 1; }'''


def modules():
    return [f"{method}_{types}__sm_90" for types in TYPES for method in METHODS]


def ranking():
    """The lines of the ranking as words, without comments."""
    text = (pathlib.Path(SOURCE) / "bench/gpu/ranking.txt").read_text(encoding="utf-8")
    return [words for line in text.splitlines() if (words := line.split("#")[0].split())]


def items(value_type=None):
    """(name, value type, offset type) of the ranking."""
    return [(words[0].removeprefix("shape:").replace("=", " --size "), *words[1:3])
            for words in ranking() if value_type in (None, words[1])]


def fake_results():
    """libspmv takes as long as the fake gpubench's TIME, cuSPARSE 100 us."""
    def contender(family, name, target, seconds):
        times = {"samples": 1, "multiplications": 1, "least": 1, "lower_quartile": 1,
                 "upper_quartile": 1, "median": seconds}
        return {"family": family, "name": name, "target": target, "detail": "", "correct": True,
                "failure": "", "no_graph": "", "error_over_bound": 0, "stored_over_nnz": 1,
                "first_seconds": 1, "prepare_seconds": 1, "analysis_seconds": 1,
                "times": {"chain_beyond": times}}

    return [contender("spmv", "slices", "sm_90", "TIME"),
            contender("cusparse", "CSR_ALG2", "cusparse", 100e-6)]


def fake_reports():
    device = {"name": "a GPU", "capability": 90, "multiprocessors": 1, "l2_bytes": 1,
              "memory_bytes": 1, "driver": 13000, "runtime": 13000, "cusparse": 1,
              "algorithms": "CSR_ALG1"}
    head = {"version": "0.1.0", "cpu": "", "compiler": "", "device": device}
    return {"bandwidth.json": {**head, "bytes": 1, "fastest": "x", "copies": [],
                               "copy_gbytes_per_second": 1000},
            "matrix.json": {**head, "matrix": {"name": "NAME", "class": "fem", "rows": 1, "cols": 1,
                                               "nnz": 1, "min_row": 1, "max_row": 1},
                            "type": "f64", "offset": "i32", "floor_bytes": 1, "replicas": 1,
                            "no_modules": "", "results": fake_results()}}


class Gpu(Machine):
    """A machine with build tools, and with or without CUDA and a GPU."""

    def __init__(self, cuda=True):
        super().__init__(BUILD_PACKAGES)
        for name in TOOLS:
            if not os.path.exists(self.path("bin", name)):
                os.symlink(shutil.which(name), self.path("bin", name))
        for name in COPIED:
            os.makedirs(os.path.join(self.root, os.path.dirname(name)), exist_ok=True)
            shutil.copy(os.path.join(SOURCE, name), os.path.join(self.root, name))
        for name in "runtime", "common":
            os.makedirs(os.path.join(self.root, name))
        self.write("a project/runtime/version.h", "one")
        self.script("bin/ninja", NINJA)
        for name, content in fake_reports().items():
            self.write(name, json.dumps(content))
        self.write("probe", "a GPU, sm_90, CUDA 13.0\n")
        self.add_target()
        if cuda:
            self.add_cuda()

    def add_target(self, name="sm_90"):
        methods = [{"method": method, "target": name, "file": f"{method}.c", "program": None,
                    "isa": "scalar", "backend": "cuda", "rank": 1, "kernels": [], "modules": [
                        {"symbol": f"{method}_{types}__{name}", "value_type": types[:3],
                         "offset_type": types[4:], "bits": "", "kernels": []} for types in TYPES]}
                   for method in METHODS]
        facts = {"compute_capability": {"value": 90}, "match": {"value": "(sm_90)"}}
        manifest = {"targets": [{"name": name, "facts": facts}], "methods": methods}
        self.write(f"a project/generated/{name}/manifest.json", json.dumps(manifest, indent=1))
        for method in METHODS:
            self.write(f"a project/generated/{name}/{method}.c", TEXT)
        self.script("kernel_suite", KERNEL_SUITE)

    def add_cuda(self):
        self.script("spmvgen", "")
        self.script("gpubench", GPUBENCH)
        self.script("bin/compute-sanitizer", SANITIZER)
        self.script("bin/ncu", NCU)
        self.script("bin/nvidia-smi", "echo 1980 MHz, 40")

    def touch(self, name):
        self.write(name, "")

    def out(self, name):
        return pathlib.Path(self.root, "build-gpu", name)

    def order(self):
        """The stages and tools that were begun, in order."""
        order = []
        with open(self.path("calls"), encoding="utf-8") as file:
            for call in file:
                tool = re.match(r"compute-sanitizer --tool (\w+)", call)
                if tool:
                    order.append(tool[1])
                elif call.startswith("kernel_suite ") and "--effort brief" in call:
                    order.append("suite")
                elif call.startswith("ncu "):
                    order.append("profile")
                elif call.startswith("gpubench ") and "--json" in call:
                    order.append("bandwidth" if "--bandwidth" in call
                                 else "sweep" if "--modes 1" in call else "time")
        return order

    def timed(self, stage="time"):
        """The matrices that gpubench timed in the stage, in order."""
        calls = [call for call in self.calls("gpubench") if "--json" in call
                 and ("--modes 1" in call) == (stage == "sweep")]
        found = [re.match(r"--(?:matrix|shape) (.*) --type (\w+) --offset (\w+)", call)
                 for call in calls]
        return [match.groups() for match in found if match]
