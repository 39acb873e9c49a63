/* layout_row_search.h: finds the row of a nonzero. */
#ifndef SPMV_COMMON_LAYOUT_ROW_SEARCH_H
#define SPMV_COMMON_LAYOUT_ROW_SEARCH_H

#include "../prelude/host.h"

/* The row of nonzero k, which is not before row `low`; returns `rows` if k == nnz. */
DEVICE i32 row_of_nonzero(const row_offsets *row_ptr, i32 rows, i64 k, i32 low)
{
    i32 high = rows;

    /* Invariant: row_begin(low) <= k, and every row above high begins after k. */
    while (low < high) {
        const i32 middle = high - (high - low) / 2;
        if (row_begin(row_ptr, middle) <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#endif
