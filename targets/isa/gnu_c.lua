-- gnu_c.lua: words that gcc and clang have built in, on any CPU with a fused multiply-add. Tables
-- of these CPUs inherit this one; no page names it.

return {
    name = "gnu_c",
    usable = "1",
    rounds_once = true,
    words = {
        r_fma = { f32 = "fmaf($1, $2, $3)", f64 = "fma($1, $2, $3)" },
        u32_trailing_zeros = "__builtin_ctz($1)",
        u32_popcount = "__builtin_popcount($1)",
        prefetch = "__builtin_prefetch($1)",
        prefetch_l2 = "__builtin_prefetch($1, 0, 2)",
    },
}
