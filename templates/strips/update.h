/* update.h: walks a finished layout in the order of VAL, to write new values into it or to restore
 * the caller's CSR from it. */
#ifndef STRIPS_UPDATE_H
#define STRIPS_UPDATE_H

#include "layout.h"
#include "layout_diagonals.h"
#include "layout_long_rows.h"
#include "layout_runs.h"

/* The operation on each entry: a new value goes from CSR to VAL, or the entry goes back from VAL
 * and INDEX to CSR. */
typedef struct entry_move {
    const real *values;          /* new values; NULL: entries go back to CSR */
    real *val;
    i32 *col_out;                /* either may be NULL */
    real *val_out;
    i32 base;
} entry_move;

/* Restores an entry, from place `stored` of VAL to place `csr` of CSR. */
static void restore_entry(const entry_move *move, i64 csr, i64 stored, i32 col)
{
    if (move->val_out)
        move->val_out[csr] = move->val[stored];
    if (move->col_out)
        move->col_out[csr] = col + move->base;
}

/* Copies new values of entries that VAL has in the order of CSR. */
static void copy_values(const entry_move *move, i64 begin, i64 end)
{
    for (i64 k = begin; k < end; k++)
        move->val[k] = move->values[k];
}

/* ---- STRIP_LANES --------------------------------------------------------------------------- */

static void move_lanes(const strips_matrix *a, const entry_move *move, const strip *t, i64 s)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const i32 *wide = index;
    const u16 *narrow = (const u16 *)(index + narrow_columns_begin(t));
    const u16 *order = a->row + t->row;
    const u8 *count = a->count + s * BOUNDARY;
    const lane_slice *slice = a->lane_slices + first_lane_slice(t->row, s);
    const i32 end = t->long_rows + t->lane_rows;
    column_reader long_columns;
    i64 stored = t->entry;

    long_columns.index = index + long_columns_begin(t);
    long_columns.left = 0;
    long_columns.base = 0;
    long_columns.narrow = NULL;
    long_columns.has_segments = t->has_segments;
    for (i32 p = t->long_rows; p < end; p += SLICE_ROWS, slice++) {
        i64 from[SLICE_ROWS];

        for (i32 i = 0; i < SLICE_ROWS && p + i < end; i++)
            from[i] = row_begin(&a->row_ptr, t->row + order[p + i]);
        for (i32 k = 0; k < slice->longest; k++) {
            const i32 active = k < slice->shortest ? SLICE_ROWS : *count++;
            for (i32 i = 0; i < active && move->values; i++)
                move->val[stored + i] = move->values[from[i] + k];
            for (i32 i = 0; i < active && !move->values; i++)
                restore_entry(move, from[i] + k, stored + i,
                              slice->base == WIDE ? wide[i] : slice->base + narrow[i]);
            wide += slice->base == WIDE ? active : 0;
            narrow += slice->base == WIDE ? 0 : active;
            stored += active;
        }
    }
    for (i32 p = 0; p < t->long_rows; p++) {
        const i32 row = t->row + order[p];
        const i64 begin = row_begin(&a->row_ptr, row);
        const i64 length = row_length(&a->row_ptr, row);
        for (i64 k = 0; k < length && move->values; k++)
            move->val[stored + k] = move->values[begin + k];
        for (i64 k = 0; k < length && !move->values; k++)
            restore_entry(move, begin + k, stored + k, next_column(&long_columns));
        stored += length;
    }
}

/* ---- STRIP_DIAGONALS ------------------------------------------------------------------------- */

static void move_diagonal(const entry_move *move, i64 *csr, i64 *stored, i32 diagonal, u32 mask)
{
    for (u32 left = mask; left; left &= left - 1, (*stored)++) {
        const i32 i = u32_trailing_zeros(left);
        if (move->values)
            move->val[*stored] = move->values[csr[i]];
        else
            restore_entry(move, csr[i], *stored, diagonal + i);
        csr[i]++;
    }
}

static void move_diagonals(const strips_matrix *a, const entry_move *move, const strip *t, i64 s,
                           i32 count)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);
    i64 stored = t->entry;

    for (i32 row = 0; row < count; row += DIAGONAL_ROWS, list++) {
        const i32 *pair = index + list->first * PAIR;
        i64 csr[DIAGONAL_ROWS];

        for (i32 i = 0; i < slice_row_count(count, row); i++)
            csr[i] = row_begin(&a->row_ptr, t->row + row + i);
        for (i32 p = 0; p < list->pairs; p++, pair += PAIR) {
            move_diagonal(move, csr, &stored, pair[0] + t->row + row, first_mask(pair));
            move_diagonal(move, csr, &stored, pair[1] + t->row + row, second_mask(pair));
        }
    }
}

/* ---- STRIP_RUNS, and parts of split rows ----------------------------------------------------- */

/* Restores the entries of `segments` segments, the first of which is at place `stored` of VAL and
 * CSR; returns the next segment. */
static const u16 *restore_runs(const entry_move *move, const u16 *at, i32 segments, i64 stored)
{
    for (; segments > 0; segments--) {
        const i32 base = run_base(at);
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;
        for (at += RUN_HEAD; at < end; at += RUN_WORDS)
            for (u32 left = at[RUN_WINDOWS]; left; left &= left - 1, stored++) {
                const i32 lane = u32_trailing_zeros(left);
                restore_entry(move, stored, stored, base + at[lane / RUN_WIDTH] + lane % RUN_WIDTH);
            }
    }
    return at;
}

/* Restores the entries of a strip. */
static void move_runs(const strips_matrix *a, const entry_move *move, const strip *t, i64 s,
                      i32 rows)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;

    for (i32 row = t->row; row < t->row + rows; row++) {
        const i32 word = a->row[row];
        at = word & SAME_COLUMNS ? at : next;
        next = restore_runs(move, at, word & ~SAME_COLUMNS, row_begin(&a->row_ptr, row));
    }
}

static void move_part(const strips_matrix *a, const entry_move *move, const part_range *p,
                      i32 segments)
{
    const i32 *index = a->index + p->index;

    if (move->values)
        copy_values(move, p->begin, p->end);
    else if (segments)
        restore_runs(move, (const u16 *)index, segments, p->begin);
    else
        for (i64 k = p->begin; k < p->end; k++)
            restore_entry(move, k, k, index[k - p->begin]);
}

/* ---- strips -------------------------------------------------------------------------------- */

static void move_rows(const strips_matrix *a, const entry_move *move, const strip *t, i64 s)
{
    const i32 rows = strip_row_count(t);
    const i64 end = row_begin(&a->row_ptr, t->row + rows);

    if (t->kind == STRIP_LANES)
        move_lanes(a, move, t, s);
    else if (t->kind == STRIP_DIAGONALS)
        move_diagonals(a, move, t, s, rows);
    else if (move->values)
        copy_values(move, t->entry, end);
    else
        move_runs(a, move, t, s, rows);
}

static void move_strips(const spmv_job *job, const entry_move *move, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);

    for (i64 s = first; s < last; s++) {
        const strip *t = &a.strips[s];
        move_rows(&a, move, t, s);
        for (i32 i = 0; i < STRIP_PARTS; i++) {
            const strip_part which = (strip_part)i;
            if (t->has_part[which]) {
                const part_range p = part_range_of(&a, s, which, split_row_of(t, which));
                move_part(&a, move, &p, t->part_segments[which]);
            }
        }
    }
}

/* ---- steps --------------------------------------------------------------------------------- */

static void update_values(const spmv_job *job, i64 first, i64 last)
{
    entry_move move = {0};
    move.values = csr_val(job->layout);
    move.val = (real *)job->layout->array[VAL].data;
    move_strips(job, &move, first, last);
}

static void restore_csr(const spmv_job *job, i64 first, i64 last)
{
    entry_move move = {0};
    move.val = (real *)job->layout->array[VAL].data;
    move.col_out = job->col_idx_out;
    move.val_out = (real *)job->val_out;
    move.base = job->layout->csr.base;
    move_strips(job, &move, first, last);
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "update_values", update_values, layout->number[NUMBER_STRIPS]);
}

static i32 restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "restore_csr", restore_csr, job->layout->number[NUMBER_STRIPS]);
}

#endif
