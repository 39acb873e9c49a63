/* cuda_shim.h: the words of CUDA C++ and of HIP in plain C++, for shim.h. It precedes a program's
 * text, in which modules.py has replaced declarations of local arrays by calls of shim_local. */
#ifndef TEST_CUDA_SHIM_H
#define TEST_CUDA_SHIM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "shim.h"

#define __global__
#define __device__
#define __launch_bounds__(...)

typedef struct shim_index {
    unsigned int x;
} shim_index;

static inline shim_index shim_index_of(int64_t x)
{
    const shim_index index = { (unsigned int)x };
    return index;
}

#define blockIdx shim_index_of(shim_group)
#define threadIdx shim_index_of(shim_item)
#define __syncthreads() shim_barrier(__LINE__)
#define __syncwarp() shim_subgroup_barrier(__LINE__)
#define __threadfence_block() shim_subgroup_barrier(__LINE__)  /* legacy code's, for its warp */

static inline float __fmul_rn(float a, float b)
{
    return a * b;
}

static inline double __dmul_rn(double a, double b)
{
    return a * b;
}

/* ---- loads --------------------------------------------------------------------------------- */

/* Aligned as in CUDA, so that sanitizers report misaligned loads. */
struct __attribute__((aligned(4))) ushort2 { unsigned short x, y; };
struct __attribute__((aligned(8))) ushort4 { unsigned short x, y, z, w; };
struct __attribute__((aligned(8))) int2 { int x, y; };
struct __attribute__((aligned(8))) float2 { float x, y; };
struct __attribute__((aligned(16))) double2 { double x, y; };
struct __attribute__((aligned(16))) int4 { int x, y, z, w; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };

#define __ldg(from) (*(from))
#define __ldcs(from) (*(from))
#define __ldca(from) (*(from))
#define atomicAdd(to, value) __atomic_fetch_add(to, value, __ATOMIC_RELAXED)
#define __builtin_nontemporal_load(from) (*(from))

/* ---- shuffles ------------------------------------------------------------------------------ */

template <typename value_type>
static inline value_type shim_shuffle(int line, value_type value, int64_t place)
{
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof value);
    bits = shim_exchange(line, bits, place);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The mask must name all 32 lanes; any other mask declares an array of negative size. */
#define SHIM_ALL(mask) ((int)sizeof(char[(mask) == 0xffffffffu ? 1 : -1]) - 1)
#define SHIM_PLACE (shim_item % shim_subgroup)

#define __shfl(value, place) shim_shuffle(__LINE__, value, place)
#define __shfl_down(value, distance) shim_shuffle(__LINE__, value, SHIM_PLACE + (distance))
#define __shfl_up(value, distance) shim_shuffle(__LINE__, value, SHIM_PLACE - (distance))
#define __shfl_sync(mask, value, place) __shfl(value, (place) + SHIM_ALL(mask))
#define __shfl_down_sync(mask, value, distance) __shfl_down(value, (distance) + SHIM_ALL(mask))
#define __shfl_up_sync(mask, value, distance) __shfl_up(value, (distance) + SHIM_ALL(mask))

static inline int __double2loint(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(uint32_t)bits;
}

static inline int __double2hiint(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(uint32_t)(bits >> 32);
}

static inline double __hiloint2double(int high, int low)
{
    const uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- HIP ----------------------------------------------------------------------------------- */

#define __builtin_amdgcn_fence(order, scope) ((void)(order))
#define __builtin_amdgcn_wave_barrier() shim_subgroup_barrier(__LINE__)

#endif
