/* types.h: the fixed-width types of templates. They have the same size on every device, unlike the
 * built-in integer types. */
#ifndef SPMV_PRELUDE_TYPES_H
#define SPMV_PRELUDE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef char c8;                /* text, such as an array's name */
typedef uint8_t u8;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef size_t usize;           /* host code only: bytes of an array */
typedef uintptr_t uptr;
typedef float f32;
typedef double f64;

#endif
