/* opencl_shim.h: the words of OpenCL C in plain C, for shim.h. It precedes a program's text, in
 * which modules.py has replaced declarations of local arrays by calls of shim_local. */
#ifndef TEST_OPENCL_SHIM_H
#define TEST_OPENCL_SHIM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shim.h"

#define __OPENCL_C_VERSION__ 120
#define __kernel static
#define __global
#define __local
#define reqd_work_group_size(x, y, z) unused
#define intel_reqd_sub_group_size(size) unused

#undef uint
#define uchar unsigned char
#define ushort unsigned short
#define uint unsigned int
#define ulong unsigned long
_Static_assert(sizeof(long) == 8 && sizeof(int) == 4, "OpenCL's int and long are those of C here");

#define CLK_LOCAL_MEM_FENCE 1
#define atomic_add(to, value) __atomic_fetch_add(to, value, __ATOMIC_RELAXED)
#define barrier(fence) shim_barrier(__LINE__)
#define get_group_id(dimension) ((size_t)shim_group)
#define get_local_id(dimension) ((size_t)shim_item)
#define convert_long(value) ((long)(value))
#define convert_int(value) ((int)(value))
#define fma(a, b, c) _Generic((a) + (b) + (c), float: fmaf, default: fma)(a, b, c)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

/* ---- vectors ------------------------------------------------------------------------------- */

/* Aligned to their sizes, as in OpenCL, so that sanitizers report misaligned loads. */
#define SHIM_VECTOR2(type)                                                                         \
    typedef struct type##2 {                                                                       \
        _Alignas(2 * sizeof(type)) type x;                                                         \
        type y;                                                                                    \
    } type##2
#define SHIM_VECTOR4(type)                                                                         \
    typedef struct type##4 {                                                                       \
        _Alignas(4 * sizeof(type)) type x;                                                         \
        type y, z, w;                                                                              \
    } type##4

SHIM_VECTOR2(ushort);
SHIM_VECTOR2(int);
SHIM_VECTOR2(float);
SHIM_VECTOR2(double);
SHIM_VECTOR4(ushort);
SHIM_VECTOR4(int);
SHIM_VECTOR4(float);
SHIM_VECTOR4(double);

/* ---- subgroups ----------------------------------------------------------------------------- */

#define cl_khr_subgroups 1
#define cl_khr_subgroup_shuffle 1
#define cl_intel_required_subgroup_size 1
#define cl_amd_media_ops 1

#define get_sub_group_id() ((uint)(shim_item / shim_subgroup))
#define get_sub_group_local_id() ((uint)(shim_item % shim_subgroup))
#define sub_group_barrier(fence) shim_subgroup_barrier(__LINE__)
#define sub_group_shuffle(value, place)                                                            \
    _Generic((value), float: shim_shuffle_f32, double: shim_shuffle_f64, int: shim_shuffle_i32)(   \
        __LINE__, value, place)
#define __builtin_amdgcn_ds_bpermute(address, value)                                               \
    shim_shuffle_i32(__LINE__, value, (address) / 4)

/* Functions that reinterpret the bits of a value as another type. */
#define SHIM_BITS(name, to, from)                                                                  \
    static inline to name(from value)                                                              \
    {                                                                                              \
        to bits;                                                                                   \
        memcpy(&bits, &value, sizeof bits);                                                        \
        return bits;                                                                               \
    }
SHIM_BITS(as_int, int, float)
SHIM_BITS(as_float, float, int)
SHIM_BITS(as_int2, int2, double)
SHIM_BITS(as_double, double, int2)

static inline int shim_shuffle_i32(int line, int value, int64_t place)
{
    return (int)(uint32_t)shim_exchange(line, (uint32_t)value, place);
}

static inline float shim_shuffle_f32(int line, float value, int64_t place)
{
    return as_float(shim_shuffle_i32(line, as_int(value), place));
}

static inline double shim_shuffle_f64(int line, double value, int64_t place)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = shim_exchange(line, bits, place);
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
