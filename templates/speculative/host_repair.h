/* host_repair.h: the second stage on the CPU: rows that span bunches, and rows of dirty tiles. */
#ifndef SPMV_SPECULATIVE_HOST_REPAIR_H
#define SPMV_SPECULATIVE_HOST_REPAIR_H

#include "layout.h"

/* The operands of the second stage, besides the structure of the matrix. */
typedef struct repair_operands {
    real *y;
    const real *sum;             /* of the workspace, as the next two */
    const i32 *open_row;
    const u64 *dirty;
    const i32 *tile_row;         /* the first row of each dirty tile, and of the tile after it */
    real alpha, beta;
} repair_operands;

/* Adds the parts of `row`, which begins in bunch b and continues, in the order of bunches. */
DEVICE real open_row_sum(const spec_matrix *a, const real *bunch_sum, i64 b, i32 row)
{
    const i64 end = row_begin(&a->row_ptr, row + 1);
    real sum = bunch_sum[2 * b + 1];

    for (i64 c = b + 1; c * BUNCH < end; c++)
        sum = sum + bunch_sum[2 * c];
    return sum;
}

/* Moves the compact sums of a dirty tile, which owns rows [first_row, next_row) and has stored them
 * in y from its first row on, to their rows. Goes from the last row to the first, since each sum is
 * at or before its row. */
DEVICE void rearrange_tile(const spec_matrix *a, const repair_operands *v, i64 tile, i32 first_row,
                           i32 next_row)
{
    const row_offsets row_ptr = a->row_ptr;
    const real *from = v->y + first_row;
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

    /* A row that began before the bunch is the synchronizer's; its compact sum is not in y. Empty
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

/* Stores the row that begins in bunch b and continues after it. */
DEVICE void add_open_row(const spec_matrix *a, const repair_operands *v, i64 b)
{
    const i32 row = v->open_row[b];

    if (row != ROW_NONE)
        y_store(v->y, row, open_row_sum(a, v->sum, b, row), v->alpha, v->beta);
}

/* Rearranges the dirty tiles of a bunch. After the last tile there are only rows that it owns. */
DEVICE void rearrange_bunch(const spec_matrix *a, const repair_operands *v, i64 b)
{
    const u64 dirty = v->dirty[b];

    for (i32 s = 0; s < S && dirty >> s; s++) {
        const i64 t = b * S + s;

        if (dirty >> s & 1)
            rearrange_tile(a, v, t, v->tile_row[t],
                           t + 1 < a->tiles ? v->tile_row[t + 1] : a->rows);
    }
}

#endif
