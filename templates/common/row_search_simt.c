/* row_search_simt.c: the row that a nonzero lies in, for kernels of a device: they know the type of
 * row_ptr. */

/* The row that holds nonzero k, at least row `low`; rows for k == nnz. */
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
