method {
    title = "CSR-vector",
    source = "the baseline of every paper: Bell & Garland, SC 2009, the vector kernel",
}

param "lanes" {
    min = 1, max = 64, unit = "values",
    meaning = "values that are multiplied at once: the vector's width; a power of two",
    source = "Bell & Garland, the vector kernel: one vector of work-items a row",
    derivation = "simd_bits / value bits on CPUs, simd_width on GPUs",
    default = function(t)
        return t.simd_bits and math.max(1, t.simd_bits // t.value_bits) or t.simd_width
    end,
}

param "accumulators" {
    min = 1, max = 8, unit = "vectors",
    costs = { "registers" },
    meaning = "independent sums of a row, so that one addition need not wait for the last",
    source = "chosen here",
    derivation = "2: long rows then run at the speed of memory, short ones pay one addition",
    default = function(t) return 2 end,
}

param "scalar_below" {
    min = 0, max = 64, unit = "nonzeros",
    meaning = "rows with fewer nonzeros are added one by one, which is quicker than filling a vector",
    source = "chosen here",
    derivation = "lanes on CPUs; 0 on GPUs, where the other work-items of the row would wait",
    default = function(t) return t.form == "simt" and 0 or t.p.lanes end,
}

include "fetch_ahead"

param "gather" {
    choices = { insert = 0, hardware = 1 },
    meaning = "how x is read at the columns: a load and an insert a lane, or the gather instruction",
    source = "chosen here",
    derivation = "hardware where the page says fast_gather, insert otherwise",
    default = function(t) return t.fast_gather and 1 or 0 end,
}

param "work_group_size" {
    min = 1, max = 1024, unit = "work-items",
    costs = { "local memory" },
    meaning = "work-items of a work-group, on GPUs",
    source = "chosen here",
    derivation = "256, or the device's work_group_size where that is less",
    default = function(t) return math.min(256, t.work_group_size or 256) end,
}

include "subgroup_size"
include "resident_groups"

param "chunk_weight" {
    min = 64, max = 1 << 24, unit = "rows + nonzeros",
    meaning = "most work of a chunk, the unit that threads share out; a matrix of more than that has about 16 chunks or more",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, long beside a thread's start, short beside a core's share",
    default = function(t) return 16384 end,
}

check({ "lanes" }, function(p, t) return p.lanes & (p.lanes - 1) == 0 end,
      "lanes must be a power of two: v_sum halves the vector")
check({ "work_group_size" },
      function(p, t) return p.work_group_size <= (t.work_group_size or 1024) end,
      "work_group_size must not exceed what the device's work-group may have (the fact work_group_size, 1024 where the page names none)")
check({ "work_group_size", "lanes" },
      function(p, t) return t.form ~= "simt" or p.work_group_size % p.lanes == 0 end,
      "work_group_size must be a multiple of lanes: a work-group takes whole rows")

bits(function(p, t)
    return "lanes=" .. p.lanes .. ", accumulators=" .. p.accumulators ..
           ", scalar_below=" .. p.scalar_below
end)
