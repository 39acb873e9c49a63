/* opencl_shim.h: what OpenCL C's words are in C, for shim.h. Included before a program's text, in which
 * run_suite.py has written declarations of local arrays as static ones: a group's items share them. */
#ifndef TEST_OPENCL_SHIM_H
#define TEST_OPENCL_SHIM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "shim.h"

#define __OPENCL_C_VERSION__ 120
#define __kernel static
#define __global
#define __local
#define reqd_work_group_size(x, y, z) unused

#undef uint
#define uchar unsigned char
#define uint unsigned int
#define ulong unsigned long
_Static_assert(sizeof(long) == 8 && sizeof(int) == 4, "OpenCL's int and long are those of C here");

#define CLK_LOCAL_MEM_FENCE 1
#define barrier(fence) shim_barrier(__LINE__)
#define get_group_id(dimension) ((size_t)shim_group)
#define get_local_id(dimension) ((size_t)shim_item)
#define convert_long(value) ((long)(value))
#define convert_int(value) ((int)(value))
#define fma(a, b, c) _Generic((a) + (b) + (c), float: fmaf, default: fma)(a, b, c)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

#endif
