-- amd_subgroups.lua: subgroups on AMD's GPUs, by the compiler of ROCm.
--
-- AMD's OpenCL has cl_khr_subgroups but no shuffles. Its compiler, which is Clang, has a builtin
-- function for the instruction of a shuffle, ds_bpermute: a work-item reads 32 bits of another one
-- in its wavefront. A place beyond the wavefront wraps around. A subgroup is a wavefront: 64
-- work-items on GCN and CDNA, 32 on RDNA by default, filled in the order of their numbers (LLVM,
-- "User Guide for AMDGPU Backend").

return {
    name = "amd_subgroups",
    usable = "1",
    parse = { args = { "-triple", "amdgcn-amd-amdhsa", "-target-cpu", "gfx90a", "-cl-std=CL2.0" } },
    build_options = "-cl-std=CL2.0",
    extensions = { "cl_khr_subgroups", "cl_amd_media_ops" },

    preamble = [[

#if !defined(cl_khr_subgroups) || !defined(cl_amd_media_ops)
#error "expected cl_khr_subgroups and AMD's cl_amd_media_ops: take another target"
#endif
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
]],

    fixed = { SUBGROUP_SIZE = false },   -- any size: this table has the words
    source = "amd_subgroups.cl",
    words = {
        subgroup_barrier = "sub_group_barrier(CLK_LOCAL_MEM_FENCE)",
    },
}
