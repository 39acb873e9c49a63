/* row_chunks.c: rows cut into chunks of about equal work, found by binary search when they are
 * needed, so that nothing is stored.
 *
 * A row weighs one plus its nonzeros, so that neither a long run of empty rows nor a few dense ones
 * make a chunk heavy. The weight before row r is r + row_ptr[r] - base, which grows strictly with
 * r; chunk c owns the rows whose weight before them lies in [c, c + 1) * CHUNK_WEIGHT. A chunk
 * boundary depends on the matrix alone, and a row begins in one chunk and belongs to it.
 */

/* Number of chunks of a matrix. */
static i64 row_chunk_count(const spmv_layout *layout)
{
    return i64_ceil_div(layout->csr.rows + layout->csr.nnz, CHUNK_WEIGHT);
}

/* The first row whose weight before it is at least chunk * CHUNK_WEIGHT; rows if there is none. */
static i32 row_chunk_begin(const offset *row_ptr, offset base, i32 rows, i64 chunk)
{
    const i64 weight = chunk * CHUNK_WEIGHT;
    i32 low = 0;
    i32 high = rows;

    while (low < high) {
        const i32 middle = low + (high - low) / 2;
        if (middle + (i64)(row_ptr[middle] - base) < weight)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
