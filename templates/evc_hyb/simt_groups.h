/* simt_groups.h: what a work-group of EVC-HYB does, on devices. The CPU cuts the work:
 *
 *     | parts of split rows | other rows of the vCSR part | slices | empty rows |
 *
 * Each group takes things of one kind that stand one after the other, so many that its work-items
 * are all busy. The longest rows come first, so that no long one is begun last.
 */
#ifndef SPMV_EVC_HYB_SIMT_GROUPS_H
#define SPMV_EVC_HYB_SIMT_GROUPS_H

#include "../prelude/base.h"

enum { GROUP_OF_PARTS, GROUP_OF_ROWS, GROUP_OF_SLICES, GROUP_OF_EMPTY };

typedef struct evc_group {
    i32 kind;
    i32 first, end;              /* parts; positions; slices; positions */
    i32 items;                   /* of a part or row: work-items, a power of two; else 1 */
    i32 rows;                    /* of slices: rows of a work-item, a power of two */
    i32 bin;                     /* of slices: where the first of them is */
    i32 unused[2];               /* one to each 32 bytes, which devices read at once */
} evc_group;

enum {
    GROUP_SLICES = WORK_GROUP_SIZE / ALIGNMENT,  /* slices whose rows a group adds side by side */
    EMPTY_ROWS = 4 * WORK_GROUP_SIZE             /* that a group writes */
};

#endif
