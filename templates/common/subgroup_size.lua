-- subgroup_size.lua: the subgroups of GPU kernels. Stands below work_group_size.

param "subgroup_size" {
    min = 1, max = 128, unit = "work-items",
    meaning = "work-items of a subgroup, which can exchange values without local memory; 1: no " ..
              "subgroups",
    source = "chosen here",
    derivation = "subgroup_size, or simd_width if the page states none, on pages that say " ..
                 "subgroups = true; 1 on others",
    default = function(t) return t.subgroups and (t.subgroup_size or t.simd_width) or 1 end,
}

check({ "subgroup_size" }, function(p, t) return t.subgroups or p.subgroup_size == 1 end,
      "subgroup_size must be 1 on a page that does not say subgroups = true: kernels do not use " ..
      "subgroups there")
check({ "subgroup_size" }, function(p, t) return p.subgroup_size & (p.subgroup_size - 1) == 0 end,
      "subgroup_size must be a power of two: values are added by halving")
check({ "work_group_size", "subgroup_size" },
      function(p, t) return p.work_group_size % p.subgroup_size == 0 end,
      "work_group_size must be a multiple of subgroup_size: a work-group consists of whole " ..
      "subgroups")
