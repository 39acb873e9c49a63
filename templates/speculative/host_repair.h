/* host_repair.h: the second stage on the CPU: rows that span bunches, and rows of dirty tiles. */
#ifndef SPMV_SPECULATIVE_HOST_REPAIR_H
#define SPMV_SPECULATIVE_HOST_REPAIR_H

#include "layout.h"

/* The operands of one multiplication, besides the structure of the matrix, and the arrays of its
 * workspace. */
typedef struct spec_operands {
    const real *val;
    const real *xb;              /* x, indexed by columns in the caller's base */
    real *y;
    real *sum;
    i32 *open_row;
    u64 *dirty;
    i32 *dirty_rows;
    real *record;
    real alpha, beta;
    i64 fetched;                 /* nonzeros whose x is prefetched, on CPUs */
} spec_operands;

/* Start of the records of a tile, if no list is kept. */
DEVICE i64 record_begin(const spec_matrix *a, i64 tile, i32 row)
{
    return a->rows < a->tiles * TILE ? row : tile * TILE;
}

/* The compact sums of a dirty tile, which the first stage stored. CPUs and devices define it
 * differently. */
static const real *compact_sums(const spec_operands *v, i64 records, i32 first_row);

/* Adds the parts of `row`, which begins in bunch b and continues, in the order of bunches. */
DEVICE real open_row_sum(const spec_matrix *a, const spec_operands *v, i64 b, i32 row)
{
    const i64 end = row_begin(&a->row_ptr, row + 1);
    real sum = v->sum[2 * b + 1];

    for (i64 c = b + 1; c * BUNCH < end; c++)
        sum = sum + v->sum[2 * c];
    return sum;
}

DEVICE void add_open_row(const spec_matrix *a, const spec_operands *v, i64 b)
{
    const i32 row = v->open_row[b];

    y_store(v->y, row, open_row_sum(a, v, b, row), v->alpha, v->beta);
}

/* Moves the compact sums of a dirty tile, which owns rows [first_row, next_row), to their rows.
 * Goes from the last row to the first, since within y each sum is at or before its row. */
DEVICE void rearrange_tile(const spec_matrix *a, const spec_operands *v, i64 tile, i64 records,
                           i32 first_row, i32 next_row)
{
    const row_offsets row_ptr = a->row_ptr;
    const real *from = compact_sums(v, records, first_row);
    const real alpha = v->alpha;
    const real beta = v->beta;
    real *y = v->y;
    const i64 bunch_begin = tile / S * BUNCH;
    i32 segment = -1;
    i32 begin = first_row;

    /* Only tile 0 may begin with empty rows: the first row of a later tile has a nonzero. */
    while (begin < next_row && row_length(&row_ptr, begin) == 0)
        begin++;
    for (i32 r = begin; r < next_row; r++)
        segment += row_length(&row_ptr, r) != 0;

    /* A row that began before the bunch is the synchronizer's; its compact sum is ignored. Empty
     * rows cannot be predicted, so no branch depends on them. */
    const i32 foreign = row_begin(&row_ptr, begin) < bunch_begin;
    i32 r = next_row - 1;
    for (; segment >= foreign; r--) {
        const bool is_empty = row_length(&row_ptr, r) == 0;
        const real sum[2] = { from[segment], 0 };

        y_store(y, r, sum[is_empty], alpha, beta);
        segment -= !is_empty;
    }
    for (; r >= begin + foreign; r--)
        y_store(y, r, 0, alpha, beta);
    for (r = first_row; r < begin; r++)
        y_store(y, r, 0, alpha, beta);
}

/* Expands the compact sums of a dirty tile to the sums of its rows [row, next_row). The sum of a
 * row that began before the bunch is undefined and not used. */
DEVICE void expand_compact_sums(const spec_matrix *a, const real *record, real *patch, i32 row,
                                i32 next_row)
{
    const row_offsets row_ptr = a->row_ptr;
    i32 segment = 0;

    for (i32 r = row; r < next_row; r++) {
        const bool is_empty = row_length(&row_ptr, r) == 0;

        patch[r - row] = is_empty ? 0 : record[segment];
        segment += !is_empty;
    }
}

/* Rearranges the dirty tiles of a bunch. */
DEVICE void rearrange_bunch(const spec_matrix *a, const spec_operands *v, i64 b)
{
    const u64 dirty = v->dirty[b];

    for (i32 s = 0; s < S && dirty >> s; s++) {
        const i64 t = b * S + s;
        if (dirty >> s & 1) {
            const i32 row = v->dirty_rows[2 * t];
            rearrange_tile(a, v, t, record_begin(a, t, row), row, v->dirty_rows[2 * t + 1]);
        }
    }
}

#endif
