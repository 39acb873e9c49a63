/* ranges.h: the arrays that multiplications by a layout read, as ranges of addresses, in two
 * groups: the caller's and the layout's own. Arrays of a group usually lie together, so other
 * memory is compared with the hull of a group first. */
#ifndef SPMV_RANGES_H
#define SPMV_RANGES_H

#include "runtime/spmv_module.h"

typedef struct spmv_range {
    uintptr_t begin;
    size_t bytes;                /* 0: no memory */
} spmv_range;

typedef struct spmv_range_group {
    spmv_range hull;
    int32_t count;
    spmv_range range[SPMV_MAX_ARRAYS];
} spmv_range_group;

typedef struct spmv_ranges {
    spmv_range_group borrowed, own;
} spmv_ranges;

/* Fills *all. */
void spmv_ranges_find(spmv_ranges *all, const spmv_layout *layout);

/* Whether `bytes` bytes from `memory` on, at least one, share a byte with the range. Differences
 * below 0 wrap to large numbers. */
static inline int spmv_range_reaches(const spmv_range *range, uintptr_t memory, size_t bytes)
{
    return (memory - range->begin < range->bytes) |
           (range->begin - memory < bytes && range->bytes > 0);
}

static inline int spmv_range_group_reaches(const spmv_range_group *group, uintptr_t memory,
                                          size_t bytes)
{
    if (!spmv_range_reaches(&group->hull, memory, bytes))
        return 0;
    for (int32_t i = 0; i < group->count; i++)
        if (spmv_range_reaches(&group->range[i], memory, bytes))
            return 1;
    return 0;
}

/* Whether the memory reaches into any array. */
static inline int spmv_ranges_reach(const spmv_ranges *all, uintptr_t memory, size_t bytes)
{
    return spmv_range_group_reaches(&all->borrowed, memory, bytes) ||
           spmv_range_group_reaches(&all->own, memory, bytes);
}

#endif
