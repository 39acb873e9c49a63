/* build_long_rows.h: writes the columns of long rows. */
#ifndef SPMV_STRIPS_BUILD_LONG_ROWS_H
#define SPMV_STRIPS_BUILD_LONG_ROWS_H

#include "find_rows.h"
#include "find_segments.h"
#include "layout_long_rows.h"

/* Writes a row's segments; returns the place for the next row's segments. */
static i32 *write_row_segments(const csr_source *a, i64 begin, i64 end, i32 *index)
{
    for (i64 k = begin; k < end;) {
        const segment s = segment_at(a, k, end);
        u16 *narrow = (u16 *)(index + SEGMENT_HEAD);
        const i32 words = segment_words(s.entries);
        index[0] = s.base;
        index[1] = s.entries;
        for (i32 i = 0; i < s.entries; i++)
            narrow[i] = (u16)(a->col_idx[k + i] - a->base - s.base);
        for (i32 i = s.entries; i < 2 * words; i++)
            narrow[i] = 0;
        index += SEGMENT_HEAD + words;
        k += s.entries;
    }
    return index;
}

/* Writes the columns of the first `count` rows of the order, from `index` on. */
static void write_long_row_columns(const csr_source *a, const strip_rows *r, i32 count, strip *t,
                                   i32 *index)
{
    i64 words = 0;
    i64 nnz = 0;

    for (i32 p = 0; p < count; p++) {
        const i64 begin = ordered_begin(a, r, p);
        words += row_segment_words(a, begin, begin + r->length[p]);
        nnz += r->length[p];
    }
    t->has_segments = words < nnz;
    for (i32 p = 0; p < count; p++) {
        const i64 begin = ordered_begin(a, r, p);
        if (t->has_segments) {
            index = write_row_segments(a, begin, begin + r->length[p], index);
            continue;
        }
        for (i32 k = 0; k < r->length[p]; k++)
            *index++ = a->col_idx[begin + k] - a->base;
    }
}

#endif
