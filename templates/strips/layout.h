/* layout.h: the arrays of a layout, and the place of each strip in them.
 *
 * Rows are cut into strips of about CHUNK_WEIGHT rows plus nonzeros, fewer in a small matrix. Most
 * begin at a multiple of WHOLE_ROWS. Each is stored in the way, of three, that should cost least. A
 * strip is the unit of work that threads share out. An entry is a nonzero with its column.
 *
 * Each strip keeps its entries in VAL and INDEX at the offset that CSR gives them, or in VAL, if
 * strips are padded, at 9/8 of it. So row_ptr alone gives the place of a strip, and strips are
 * built in parallel. A strip that takes fewer bytes leaves the end of its space unused.
 *
 *   array           elements                              of strip s, whose first row is `row`
 *   STRIP           strip[strips + 1]                     s; the last element is the end
 *   LANE_SLICE      lane_slice[rows / SLICE_ROWS..]       from row / SLICE_ROWS + s on
 *   DIAGONALS       diagonal_list[rows / DIAGONAL_ROWS..] from row / DIAGONAL_ROWS + s on
 *   ROW             u16[rows]                             from row on
 *   COUNT           u8[strips][BOUNDARY]                  from s * BOUNDARY on
 *   INDEX           i32[nnz + (strips + 1) * INDEX_PAD]   from entry + s * INDEX_PAD on
 *   VAL             real[val_count]                       from block_place on; real[nnz + LANES]
 *                                                         and from entry on, if nothing is padded
 *   SPLIT_ROW       i32[split rows]                       rows of more entries than a strip weighs
 *   CODING          value_coding[strips][STRIP_BLOCKS]    s; how VAL has the strip's values
 *
 * row_ptr is the caller's. Columns in INDEX count from 0.
 *
 * STRIP_LANES: a lane of a vector is a row (SELL-C-sigma, with the strip as sigma). Rows are sorted
 * by falling length and cut into slices of SLICE_ROWS. A slice is stored column by column without
 * padding; COUNT has the number of lanes with an entry, for each column that some lanes lack. With
 * SLICE_ROWS = 4, rows of 3, 3, 2 and 1 entries:
 *
 *              row   0  1  2  3
 *     column 0       a  d  g  i      VAL    a d g i  b e h  c f
 *     column 1       b  e  h         COUNT  3 2
 *     column 2       c  f
 *
 *     INDEX  | 32-bit columns | LANES zeros | 16-bit columns | LANES zeros | columns of long rows
 *
 * A slice has 16-bit columns, counted from its base, if they span less than NARROW_SPAN. A base is
 * at most cols - 65536, or 0, so that every 16-bit distance from it is a column of the matrix. The
 * vector of the last columns reads past them; the LANES zeros there are valid columns. A row is a
 * long row, not a lane, if it is longer than BOUNDARY or much longer than the lanes beside it. The
 * entries of long rows follow the lanes, row by row. ROW lists rows by their distance from the
 * strip's first row: long rows, lanes, rows without entries.
 *
 * STRIP_DIAGONALS: a lane is one of DIAGONAL_ROWS consecutive rows, which make a slice. The entry
 * of lane i in column c is on diagonal c - i, and a mask marks the lanes with an entry there. So x
 * is read by whole vectors, and a diagonal needs one index. VAL has the entries of a slice sorted
 * by diagonal, then by lane. INDEX has lists of pairs of diagonals. DIAGONALS names the list of
 * each slice; slices with the same diagonals, as in a stencil, share one list. In a matrix that
 * caches hold, a strip may be padded: VAL then has DIAGONAL_ROWS values for each diagonal, zeros
 * where a row has no entry. The mask leaves these out. At the border of the matrix, a vector of x
 * on a diagonal with a mask may begin before x or end after it: then x is read under the mask.
 *
 * STRIP_RUNS: a lane is an entry of a row. Rows are stored one by one in the order of CSR; windows
 * of neighbouring columns, each with a mask, cover the columns of a row (after SPC5, whose windows
 * are as wide as a vector). ROW has the number of segments of windows of each row.
 *
 * A split row has more entries than a strip weighs. It begins as the last row of a strip and
 * continues in the strips after it, because its entries count in their weight. The entries of a
 * split row in one strip are a part, with columns as in CSR or as runs; a second step adds the sums
 * of the parts in order. So all strips weigh the same:
 *
 *     strip            s             s + 1         s + 2         s + 3
 *     weight    | rows |=begun=|==continued==|==continued==|=continued=| rows |
 */
#ifndef SPMV_STRIPS_LAYOUT_H
#define SPMV_STRIPS_LAYOUT_H

#include "../prelude/host.h"
#include "../common/layout_row_chunks.h"
#include "layout_values.h"

enum {                           /* spmv_layout.array */
    STRIP,
    LANE_SLICE,
    DIAGONALS,
    ROW,
    COUNT,
    INDEX,
    VAL,
    SPLIT_ROW,
    CODING,
    ARRAY_COUNT
};

/* spmv_layout.number */
enum { NUMBER_STRIPS, NUMBER_SPLIT_ROWS, NUMBER_STRIP_WEIGHT, NUMBER_PADDING };

enum { SETTING_WIDE_VALUES };                    /* spmv_layout.setting */

static const spmv_setting settings[] = {
    { "wide_values", "1: values take their type's bytes; 0: fewer, where these give the same bits",
      0, 1, 0 },
};

typedef enum strip_kind { STRIP_LANES, STRIP_DIAGONALS, STRIP_RUNS, STRIP_KINDS } strip_kind;

/* The parts of split rows in a strip: of the row that began in an earlier strip, and of the row
 * that begins in this strip. */
typedef enum strip_part { PART_CONTINUED, PART_BEGUN, STRIP_PARTS } strip_part;

enum {
    INDEX_PAD = 2 * LANES + 2,   /* i32 of INDEX for a strip beyond one for each entry */
    WIDE = -1                    /* base of a lane_slice with 32-bit columns */
};

typedef struct strip {
    i64 entry;                   /* its first entry, in CSR and in VAL */
    i32 row;                     /* its first row; the next strip's first row is its end */
    i32 kind;                    /* strip_kind */
    i32 lane_rows, long_rows;    /* of STRIP_LANES; its other rows have no entries */
    i32 wide, narrow;            /* entries of lanes with 32-bit and with 16-bit columns */
    i32 pairs;                   /* pairs of diagonals of all slices */
    i32 padded_values;           /* values that its diagonals have if they are padded */
    i32 is_padded;               /* wide values are VALUES_PADDED */
    i32 has_segments;            /* the columns of its long rows are segments */
    i32 has_part[STRIP_PARTS];
    i32 part_segments[STRIP_PARTS];  /* segments of a part stored as runs; 0: columns as in CSR */
} strip;

/* SLICE_ROWS rows of STRIP_LANES. */
typedef struct lane_slice {
    i32 base;                    /* column from which 16-bit columns count, or WIDE */
    u16 shortest, longest;       /* entries of a lane; shortest is 0 if a lane has no row */
} lane_slice;

/* The list of a slice of STRIP_DIAGONALS. */
typedef struct diagonal_list {
    u16 first;                   /* its first pair, counted from the strip's first */
    u16 pairs;
    u16 leaves_x;                /* 1: a vector of x on a diagonal is not within x; else 0 */
} diagonal_list;

/* The layout as kernels read it. */
typedef struct strips_matrix {
    row_offsets row_ptr;
    const strip *strips;
    const lane_slice *lane_slices;
    const diagonal_list *diagonals;
    const u16 *row;
    const u8 *count;
    const i32 *index;
    const real *val;
    const i32 *split_rows;
    const value_coding *codings;
    i64 strip_count, split_count;
    i64 padding;                 /* 1: VAL has space for padded strips; else 0 */
    i64 strip_weight;            /* CHUNK_WEIGHT, or less in a small matrix */
} strips_matrix;

static strips_matrix strips_view(const spmv_layout *layout)
{
    strips_matrix a;
    a.row_ptr = row_offsets_of(&layout->csr);
    a.strips = (const strip *)layout->array[STRIP].data;
    a.lane_slices = (const lane_slice *)layout->array[LANE_SLICE].data;
    a.diagonals = (const diagonal_list *)layout->array[DIAGONALS].data;
    a.row = (const u16 *)layout->array[ROW].data;
    a.count = (const u8 *)layout->array[COUNT].data;
    a.index = (const i32 *)layout->array[INDEX].data;
    a.val = (const real *)layout->array[VAL].data;
    a.split_rows = (const i32 *)layout->array[SPLIT_ROW].data;
    a.codings = (const value_coding *)layout->array[CODING].data;
    a.strip_count = layout->number[NUMBER_STRIPS];
    a.split_count = layout->number[NUMBER_SPLIT_ROWS];
    a.padding = layout->number[NUMBER_PADDING];
    a.strip_weight = layout->number[NUMBER_STRIP_WEIGHT];
    return a;
}

/* ---- places -------------------------------------------------------------------------------- */

enum { PADDING_SHARE = 8 };      /* entries for which VAL has space for one zero, with padding */

/* Start in VAL of a block of a kind of coding that begins with an entry of CSR. padding: as in
 * strips_matrix. Padded diagonals are aligned to vectors. */
DEVICE i64 block_place(i64 padding, i32 kind, i64 entry)
{
    const i64 place = entry + padding * (entry / PADDING_SHARE);

    return HAS_PADDED && kind == VALUES_PADDED ? i64_ceil_div(place, LANES) * LANES : place;
}

/* Values of VAL. The last vector reads past the entries, and so does a list of padded diagonals
 * that ends with an empty one. */
DEVICE i64 val_count(i64 padding, i64 nnz)
{
    return block_place(padding, VALUES_WIDE, nnz) + (padding ? DIAGONAL_ROWS : LANES);
}

/* Values that padded diagonals have space for instead of the entries [begin, end). */
DEVICE i64 padded_space(i64 padding, i64 begin, i64 end)
{
    return block_place(padding, VALUES_WIDE, end) - block_place(padding, VALUES_PADDED, begin);
}

/* Start of a strip in INDEX. */
DEVICE i64 strip_index(i64 entry, i64 s)
{
    return entry + s * INDEX_PAD;
}

/* Start of a strip's 16-bit columns, in i32 relative to the strip's start in INDEX. */
DEVICE i32 narrow_columns_begin(const strip *t)
{
    return t->wide + LANES;
}

/* Start of the columns of a strip's long rows, likewise. */
DEVICE i32 long_columns_begin(const strip *t)
{
    return narrow_columns_begin(t) + (t->narrow + LANES + 1) / 2;
}

/* Index of the first slice of strip s, whose first row is `row`. */
DEVICE i64 first_lane_slice(i32 row, i64 s)
{
    return row / SLICE_ROWS + s;
}

DEVICE i64 first_diagonal_slice(i32 row, i64 s)
{
    return row / DIAGONAL_ROWS + s;
}

/* Number of rows of the slice of diagonals that begins with row `row` of the `rows` of a strip. */
static i32 slice_row_count(i32 rows, i32 row)
{
    return (i32)i64_min(DIAGONAL_ROWS, rows - row);
}

/* The coding of a block of strip s. */
DEVICE value_coding coding_of(const strips_matrix *a, i64 s, i32 block)
{
    return a->codings[s * STRIP_BLOCKS + block];
}

/* How the kernels of a block use its values. */
typedef enum block_use {
    LOADED_BLOCK,                /* lanes and diagonals: by whole vectors */
    SPREAD_BLOCK,                /* runs and parts: spread by masks */
    PADDED_BLOCK                 /* padded diagonals */
} block_use;

DEVICE block_use use_of(const strip *t, i32 block)
{
    if (block != BLOCK_ROWS || t->kind == STRIP_RUNS)
        return SPREAD_BLOCK;
    return HAS_PADDED && t->is_padded ? PADDED_BLOCK : LOADED_BLOCK;
}

/* ---- split rows ---------------------------------------------------------------------------- */

/* The entries [begin, end) of CSR and VAL, whose columns begin at `index` of INDEX. */
typedef struct part_range {
    i64 begin, end, index;
} part_range;

/* The part of a split row in strip s. A row weighs 1 plus 1 for each entry, so the weight before
 * entry k of the matrix, which is in row `row`, is row + 1 + k. */
DEVICE part_range part_range_of(const strips_matrix *a, i64 s, strip_part which, i32 row)
{
    const i64 begin = s * a->strip_weight - row - 1;
    part_range range;

    range.begin = i64_max(begin, row_begin(&a->row_ptr, row));
    range.end = i64_min(begin + a->strip_weight, row_begin(&a->row_ptr, row + 1));
    range.index = strip_index(range.begin, s + which);
    return range;
}

/* Number of rows of a strip, without the split row. */
DEVICE i32 strip_row_count(const strip *t)
{
    return t[1].row - t->row - t->has_part[PART_BEGUN];
}

/* The split row that a part belongs to. */
DEVICE i32 split_row_of(const strip *t, strip_part which)
{
    return which == PART_CONTINUED ? t->row - 1 : t[1].row - 1;
}

/* The entries of a block of strip s in CSR: none, if the strip lacks the block. */
static part_range block_range(const strips_matrix *a, i64 s, i32 block)
{
    const strip *t = &a->strips[s];
    const strip_part which = (strip_part)(block - BLOCK_PARTS);
    part_range range = {0, 0, 0};

    if (block == BLOCK_ROWS) {
        range.begin = t->entry;
        range.end = row_begin(&a->row_ptr, t->row + strip_row_count(t));
    } else if (t->has_part[which]) {
        range = part_range_of(a, s, which, split_row_of(t, which));
    }
    return range;
}

#endif
