return {
    name = "words",
    form = "simd",
    extension = "txt",
    parse = { language = "c", args = { "-std=c11", "-Wall" }, prefix = "prefix\n" },
    prelude_bodies = true, fixed = { ROWS = { f64 = 5 }, LANES = { 2, 6 }, ANY = 1 },
    preamble = "dialect preamble\n",
    postamble = "dialect postamble\n",
    words = {
        KERNEL = "static",
        i32 = "int32_t",
        v_sum = { f64 = { helper = "dialect's v_sum\n" }, f32 = "never" },
        zeta = { helper = "zeta\n", needs = { "i32" } },
    },
}
