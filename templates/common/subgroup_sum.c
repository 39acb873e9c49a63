/* subgroup_sum.c: the sum of what some work-items of a subgroup hold, which stand side by side. */

/* In the first of each `items` neighbours, or of each SUBGROUP_SIZE where that is less, the sum of
 * their values, by halving. items is a power of two and the same for the whole subgroup, all
 * work-items of which come here. What the others get is no sum of anything. */
DEVICE real subgroup_sum(real value, i32 items)
{
    for (i32 width = (items < SUBGROUP_SIZE ? items : SUBGROUP_SIZE) / 2; width > 0; width /= 2)
        value = value + r_shuffle_down(value, width);
    return value;
}
