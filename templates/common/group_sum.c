/* group_sum.c: the sum of what the work-items of a group hold. */

/* In the first work-item the sum of all values, by halving, from the greatest power of two below
 * the group's size on; by way of local memory, and from SUBGROUP_SIZE on within the first subgroup.
 * All work-items of the group come here; part holds a value for each of them. */
DEVICE real group_sum(real value, LOCAL real *part, i32 item)
{
    i32 width = 1;

    while (width * 2 < WORK_GROUP_SIZE)
        width *= 2;
    /* What one step writes no other step reads: one barrier a step is enough. */
    for (; width >= SUBGROUP_SIZE; width /= 2) {
        if (item >= width && item < 2 * width)
            part[item] = value;
        group_barrier();
        if (item < width && item + width < WORK_GROUP_SIZE)
            value = value + part[item + width];
    }
    return SUBGROUP_SIZE > 1 ? subgroup_sum(value, WORK_GROUP_SIZE) : value;
}
