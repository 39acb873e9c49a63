/* layout.h: the layout of slices, for devices.
 *
 * A slice is what SLICE_ROWS work-items add together: SLICE_ROWS / lanes rows with `lanes`
 * work-items (lanes) each. Rows are sorted within windows of SORT_WINDOW: rows that many others
 * equal in their distances from the main diagonal, rows of runs, and the others; each of them by
 * falling length. Slices are cut in this order. Each is as wide as its longest lane, and its
 * columns are stored in the shortest way that all of its rows allow (slice_kind).
 *
 * With SLICE_ROWS = 4, VALUE_WIDTH = 2, LOAD_WIDTH = TURN = 4, one lane a row, and rows of 5, 5, 4
 * and 3 entries:
 *
 *     row     entries          val       a b  f g  k l  o p     c d  h i  m n  q .     e j . .
 *     0       a b c d e        column    a b c d  f g h i  k l m n  o p q .            e j . .
 *     1       f g h i j
 *     2       k l m n          A work-item loads a b and c d, and the columns of a b c d, by one
 *     3       o p q            load each. Entries behind whole turns follow one by one.
 *
 * Runs of 3 store their first column, and their values as a pair and a single one:
 *
 *     val     [run]{ [SLICE_ROWS][2], [SLICE_ROWS] }
 *
 * A row of more than SPLIT_AT entries is in no window. It is cut into parts of equal length, at
 * most SPLIT_AT. Each part is a slice of one row with SLICE_ROWS lanes. These slices come first, so
 * that no long row begins last. All have 16-bit columns if the matrix is narrow, else wide ones.
 *
 *   split_row      i32[split_rows]: the rows that are cut
 *   part_ptr       i64[split_rows + 1]: the first part of each
 *   part_at        i64[split_rows + 1]: where its entries begin, in SLICE_ROWS
 *   head           i32[slices][4]: where each slice is; see slice_kind
 *   lane           u16[slices][SLICE_ROWS]: row and length of each lane; see there
 *   wide_column    i32[wide][SLICE_ROWS]: columns from 0
 *   narrow_column  u16[narrow][SLICE_ROWS]: columns from the slice's base
 *   diagonal       i32[diagonals]: distances, TURN at a time; successive slices of a window share
 *                  them
 *   val            real[values][SLICE_ROWS]
 *
 * part_sum, real[parts], is the workspace.
 */
#ifndef SPMV_SLICES_LAYOUT_H
#define SPMV_SLICES_LAYOUT_H

#include "../prelude/host.h"
#include "layout_slice.h"

enum {                           /* spmv_layout.array */
    SPLIT_ROW,
    PART_PTR,
    PART_AT,
    HEAD,
    LANE,
    WIDE_COLUMN,
    NARROW_COLUMN,
    DIAGONAL,
    VAL,
    ARRAY_COUNT
};

enum {                           /* spmv_layout.number */
    NUMBER_SLICES,
    NUMBER_PARTS,
    NUMBER_SPLIT_ROWS,
    NUMBER_PART_ITEMS,           /* work-items that add the parts of a row */
    NUMBER_PART_VALUES,          /* of parts, in SLICE_ROWS, as the next three */
    NUMBER_VALUES,
    NUMBER_WIDE,
    NUMBER_NARROW,
    NUMBER_DIAGONALS,
    NUMBER_LANE_ENTRIES,         /* entries from which twice as many lanes share a row */
    NUMBER_COUNT
};

static const c8 *const number_names[NUMBER_COUNT] = {
    "slices", "parts", "split_rows", "part_items", "part_values", "values", "wide", "narrow",
    "diagonals", "lane_entries",
};

/* The caller's matrix without its values. */
typedef struct csr_source {
    row_offsets row_ptr;
    const i32 *col_idx;
    i32 base;
    i32 rows, cols;
    i64 lane_entries;
} csr_source;

static csr_source source_of(const spmv_layout *layout)
{
    csr_source a;

    a.row_ptr = row_offsets_of(&layout->csr);
    a.col_idx = layout->csr.col_idx;
    a.base = layout->csr.base;
    a.rows = (i32)layout->csr.rows;
    a.cols = (i32)layout->csr.cols;
    a.lane_entries = layout->number[NUMBER_LANE_ENTRIES];
    return a;
}

/* Column of an entry, from 0. */
DEVICE i32 column_of(const csr_source *a, i64 entry)
{
    return a->col_idx[entry] - a->base;
}

static i64 window_count(const csr_source *a)
{
    return i64_ceil_div(a->rows, SORT_WINDOW);
}

/* Entries of each part of a split row except the last: a multiple of SLICE_ROWS. */
static i64 entries_of_part(i64 length)
{
    const i64 parts = i64_ceil_div(length, SPLIT_AT);

    return i64_ceil_div(i64_ceil_div(length, parts), SLICE_ROWS) * SLICE_ROWS;
}

static i64 parts_of(i64 length)
{
    return length > SPLIT_AT ? i64_ceil_div(length, entries_of_part(length)) : 0;
}

/* Units of lane `lane`, if units are distributed to `lanes` lanes in turn. */
static i64 units_of_lane(i64 units, i64 lane, i64 lanes)
{
    return units > lane ? (units - lane + lanes - 1) / lanes : 0;
}

/* ---- heads --------------------------------------------------------------------------------- */

static void write_head(i32 *word, const slice_head *h)
{
    word[0] = (i32)((u32)h->values_at | (u32)h->kind << PLACE_BITS);
    word[1] = (i32)((u32)h->columns_at | (u32)h->log2_lanes << PLACE_BITS);
    word[2] = h->base;
    word[3] = (i32)((u32)h->width | (u32)h->window << WIDTH_BITS);
}

#endif
