/* row_chunks.c: rows cut into chunks of about equal work, found by binary search when they are
 * needed, so that nothing is stored.
 *
 * A row weighs one plus its nonzeros, so that neither a long run of empty rows nor a few dense ones
 * make a chunk heavy. The weight before row r is r + row_ptr[r] - base, which grows strictly with
 * r; chunk c owns the rows whose weight before them lies in [c, c + 1) times what a chunk weighs. A
 * chunk boundary depends on the matrix alone, and a row begins in one chunk and belongs to it.
 */

enum { MANY_CHUNKS = 16 };

/* What a chunk weighs, of so much in all. A matrix that makes more than one has about MANY_CHUNKS
 * or more, lighter ones if need be, so that threads can have even shares of it: of three chunks one
 * of two threads would have two. What makes one is slower in pieces. */
DEVICE i64 chunk_weight(i64 weight)
{
    return weight > CHUNK_WEIGHT ? i64_min(CHUNK_WEIGHT, i64_ceil_div(weight, MANY_CHUNKS))
                                 : (i64)CHUNK_WEIGHT;
}

/* Number of chunks of a matrix. */
static i64 row_chunk_count(const spmv_layout *layout)
{
    const i64 weight = layout->csr.rows + layout->csr.nnz;

    return i64_ceil_div(weight, chunk_weight(weight));
}

/* The first row whose weight before it is at least so much; rows if there is none. */
static i32 row_at_weight(const row_offsets *row_ptr, i32 rows, i64 weight)
{
    i32 low = 0;
    i32 high = rows;

    while (low < high) {
        const i32 middle = low + (high - low) / 2;
        if (middle + row_begin(row_ptr, middle) < weight)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first row of a chunk; rows if there is none. */
static i32 row_chunk_begin(const row_offsets *row_ptr, i32 rows, i64 chunk)
{
    return row_at_weight(row_ptr, rows, chunk * chunk_weight(rows + row_begin(row_ptr, rows)));
}
