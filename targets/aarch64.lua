-- aarch64.lua: 64-bit Arm CPUs, all of which have NEON.

description = "aarch64: NEON"
aliases = "arm64 armv8-a neon"          -- GCC's and common names
backend = "c"
isa = "neon"                            -- Arm Architecture Reference Manual: Advanced SIMD
simd_bits = 256                         -- not measured: two 128-bit registers, see isa/neon.lua
fast_gather = false                     -- NEON has no gather instruction
rank = 2
host_candidate = true
