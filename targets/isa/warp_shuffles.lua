-- warp_shuffles.lua: shuffles of NVIDIA's GPUs before Volta (Kepler to Pascal), for every toolkit
-- that supports them.
--
-- Before CUDA 9 a shuffle takes no mask: the work-items of a warp run in lock step, and all of them
-- take part in each shuffle. Before CUDA 6.5 no shuffle takes f64, so an f64 is shuffled as two
-- halves, as later toolkits do.
--
-- Helpers are strings here instead of a C file: they use the macros of the preamble, and CUDA C++
-- compiles only with the toolkit's headers.

return {
    name = "warp_shuffles",
    usable = "1",
    preamble = [[

#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 9
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

/* The read-only cache of these GPUs is separate from their other caches, and toolkits before CUDA 8
 * have no streaming load. */
#undef __ldcs
#define __ldcs(from) __ldg(from)
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
    },
}
