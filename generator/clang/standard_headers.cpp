// standard_headers.cpp: the text of the built-in standard headers.
//
// The 64-bit types are `long long` and the pointer-sized types `long`, so that their canonical
// types differ: a pointer-sized value is folded only where 32- and 64-bit devices agree on it.
// Templates are parsed for a 64-bit target; nothing here depends on the machine.
#include "generator/clang/standard_headers.h"

namespace sg {

static constexpr llvm::StringLiteral STDINT = R"(
#ifndef SG_STDINT_H
#define SG_STDINT_H
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615ULL
#define UINTPTR_MAX __UINTPTR_MAX__
#define SIZE_MAX __SIZE_MAX__
#define INT32_C(value) value
#define UINT32_C(value) value##u
#define INT64_C(value) value##LL
#define UINT64_C(value) value##ULL
#endif
)";

static constexpr llvm::StringLiteral STDDEF = R"(
#ifndef SG_STDDEF_H
#define SG_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
)";

static constexpr llvm::StringLiteral STDBOOL = R"(
#ifndef SG_STDBOOL_H
#define SG_STDBOOL_H
#define bool _Bool
#define true 1
#define false 0
#endif
)";

static constexpr llvm::StringLiteral STRING = R"(
#ifndef SG_STRING_H
#define SG_STRING_H
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
#endif
)";

static constexpr llvm::StringLiteral MATH = R"(
#ifndef SG_MATH_H
#define SG_MATH_H
double fma(double a, double b, double c);
float fmaf(float a, float b, float c);
double fabs(double a);
float fabsf(float a);
double sqrt(double a);
float sqrtf(float a);
double fmin(double a, double b);
float fminf(float a, float b);
double fmax(double a, double b);
float fmaxf(float a, float b);
#endif
)";

llvm::ArrayRef<StandardHeader> standard_headers()
{
    static const StandardHeader headers[] = {
        {"math.h", MATH},     {"stdbool.h", STDBOOL}, {"stddef.h", STDDEF},
        {"stdint.h", STDINT}, {"string.h", STRING},
    };
    return headers;
}

}  // namespace sg
