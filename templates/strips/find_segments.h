/* find_segments.h: cuts the columns of a long row into segments. */
#ifndef SPMV_STRIPS_FIND_SEGMENTS_H
#define SPMV_STRIPS_FIND_SEGMENTS_H

#include "find_rows.h"
#include "layout_long_rows.h"

/* A segment of a row. */
typedef struct segment {
    i32 base, entries;
} segment;

/* The segment that begins with entry k of a row that ends at `end`. It has 0 entries if no base
 * fits the column of entry k: the column is out of range, or NARROW_SPAN is less than 16 bits
 * reach. */
static segment segment_at(const csr_source *a, i64 k, i64 end)
{
    const i32 *col = a->col_idx + k;
    const i32 limit = (i32)i64_min(end - k, CHUNK_WEIGHT);
    const i64 last_base = i64_max((i64)a->cols - 65536, 0);
    i64 lowest = (i64)col[0] - a->base;
    i64 highest = lowest;
    segment s;
    i32 n = 0;

    s.base = 0;
    while (n < limit) {
        const i64 c = (i64)col[n] - a->base;
        const i64 low = c < lowest ? c : lowest;
        const i64 high = c > highest ? c : highest;
        if (low < 0 || high - i64_min(low, last_base) >= NARROW_SPAN)
            break;
        lowest = low;
        highest = high;
        n++;
    }
    s.entries = n < limit && n >= LANES ? n - n % LANES : n;
    s.base = lowest < 0 ? 0 : (i32)i64_min(lowest, last_base);
    return s;
}

/* Number of i32 for the segments of a row; 2^40 if it cannot have segments. */
static i64 row_segment_words(const csr_source *a, i64 begin, i64 end)
{
    i64 words = 0;

    for (i64 k = begin; k < end;) {
        const segment s = segment_at(a, k, end);
        if (!s.entries)
            return (i64)1 << 40;
        words += SEGMENT_HEAD + segment_words(s.entries);
        k += s.entries;
    }
    return words;
}

#endif
