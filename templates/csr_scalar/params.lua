method {
    title = "CSR-scalar",
    source = "the baseline of every paper: Bell & Garland, SC 2009, the scalar kernel",
}

param "chunk_weight" {
    min = 64, max = 1 << 24, unit = "rows + nonzeros",
    meaning = "work of a chunk, the unit that threads share out; fixed, so that bits never depend on threads",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, long beside a thread's start, short beside a core's share",
    default = function(t) return 16384 end,
}
