/* simt_row_search.h: finds the row of a nonzero, in kernels, where the type of row_ptr is known. */
#ifndef SPMV_COMMON_SIMT_ROW_SEARCH_H
#define SPMV_COMMON_SIMT_ROW_SEARCH_H

#include "../prelude/simt.h"

/* The row of nonzero k, which is not before row `low`; returns `rows` if k == nnz. */
DEVICE i32 row_of_nonzero(GLOBAL const offset *row_ptr, i32 base, i32 rows, i64 k, i32 low)
{
    i32 high = rows;

    /* Invariant: row_ptr[low] <= k, and every row above high begins after k. */
    while (low < high) {
        const i32 middle = high - (high - low) / 2;
        if ((i64)row_ptr[middle] - base <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#endif
