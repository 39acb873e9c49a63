-- cdna.lua: common facts of AMD's compute GPUs of the CDNA line.

abstract = true
backend = "opencl"
opencl_version = 200                    -- ROCm's OpenCL: subgroups are an extension of 2.0
simd_width = 64                         -- AMD's CDNA instruction set guides: a wavefront
isa = "amd_subgroups"                   -- no shuffles in AMD's OpenCL (ROCm issue 160)
subgroups = true                        -- ROCm lists cl_khr_subgroups (clinfo of an MI100)
compiler = "amdgpu"                     -- LLVM's AMDGPU guide lists these GPUs
waves_per_simd = 8                      -- LLVM's AMDGPU backend, for gfx90a and gfx942
simds = 4                               -- AMD's CDNA white papers
registers = 512                         -- LLVM's AMDGPU backend: 256, and 256 of accumulation
register_step = 8                       -- LLVM's AMDGPU backend, for gfx90a and gfx942
load_bits = 128                         -- AMD's CDNA guides: global_load_dwordx4
work_groups = 16                        -- LLVM's AMDGPU backend: if of several wavefronts
work_group_size = 256                   -- ROCm's OpenCL: CL_DEVICE_MAX_WORK_GROUP_SIZE
local_memory = 64 * 1024                -- AMD's CDNA instruction set guides: LDS of a CU
memory = "discrete"                     -- a card or module with memory of its own
cache_sharing = "separate"              -- same
rank = 2
