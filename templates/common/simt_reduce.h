/* simt_reduce.h: sums over work-items, by halving: in each step the upper half is added to the
 * lower half, as v_sum does. */
#ifndef SPMV_COMMON_SIMT_REDUCE_H
#define SPMV_COMMON_SIMT_REDUCE_H

#include "../prelude/simt.h"

/* Within a subgroup: the first of each `items` neighbours, or of each SUBGROUP_SIZE if that is
 * less, returns the sum of their values; the others return undefined values. items is a power of
 * two. All work-items of the subgroup call this with the same items. */
DEVICE real subgroup_sum(real value, i32 items)
{
    for (i32 width = (items < SUBGROUP_SIZE ? items : SUBGROUP_SIZE) / 2; width > 0; width /= 2)
        value = value + r_shuffle_down(value, width);
    return value;
}

/* Within a work-group: the first of each `items` neighbours returns the sum of their values. Steps
 * of at least SUBGROUP_SIZE exchange values through local memory, shorter ones within subgroups.
 * items is a power of two. All work-items of the group call this with the same items; part has room
 * for a value of each, and none of them still reads it. A neighbour that holds 0 changes at most
 * the sign of a zero, so additional neighbours do not change the sum. */
DEVICE real neighbour_sum(real value, LOCAL real *part, i32 item, i32 items)
{
    const i32 lane = item & (items - 1);

    /* Each step writes places that no other step reads, so one barrier a step is enough. */
    for (i32 width = items / 2; width >= SUBGROUP_SIZE; width /= 2) {
        if (lane >= width && lane < 2 * width)
            part[item] = value;
        group_barrier();
        if (lane < width)
            value = value + part[item + width];
    }
    return SUBGROUP_SIZE > 1 ? subgroup_sum(value, items) : value;
}

/* The first work-item of the group returns the sum of all values. WORK_GROUP_SIZE need not be a
 * power of two: the width of the first step is the greatest one below it. All work-items of the
 * group call this; part holds a value for each of them. */
DEVICE real group_sum(real value, LOCAL real *part, i32 item)
{
    i32 width = 1;

    while (width * 2 < WORK_GROUP_SIZE)
        width *= 2;
    /* Each step writes places that no other step reads, so one barrier a step is enough. */
    for (; width >= SUBGROUP_SIZE; width /= 2) {
        if (item >= width && item < 2 * width)
            part[item] = value;
        group_barrier();
        if (item < width && item + width < WORK_GROUP_SIZE)
            value = value + part[item + width];
    }
    return SUBGROUP_SIZE > 1 ? subgroup_sum(value, WORK_GROUP_SIZE) : value;
}

#endif
