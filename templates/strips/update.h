/* update.h: walks a finished layout in the order of VAL, to write new values into it or to restore
 * the caller's CSR from it. */
#ifndef SPMV_STRIPS_UPDATE_H
#define SPMV_STRIPS_UPDATE_H

#include "find_values.h"
#include "layout.h"
#include "layout_diagonals.h"
#include "layout_long_rows.h"
#include "layout_runs.h"

/* The operation on each entry: a new value goes from CSR to VAL, or the entry goes back from VAL
 * and INDEX to CSR. */
typedef struct entry_move {
    const value_output *values;  /* new values; NULL: entries go back to CSR */
    const real *block;           /* the entry's block of VAL; places of VAL count from `begin` */
    i64 begin;
    value_coding coding;
    i32 *col_out;                /* either may be NULL */
    real *val_out;
    i32 base;
} entry_move;

/* Restores an entry, from place `stored` of VAL to place `csr` of CSR. */
static void restore_entry(const entry_move *move, i64 csr, i64 stored, i32 col)
{
    if (move->val_out)
        move->val_out[csr] = value_at(move->coding, move->block, stored - move->begin);
    if (move->col_out)
        move->col_out[csr] = col + move->base;
}

/* Writes a new value. */
static void renew_entry(const entry_move *move, i64 csr, i64 stored)
{
    write_value(copies_values(*move->values), *move->values, stored, csr);
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

        for (i32 i = 0; i < SLICE_ROWS; i++)
            from[i] = p + i < end ? row_begin(&a->row_ptr, t->row + order[p + i]) : 0;
        for (i32 k = 0; k < slice->longest; k++) {
            const i32 active = k < slice->shortest ? SLICE_ROWS : *count++;
            for (i32 i = 0; i < active && move->values; i++)
                renew_entry(move, from[i] + k, stored + i);
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
            renew_entry(move, begin + k, stored + k);
        for (i64 k = 0; k < length && !move->values; k++)
            restore_entry(move, begin + k, stored + k, next_column(&long_columns));
        stored += length;
    }
}

/* ---- STRIP_DIAGONALS ------------------------------------------------------------------------- */

/* Moves the entries of a diagonal, from place *stored of VAL on, to which it adds their number,
 * with zeros. csr: the place of each lane's next entry in CSR. */
static void move_diagonal(const entry_move *move, i64 *csr, i64 *stored, i32 diagonal, u32 mask)
{
    const bool is_padded = HAS_PADDED && move->coding.kind == VALUES_PADDED;
    const i64 first = *stored;
    i32 packed = 0;              /* entries so far */

    if (is_padded && move->values && mask)
        clear_holes(*move->values, first, mask);
    for (u32 left = mask; left; left &= left - 1, packed++) {
        const i32 i = u32_trailing_zeros(left);
        const i64 place = first + (is_padded ? i : packed);
        if (move->values)
            renew_entry(move, csr[i], place);
        else
            restore_entry(move, csr[i], place, diagonal + i);
        csr[i]++;
    }
    *stored = first + (is_padded ? padded_values(mask) : packed);
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
        write_values_in_order(*move->values);
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

    if (t->kind == STRIP_LANES)
        move_lanes(a, move, t, s);
    else if (t->kind == STRIP_DIAGONALS)
        move_diagonals(a, move, t, s, rows);
    else if (move->values)
        write_values_in_order(*move->values);
    else
        move_runs(a, move, t, s, rows);
}

/* Moves a block of strip s: its rows, or its part of a split row. */
static void move_block(const strips_matrix *a, const entry_move *move, i64 s, i32 block)
{
    const strip *t = &a->strips[s];
    const strip_part which = (strip_part)(block - BLOCK_PARTS);

    if (block == BLOCK_ROWS) {
        move_rows(a, move, t, s);
    } else {
        const part_range p = part_range_of(a, s, which, split_row_of(t, which));
        move_part(a, move, &p, t->part_segments[which]);
    }
}

/* ---- steps --------------------------------------------------------------------------------- */

/* The coding of a block follows its new values. */
static void update_values(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    value_coding *coding = (value_coding *)job->layout->array[CODING].data;
    value_finder finder;
    entry_move move = {0};

    for (i64 i = first * STRIP_BLOCKS; i < last * STRIP_BLOCKS; i++) {
        const i64 s = i / STRIP_BLOCKS;
        const part_range range = block_range(&a, s, (i32)(i % STRIP_BLOCKS));
        if (range.begin == range.end)
            continue;
        const value_output values =
            begin_values(job->layout, &finder, range.begin, range.end,
                         use_of(&a.strips[s], (i32)(i % STRIP_BLOCKS)));
        coding[i] = values.coding;
        move.coding = values.coding;
        move.values = &values;
        move_block(&a, &move, s, (i32)(i % STRIP_BLOCKS));
    }
}

static void restore_csr(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    entry_move move = {0};

    move.col_out = job->col_idx_out;
    move.val_out = (real *)job->val_out;
    move.base = job->layout->csr.base;
    for (i64 i = first * STRIP_BLOCKS; i < last * STRIP_BLOCKS; i++) {
        const i64 s = i / STRIP_BLOCKS;
        const part_range range = block_range(&a, s, (i32)(i % STRIP_BLOCKS));
        if (range.begin == range.end)
            continue;
        move.begin = range.begin;
        move.coding = a.codings[i];
        move.block = a.val + block_place(a.padding, move.coding.kind, range.begin);
        move_block(&a, &move, s, (i32)(i % STRIP_BLOCKS));
    }
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
