/* simt_ell.h: the rows of slices, each on one work-item.
 *
 * is_narrow is a literal wherever a row is added by itself, so that slices of each kind of columns
 * have a loop of their own.
 */
#ifndef SPMV_EVC_HYB_SIMT_ELL_H
#define SPMV_EVC_HYB_SIMT_ELL_H

#include "../prelude/simt.h"
#include "../common/layout_columns.h"
#include "../common/simt_wide_load.h"
#include "layout_bin.h"
#include "layout_constant.h"
#include "layout_slice.h"
#include "simt_groups.h"
#include "simt_passes.h"

/* The destination of results. */
typedef struct evc_result {
    GLOBAL const i32 *row_of;
    GLOBAL real *y;
    real alpha, beta;
    i32 permuted;                /* y is in the order of positions */
} evc_result;

/* The ELL part as kernels read it. */
typedef struct ell_part {
    GLOBAL const evc_slice *slice;
    GLOBAL const u64 *word;      /* of the columns of each slice */
    GLOBAL const i32 *length;    /* lengths of rows in slices of several lengths */
    GLOBAL const i32 *col;
    GLOBAL const u16 *narrow;
    GLOBAL const real *val;
    GLOBAL const real *xb;
    i32 position;                /* position of its first row */
} ell_part;

/* Index in y of the row at a position. */
DEVICE i32 y_index(const evc_result *to, i32 position)
{
    return to->permuted ? position : to->row_of[position];
}

/* A row of a slice. */
typedef struct ell_row {
    i64 entry;                   /* start of the slice; the row begins `lane` entries further */
    i64 at;                      /* the same in the array of its columns */
    i32 columns;                 /* columns of the slice */
    i32 length;                  /* 0: there is no such row */
    i32 y;                       /* index in y */
    i32 stride;                  /* with ELL_STORAGE: the distance of columns */
    i32 first;                   /* the column that narrow ones count from; of wide ones 0 */
    bool is_narrow;
} ell_row;

/* Row `lane` of a slice, if slice < end. Otherwise a row without columns of slice `first`, whose
 * first entry may be loaded. */
DEVICE ell_row find_row(const ell_part *a, const evc_result *to, i64 slice, i32 first, i32 end,
                        i32 lane)
{
    const bool is_there = slice < end;
    const i64 s = is_there ? slice : first;
    const evc_slice own = a->slice[s];
    ell_row row = {own.entry, own.entry, 0, 0, 0, ALIGNMENT, 0, false};

    if (ELL_STORAGE) {
        row.entry = own.entry & 0x7fffffff;
        row.at = row.entry;
        row.stride = (i32)(own.entry >> 32);
    }
    if (NARROW_SPAN) {
        const u64 word = a->word[s];

        row.at = columns_begin(word, ALIGNMENT);
        row.first = first_column(word);
        row.is_narrow = word_is_narrow(word);
    }
    if (is_there) {
        row.columns = own.columns;
        row.length = own.columns;
        if (own.mixed != PURE)
            row.length = a->length[own.mixed * ALIGNMENT + lane];
        row.y = y_index(to, (i32)(a->position + slice * ALIGNMENT + lane));
    }
    return row;
}

/* Number of grouped columns of a slice in a group whose work-items add one row at a time. Shorter
 * slices of the group may be stored for several rows, but not with ROWS_BY_LONGEST. */
DEVICE i32 grouped_of_one_row(i32 columns)
{
    return grouped_columns(ROWS_BY_LONGEST ? 1 : rows_of_item(columns, ROWS_PER_ITEM), columns);
}

/* VALUE_WIDTH values of 1. */
DEVICE void set_ones(real *value)
{
    UNROLL
    for (i32 i = 0; i < VALUE_WIDTH; i++)
        value[i] = 1;
}

/* LOAD_WIDTH columns that are not read. */
DEVICE void set_no_columns(i32 *column)
{
    UNROLL
    for (i32 i = 0; i < LOAD_WIDTH; i++)
        column[i] = 0;
}

/* Loads LOAD_WIDTH values of a row from column k on. val: the slice's first value. */
DEVICE void load_values(real *value, GLOBAL const real *val, i32 k, i32 lane)
{
    UNROLL
    for (i32 i = 0; i < LOAD_WIDTH; i += VALUE_WIDTH) {
        if (A_IS_ONE)
            set_ones(value + i);
        else
            load_value_group(value + i, val + (k + i) * ALIGNMENT + lane * VALUE_WIDTH);
    }
}

/* Loads LOAD_WIDTH entries of a row from column k on; columns of 16 bits stay packed. */
DEVICE void load_group(bool is_narrow, i32 *column, real *value, const column_source *from,
                       GLOBAL const real *val, i32 k, i32 lane)
{
    if (X_IS_ONE)
        set_no_columns(column);
    else
        load_packed_group(column, from->wide, from->narrow, is_narrow,
                          k * ALIGNMENT + lane * LOAD_WIDTH);
    load_values(value, val, k, lane);
}

/* Loads the columns from k on, fewer than LOAD_WIDTH, that are stored one by one at the end of a
 * slice. The last one takes the place of those that are not there. */
DEVICE void load_rest(bool is_narrow, i32 *column, real *value, const column_source *from,
                      GLOBAL const real *val, i32 columns, i32 k, i32 lane)
{
    UNROLL
    for (i32 i = 0; i < LOAD_WIDTH; i++) {
        const i32 at = (k + i < columns ? k + i : columns - 1) * ALIGNMENT + lane;

        column[i] = X_IS_ONE ? 0 : load_column(from->wide, from->narrow, is_narrow, at);
        value[i] = A_IS_ONE ? (real)1 : r_stream(val, at);
    }
}

/* The sum of a row, for a work-item with one row. TURNS turns of LOAD_WIDTH entries are under way:
 * the place of a turn is loaded again as soon as its entries were added. Padding may be loaded, but
 * is not added; in place of its columns the first entry of x is read. */
DEVICE real ell_row_sum_in_turns(bool is_narrow, const ell_part *a,
                                 const column_source *from, const ell_row *row, i32 lane)
{
    GLOBAL const real *val = a->val + row->entry;
    const i32 columns = row->columns;
    const i32 grouped = grouped_of_one_row(columns);
    i32 column[TURNS][LOAD_WIDTH];
    real value[TURNS][LOAD_WIDTH];
    real sum = 0;

    UNROLL
    for (i32 t = 0; t < TURNS; t++) {
        /* Compilers do not see that places into which nothing is loaded are never read. */
        UNROLL
        for (i32 i = 0; i < LOAD_WIDTH; i++) {
            column[t][i] = 0;
            value[t][i] = 0;
        }
        if (t * LOAD_WIDTH < grouped)
            load_group(is_narrow, column[t], value[t], from, val, t * LOAD_WIDTH, lane);
        else if (t * LOAD_WIDTH < columns)
            load_rest(is_narrow, column[t], value[t], from, val, columns, t * LOAD_WIDTH, lane);
    }
    for (i32 first = 0; first < columns; first += TURNS * LOAD_WIDTH) {
        UNROLL
        for (i32 t = 0; t < TURNS; t++) {
            const i32 k = first + t * LOAD_WIDTH;
            const i32 next = k + TURNS * LOAD_WIDTH;

            if (k < columns) {
                const bool is_packed = is_narrow && LOAD_WIDTH > 1 && k < grouped;
                real x[LOAD_WIDTH];

                UNROLL
                for (i32 i = 0; i < LOAD_WIDTH; i++)
                    x[i] = x_value(from->xb, group_column(column[t], is_packed, i));
                UNROLL
                for (i32 i = 0; i < LOAD_WIDTH; i++)
                    sum = k + i < row->length ? r_fma(value[t][i], x[i], sum) : sum;
                if (next < grouped)
                    load_group(is_narrow, column[t], value[t], from, val, next, lane);
                else if (next < columns)
                    load_rest(is_narrow, column[t], value[t], from, val, columns, next, lane);
            }
        }
    }
    return sum;
}

/* The sum of a row, for a work-item with one row. Entries of a wide load after the end of the row
 * are padding and are not added. */
DEVICE real ell_row_sum(bool is_narrow, const ell_part *a,
                         const column_source *from, const ell_row *row, i32 lane)
{
    GLOBAL const real *val = a->val + row->entry;
    real sum = 0;
    i32 k = 0;

    if (LOAD_WIDTH > 1) {
        const i32 grouped = grouped_of_one_row(row->columns);

        for (; k < grouped && k < row->length; k += LOAD_WIDTH) {
            i32 column[LOAD_WIDTH];
            real value[LOAD_WIDTH];
            real x[LOAD_WIDTH];

            if (X_IS_ONE)
                set_no_columns(column);
            else
                load_column_group(column, from->wide, from->narrow, is_narrow,
                                  k * ALIGNMENT + lane * LOAD_WIDTH);
            load_values(value, val, k, lane);
            UNROLL
            for (i32 i = 0; i < LOAD_WIDTH; i++)
                x[i] = x_value(from->xb, column[i]);
            UNROLL
            for (i32 i = 0; i < LOAD_WIDTH; i++)
                sum = k + i < row->length ? r_fma(value[i], x[i], sum) : sum;
        }
    }
    if (ELL_STORAGE)
        return sum_in_passes(is_narrow, sum, from, val, lane, row->length * row->stride,
                             row->stride);
    return sum_in_passes(is_narrow, sum, from, val, k * ALIGNMENT + lane,
                         row->length * ALIGNMENT, ALIGNMENT);
}

/* The sum of a row by the kind of its columns. */
DEVICE real ell_sum_of_kind(bool is_narrow, const ell_part *a, const ell_row *row, i32 lane)
{
    const column_source from = {a->col + row->at, a->narrow + row->at,
                                x_rebase(a->xb, -row->first)};

    return LOAD_WIDTH > 1 && TURNS > 1 ? ell_row_sum_in_turns(is_narrow, a, &from, row, lane)
                                       : ell_row_sum(is_narrow, a, &from, row, lane);
}

#endif
