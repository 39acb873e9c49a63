/* simt_groups.h: the work of each work-group. The CPU divides all work in this order:
 *
 *     | parts of split rows | other rows of the vCSR part | slices | empty rows |
 *
 * or, with FIRST_GROUPS, in the opposite order, as the paper's blocks have it (Algorithm 1).
 *
 * Each group has consecutive pieces of one kind, enough to keep its work-items busy. The longest
 * rows come first, so that no long row begins last: with windows, slices of more than LONG_COLUMNS
 * columns and then the others, each in the order of windows. No group has slices of two windows.
 */
#ifndef SPMV_EVC_HYB_SIMT_GROUPS_H
#define SPMV_EVC_HYB_SIMT_GROUPS_H

#include "../prelude/base.h"

enum { GROUP_OF_PARTS, GROUP_OF_ROWS, GROUP_OF_SLICES, GROUP_OF_EMPTY };

typedef struct evc_group {
    i32 kind;
    i32 first, end;              /* parts; positions; slices; positions */
    i32 items;                   /* work-items of each part or row, a power of two; else 1 */
    i32 rows;                    /* for slices: rows that a work-item adds side by side */
    i32 item_bits;               /* log2 of items */
    i32 word;                    /* of parts and rows: where their words of columns begin */
    i32 unused;                  /* pads to 32 bytes, which devices load at once */
} evc_group;

/* Where a slice is, which saves work-items the search for its bin. With ELL_STORAGE, where entries
 * are fewer than 2^31, the upper half of `entry` is the distance of columns. */
typedef struct evc_slice {
    i64 entry;                   /* its start in ell_col and ell_val */
    i32 columns;
    i32 mixed;                   /* as ell_bin has it */
} evc_slice;

enum {
    GROUP_SLICES = WORK_GROUP_SIZE / ALIGNMENT,  /* slices that a group adds at the same time */
    EMPTY_ROWS = 4 * WORK_GROUP_SIZE,            /* empty rows that a group stores */
    LONG_COLUMNS = 32
};

#endif
