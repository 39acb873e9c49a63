return {
    name = "wide",
    usable = "1",
    cpu_flags = {},
    fixed = { LANES = { f32 = 8, f64 = 4 } },
    words = {},
}
