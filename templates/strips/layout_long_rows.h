/* layout_long_rows.h: the columns of the long rows of STRIP_LANES in INDEX.
 *
 * A row is cut into segments whose columns span less than NARROW_SPAN:
 *
 *     | base | entries | 16-bit distances from the base, zeros up to whole vectors | next segment
 *       i32    i32       u16 each
 *
 * So a column takes little more than 2 bytes. Every segment but the last has whole vectors of
 * entries, unless even one vector of columns spans too much. If the segments of a strip would take
 * 4 bytes or more per column, its columns are stored in 32 bits, without segments.
 */
#ifndef SPMV_STRIPS_LAYOUT_LONG_ROWS_H
#define SPMV_STRIPS_LAYOUT_LONG_ROWS_H

#include "../prelude/base.h"

enum { SEGMENT_HEAD = 2 };       /* i32 of a segment before its distances */

/* Number of i32 for the distances of a segment of `entries` entries. */
DEVICE i32 segment_words(i32 entries)
{
    return ((entries + LANES - 1) / LANES * LANES + 1) / 2;
}

/* Reads the columns of long rows one by one. */
typedef struct column_reader {
    const i32 *index;
    i32 left;                    /* entries of the current segment that are not read yet */
    i32 base;
    const u16 *narrow;
    bool has_segments;
} column_reader;

static i32 next_column(column_reader *c)
{
    if (!c->has_segments)
        return *c->index++;
    if (c->left == 0) {
        c->base = c->index[0];
        c->left = c->index[1];
        c->narrow = (const u16 *)(c->index + SEGMENT_HEAD);
        c->index += SEGMENT_HEAD + segment_words(c->left);
    }
    c->left--;
    return c->base + *c->narrow++;
}

#endif
