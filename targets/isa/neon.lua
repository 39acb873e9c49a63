-- neon.lua: 64-bit Arm (AArch64) with NEON, 128-bit vectors that every such CPU has.
--
-- A vector is two registers. With one register, CSR5 would do its work per tile and per step twice
-- as often, and a tile's sum would be one chain of dependent fma instructions. Vectors as wide as
-- AVX2's also give the same bits as AVX2.
--
-- 32-bit Arm takes plain C: its NEON has no f64 and flushes denormals.

return {
    name = "neon",
    inherits = "gnu_c",
    usable = "1",                          -- part of the base architecture
    cpu_flags = { "asimd" },               -- Linux's name of it on AArch64
    fixed = { LANES = { f32 = 8, f64 = 4 }, TABLE_VALUES = { f32 = 8, f64 = 4 } },
    parse = { args = { "-triple", "aarch64-unknown-linux-gnu", "-target-feature", "+neon" } },

    condition = "defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)",
    preamble = [[

#if !defined(__aarch64__) || !defined(__ARM_NEON) || defined(__AARCH64EB__)
#error "this file is for little-endian AArch64 with NEON: leave it out for other CPUs"
#endif
#include <arm_neon.h>
#include <math.h>
]],

    source = "neon.c",
    words = {
        vindex = { f64 = "int32x4_t" },
        i_high_bits = {
            f64 = "vreinterpretq_s32_u32(vshlq_u32(vld1q_u32($1), vdupq_n_s32(-$2)))",
        },
        i_last = { f32 = "vgetq_lane_s32($1.high, 3)", f64 = "vgetq_lane_s32($1, 3)" },
        i_select = { f64 = "vbslq_s32($1, $2, $3)" },
        i_increment = { f64 = "vsubq_s32($2, vreinterpretq_s32_u32($1))" },
        -- All bits of a lane are set, or none. Lanes have 32 bits for f64 too, like its indices.
        vmask = { f64 = "uint32x4_t" },
        m_test_bit = { f64 = "vtstq_u32(vld1q_u32($1), vdupq_n_u32(1u << $2))" },
    },
}
