/* layout.c: the layout of strips.
 *
 * Rows are cut into strips of about CHUNK_WEIGHT rows and nonzeros, fewer of a small matrix (a
 * strip is the chunk of work that threads share out). What has m nonzeros in CSR has m places in
 * VAL and in INDEX here, at the same distance from the first: so where a strip's entries stand
 * follows from row_ptr, strips are built independently of each other, and nobody needs to know
 * their sizes before. A strip that needs fewer bytes leaves the end of its places untouched.
 *
 * A strip is of one kind, whichever costs least:
 *
 * STRIP_LANES. Rows sorted by falling length are the lanes of slices of SLICE_ROWS rows
 * (SELL-C-sigma, with the strip as sigma). Column by column, without padding: in column k the first
 * so many lanes have an entry. With SLICE_ROWS = 4, rows of 3, 3, 2 and 1 entries:
 *
 *              row   0  1  2  3
 *     column 0       a  d  g  i
 *     column 1       b  e  h         VAL: a d g i  b e h  c f
 *     column 2       c  f            COUNT, of the columns that not all lanes have: 3 2
 *
 * Columns of a slice are 16 bits from its base where they span less than NARROW_SPAN, else 32 bits:
 *
 *     INDEX  | 32-bit columns | LANES zeros | 16-bit columns | LANES zeros | columns of long rows
 *
 * (A vector of the last columns reads beyond them: zeros are columns too. A base is at most
 * cols - 65536, or 0, so that any 16 bits from it are a column.) Rows that are longer than BOUNDARY
 * or than lanes beside them are not lanes: their entries follow, row by row, their columns in
 * segments. Rows without entries come last. ROW has the order: long rows, lanes, empty rows, as
 * distances from the strip's first row.
 *
 * STRIP_DIAGONALS. Slices of DIAGONAL_ROWS consecutive rows. An entry of lane i in column c belongs
 * to diagonal c - i, and a mask says which lanes have one there. So x is read as it stands, by
 * whole vectors, and one index serves a diagonal. VAL has the entries diagonal by diagonal, in each
 * by lanes; INDEX has lists of a place, c - i less the slice's first row, and a mask for each
 * diagonal; DIAGONALS says which list a slice has. Slices that are alike, as those of a stencil are
 * but for its borders, have one list.
 *
 * They come in pairs, the last of a slice with an empty mask if need be: they are multiplied two
 * by two, and a branch for the odd one would be mispredicted half of the time.
 *
 * STRIP_RUNS. Rows one by one; a row's columns are covered by short windows, each with a mask
 * (after SPC5, whose blocks are as wide as a vector).
 *
 * A row of more entries than a strip weighs is split: it begins as the last row of a strip and goes
 * on in the strips after it, which have no rows, or few, since the weight of a strip is counted
 * with it. What of it falls into a strip is a part, with columns as in CSR or as runs; a second
 * step adds the parts. So all strips weigh the same, with one row that is most of the matrix as
 * without:
 *
 *     strip            s             s + 1         s + 2         s + 3
 *     weight    | rows |=begun=|==continued==|==continued==|=continued=| rows |
 *
 *   STRIP           strip[strips + 1]; the last one is the end
 *   LANE_SLICE      lane_slice: those of strip s from row / SLICE_ROWS + s on, row being its first
 *   DIAGONALS       diagonal_list of each slice: those of strip s from row / DIAGONAL_ROWS + s on
 *   ROW             u16[rows], as above and as runs have it
 *   COUNT           u8[strips][BOUNDARY]
 *   INDEX           i32[nnz + (strips + 1) * INDEX_PAD], columns from 0
 *   VAL             real[nnz + LANES]; vectors read beyond the last entry
 *   SPLIT_ROW       i32[split rows]
 *
 * The caller's row_ptr is borrowed.
 */

enum {                           /* spmv_layout.array */
    STRIP,
    LANE_SLICE,
    DIAGONALS,
    ROW,
    COUNT,
    INDEX,
    VAL,
    SPLIT_ROW,
    ARRAY_COUNT
};

enum { NUMBER_STRIPS, NUMBER_SPLIT_ROWS };       /* spmv_layout.number */

typedef enum strip_kind { STRIP_LANES, STRIP_DIAGONALS, STRIP_RUNS, STRIP_KINDS } strip_kind;

/* The parts of split rows in a strip: of one that began before it, of one that begins in it. */
typedef enum strip_part { PART_CONTINUED, PART_BEGUN, STRIP_PARTS } strip_part;

enum {
    INDEX_PAD = 2 * LANES + 2,
    WIDE = -1                    /* lane_slice.base */
};

typedef struct strip {
    i64 entry;                   /* its first, of CSR and VAL */
    i32 row;                     /* its first; it ends where the next one begins */
    i32 kind;
    i32 lane_rows, long_rows;    /* STRIP_LANES; all others are empty */
    i32 wide, narrow;            /* entries of lanes, by the width of their columns */
    i32 pairs;                   /* of diagonals, of all slices */
    i32 has_segments;            /* the columns of long rows */
    i32 has_part[STRIP_PARTS];
    i32 part_segments[STRIP_PARTS];  /* of a part whose columns are runs; 0: as in CSR */
} strip;

typedef struct lane_slice {
    i32 base;                    /* what 16-bit columns count from, or WIDE */
    u16 least, most;             /* entries of its shortest lane, 0 if it has too few rows, and
                                    longest */
} lane_slice;

/* What a slice of diagonals has of INDEX, from the strip's first on. */
typedef struct diagonal_list {
    u16 first, pairs;            /* pairs before it, and in it */
} diagonal_list;

#include "../common/layout_row_chunks.h"

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
    i64 strip_count, split_count;
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
    a.strip_count = layout->number[NUMBER_STRIPS];
    a.split_count = layout->number[NUMBER_SPLIT_ROWS];
    a.strip_weight = chunk_weight(layout->csr.rows + layout->csr.nnz);
    return a;
}

/* ---- places -------------------------------------------------------------------------------- */

/* Where the entries of a strip begin in INDEX. */
DEVICE i64 strip_index(i64 entry, i64 s)
{
    return entry + s * INDEX_PAD;
}

/* From the beginning of a strip's INDEX, in units of i32: its 16-bit columns, and those of long
 * rows. */
DEVICE i32 narrow_place(const strip *t)
{
    return t->wide + LANES;
}

DEVICE i32 long_place(const strip *t)
{
    return narrow_place(t) + (t->narrow + LANES + 1) / 2;
}

/* The first slices of strip s, whose first row is known. */
DEVICE i64 first_lane_slice(i32 row, i64 s)
{
    return row / SLICE_ROWS + s;
}

DEVICE i64 first_diagonal_slice(i32 row, i64 s)
{
    return row / DIAGONAL_ROWS + s;
}

/* ---- parts of split rows ------------------------------------------------------------------- */

/* Entries [begin, end) of CSR and VAL, whose columns begin at `index` of INDEX. */
typedef struct part_range {
    i64 begin, end, index;
} part_range;

/* What of a split row is in strip s. A row weighs 1, and then 1 for each entry: so the weight
 * before entry k of all is row + 1 + k. */
DEVICE part_range part_entries(const strips_matrix *a, i64 s, strip_part which, i32 row)
{
    const i64 begin = s * a->strip_weight - row - 1;
    part_range range;

    range.begin = i64_max(begin, row_begin(&a->row_ptr, row));
    range.end = i64_min(begin + a->strip_weight, row_begin(&a->row_ptr, row + 1));
    range.index = strip_index(range.begin, s + which);
    return range;
}

/* Rows of a strip that are not split. */
DEVICE i32 strip_row_count(const strip *t)
{
    return t[1].row - t->row - t->has_part[PART_BEGUN];
}

/* The split row of which a strip has this part. */
DEVICE i32 split_row_of(const strip *t, strip_part which)
{
    return which == PART_CONTINUED ? t->row - 1 : t[1].row - 1;
}
