/* x86_cpu.h: which instructions this x86 CPU has. Programs that Zig links answer no to every
 * __builtin_cpu_supports, so registers are read here. Emitted files contain the text between the
 * lines of the include guard; the programs of bench/ include it. */
#ifndef SPMV_X86_CPU_H
#define SPMV_X86_CPU_H

#include <cpuid.h>

/* Registers of cpuid's leaves 1, 7 and 0x80000001, and of xgetbv. */
enum { X86_1_ECX, X86_7_EBX, X86_7_EDX, X86_7_1_EAX, X86_EXTENDED_ECX, X86_XCR0, X86_REGISTERS };

enum {
    X86_FMA = 1,
    X86_BMI1 = 2,
    X86_AVX2 = 4,
    X86_AVX512F = 8,
    X86_AVX512DQ = 16,
    X86_AVX512BW = 32,
    X86_AVX512VL = 64,
    X86_AVX512_BF16 = 128,
    X86_AVX512_FP16 = 256,
    X86_SSE4A = 512,
    X86_CLWB = 1024,
    X86_IS_READ = 2048           /* set on every CPU */
};

/* The features that the registers tell. Those with vectors need a system that saves the vectors:
 * xcr0 has 0x06 for ymm, 0xe6 for zmm and masks. */
static inline unsigned x86_features(const uint32_t *registers)
{
    static const struct { unsigned feature, from, bit, xcr0; } known[] = {
        { X86_FMA, X86_1_ECX, 12, 0x06 },
        { X86_BMI1, X86_7_EBX, 3, 0 },
        { X86_AVX2, X86_7_EBX, 5, 0x06 },
        { X86_AVX512F, X86_7_EBX, 16, 0xe6 },
        { X86_AVX512DQ, X86_7_EBX, 17, 0xe6 },
        { X86_AVX512BW, X86_7_EBX, 30, 0xe6 },
        { X86_AVX512VL, X86_7_EBX, 31, 0xe6 },
        { X86_AVX512_BF16, X86_7_1_EAX, 5, 0xe6 },
        { X86_AVX512_FP16, X86_7_EDX, 23, 0xe6 },
        { X86_SSE4A, X86_EXTENDED_ECX, 6, 0 },
        { X86_CLWB, X86_7_EBX, 24, 0 },
    };
    unsigned found = X86_IS_READ;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if ((registers[known[i].from] >> known[i].bit & 1) != 0 &&
            (registers[X86_XCR0] & known[i].xcr0) == known[i].xcr0)
            found |= known[i].feature;
    return found;
}

/* Registers that the CPU lacks stay as they are. */
static inline void x86_read(uint32_t *registers)
{
    uint32_t a, b, c, d;

    if (__get_cpuid(1, &a, &b, &c, &d)) {
        registers[X86_1_ECX] = c;
        if ((c >> 27 & 1) != 0)          /* the system allows xgetbv */
            __asm__ volatile("xgetbv" : "=a"(registers[X86_XCR0]), "=d"(d) : "c"(0));
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        registers[X86_7_EBX] = b;
        registers[X86_7_EDX] = d;
        if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d))
            registers[X86_7_1_EAX] = a;
    }
    if (__get_cpuid(0x80000001, &a, &b, &c, &d))
        registers[X86_EXTENDED_ECX] = c;
}

/* Whether the CPU has all of these features. cpuid is slow in virtual machines: it is read once. */
static inline int x86_has(unsigned features)
{
    static unsigned known = 0;
    unsigned found = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (found == 0) {
        uint32_t registers[X86_REGISTERS] = { 0 };
        x86_read(registers);
        found = x86_features(registers);
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    return (found & features) == features;
}

#endif
