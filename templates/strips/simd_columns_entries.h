/* simd_columns_entries.h: the columns of a row of any storage but lanes and diagonals, in 32 bits,
 * for several vectors.
 *
 * 16-bit columns and windows are decoded, some at a time, into memory that stays in the first-level
 * cache. So one loop without a branch for each window multiplies them all, and a column is decoded
 * once for all rows that have it.
 */
#ifndef SPMV_STRIPS_SIMD_COLUMNS_ENTRIES_H
#define SPMV_STRIPS_SIMD_COLUMNS_ENTRIES_H

#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "layout_long_rows.h"
#include "layout_runs.h"

enum {
    DECODED_COLUMNS = 256        /* at once, at most */
};

typedef enum entry_coding { ENTRIES_WIDE, ENTRIES_SEGMENTS, ENTRIES_RUNS } entry_coding;

/* Where the columns of a row's next entries are. */
typedef struct entry_reader {
    entry_coding coding;
    i64 left;                    /* entries of the row */
    const i32 *index;            /* ENTRIES_WIDE, ENTRIES_SEGMENTS */
    const u16 *at;               /* ENTRIES_SEGMENTS and ENTRIES_RUNS, within a segment */
    i32 base, in_segment;        /* of the segment; its entries, or vectors of windows, left */
    i32 decoded[DECODED_COLUMNS + LANES];
} entry_reader;

/* Reads entries with 16-bit columns; returns their number. */
static i32 decode_segment(entry_reader *r)
{
    i32 count;

    if (r->in_segment == 0) {
        r->base = r->index[0];
        r->in_segment = r->index[1];
        r->at = (const u16 *)(r->index + SEGMENT_HEAD);
        r->index += SEGMENT_HEAD + segment_words(r->in_segment);
    }
    count = (i32)i64_min(r->in_segment, DECODED_COLUMNS);
    for (i32 k = 0; k < count; k++)
        r->decoded[k] = r->base + r->at[k];
    r->at += count;
    r->in_segment -= count;
    return count;
}

/* Reads vectors of windows; returns their number of entries. */
static i32 decode_runs(entry_reader *r)
{
    const u16 *at = r->at;
    i32 left = r->in_segment;
    i32 base = r->base;
    i32 count = 0;

    while (count < r->left && count <= DECODED_COLUMNS - LANES) {
        if (left == 0) {
            base = run_base(at);
            left = at[2];
            at += RUN_HEAD;
        }
        for (; left > 0 && count <= DECODED_COLUMNS - LANES; left--) {
            fetch_soon(at);
            i_store_runs(r->decoded + count, at, base, at[RUN_WINDOWS]);
            count += u32_popcount(at[RUN_WINDOWS]);
            at += RUN_WORDS;
        }
    }
    r->at = at;
    r->in_segment = left;
    r->base = base;
    return count;
}

/* The columns of the row's next entries, *count of them. */
static const i32 *next_columns(entry_reader *r, i64 *count)
{
    const i32 *col = r->decoded;

    if (r->coding == ENTRIES_WIDE) {
        col = r->index;
        *count = r->left;
        r->index += r->left;
    } else if (r->coding == ENTRIES_SEGMENTS) {
        *count = decode_segment(r);
    } else {
        *count = decode_runs(r);
    }
    r->left -= *count;
    return col;
}

#endif
