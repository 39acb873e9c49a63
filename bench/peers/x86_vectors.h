/* x86_vectors.h: whether this compiler and this CPU have AVX2 and AVX-512. Functions with the
 * attributes TARGET_AVX2 and TARGET_AVX512 may use intrinsics of both, whatever the other options
 * of the compiler. */
#ifndef BENCH_X86_VECTORS_H
#define BENCH_X86_VECTORS_H

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "targets/isa/x86_cpu.h"

#define HAS_X86_VECTORS 1
#define TARGET_AVX2 __attribute__((target("avx2,fma")))
#define TARGET_AVX512 __attribute__((target("avx2,fma,avx512f,avx512vl")))

static inline int cpu_has_avx2(void)
{
    return x86_has(X86_AVX2 | X86_FMA);
}

static inline int cpu_has_avx512(void)
{
    return x86_has(X86_AVX2 | X86_FMA | X86_AVX512F | X86_AVX512VL);
}
#else
#define HAS_X86_VECTORS 0
#endif

#endif
