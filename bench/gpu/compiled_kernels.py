"""compiled_kernels.py: the kernel of each method that reads the matrix, compiled for a GPU.

    compile_for(PAGE, METHOD, FOLDER, NVDISASM, SPMVGEN)    a Compiled; values of 64 bits, 32-bit
                                                            row pointers

sm_90: nvcc compiles the committed text, and nvdisasm shows the instructions. AMD GPUs: spmvgen
emits the text for the page, and clang compiles it.
"""
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys

import machine_code

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAIN = {"csr5": "csr5_tiles", "csr_adaptive": "csr_adaptive_blocks",
        "csr_vector": "csr_vector_rows", "evc_hyb": "evc_groups", "slices": "slices_rows",
        "speculative": "speculative_tiles"}
METHODS = tuple(MAIN)

# CUDA C++ Programming Guide, compute capability 9.0: of a multiprocessor.
MOST_WARPS, MOST_GROUPS, REGISTERS, SHARED = 64, 32, 65536, 228 << 10


@dataclasses.dataclass
class Compiled:
    kernel: machine_code.Kernel
    registers: int
    shared: int
    spills: int
    parameters: dict
    occupancy: int = 0           # wavefronts of a SIMD of an AMD GPU, as LLVM reports it

    def warps(self):
        """Warps of a multiprocessor."""
        size = self.parameters["work_group_size"] // 32
        by_registers = REGISTERS // (-(-self.registers // 8) * 8 * 32 * size)
        by_shared = SHARED // (self.shared + 1024)
        return size * min(by_registers, by_shared, MOST_GROUPS, MOST_WARPS // size)

    def facts(self):
        held = {"wavefronts of a SIMD": self.occupancy} if self.occupancy else {
            "warps": self.warps()}
        return {"registers": self.registers, "spills": self.spills, "shared bytes": self.shared,
                **held}


def parameters_of(source):
    """The f64 column of the table in a file's banner."""
    banner = source[:source.index("*/")]
    return {match[1]: int(match[2]) for match in
            re.finditer(r"^ \* (\w+) +\S+(?: \(\d+\))? +(?:[a-z]\S* \()?(\d+)\)?(?: |$)", banner,
                        re.M)}


def need(tool, given=None):
    found = shutil.which(given or tool)
    if not found:
        hint = ("; NVIDIA's Python package nvidia-cuda-nvdisasm has it, --nvdisasm FILE names it"
                if tool == "nvdisasm" else "")
        raise SystemExit(f"predict.py: {given or tool} is not in PATH{hint}")
    return found


def compile_cuda(method, work, nvdisasm):
    if str(ROOT / "generated") not in sys.path:
        sys.path.append(str(ROOT / "generated"))
    from program_text import program_text
    nvcc, nvdisasm = need("nvcc"), need("nvdisasm", nvdisasm)
    source = (ROOT / f"generated/sm_90/spmv_{method}__sm_90.c").read_text(encoding="utf-8")
    text, cubin = work / f"{method}.cu", work / f"{method}.cubin"
    text.write_text(program_text(source, "f64", "i32"), encoding="utf-8")
    report = subprocess.run([nvcc, "-arch=sm_90", "-cubin", "-w", "-Xptxas", "-v", "-o", cubin,
                             text], check=True, capture_output=True, text=True).stderr
    listing = subprocess.run([nvdisasm, "-c", cubin], check=True, capture_output=True,
                             text=True).stdout
    kernels = machine_code.sass_kernels(listing)
    name = next(name for name in kernels if name.startswith(MAIN[method]))
    own = report[report.index(f"'{name}'"):].split("Compile time")[0]
    shared = re.search(r"(\d+) bytes smem", own)
    return Compiled(kernels[name], int(re.search(r"Used (\d+) registers", own)[1]),
                    int(shared[1]) if shared else 0,
                    int(re.search(r"(\d+) bytes spill stores", own)[1]), parameters_of(source))


def compile_amd(page, method, work, spmvgen):
    clang = next(filter(None, map(shutil.which, ("clang-19", "clang"))), None) or need("clang")
    folder = work / f"{page}-{method}"
    subprocess.run([need("spmvgen", spmvgen), "--data", ROOT, "--target", page, "--method", method,
                    "--type", "f64", "--offsets", "i32", "--program-files", "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    words = (ROOT / "targets/compilers/amdgpu.lua").read_text(encoding="utf-8")
    prefix = folder / "prefix.h"                 # OpenCL's functions, as for --verify
    prefix.write_text(words.split("prefix = [[")[1].split("]]")[0], encoding="utf-8")
    (program,) = folder.glob("*.cl")
    text = subprocess.run([clang, "-x", "cl", "--target=amdgcn-amd-amdhsa", f"-mcpu={page}",
                           "-cl-std=CL2.0", "-O3", "-nogpulib", "-Xclang",
                           "-finclude-default-header", "-include", prefix, "-S", "-o", "-",
                           program], check=True, capture_output=True, text=True).stdout
    kernels = machine_code.amd_kernels(text)
    name = next(name for name in kernels if name.startswith(MAIN[method]))
    kernel, facts = kernels[name]
    source = (folder / f"spmv_{method}__{page}.c").read_text(encoding="utf-8")
    return Compiled(kernel, facts["vgprs"], facts["shared"], facts["spills"],
                    parameters_of(source), facts["occupancy"])


def compile_for(page, method, work, nvdisasm=None, spmvgen="spmvgen"):
    return (compile_cuda(method, work, nvdisasm) if page.startswith("sm_")
            else compile_amd(page, method, work, spmvgen))
