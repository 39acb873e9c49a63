/* layout_row_chunks.h: cuts the rows into chunks of about equal work. Boundaries are found by
 * binary search when they are needed, so nothing is stored.
 *
 * The weight of a row is one plus its nonzeros, so that neither a long run of empty rows nor a few
 * dense rows make a chunk heavy. The weight before row r is r + row_ptr[r] - base, which grows
 * strictly with r. Chunk c owns the rows for which the weight before them lies in [c, c + 1) times
 * the chunk weight. Boundaries depend on the matrix alone, and each row belongs to the one chunk in
 * which it begins.
 */
#ifndef SPMV_COMMON_LAYOUT_ROW_CHUNKS_H
#define SPMV_COMMON_LAYOUT_ROW_CHUNKS_H

#include "../prelude/host.h"

enum { MANY_CHUNKS = 16 };

/* Target weight of one chunk (rows plus nonzeros) for a matrix of this weight. Three chunks on two
 * threads would balance 2:1, so a matrix of several chunks gets at least MANY_CHUNKS. A matrix of
 * one chunk is not split: measured, that was slower. */
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

/* The first row with at least this weight before it, or `rows`. */
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

/* The first row of a chunk; if chunk is the number of chunks, `rows`. The ends of the matrix are
 * not searched for, since that takes as long as multiplying a small one. */
INLINED i32 row_chunk_begin(const row_offsets *row_ptr, i32 rows, i64 chunk)
{
    const i64 all = rows + row_begin(row_ptr, rows);
    const i64 weight = chunk * chunk_weight(all);

    if (chunk == 0)
        return 0;
    return weight < all ? row_at_weight(row_ptr, rows, weight) : rows;
}

#endif
