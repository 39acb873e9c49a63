description = "what the tests inherit"
backend = "words"
simd_bits = 256
simd_width = 16
tiles.width = 4
tiles.f64.width = 2
tiles.depth = 5
