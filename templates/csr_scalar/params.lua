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

param "subgroup_size" {
    min = 1, max = 128, unit = "work-items",
    meaning = "work-items of a subgroup; this method exchanges nothing, but its text asks for what the others' do; 1: there are none",
    source = "chosen here",
    derivation = "subgroup_size, or simd_width where the page states none, on pages that say subgroups; 1 on others",
    default = function(t) return t.subgroups and (t.subgroup_size or t.simd_width) or 1 end,
}

param "chunk_weight" {
    min = 64, max = 1 << 24, unit = "rows + nonzeros",
    meaning = "work of a chunk, the unit that threads share out; fixed, so that bits never depend on threads",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, long beside a thread's start, short beside a core's share",
    default = function(t) return 16384 end,
}

check({ "work_group_size" },
      function(p, t) return p.work_group_size <= (t.work_group_size or 1024) end,
      "work_group_size must not exceed what the device's work-group may have (the fact work_group_size, 1024 where the page names none)")
check({ "subgroup_size" }, function(p, t) return p.subgroup_size & (p.subgroup_size - 1) == 0 end,
      "subgroup_size must be a power of two: values are added by halving")
check({ "work_group_size", "subgroup_size" },
      function(p, t) return p.work_group_size % p.subgroup_size == 0 end,
      "work_group_size must be a multiple of subgroup_size: a work-group is of whole subgroups")

bits(function(p, t) return "each row in order" end)
