method {
    title = "CSR-transposed",
    source = "chosen here",
}

param "part_nonzeros" {
    min = 16, max = 1 << 24, unit = "nonzeros",
    meaning = "least nonzeros of a part, which one thread adds to sums of its own",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, much work compared with starting a thread",
    default = function(t) return 16384 end,
    tune = function(t) return t.form == "simd" and { 8192, 16384, 65536 } or {} end,
}

param "most_parts" {
    min = 1, max = 256, unit = "parts",
    meaning = "most parts of a matrix; a part for each core, and some more",
    source = "chosen here",
    derivation = "64",
    default = function(t) return 64 end,
    tune = function(t) return t.form == "simd" and { 16, 64, 256 } or {} end,
}

bits(function(p, t)
    return "each column in parts of the nonzeros: at least " .. p.part_nonzeros .. " a part, at " ..
           "most " .. p.most_parts .. " parts"
end)
