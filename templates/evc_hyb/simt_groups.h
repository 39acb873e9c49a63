/* simt_groups.h: the work of each work-group. The CPU divides all work in this order:
 *
 *     | parts of split rows | other rows of the vCSR part | slices | empty rows |
 *
 * Each group has consecutive pieces of one kind, enough to keep its work-items busy. The longest
 * rows come first, so that no long row begins last.
 */
#ifndef SPMV_EVC_HYB_SIMT_GROUPS_H
#define SPMV_EVC_HYB_SIMT_GROUPS_H

#include "../prelude/base.h"

enum { GROUP_OF_PARTS, GROUP_OF_ROWS, GROUP_OF_SLICES, GROUP_OF_EMPTY };

typedef struct evc_group {
    i32 kind;
    i32 first, end;              /* parts; positions; slices; positions */
    i32 items;                   /* work-items of each part or row, a power of two; else 1 */
    i32 rows;                    /* for slices: rows of each work-item, a power of two */
    i32 bin;                     /* for slices: the bin of the first slice */
    i32 unused[2];               /* pads to 32 bytes, which devices load at once */
} evc_group;

enum {
    GROUP_SLICES = WORK_GROUP_SIZE / ALIGNMENT,  /* slices that a group adds at the same time */
    EMPTY_ROWS = 4 * WORK_GROUP_SIZE             /* empty rows that a group stores */
};

#endif
