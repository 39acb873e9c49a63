method {
    title = "CSR-vector",
    source = "a baseline of papers: Bell & Garland, SC 2009, the vector kernel",
}

include "lanes"

param "accumulators" {
    min = 1, max = 8, unit = "vectors",
    costs = { "registers" },
    meaning = "independent sums of a row, so that an addition need not wait for the one before",
    source = "chosen here",
    derivation = "2 on CPUs: long rows then run at the speed of memory, and short rows pay one " ..
                 "addition; 4 on GPUs, where it is also the number of nonzeros that a work-item " ..
                 "loads at once",
    default = function(t) return t.form == "simt" and 4 or 2 end,
    tune = function(t)
        return t.form == "simd" and { 1, 2, 4 } or { 2, 4, 8 }
    end,
}

param "scalar_below" {
    min = 0, max = 64, unit = "nonzeros",
    meaning = "the nonzeros of shorter rows are added one by one, which is faster than filling " ..
              "a vector",
    source = "chosen here",
    derivation = "lanes on CPUs; 0 on GPUs, where the other work-items of the row would wait",
    default = function(t) return t.form == "simt" and 0 or t.p.lanes end,
    tune = function(t)
        local lanes = t.p.lanes
        return t.form == "simd" and { 0, lanes // 2, lanes, 2 * lanes } or {}
    end,
}

include "fetch_ahead"
include "gather"

param "work_group_size" {
    min = 1, max = 1024, unit = "work-items",
    costs = { "local memory" },
    meaning = "work-items of a work-group, on GPUs",
    source = "chosen here",
    derivation = "256, or the device's work_group_size if that is less",
    default = function(t) return math.min(256, t.work_group_size or 256) end,
    tune = function(t) return t.form == "simt" and { 64, 128, 256, 512 } or {} end,
}

param "whole_group" {
    choices = { no = 0, yes = 1 },
    meaning = "yes: a whole work-group adds each row, on GPUs; no: as many work-items as rows " ..
              "of average length need, at most lanes",
    source = "CSR-Adaptive, HiPC 2015, II-A: CSR-Vector has a workgroup for a row",
    derivation = "no: a group idles in rows of fewer nonzeros than it has work-items",
    default = function(t) return "no" end,
}

include "work_group_limit"
include "subgroup_size"
include "resident_groups"
include "row_chunks"

check({ "work_group_size", "lanes" },
      function(p, t) return t.form ~= "simt" or p.work_group_size % p.lanes == 0 end,
      "work_group_size must be a multiple of lanes: a work-group takes whole rows")

check({ "whole_group", "work_group_size" },
      function(p, t)
          return p.whole_group == 0 or p.work_group_size & (p.work_group_size - 1) == 0
      end,
      "work_group_size must be a power of two with whole_group: a row is added by halving")
check({ "whole_group" }, function(p, t) return t.form ~= "simd" or p.whole_group == 0 end,
      "whole_group must be \"no\" on CPUs, which have no work-groups")

-- GPUs choose the work-items of a row by the lengths of rows.
bits(function(p, t)
    local form = t.form == "simd" and "vectors" or "work-items of " .. p.work_group_size
    return form .. ", lanes=" .. p.lanes .. ", accumulators=" .. p.accumulators ..
           ", scalar_below=" .. p.scalar_below ..
           (p.whole_group == 1 and ", whole_group=1" or "")
end)
