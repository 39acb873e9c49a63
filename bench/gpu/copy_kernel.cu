/* copy_kernel.cu: a kernel that copies by 16-byte loads and stores, with four of each in flight in
 * a thread, and a kernel that reads by the same loads; see copy.h. A kernel's bandwidth is the fair
 * bound for other kernels. */
#include <cuda_runtime.h>

enum { THREADS = 256, WIDE = 4, GROUPS = 8 };

static __global__ void copy(const int4 *from, int4 *to, size_t count)
{
    const size_t stride = (size_t)gridDim.x * THREADS * WIDE;

    for (size_t at = (size_t)blockIdx.x * THREADS * WIDE + threadIdx.x; at < count; at += stride) {
        int4 held[WIDE];
#pragma unroll
        for (int i = 0; i < WIDE; i++)
            if (at + i * THREADS < count)
                held[i] = from[at + i * THREADS];
#pragma unroll
        for (int i = 0; i < WIDE; i++)
            if (at + i * THREADS < count)
                to[at + i * THREADS] = held[i];
    }
}

/* Written for one sum of 2^32, so that the compiler cannot leave the reading out. */
static __global__ void read(const int4 *from, int *to, size_t count)
{
    const size_t stride = (size_t)gridDim.x * THREADS * WIDE;
    int sum = 0;

    for (size_t at = (size_t)blockIdx.x * THREADS * WIDE + threadIdx.x; at < count; at += stride) {
        int4 held[WIDE];
#pragma unroll
        for (int i = 0; i < WIDE; i++)
            held[i] = at + i * THREADS < count ? from[at + i * THREADS] : make_int4(0, 0, 0, 0);
#pragma unroll
        for (int i = 0; i < WIDE; i++)
            sum += held[i].x ^ held[i].y ^ held[i].z ^ held[i].w;
    }
    if (sum == 0x5eed5eed)
        *to = sum;
}

extern "C" int gpu_copy_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                               cudaStream_t stream)
{
    copy<<<multiprocessors * GROUPS, THREADS, 0, stream>>>((const int4 *)from, (int4 *)to,
                                                           bytes / sizeof(int4));
    return (int)cudaGetLastError();
}

extern "C" int gpu_read_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                               cudaStream_t stream)
{
    read<<<multiprocessors * GROUPS, THREADS, 0, stream>>>((const int4 *)from, (int *)to,
                                                           bytes / sizeof(int4));
    return (int)cudaGetLastError();
}
