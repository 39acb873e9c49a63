/* items_sum.c: the sum of what some work-items of a group hold, which stand side by side. */

/* In the first of each `items` neighbours the sum of their values, by halving: the upper half is
 * added to the lower half until one is left, as v_sum does. items is a power of two and the same
 * for the whole group, all work-items of which come here; part holds a value for each of them.
 * Neighbours that hold a 0 change nothing but a zero's sign, so it is the same sum however many of
 * them there are. */
DEVICE real items_sum(real value, LOCAL real *part, i32 item, i32 items)
{
    const i32 lane = item & (items - 1);

    part[item] = value;
    group_barrier();
    for (i32 width = items / 2; width > 0; width /= 2) {
        if (lane < width)
            part[item] = part[item] + part[item + width];
        group_barrier();
    }
    return part[item];
}
