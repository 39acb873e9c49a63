/* simt_prefix_difference.h: the paper's fast segmented sum, as a difference of prefix sums.
 *
 * The heads of a tile's work-items are added once, from the first to each; a segment's part is the
 * difference of two of these sums. With heads 5, 2, 8, 1 the prefix sums are 5, 7, 15, 16, and the
 * two heads after the first work-item's add 15 - 5 = 10. No step depends on where rows start. For
 * benchmarks only: digits are lost where the heads' magnitudes differ, and an Inf spreads over the
 * tile.
 */
#ifndef SPMV_CSR5_SIMT_PREFIX_DIFFERENCE_H
#define SPMV_CSR5_SIMT_PREFIX_DIFFERENCE_H

#include "../prelude/simt.h"

/* Returns the sum of the heads of the `count` work-items that follow in the tile. All work-items of
 * the subgroup call this. For a tile within one subgroup: */
DEVICE real difference_in_subgroup(i32 item, i32 index, real head, i32 count)
{
    real prefix = head;

    for (i32 distance = 1; distance < OMEGA; distance *= 2) {
        const real before = r_shuffle_up(prefix, distance);
        prefix = index >= distance ? before + prefix : prefix;
    }
    return r_shuffle(prefix, item % SUBGROUP_SIZE + count) - prefix;
}

/* The same for a tile in several subgroups. All work-items of the group call this; part has room
 * for two values of each. */
DEVICE real difference_in_group(LOCAL real *part, i32 item, i32 index, real head, i32 count)
{
    real prefix = head;
    i32 from = 0;

    part[item] = prefix;
    group_barrier();
    for (i32 distance = 1; distance < OMEGA; distance *= 2) {
        const i32 to = WORK_GROUP_SIZE - from;

        if (index >= distance)
            prefix = part[from + item - distance] + prefix;
        part[to + item] = prefix;
        group_barrier();
        from = to;
    }
    return part[from + item + count] - prefix;
}

#endif
