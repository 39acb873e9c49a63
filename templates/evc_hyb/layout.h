/* layout.h: the layout of EVC-HYB, built from CSR and turned back into it.
 *
 * Guo, Gropp & Olson, IJHPCA 2016. Rows are sorted by length, longest first; `position` is the
 * index of a row in that order:
 *
 *     position 0                    vcsr_rows                          + ell_rows         rows
 *              | split rows | other rows | slice 0 | slice 1 |  ...  | last |  empty rows  |
 *              |------- vCSR part -------|----------- ELL part -------------|
 *
 * ELL part: slices of ALIGNMENT rows, whose entries are stored column by column, so that the
 * entries of neighbouring lanes are contiguous. With ALIGNMENT = 4, rows of 3, 3, 2 and 1 entries:
 *
 *              row   0  1  2  3
 *     column 0       a  d  g  i
 *     column 1       b  e  h  .      <- ell_col and ell_val: a d g i  b e h .  c f . .
 *     column 2       c  f  .  .         (. is padding: never multiplied)
 *
 * If a work-item loads LOAD_WIDTH entries at once, LOAD_WIDTH columns of a row are contiguous, and
 * the remaining columns follow one by one. Of the values as many are contiguous as one load takes.
 * With LOAD_WIDTH = 2, and loads of 2 values or of 1:
 *
 *     ell_col, and ell_val with loads of 2 values    a b d e g h i .  c f . .
 *     ell_val with loads of 1                        a d g i b e h .  c f . .
 *
 * With ELL_STORAGE all slices of as many columns, which follow one another, are stored together,
 * column by column: a column has the entries of all their rows. On devices only.
 *
 * Short slices, of which a work-item adds several rows, are always stored column by column, since
 * their loads come from several rows at once.
 *
 * Slices are cut from the shortest row upward. Rows of one length that do not fill a slice go to a
 * slice of longer rows, and the remaining longest rows go to the vCSR part, as in the paper (2.1).
 * So a slice of rows of one length, the common case, has no padding. There
 * are at most as many slices of several lengths as there are lengths; ell_length holds the true
 * lengths of their rows.
 *
 * If SORT_WINDOW is not 0, the rows of the ELL part are sorted within windows of that many rows
 * only, and slices are cut from each window by itself.
 *
 * vCSR part: rows longer than longest_ell_row, entries of a row one after the other. A row of more
 * than SPLIT_AT entries is split into parts of CHUNK_WEIGHT, which a second step adds in order.
 * Each row begins at a multiple of VCSR_ALIGNMENT; before that there is padding, which is never
 * multiplied. vcsr_ptr[p] is the end of the row before position p, so it has no padding. With
 * VCSR_ALIGNMENT = 4, and rows of 6, 4 and 3 entries:
 *
 *     vcsr_col and vcsr_val    a b c d  e f . .  g h i j  k l m .
 *     vcsr_ptr                 0           6            12     15
 *
 *   row_of       i32[rows]: the row at each position. If y stays permuted this is its order, and if
 *                x is permuted too, the columns below are positions
 *   ell_bin      ell_bin[bins + 1]: runs of slices of one length, and single slices of several
 *                lengths; the last element is the end. The paper has an ELL
 *                of each length (2.1): a slice is found by its bin, so no slice needs a pointer
 *   ell_length   i32[mixed slices][ALIGNMENT]: true lengths, falling
 *   ell_col      i32[ell_entries], in the caller's base
 *   ell_val      real[ell_entries]
 *   vcsr_ptr     offset[vcsr_rows + 1]
 *   vcsr_col     i32[vcsr_entries], in the caller's base
 *   vcsr_val     real[vcsr_entries]
 *   part_ptr     i64[split_rows + 1]: the first part of each split row
 *
 * On devices with NARROW_SPAN, the columns of a slice whose rows span less than NARROW_SPAN columns
 * have 16 bits, and so do the columns of such a piece of the vCSR part (a part of a split row, or
 * another row). The columns of each piece then begin at a multiple of 16. Slices are cut
 * when the sizes of the arrays are found, from windows; without windows, or with x permuted, all
 * columns have 16 bits if the matrix has no more than NARROW_SPAN columns, and 32 bits otherwise.
 * Slices of which a work-item adds several rows have columns of 32 bits.
 *
 *   ell_col, vcsr_col         i32: columns of the other slices and pieces
 *   ell_narrow, vcsr_narrow   u16: columns from the smallest one of the slice or piece
 *   column_words              u64[slices + pieces]: where they are, in units of ALIGNMENT (slices)
 *                             and of 16 (pieces)
 *
 * Work is cut into chunks, each of one kind, in the order of positions: a part of a row; rows of
 * the vCSR part; slices; empty rows. The start of a chunk is searched for in vcsr_ptr and ell_bin.
 * Building, updating and restoring use the same chunks as multiplying, so that pages of the arrays
 * are in memory near the thread that will read them.
 *
 * The caller's row_ptr is borrowed: updating and restoring look up the place of each row in CSR.
 */
#ifndef SPMV_EVC_HYB_LAYOUT_H
#define SPMV_EVC_HYB_LAYOUT_H

#include "../prelude/host.h"
#include "../common/layout_columns.h"
#include "layout_bin.h"
#include "layout_slice.h"
#include "layout_vcsr.h"

enum {                           /* spmv_layout.array */
    ROW_OF,
    ELL_BIN,
    ELL_LENGTH,
    ELL_COL,
    ELL_VAL,
    VCSR_PTR,
    VCSR_COL,
    VCSR_VAL,
    PART_PTR,
    ARRAY_COUNT,
    ELL_NARROW = ARRAY_COUNT,    /* of devices, as the next two */
    VCSR_NARROW,
    COLUMN_WORDS,
    NARROW_ARRAYS_END
};

enum {                           /* spmv_layout.number */
    NUMBER_VCSR_ROWS,
    NUMBER_VCSR_NNZ,
    NUMBER_VCSR_ENTRIES,         /* with padding */
    NUMBER_ELL_ROWS,             /* a multiple of ALIGNMENT */
    NUMBER_ELL_ENTRIES,          /* with padding */
    NUMBER_ELL_LONGEST,          /* length of its longest row, the paper's LRmax */
    NUMBER_BINS,
    NUMBER_MIXED,                /* slices of several lengths */
    NUMBER_SPLIT_ROWS,
    NUMBER_PARTS,                /* parts of the split rows, one chunk for each */
    NUMBER_VCSR_CHUNKS,          /* chunks of the other rows of the vCSR part */
    NUMBER_ELL_CHUNKS,
    NUMBER_EMPTY_CHUNKS          /* of CHUNK_WEIGHT rows */
};

enum { SETTING_PERMUTED_Y, SETTING_PERMUTED_X };     /* spmv_layout.setting */

static const spmv_setting settings[] = {
    { "permuted_y", "1: y stays in the order of the sort, which spmv_plan_query reports; 0: of "
                    "rows", 0, 1, ORDER_OF_Y },
    { "permuted_x", "1: x is in the order of the sort too, where the matrix is square, so that y "
                    "can be the next x; 0: of columns", 0, 1, 0 },
};

enum { LEAST_LONGEST = 32 };     /* longest_ell_row is at least this, or BOUNDARY */

/* Longest row of the ELL part. BUSY_ITEMS work-items run at once: one that adds much more than its
 * share of the nonzeros would still run when the others have ended. */
static i32 longest_ell_row(const spmv_csr *csr)
{
    (void)csr;
    if (BUSY_ITEMS == 0)
        return BOUNDARY;
    return (i32)i64_min(BOUNDARY, i64_max(LEAST_LONGEST, 2 * (csr->nnz / BUSY_ITEMS)));
}

/* rows_of_item's limit for the slices of a layout. */
static i64 entries_of_item(const spmv_layout *layout)
{
    (void)layout;
    return ROWS_BY_LONGEST ? layout->number[NUMBER_ELL_LONGEST] : ROWS_PER_ITEM;
}

/* Number of grouped columns of a slice with this many columns. */
static i32 grouped_columns_of(const spmv_layout *layout, i32 columns)
{
    return grouped_columns(rows_side_by_side(columns, entries_of_item(layout)), columns);
}

/* The layout as kernels read it, without values. */
typedef struct evc_matrix {
    const i32 *row_of;
    const ell_bin *bin;
    const i32 *ell_length;
    const i32 *ell_col;
    row_offsets vcsr_ptr;
    const i32 *vcsr_col;
    const i64 *part_ptr;
    i64 parts, vcsr_chunks, ell_chunks, empty_chunks;
    i32 rows, vcsr_rows, ell_rows, split_rows, bins;
} evc_matrix;

static evc_matrix evc_view(const spmv_layout *layout)
{
    evc_matrix a;
    a.row_of = (const i32 *)layout->array[ROW_OF].data;
    a.bin = (const ell_bin *)layout->array[ELL_BIN].data;
    a.ell_length = (const i32 *)layout->array[ELL_LENGTH].data;
    a.ell_col = (const i32 *)layout->array[ELL_COL].data;
    a.vcsr_ptr = row_offsets_at(&layout->csr, layout->array[VCSR_PTR].data, 0);
    a.vcsr_col = (const i32 *)layout->array[VCSR_COL].data;
    a.part_ptr = (const i64 *)layout->array[PART_PTR].data;
    a.parts = layout->number[NUMBER_PARTS];
    a.vcsr_chunks = layout->number[NUMBER_VCSR_CHUNKS];
    a.ell_chunks = layout->number[NUMBER_ELL_CHUNKS];
    a.empty_chunks = layout->number[NUMBER_EMPTY_CHUNKS];
    a.rows = (i32)layout->csr.rows;
    a.vcsr_rows = (i32)layout->number[NUMBER_VCSR_ROWS];
    a.ell_rows = (i32)layout->number[NUMBER_ELL_ROWS];
    a.split_rows = (i32)layout->number[NUMBER_SPLIT_ROWS];
    a.bins = (i32)layout->number[NUMBER_BINS];
    return a;
}

/* First entry of the row at a position of the vCSR part. */
DEVICE i64 vcsr_begin(const evc_matrix *a, i64 position)
{
    if (VCSR_ALIGNMENT > 1)
        return aligned_entry(row_begin(&a->vcsr_ptr, position));
    return row_begin(&a->vcsr_ptr, position);
}

/* End of its entries. */
DEVICE i64 vcsr_end(const evc_matrix *a, i64 position)
{
    return row_begin(&a->vcsr_ptr, position + 1);
}

/* Number of its entries. */
DEVICE i64 vcsr_length(const evc_matrix *a, i64 position)
{
    return vcsr_end(a, position) - vcsr_begin(a, position);
}

/* Index in column_words of part 0, and of the row at a position that is not split. */
static i64 part_word(const evc_matrix *a)
{
    return a->ell_rows / ALIGNMENT;
}

static i64 row_word(const evc_matrix *a, i64 position)
{
    return part_word(a) + a->parts + position - a->split_rows;
}

#endif
