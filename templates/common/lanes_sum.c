/* lanes_sum.c: the sum of what LANES work-items of a group hold, which stand side by side. */

/* In lane 0 the sum of its LANES neighbours' values, by halving: the upper half is added to the
 * lower half until one is left, as v_sum does. All work-items of the group come here; part holds a
 * value for each of them. */
DEVICE real lanes_sum(real value, LOCAL real *part, i32 item)
{
    const i32 lane = item % LANES;

    part[item] = value;
    group_barrier();
    for (i32 width = LANES / 2; width > 0; width /= 2) {
        if (lane < width)
            part[item] = part[item] + part[item + width];
        group_barrier();
    }
    return part[item];
}
