-- hip.lua: HIP C++, AMD's variant of CUDA C++, for hipcc (which is Clang) and hipRTC.
--
-- libspmv has no backend for it: emitted text is for vendoring. This table has the differences from
-- cuda.lua: a warp is a wavefront of 64 work-items (32 on RDNA), shuffles take no mask, and the
-- compiler fuses multiply-adds across statements unless a pragma forbids it.

return {
    name = "hip",
    inherits = "cuda",
    extension = "hip",
    parse = {
        language = "hip",
        args = { "-triple", "amdgcn-amd-amdhsa", "-aux-triple", "x86_64-unknown-linux-gnu",
                 "-fcuda-is-device", "-target-cpu", "gfx90a", "-std=c++11" },

        -- Names that hipcc takes from its headers.
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

#define atomicAdd(to, value) __atomic_fetch_add(to, value, __ATOMIC_RELAXED)

#define fmaf(a, b, c) __builtin_fmaf(a, b, c)
#define fma(a, b, c) __builtin_fma(a, b, c)

static __device__ inline __attribute__((convergent)) void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

struct __attribute__((aligned(8))) int2 { int x, y; };

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

    preamble = [[

/* a*b + c is rounded once where the text calls fma, twice elsewhere. */
#pragma clang fp contract(off)
]],

    least = {},                  -- no compute_capability
    fixed = { SUBGROUP_SIZE = { 1, 32, 64 } },   -- a wavefront; 1: local memory instead
    words = {
        KERNEL = "SPMV_LINKAGE __global__ __launch_bounds__($WORK_GROUP_SIZE)\n",
        r_mul = "$1 * $2",

        -- All work-items of a wavefront take part in a shuffle.
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

        -- A barrier would wait for the loads.
        loads_first = { helper = [[
static __device__ inline void loads_first(void)
{
}
]] },

        r_stream = "__builtin_nontemporal_load(&$1[$2])",
        i32_stream = "__builtin_nontemporal_load(&$1[$2])",
        u16_stream = "static_cast<int>(__builtin_nontemporal_load(&$1[$2]))",
        x_read = "$1[$2]",
        x_load = "$1[$2]",

        -- The address of a vector is a multiple of its size.
        stream_vector = { helper = [[
/* Streaming loads take vectors of the compiler, but not HIP's own, which are classes. */
template <int count, typename value, typename stored>
static __device__ inline void stream_vector(value *to, const stored *from)
{
    typedef stored vector __attribute__((vector_size(count * sizeof(stored))));
    const vector all = __builtin_nontemporal_load(reinterpret_cast<const vector *>(from));

    for (int i = 0; i < count; i++)
        to[i] = all[i];
}
]] },
        r_load2 = {
            f32 = { helper = [[
static __device__ inline void r_load2(float *to, const float *from)
{
    stream_vector<2>(to, from);
}
]], needs = { "stream_vector" } },
            f64 = { helper = [[
static __device__ inline void r_load2(double *to, const double *from)
{
    stream_vector<2>(to, from);
}
]], needs = { "stream_vector" } },
        },
        r_load4 = {
            f32 = { helper = [[
static __device__ inline void r_load4(float *to, const float *from)
{
    stream_vector<4>(to, from);
}
]], needs = { "stream_vector" } },
            f64 = { helper = [[
static __device__ inline void r_load4(double *to, const double *from)
{
    stream_vector<4>(to, from);
}
]], needs = { "stream_vector" } },
        },
        i32_load2 = { helper = [[
static __device__ inline void i32_load2(int *to, const int *from)
{
    stream_vector<2>(to, from);
}
]], needs = { "stream_vector" } },
        i32_load4 = { helper = [[
static __device__ inline void i32_load4(int *to, const int *from)
{
    stream_vector<4>(to, from);
}
]], needs = { "stream_vector" } },
        u16_load2 = { helper = [[
static __device__ inline void u16_load2(int *to, const unsigned short *from)
{
    stream_vector<2>(to, from);
}
]], needs = { "stream_vector" } },
        u16_load4 = { helper = [[
static __device__ inline void u16_load4(int *to, const unsigned short *from)
{
    stream_vector<4>(to, from);
}
]], needs = { "stream_vector" } },
    },
}
