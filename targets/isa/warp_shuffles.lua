-- warp_shuffles.lua: shuffles of NVIDIA's GPUs before Volta (Kepler to Pascal), for every toolkit
-- that supports them.
--
-- Before CUDA 9 there is neither a barrier of a warp nor a shuffle that waits for its participants:
-- the emitted comment says what orders a warp instead. A named barrier (bar.sync ID, 32) would not
-- order it better: up to sm_62 a barrier counts warps, so the first work-items that reach it count
-- for all 32 (PTX ISA, bar); and __syncthreads() would also wait for the other warps of the group.
-- Before CUDA 6.5 no shuffle takes f64, so an f64 is shuffled as two halves, as later toolkits do.
--
-- Helpers are strings here instead of a C file: they use the macros of the preamble, and CUDA C++
-- compiles only with the toolkit's headers.

return {
    name = "warp_shuffles",
    usable = "1",
    preamble = [[

/* The work-items of a warp exchange values by shuffles, and through shared memory with
 * SUBGROUP_BARRIER() between writing and reading. All 32 reach each of these, outside of
 * branches in which they differ.
 *
 * From CUDA 9 on, and on sm_70 and later, __syncwarp() and shuffles with masks order them.
 *
 * Before CUDA 9 this text relies on two things:
 *   - Lock step. Up to sm_62 a warp has one program counter. It runs the sides of a branch
 *     one after the other, and its work-items converge behind the branch (CUDA C
 *     Programming Guide, "SIMT Architecture"). So all 32 execute a shuffle or a
 *     SUBGROUP_BARRIER() as one instruction.
 *   - __threadfence_block() completes the accesses to shared memory before it: what was
 *     written can be read, and what was read can be overwritten (PTX ISA, "membar"). The
 *     compiler moves no access across it. It does not wait for other work-items; lock step
 *     makes that unnecessary.
 * Since sm_70 each work-item has its own program counter; code for these GPUs never takes
 * this way. */
#if (defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 9) || \
    (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700)
#define SHUFFLE(value, place) __shfl_sync(0xffffffffu, value, place)
#define SHUFFLE_DOWN(value, distance) __shfl_down_sync(0xffffffffu, value, distance)
#define SHUFFLE_UP(value, distance) __shfl_up_sync(0xffffffffu, value, distance)
#define SUBGROUP_BARRIER() __syncwarp()
#else
#define SHUFFLE(value, place) __shfl(value, place)
#define SHUFFLE_DOWN(value, distance) __shfl_down(value, distance)
#define SHUFFLE_UP(value, distance) __shfl_up(value, distance)
#define SUBGROUP_BARRIER() __threadfence_block()
#endif

/* Toolkits before CUDA 8 have no loads with cache hints. */
#if !defined(__CUDACC_VER_MAJOR__) || __CUDACC_VER_MAJOR__ < 8
#undef __ldcs
#undef __ldca
#define __ldcs(from) (*(from))
#define __ldca(from) (*(from))
#endif
]],

    words = {
        r_shuffle_down = {
            f32 = "SHUFFLE_DOWN($1, $2)",
            f64 = { helper = [[
static __device__ inline double r_shuffle_down(double value, int distance)
{
    const int high = SHUFFLE_DOWN(__double2hiint(value), distance);
    const int low = SHUFFLE_DOWN(__double2loint(value), distance);

    return __hiloint2double(high, low);
}
]] },
        },
        r_shuffle_up = {
            f32 = "SHUFFLE_UP($1, $2)",
            f64 = { helper = [[
static __device__ inline double r_shuffle_up(double value, int distance)
{
    const int high = SHUFFLE_UP(__double2hiint(value), distance);
    const int low = SHUFFLE_UP(__double2loint(value), distance);

    return __hiloint2double(high, low);
}
]] },
        },
        r_shuffle = {
            f32 = "SHUFFLE($1, $2)",
            f64 = { helper = [[
static __device__ inline double r_shuffle(double value, int place)
{
    const int high = SHUFFLE(__double2hiint(value), place);
    const int low = SHUFFLE(__double2loint(value), place);

    return __hiloint2double(high, low);
}
]] },
        },
        i32_shuffle_up = "SHUFFLE_UP($1, $2)",
        i32_shuffle = "SHUFFLE($1, $2)",
        subgroup_barrier = "SUBGROUP_BARRIER()",
        -- A barrier before CUDA 9 waits for the loads.
        loads_first = { helper = [[
static __device__ inline void loads_first(void)
{
}
]] },
    },
}
