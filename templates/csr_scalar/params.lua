method {
    title = "CSR-scalar",
    source = "the baseline of every paper: Bell & Garland, SC 2009, the scalar kernel",
}

param "work_group_size" {
    min = 1, max = 1024, unit = "work-items",
    meaning = "work-items of a work-group, on GPUs",
    source = "chosen here",
    derivation = "256, or the device's work_group_size where that is less",
    default = function(t) return math.min(256, t.work_group_size or 256) end,
}

-- Nothing is exchanged here, but the text asks a device for what the other methods' do.
include "subgroup_size"
include "resident_groups"

param "chunk_weight" {
    min = 64, max = 1 << 24, unit = "rows + nonzeros",
    meaning = "most work of a chunk, the unit that threads share out; a matrix of more than that has about 16 chunks or more",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, long beside a thread's start, short beside a core's share",
    default = function(t) return 16384 end,
}

check({ "work_group_size" },
      function(p, t) return p.work_group_size <= (t.work_group_size or 1024) end,
      "work_group_size must not exceed what the device's work-group may have (the fact work_group_size, 1024 where the page names none)")

bits(function(p, t) return "each row in order" end)
