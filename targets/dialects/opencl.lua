-- opencl.lua: OpenCL C 1.2, which every OpenCL device takes. Tables of targets/isa add what newer
-- devices have.

return {
    name = "opencl",
    form = "simt",
    extension = "cl",
    parse = {
        language = "cl",
        args = { "-triple", "spir64-unknown-unknown", "-cl-std=CL1.2", "-fdeclare-opencl-builtins",
                 "-finclude-default-header" },
    },
    host = { dialect = "c", isa = "host" },
    build_options = "-cl-std=CL1.2",
    prelude_bodies = true,

    preamble = [[
#if __OPENCL_C_VERSION__ < 120
#error "compile this text as OpenCL C 1.2 or later"
#endif

/* The order of additions below is part of the contract (same bits in every run, and an Inf or NaN
 * stays in its row), and this option lets a compiler change it. */
#ifdef __FAST_RELAXED_MATH__
#error "compile this text without -cl-fast-relaxed-math"
#endif

/* a*b + c is rounded once where the text says fma, twice elsewhere. */
#pragma OPENCL FP_CONTRACT OFF
]],

    rounds_once = true,
    fixed = { SUBGROUP_SIZE = 1 },  -- the words of subgroups need an isa, such as khr_subgroups
    words = {
        KERNEL = "__kernel __attribute__((reqd_work_group_size($WORK_GROUP_SIZE, 1, 1)))\n",
        DEVICE = "static inline",
        GLOBAL = "__global",
        LOCAL = "__local",
        LOCAL_MEMORY = "__local",
        RESTRICT = "restrict",

        u8 = "uchar",
        u16 = "ushort",
        i32 = "int",
        u32 = "uint",
        i64 = "long",
        u64 = "ulong",
        uptr = "uintptr_t",
        f32 = "float",
        f64 = "double",

        r_fma = "fma($1, $2, $3)",
        r_mul = "$1 * $2",           -- FP_CONTRACT is off
        r_stream = "$1[$2]",
        i32_stream = "$1[$2]",
        u16_stream = "convert_int($1[$2])",
        x_read = "$1[$2]",

        group_index = "convert_long(get_group_id(0))",
        item_index = "convert_int(get_local_id(0))",
        group_barrier = "barrier(CLK_LOCAL_MEM_FENCE)",

        -- A vector lies at a multiple of its size.
        r_load2 = {
            f32 = { helper = [[
static inline void r_load2(float *to, __global const float *from)
{
    const float2 all = *(const __global float2 *)from;
    to[0] = all.x;
    to[1] = all.y;
}
]] },
            f64 = { helper = [[
static inline void r_load2(double *to, __global const double *from)
{
    const double2 all = *(const __global double2 *)from;
    to[0] = all.x;
    to[1] = all.y;
}
]] },
        },
        i32_load2 = { helper = [[
static inline void i32_load2(int *to, __global const int *from)
{
    const int2 all = *(const __global int2 *)from;
    to[0] = all.x;
    to[1] = all.y;
}
]] },
        u16_load2 = { helper = [[
static inline void u16_load2(int *to, __global const ushort *from)
{
    const ushort2 all = *(const __global ushort2 *)from;
    to[0] = all.x;
    to[1] = all.y;
}
]] },
        r_load4 = {
            f32 = { helper = [[
static inline void r_load4(float *to, __global const float *from)
{
    const float4 all = *(const __global float4 *)from;
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
            f64 = { helper = [[
static inline void r_load4(double *to, __global const double *from)
{
    const double4 all = *(const __global double4 *)from;
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
        },
        i32_load4 = { helper = [[
static inline void i32_load4(int *to, __global const int *from)
{
    const int4 all = *(const __global int4 *)from;
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
        u16_load4 = { helper = [[
static inline void u16_load4(int *to, __global const ushort *from)
{
    const ushort4 all = *(const __global ushort4 *)from;
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
    },
}
