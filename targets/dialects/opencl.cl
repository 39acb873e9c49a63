/* opencl.cl: words of opencl.lua that are functions: loads of vectors. The address of a vector is a
 * multiple of its size. */
#include "opencl_preamble.h"

static inline void i32_load2(int *to, __global const int *from)
{
    const int2 all = STREAM((const __global int2 *)from);
    to[0] = all.x;
    to[1] = all.y;
}

static inline void u16_load2(int *to, __global const ushort *from)
{
    const ushort2 all = STREAM((const __global ushort2 *)from);
    to[0] = all.x;
    to[1] = all.y;
}

static inline void i32_load4(int *to, __global const int *from)
{
    const int4 all = STREAM((const __global int4 *)from);
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}

static inline void u16_load4(int *to, __global const ushort *from)
{
    const ushort4 all = STREAM((const __global ushort4 *)from);
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}

#ifdef REAL_IS_F32

static inline void r_load2(float *to, __global const float *from)
{
    const float2 all = STREAM((const __global float2 *)from);
    to[0] = all.x;
    to[1] = all.y;
}

static inline void r_load4(float *to, __global const float *from)
{
    const float4 all = STREAM((const __global float4 *)from);
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}

#endif

#ifdef REAL_IS_F64

static inline void r_load2(double *to, __global const double *from)
{
    const double2 all = STREAM((const __global double2 *)from);
    to[0] = all.x;
    to[1] = all.y;
}

static inline void r_load4(double *to, __global const double *from)
{
    const double4 all = STREAM((const __global double4 *)from);
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}

#endif
