-- cuda.lua: CUDA C++ for NVIDIA's GPUs, in the part of C++98 that nvcc, NVRTC and Clang compile
-- without a header. hip.lua inherits it.
--
-- Shuffles take a mask of participants, as they do since CUDA 9. isa/warp_shuffles.lua is for GPUs
-- that older toolkits support too.

return {
    name = "cuda",
    form = "simt",
    extension = "cu",
    parse = {
        language = "cuda",
        args = { "-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-unknown-linux-gnu",
                 "-fcuda-is-device", "-target-cpu", "sm_90", "-target-feature", "+ptx80",
                 "-std=c++98" },

        -- Names that nvcc has built in, and that Clang expects from the toolkit's headers.
        prefix = [[
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

typedef __SIZE_TYPE__ size_t;

struct spmv_index {
    unsigned int x;
};
static __device__ inline spmv_index spmv_block(void)
{
    const spmv_index index = {__nvvm_read_ptx_sreg_ctaid_x()};
    return index;
}
static __device__ inline spmv_index spmv_thread(void)
{
    const spmv_index index = {__nvvm_read_ptx_sreg_tid_x()};
    return index;
}
#define blockIdx spmv_block()
#define threadIdx spmv_thread()

#define fmaf(a, b, c) __nvvm_fma_rn_f(a, b, c)
#define fma(a, b, c) __nvvm_fma_rn_d(a, b, c)
#define __fmul_rn(a, b) __nvvm_mul_rn_f(a, b)
#define __dmul_rn(a, b) __nvvm_mul_rn_d(a, b)
#define __syncwarp() __nvvm_bar_warp_sync(0xffffffffu)
#define __threadfence_block() __nvvm_membar_cta()

/* The cache hints of loads change no result. */
#define __ldg(from) (*(from))
#define __ldcs(from) (*(from))
#define __ldca(from) (*(from))

#define atomicAdd(to, value) __atomic_fetch_add(to, value, __ATOMIC_RELAXED)

struct __attribute__((aligned(4))) ushort2 { unsigned short x, y; };
struct __attribute__((aligned(8))) ushort4 { unsigned short x, y, z, w; };
struct __attribute__((aligned(8))) int2 { int x, y; };
struct __attribute__((aligned(8))) float2 { float x, y; };
struct __attribute__((aligned(16))) double2 { double x, y; };
struct __attribute__((aligned(16))) int4 { int x, y, z, w; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };

/* Shuffles `name`, and `name_sync`, which also takes double. */
#define SPMV_SHUFFLES(name, way, border)                                                           \
    static __device__ inline int name(int value, int by)                                           \
    {                                                                                              \
        return __nvvm_shfl_##way##_i32(value, by, border);                                         \
    }                                                                                              \
    static __device__ inline float name(float value, int by)                                       \
    {                                                                                              \
        return __nvvm_shfl_##way##_f32(value, by, border);                                         \
    }                                                                                              \
    static __device__ inline int name##_sync(unsigned int mask, int value, int by)                 \
    {                                                                                              \
        return __nvvm_shfl_sync_##way##_i32(mask, value, by, border);                              \
    }                                                                                              \
    static __device__ inline float name##_sync(unsigned int mask, float value, int by)             \
    {                                                                                              \
        return __nvvm_shfl_sync_##way##_f32(mask, value, by, border);                              \
    }                                                                                              \
    static __device__ inline double name##_sync(unsigned int mask, double value, int by)           \
    {                                                                                              \
        return __nvvm_lohi_i2d(name##_sync(mask, __nvvm_d2i_lo(value), by),                        \
                               name##_sync(mask, __nvvm_d2i_hi(value), by));                       \
    }

SPMV_SHUFFLES(__shfl, idx, 31)
SPMV_SHUFFLES(__shfl_down, down, 31)
SPMV_SHUFFLES(__shfl_up, up, 0)

#define __double2loint(value) __nvvm_d2i_lo(value)
#define __double2hiint(value) __nvvm_d2i_hi(value)
#define __hiloint2double(high, low) __nvvm_lohi_i2d(low, high)
]],
    },
    host = { dialect = "c", isa = "host" },
    prelude_bodies = true,
    bundle = {
        header = "runtime/bundle/cuda/kernels.h",
        implementation = "runtime/bundle/cuda/kernels.c",
        extension = "c",
        readme = "runtime/bundle/cuda/README.md",
        program = "runtime/bundle/cuda/kernels.cu",
        launcher = [[
extern "C" int spmv_launch_$symbol(
    unsigned int groups, cudaStream_t stream, void *const *argument)
{
    if (groups == 0)
        return spmv_load($symbol);
    SPMV_LAUNCH($symbol, groups, $work_group_size, stream, (
        $arguments));
    return static_cast<int>(cudaPeekAtLastError());
}
]],
    },

    preamble = [[

/* Kernels have C linkage, so that a driver finds them by name. To use several of these
 * texts in one program, define SPMV_LINKAGE as static and include each in a namespace. */
#ifndef SPMV_LINKAGE
#define SPMV_LINKAGE extern "C"
#endif

/* NVRTC has this macro, nvcc has none. */
#if defined(__CUDA_FTZ) && __CUDA_FTZ
#error "compile without --ftz=true and --use_fast_math: f32 below 2^-126 would become 0"
#endif
]],

    least = { compute_capability = 32 },     -- __ldg, __ldcs and __ldca
    rounds_once = true,
    fixed = { SUBGROUP_SIZE = { 1, 32 } },   -- 32: a warp; 1: local memory instead
    words = {
        KERNEL = "SPMV_LINKAGE __global__ __launch_bounds__($WORK_GROUP_SIZE, $RESIDENT_GROUPS)\n",
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
        r_mul = { f32 = "__fmul_rn($1, $2)", f64 = "__dmul_rn($1, $2)" },

        group_index = "static_cast<long long>(blockIdx.x)",
        item_index = "static_cast<int>(threadIdx.x)",
        group_barrier = "__syncthreads()",
        i32_atomic_add = "atomicAdd($1, $2)",

        -- All 32 work-items of a warp take part in a shuffle.
        r_shuffle_down = "__shfl_down_sync(0xffffffffu, $1, $2)",
        r_shuffle_up = "__shfl_up_sync(0xffffffffu, $1, $2)",
        i32_shuffle_up = "__shfl_up_sync(0xffffffffu, $1, $2)",
        r_shuffle = "__shfl_sync(0xffffffffu, $1, $2)",
        i32_shuffle = "__shfl_sync(0xffffffffu, $1, $2)",
        subgroup_barrier = "__syncwarp()",

        -- No compiler moves a load across it, and it costs no instruction that waits.
        loads_first = "__syncwarp()",

        -- The address of a vector is a multiple of its size. No load is wider than 16 bytes.
        r_stream = "__ldcs(&$1[$2])",
        i32_stream = "__ldcs(&$1[$2])",
        u16_stream = "static_cast<int>(__ldcs(&$1[$2]))",
        x_read = "__ldg(&$1[$2])",
        x_load = "__ldca(&$1[$2])",
        vector_stream = "__ldcs($1)",
        r_load2 = {
            f32 = { helper = [[
static __device__ inline void r_load2(float *to, const float *from)
{
    const float2 all = $vector_stream(reinterpret_cast<const float2 *>(from));

    to[0] = all.x;
    to[1] = all.y;
}
]] },
            f64 = { helper = [[
static __device__ inline void r_load2(double *to, const double *from)
{
    const double2 all = $vector_stream(reinterpret_cast<const double2 *>(from));

    to[0] = all.x;
    to[1] = all.y;
}
]] },
        },
        i32_load2 = { helper = [[
static __device__ inline void i32_load2(int *to, const int *from)
{
    const int2 all = $vector_stream(reinterpret_cast<const int2 *>(from));

    to[0] = all.x;
    to[1] = all.y;
}
]] },
        u16_load2 = { helper = [[
static __device__ inline void u16_load2(int *to, const unsigned short *from)
{
    const ushort2 all = $vector_stream(reinterpret_cast<const ushort2 *>(from));

    to[0] = all.x;
    to[1] = all.y;
}
]] },
        r_load4 = {
            f32 = { helper = [[
static __device__ inline void r_load4(float *to, const float *from)
{
    const float4 all = $vector_stream(reinterpret_cast<const float4 *>(from));

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
    const double2 first = $vector_stream(pair);
    const double2 second = $vector_stream(pair + 1);

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
    const int4 all = $vector_stream(reinterpret_cast<const int4 *>(from));

    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
        u16_load4 = { helper = [[
static __device__ inline void u16_load4(int *to, const unsigned short *from)
{
    const ushort4 all = $vector_stream(reinterpret_cast<const ushort4 *>(from));

    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}
]] },
    },
}
