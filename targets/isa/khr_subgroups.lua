-- khr_subgroups.lua: OpenCL's own subgroups, with the shuffle that is an extension of OpenCL C 3.0.
--
-- Intel's drivers, PoCL since 4, Mesa's rusticl and Arm's have it where the GPU does. NVIDIA's
-- driver has no subgroups (use generic-opencl), AMD's has no shuffles (amd_subgroups), and
-- Qualcomm's shuffles are another extension. Relative shuffles are an extension that fewer drivers
-- have (PoCL 6 has not), so their place is computed here; it wraps around and is never out of
-- range.
--
-- The driver chooses the size of subgroups, unless it has Intel's extension, by which a kernel
-- requests a size (PoCL and rusticl have it, too). libspmv queries the size before it runs a kernel
-- and refuses a text for another size. The driver also chooses which work-items form a subgroup, so
-- a work-item's number is computed from its place in its subgroup.

return {
    name = "khr_subgroups",
    usable = "1",
    parse = { args = { "-cl-std=CL3.0" } },
    build_options = "-cl-std=CL3.0",
    extensions = { "cl_khr_subgroup_shuffle" },

    preamble = [[

#ifndef cl_khr_subgroup_shuffle
#error "this text needs cl_khr_subgroup_shuffle: take another target"
#endif

/* Requests the subgroup size that the text relies on. A driver without this extension must
 * choose it by itself (CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE reports its choice). */
#ifdef cl_intel_required_subgroup_size
#define SUBGROUPS_OF(size) __attribute__((intel_reqd_sub_group_size(size)))
#else
#define SUBGROUPS_OF(size)
#endif
]],

    fixed = { SUBGROUP_SIZE = false },   -- any size: this table has the words
    words = {
        KERNEL = "__kernel __attribute__((reqd_work_group_size($WORK_GROUP_SIZE, 1, 1)))\n" ..
                 "SUBGROUPS_OF($SUBGROUP_SIZE)\n",

        item_index = "convert_int(get_sub_group_id() * $SUBGROUP_SIZE + get_sub_group_local_id())",
        r_shuffle_down = "sub_group_shuffle($1, (get_sub_group_local_id() + $2) % $SUBGROUP_SIZE)",
        r_shuffle_up = "sub_group_shuffle($1, (get_sub_group_local_id() - $2) % $SUBGROUP_SIZE)",
        i32_shuffle_up = "sub_group_shuffle($1, (get_sub_group_local_id() - $2) % $SUBGROUP_SIZE)",
        r_shuffle = "sub_group_shuffle($1, $2)",
        i32_shuffle = "sub_group_shuffle($1, $2)",
        subgroup_barrier = "sub_group_barrier(CLK_LOCAL_MEM_FENCE)",
    },
}
