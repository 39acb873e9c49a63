-- amd_subgroups.lua: subgroups on AMD's GPUs, by the compiler of ROCm.
--
-- Its OpenCL has cl_khr_subgroups, yet no shuffles; its compiler, which is Clang, has the instruction
-- that they come down to: a work-item reads a register of another one of its wavefront. 64 bits are
-- two of them. A subgroup is a wavefront: 64 work-items on GCN and CDNA, 32 on RDNA, unless the driver
-- is told otherwise; work-items are put into wavefronts in the order of their numbers (LLVM, "User
-- Guide for AMDGPU Backend"). Where there is no such work-item, the place wraps around.

return {
    name = "amd_subgroups",
    usable = "1",
    parse = { args = { "-triple", "amdgcn-amd-amdhsa", "-target-cpu", "gfx90a", "-cl-std=CL2.0" } },
    build_options = "-cl-std=CL2.0",
    extensions = { "cl_khr_subgroups", "cl_amd_media_ops" },

    preamble = [[

#if !defined(cl_khr_subgroups) || !defined(cl_amd_media_ops)
#error "this text needs cl_khr_subgroups and AMD's compiler (cl_amd_media_ops): take another target"
#endif
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
]],

    fixed = { SUBGROUP_SIZE = false },   -- any: the words are here
    words = {
        i32_shuffle = { helper = [[
static inline int i32_shuffle(int value, int place)
{
    return __builtin_amdgcn_ds_bpermute(4 * place, value);
}
]] },
        i32_shuffle_up = { helper = [[
static inline int i32_shuffle_up(int value, int distance)
{
    return i32_shuffle(value, (int)get_sub_group_local_id() - distance);
}
]], needs = { "i32_shuffle" } },
        r_shuffle = {
            f32 = { helper = [[
static inline float r_shuffle(float value, int place)
{
    return as_float(__builtin_amdgcn_ds_bpermute(4 * place, as_int(value)));
}
]] },
            f64 = { helper = [[
static inline double r_shuffle(double value, int place)
{
    int2 words = as_int2(value);

    words.x = __builtin_amdgcn_ds_bpermute(4 * place, words.x);
    words.y = __builtin_amdgcn_ds_bpermute(4 * place, words.y);
    return as_double(words);
}
]] },
        },
        r_shuffle_down = {
            f32 = { helper = [[
static inline float r_shuffle_down(float value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() + distance);
}
]], needs = { "r_shuffle" } },
            f64 = { helper = [[
static inline double r_shuffle_down(double value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() + distance);
}
]], needs = { "r_shuffle" } },
        },
        r_shuffle_up = {
            f32 = { helper = [[
static inline float r_shuffle_up(float value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() - distance);
}
]], needs = { "r_shuffle" } },
            f64 = { helper = [[
static inline double r_shuffle_up(double value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() - distance);
}
]], needs = { "r_shuffle" } },
        },
        subgroup_barrier = "sub_group_barrier(CLK_LOCAL_MEM_FENCE)",
    },
}
