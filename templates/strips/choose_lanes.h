/* choose_lanes.h: the cost of a strip as STRIP_LANES, estimated from some of its rows. */
#ifndef SPMV_STRIPS_CHOOSE_LANES_H
#define SPMV_STRIPS_CHOOSE_LANES_H

#include "choose_sample.h"
#include "cost.h"
#include "find_rows.h"
#include "find_segments.h"

/* Entries of the slice that begins at a position. */
static i32 slice_entries(const strip_rows *r, i32 position)
{
    const i32 end = (i32)i64_min(position + SLICE_ROWS, r->not_empty);
    i32 entries = 0;

    for (i32 p = position; p < end; p++)
        entries += r->length[p];
    return entries;
}

/* Number of long rows, which are first in the order: rows longer than BOUNDARY, and rows so much
 * longer than the rows after them that most lanes of their slice would be idle. */
static i32 count_long_rows(const strip_rows *r)
{
    i32 position = r->over_boundary;

    while (position < r->not_empty && r->length[position] > LONG_ROW_VECTORS * LANES &&
           IDLE_LANES * slice_entries(r, position) < r->length[position] * SLICE_ROWS)
        position++;
    return position;
}

/* The lowest and the highest column of a slice. */
typedef struct column_span {
    i32 lowest, highest;
} column_span;

/* The span of the first and the last column of each row: exact if columns are sorted. */
static column_span span_of_row_ends(const csr_source *a, const strip_rows *r, i32 position, i32 end)
{
    column_span span = {2147483647, -2147483647};

    for (i32 p = position; p < end; p++) {
        const i32 *col = a->col_idx + ordered_begin(a, r, p);
        const i32 first = col[0];
        const i32 last = col[r->length[p] - 1];
        span.lowest = first < span.lowest ? first : span.lowest;
        span.lowest = last < span.lowest ? last : span.lowest;
        span.highest = first > span.highest ? first : span.highest;
        span.highest = last > span.highest ? last : span.highest;
    }
    return span;
}

static column_span span_of_all_columns(const csr_source *a, const strip_rows *r, i32 position,
                                       i32 end)
{
    column_span span = {2147483647, -2147483647};

    for (i32 p = position; p < end; p++) {
        const i32 *col = a->col_idx + ordered_begin(a, r, p);
        const i32 length = r->length[p];
        for (i32 k = 0; k < length; k++) {
            span.lowest = col[k] < span.lowest ? col[k] : span.lowest;
            span.highest = col[k] > span.highest ? col[k] : span.highest;
        }
    }
    return span;
}

/* The base of the 16-bit columns of the slice that begins at a position, or WIDE. ends_only: reads
 * only the first and the last column of each row. */
static i32 slice_base(const csr_source *a, const strip_rows *r, i32 position, bool ends_only)
{
    const i32 end = (i32)i64_min(position + SLICE_ROWS, r->not_empty);

    if (a->cols <= NARROW_SPAN)
        return 0;
    const column_span span = ends_only ? span_of_row_ends(a, r, position, end)
                                       : span_of_all_columns(a, r, position, end);
    const i64 base = i64_min((i64)span.lowest - a->base, i64_max((i64)a->cols - 65536, 0));

    return base >= 0 && (i64)span.highest - a->base - base < NARROW_SPAN ? (i32)base : WIDE;
}

static i32 long_entries(const strip_rows *r, i32 long_rows)
{
    i32 entries = 0;

    for (i32 p = 0; p < long_rows; p++)
        entries += r->length[p];
    return entries;
}

/* Number of i32 for the columns of the first `count` rows of the order, which have nnz entries; at
 * most nnz. Estimated from some of these rows. */
static i64 estimate_index_words(const csr_source *a, const strip_rows *r, i32 count, i64 nnz)
{
    const i32 stride = sample_stride(count, nnz);
    i64 words = 0;
    i64 sampled_nnz = 0;

    for (i32 p = 0; p < count && sampled_nnz < SAMPLE_NNZ; p += stride) {
        const i64 begin = ordered_begin(a, r, p);
        words += row_segment_words(a, begin, begin + r->length[p]);
        sampled_nnz += r->length[p];
    }
    return i64_min(words, sampled_nnz) * nnz / i64_max(sampled_nnz, 1);
}

/* The cost of a strip with `long_rows` long rows. */
static i64 estimate_lanes(const csr_source *a, const strip_rows *r, i32 long_rows)
{
    const i32 long_nnz = long_entries(r, long_rows);
    const i32 slices = (r->not_empty - long_rows + SLICE_ROWS - 1) / SLICE_ROWS;
    const i32 stride = SLICE_ROWS * sample_stride(slices, r->nnz);
    i64 vectors = 0;
    i64 wide = 0;
    i64 sampled_nnz = 0;

    /* Lengths fall, so the first lane of a vector is its longest. */
    for (i32 p = long_rows; p < r->not_empty; p += LANES)
        vectors += r->length[p];
    for (i32 p = long_rows; p < r->not_empty && sampled_nnz < SAMPLE_NNZ; p += stride) {
        const i32 entries = slice_entries(r, p);
        wide += slice_base(a, r, p, true) == WIDE ? entries : 0;
        sampled_nnz += entries;
    }
    const i64 lane_nnz = r->nnz - long_nnz;

    return lanes_cost(lane_nnz, sampled_nnz ? lane_nnz * wide / sampled_nnz : 0, vectors, slices) +
           (long_rows ? long_rows_cost(long_rows, long_nnz,
                                       estimate_index_words(a, r, long_rows, long_nnz))
                      : 0);
}

#endif
