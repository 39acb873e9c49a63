-- resident_groups.lua: the occupancy that GPU kernels are compiled for. Stands below
-- work_group_size.

param "resident_groups" {
    min = 1, max = 64, unit = "work-groups",
    meaning = "work-groups that a compute unit should hold at once; compilers limit the " ..
              "registers of a kernel accordingly where the language can state it; 1: no limit",
    source = "CUDA C Programming Guide, launch bounds",
    derivation = "resident_work_items / work_group_size, at least 1; 1 if the page does not " ..
                 "state resident_work_items, and on CPUs",
    default = function(t)
        local groups = (t.resident_work_items or 1) // t.p.work_group_size
        return t.form == "simt" and math.max(1, groups) or 1
    end,
}
