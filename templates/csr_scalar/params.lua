method {
    title = "CSR-scalar",
    source = "a baseline of papers: Bell & Garland, SC 2009, the scalar kernel",
}

-- One vector is multiplied value by value; several vectors use the lanes.
include "lanes"
include "fetch_ahead"

param "work_group_size" {
    min = 1, max = 1024, unit = "work-items",
    meaning = "work-items of a work-group, on GPUs",
    source = "chosen here",
    derivation = "256, or the device's work_group_size if that is less",
    default = function(t) return math.min(256, t.work_group_size or 256) end,
    tune = function(t) return t.form == "simt" and { 64, 128, 256, 512 } or {} end,
}

include "work_group_limit"
-- The kernel exchanges no values. It asks a device for the same subgroups as other methods do.
include "subgroup_size"
include "resident_groups"
include "row_chunks"

bits(function(p, t) return "each row in order" end)
