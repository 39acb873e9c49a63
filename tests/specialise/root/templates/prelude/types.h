/* types.h: the types of the fixtures' own small prelude. */
#ifndef TEST_PRELUDE_TYPES_H
#define TEST_PRELUDE_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef size_t usize;
typedef float f32;
typedef double f64;

#endif
