/* group_sum.c: the sum of what the work-items of a group hold. */

/* In every work-item the sum of all their values, by halving, from the greatest power of two below
 * the group's size on. All work-items of the group come here; part holds a value for each of
 * them, and may be used again at once. */
DEVICE real group_sum(real value, LOCAL real *part, i32 item)
{
    i32 width = 1;
    real sum;

    while (width * 2 < WORK_GROUP_SIZE)
        width *= 2;
    part[item] = value;
    group_barrier();
    for (; width > 0; width /= 2) {
        if (item < width && item + width < WORK_GROUP_SIZE)
            part[item] = part[item] + part[item + width];
        group_barrier();
    }
    sum = part[0];
    group_barrier();
    return sum;
}
