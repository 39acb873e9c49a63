/* prepared.h: what all multiplications of a plan have in common. It is found when the plan is
 * created, because a small matrix is multiplied in less time than finding it takes.
 *
 *     areas    the arrays that the plan reads, in two groups: the caller's and the plan's. Arrays
 *              of a group usually lie together, so y is compared with the hull of a group first
 *     steps    of a multiplication whose alpha is not 0
 *
 * Constant after creation, except that an update of the values may move one of the areas.
 */
#ifndef SPMV_PREPARED_H
#define SPMV_PREPARED_H

#include "runtime/module/layout.h"

typedef struct spmv_area {
    uintptr_t begin;
    size_t bytes;                /* 0: no area */
} spmv_area;

typedef struct spmv_area_group {
    spmv_area hull;
    int32_t count;
    spmv_area area[SPMV_MAX_ARRAYS];
} spmv_area_group;

typedef struct spmv_prepared {
    int32_t steps;               /* 0: nothing is prepared; a device multiplies, there are no rows,
                                    or the module's list breaks the contract */
    spmv_step step[SPMV_MAX_STEPS];
    spmv_area_group borrowed, own;
    size_t x_bytes, y_bytes;
    uintptr_t misaligned;        /* bits that no address of x or y may have */
} spmv_prepared;

/* Prepares the multiplications of a layout that was built for the CPU. */
void spmv_prepared_fill(spmv_prepared *prepared, const spmv_module *module,
                        const spmv_layout *layout);

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

/* Whether x and y are valid for a multiplication that reads x and has no workspace of the caller's.
 * If not, spmv_job_check says why. */
static inline int spmv_prepared_fits(const spmv_prepared *p, const void *x, const void *y)
{
    const uintptr_t from = (uintptr_t)x, to = (uintptr_t)y;

    return p->steps > 0 && x != NULL && y != NULL && ((from | to) & p->misaligned) == 0 &&
           to - from >= p->x_bytes && from - to >= p->y_bytes &&
           !spmv_area_group_reaches(&p->borrowed, to, p->y_bytes) &&
           !spmv_area_group_reaches(&p->own, to, p->y_bytes);
}

#endif
