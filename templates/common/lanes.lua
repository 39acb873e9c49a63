-- lanes.lua: the vector width of methods that add a row with whole vectors.

param "lanes" {
    min = 1, max = 64, unit = "values",
    meaning = "values that are multiplied at once: the vector's width; a power of two",
    source = "the papers' warp or vector of work-items, which on CPUs are the lanes of a vector",
    derivation = "simd_bits / value bits on CPUs, simd_width on GPUs",
    default = function(t)
        return t.simd_bits and math.max(1, t.simd_bits // t.value_bits) or t.simd_width
    end,
}

check({ "lanes" }, function(p, t) return p.lanes & (p.lanes - 1) == 0 end,
      "lanes must be a power of two: v_sum halves the vector")
