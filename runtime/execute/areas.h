/* areas.h: the arrays that multiplications by a layout read, as ranges of addresses, in two groups:
 * the caller's and the layout's own. Arrays of a group usually lie together, so other memory is
 * compared with the hull of a group first. */
#ifndef SPMV_AREAS_H
#define SPMV_AREAS_H

#include "runtime/spmv_module.h"

typedef struct spmv_area {
    uintptr_t begin;
    size_t bytes;                /* 0: no area */
} spmv_area;

typedef struct spmv_area_group {
    spmv_area hull;
    int32_t count;
    spmv_area area[SPMV_MAX_ARRAYS];
} spmv_area_group;

typedef struct spmv_areas {
    spmv_area_group borrowed, own;
} spmv_areas;

/* Fills *areas. */
void spmv_areas_find(spmv_areas *areas, const spmv_layout *layout);

/* Whether `bytes` bytes from `memory` on, at least one, share a byte with the area. Differences
 * below 0 wrap to large numbers. */
static inline int spmv_area_reaches(const spmv_area *area, uintptr_t memory, size_t bytes)
{
    return (memory - area->begin < area->bytes) | (area->begin - memory < bytes && area->bytes > 0);
}

static inline int spmv_area_group_reaches(const spmv_area_group *group, uintptr_t memory,
                                          size_t bytes)
{
    if (!spmv_area_reaches(&group->hull, memory, bytes))
        return 0;
    for (int32_t i = 0; i < group->count; i++)
        if (spmv_area_reaches(&group->area[i], memory, bytes))
            return 1;
    return 0;
}

/* The same of all arrays. */
static inline int spmv_areas_reach(const spmv_areas *areas, uintptr_t memory, size_t bytes)
{
    return spmv_area_group_reaches(&areas->borrowed, memory, bytes) ||
           spmv_area_group_reaches(&areas->own, memory, bytes);
}

#endif
