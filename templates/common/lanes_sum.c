/* lanes_sum.c: the sum of what LANES work-items of a group hold, which stand side by side. It needs
 * subgroup_sum.c. */

/* In lane 0 the sum of its LANES neighbours' values, by halving: the upper half is added to the
 * lower half until one is left, as v_sum does; by way of local memory, and from SUBGROUP_SIZE on
 * within subgroups. All work-items of the group come here; part holds a value for each of them. */
DEVICE real lanes_sum(real value, LOCAL real *part, i32 item)
{
    const i32 lane = item % LANES;

    /* What one step writes no other step reads: one barrier a step is enough. */
    for (i32 width = LANES / 2; width >= SUBGROUP_SIZE; width /= 2) {
        if (lane >= width && lane < 2 * width)
            part[item] = value;
        group_barrier();
        if (lane < width)
            value = value + part[item + width];
    }
    return SUBGROUP_SIZE > 1 ? subgroup_sum(value, LANES) : value;
}
