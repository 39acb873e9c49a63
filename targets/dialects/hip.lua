-- hip.lua: HIP C++, AMD's like of CUDA C++, as its compiler, which is Clang, and hipRTC take it.
--
-- No module of libspmv's backends takes it yet: the text is for vendoring. What differs from CUDA is that
-- a warp is a wavefront, of 64 work-items or, on RDNA, of 32; that shuffles name nobody; and that the
-- compiler may make multiply-adds across statements unless it is told not to.

return {
    name = "hip",
    form = "simt",
    extension = "hip",
    parse = {
        language = "hip",
        args = { "-triple", "amdgcn-amd-amdhsa", "-aux-triple", "x86_64-unknown-linux-gnu",
                 "-fcuda-is-device", "-target-cpu", "gfx90a", "-std=c++11" },

        -- What hipcc gets from its headers.
        prefix = [[
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((amdgpu_flat_work_group_size(1, __VA_ARGS__)))

typedef __SIZE_TYPE__ size_t;

struct spmv_index {
    unsigned int x;
};
static __device__ inline spmv_index spmv_block()
{
    return {__builtin_amdgcn_workgroup_id_x()};
}
static __device__ inline spmv_index spmv_thread()
{
    return {__builtin_amdgcn_workitem_id_x()};
}
#define blockIdx spmv_block()
#define threadIdx spmv_thread()

#define fmaf(a, b, c) __builtin_fmaf(a, b, c)
#define fma(a, b, c) __builtin_fma(a, b, c)

static __device__ inline __attribute__((convergent)) void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

struct __attribute__((aligned(4))) ushort2 { unsigned short x, y; };
struct __attribute__((aligned(8))) ushort4 { unsigned short x, y, z, w; };
struct __attribute__((aligned(8))) int2 { int x, y; };
struct __attribute__((aligned(8))) float2 { float x, y; };
struct __attribute__((aligned(16))) double2 { double x, y; };
struct __attribute__((aligned(16))) int4 { int x, y, z, w; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };

static __device__ inline int spmv_lane()
{
    return (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}
static __device__ inline __attribute__((convergent)) int __shfl(int value, int place)
{
    return __builtin_amdgcn_ds_bpermute(4 * place, value);
}
static __device__ inline __attribute__((convergent)) float __shfl(float value, int place)
{
    return __builtin_bit_cast(float, __shfl(__builtin_bit_cast(int, value), place));
}
static __device__ inline __attribute__((convergent)) double __shfl(double value, int place)
{
    int2 words = __builtin_bit_cast(int2, value);

    words.x = __shfl(words.x, place);
    words.y = __shfl(words.y, place);
    return __builtin_bit_cast(double, words);
}
template <typename type>
static __device__ inline __attribute__((convergent)) type __shfl_down(type value, int distance)
{
    return __shfl(value, spmv_lane() + distance);
}
template <typename type>
static __device__ inline __attribute__((convergent)) type __shfl_up(type value, int distance)
{
    return __shfl(value, spmv_lane() - distance);
}
]],
    },
    host = { dialect = "c", isa = "host" },
    prelude_bodies = true,

    preamble = [[

/* Kernels have C's names, by which a driver finds them. To have several such texts in one program,
 * include each in a namespace of its own, with this defined as static. */
#ifndef SPMV_LINKAGE
#define SPMV_LINKAGE extern "C"
#endif

/* a*b + c is rounded once where the text says fma, twice elsewhere. */
#pragma clang fp contract(off)
]],

    rounds_once = true,
    fixed = { SUBGROUP_SIZE = { 1, 32, 64 } },   -- a wavefront; 1: local memory instead
    words = {
        KERNEL = "SPMV_LINKAGE __global__ __launch_bounds__($WORK_GROUP_SIZE)\n",
        DEVICE = "static __device__ inline",
        GLOBAL = "",
        LOCAL = "",
        LOCAL_MEMORY = "__shared__",
        RESTRICT = "__restrict__",

        u8 = "unsigned char",
        u16 = "unsigned short",
        i32 = "int",
        u32 = "unsigned int",
        i64 = "long long",
        u64 = "unsigned long long",
        uptr = "size_t",
        f32 = "float",
        f64 = "double",

        r_fma = { f32 = "fmaf($1, $2, $3)", f64 = "fma($1, $2, $3)" },
        r_mul = "$1 * $2",

        group_index = "static_cast<long long>(blockIdx.x)",
        item_index = "static_cast<int>(threadIdx.x)",
        group_barrier = "__syncthreads()",

        -- All of a wavefront come to a shuffle.
        r_shuffle_down = "__shfl_down($1, $2)",
        r_shuffle_up = "__shfl_up($1, $2)",
        i32_shuffle_up = "__shfl_up($1, $2)",
        r_shuffle = "__shfl($1, $2)",
        i32_shuffle = "__shfl($1, $2)",
        subgroup_barrier = { helper = [[
static __device__ inline void subgroup_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
]] },

        -- A vector lies at a multiple of its size.
        r_stream = "__builtin_nontemporal_load(&$1[$2])",
        i32_stream = "__builtin_nontemporal_load(&$1[$2])",
        u16_stream = "static_cast<int>(__builtin_nontemporal_load(&$1[$2]))",
        x_read = "$1[$2]",
        r_load2 = {
            f32 = { helper = [[
static __device__ inline void r_load2(float *to, const float *from)
{
    const float2 all = *reinterpret_cast<const float2 *>(from);

    to[0] = all.x;
    to[1] = all.y;
}
]] },
            f64 = { helper = [[
static __device__ inline void r_load2(double *to, const double *from)
{
    const double2 all = *reinterpret_cast<const double2 *>(from);

    to[0] = all.x;
    to[1] = all.y;
}
]] },
        },
        i32_load2 = { helper = [[
static __device__ inline void i32_load2(int *to, const int *from)
{
    const int2 all = *reinterpret_cast<const int2 *>(from);

    to[0] = all.x;
    to[1] = all.y;
}
]] },
        u16_load2 = { helper = [[
static __device__ inline void u16_load2(int *to, const unsigned short *from)
{
    const ushort2 all = *reinterpret_cast<const ushort2 *>(from);

    to[0] = all.x;
    to[1] = all.y;
}
]] },
        r_load4 = {
            f32 = { helper = [[
static __device__ inline void r_load4(float *to, const float *from)
{
    const float4 all = *reinterpret_cast<const float4 *>(from);

    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
            f64 = { helper = [[
static __device__ inline void r_load4(double *to, const double *from)
{
    const double2 *pair = reinterpret_cast<const double2 *>(from);
    const double2 first = *pair;
    const double2 second = *(pair + 1);

    to[0] = first.x;
    to[1] = first.y;
    to[2] = second.x;
    to[3] = second.y;
}
]] },
        },
        i32_load4 = { helper = [[
static __device__ inline void i32_load4(int *to, const int *from)
{
    const int4 all = *reinterpret_cast<const int4 *>(from);

    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
        u16_load4 = { helper = [[
static __device__ inline void u16_load4(int *to, const unsigned short *from)
{
    const ushort4 all = *reinterpret_cast<const ushort4 *>(from);

    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
    },
}
