-- resident_groups.lua: what a compiler is told of occupancy, of methods that have GPU kernels. Stands
-- below work_group_size.

param "resident_groups" {
    min = 1, max = 64, unit = "work-groups",
    meaning = "work-groups that a compute unit is to hold at once, where the language can tell its compiler: a kernel gets the registers that there are for so many; 1: as many as it likes",
    source = "CUDA C Programming Guide, launch bounds",
    derivation = "resident_work_items / work_group_size, at least 1; 1 where the page does not state resident_work_items, and on CPUs",
    default = function(t)
        return t.form == "simt" and math.max(1, (t.resident_work_items or 1) // t.p.work_group_size) or 1
    end,
}
