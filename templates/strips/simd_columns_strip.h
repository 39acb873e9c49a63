/* simd_columns_strip.h: multiplies a strip by several vectors. */
#ifndef STRIPS_SIMD_COLUMNS_STRIP_H
#define STRIPS_SIMD_COLUMNS_STRIP_H

#include "../common/simd_columns.h"
#include "layout.h"
#include "simd_columns_diagonals.h"
#include "simd_columns_lanes.h"
#include "simd_columns_long_rows.h"
#include "simd_columns_parts.h"
#include "simd_columns_runs.h"

INLINED void multiply_lanes_columns(const strips_matrix *a, const column_operands *v,
                                    const strip *t, i64 s, i32 rows, column_shape c)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const lane_slice *slice = a->lane_slices + first_lane_slice(t->row, s);
    const u16 *order = a->row + t->row;
    const i32 lanes_end = t->long_rows + t->lane_rows;
    vreal zero[COLUMN_VECTORS];
    lane_cursor at;

    at.val = a->val + t->entry;
    at.wide = index;
    at.narrow = (const u16 *)(index + narrow_columns_begin(t));
    at.count = a->count + s * BOUNDARY;
    for (i32 p = t->long_rows; p < lanes_end; p += SLICE_ROWS, slice++)
        multiply_lane_slice(slice, v, c, t->row, order + p, (i32)i64_min(SLICE_ROWS, lanes_end - p),
                            &at);
    multiply_long_rows_columns(a, v, t, at.val, index + long_columns_begin(t), c);
    clear_columns(zero);
    for (i32 p = lanes_end; p < rows; p++)
        store_columns(v, t->row + order[p], c, zero);
}

/* Multiplies strip s. part: the sums of the first part in the strip, of the turn's columns; those
 * of the second part are `columns` values later. */
INLINED void multiply_strip_columns(const strips_matrix *a, const column_operands *v, i64 s,
                                    column_shape c, real *part, i32 columns)
{
    const strip *t = &a->strips[s];
    const i32 rows = strip_row_count(t);

    if (t->kind == STRIP_LANES)
        multiply_lanes_columns(a, v, t, s, rows, c);
    else if (t->kind == STRIP_DIAGONALS)
        multiply_diagonals_columns(a, v, t, s, rows, c);
    else
        multiply_runs_columns(a, v, t, s, rows, c);
    for (i32 i = 0; i < STRIP_PARTS; i++)
        if (t->has_part[i])
            multiply_part_columns(a, v, t, s, (strip_part)i, c, part + i * columns);
}

/* ---- one function for each shape ------------------------------------------------------------- */

static void multiply_strip_by_one(const strips_matrix *a, const column_operands *v, i64 s,
                                  real *part, i32 columns)
{
    multiply_strip_columns(a, v, s, column_shape_of(v, 1, false), part, columns);
}

static void multiply_strip_by_one_whole(const strips_matrix *a, const column_operands *v, i64 s,
                                        real *part, i32 columns)
{
    multiply_strip_columns(a, v, s, column_shape_of(v, 1, true), part, columns);
}

static void multiply_strip_by_two(const strips_matrix *a, const column_operands *v, i64 s,
                                  real *part, i32 columns)
{
    multiply_strip_columns(a, v, s, column_shape_of(v, 2, false), part, columns);
}

static void multiply_strip_by_two_whole(const strips_matrix *a, const column_operands *v, i64 s,
                                        real *part, i32 columns)
{
    multiply_strip_columns(a, v, s, column_shape_of(v, 2, true), part, columns);
}

/* ---- all columns ----------------------------------------------------------------------------- */

KERNEL void strips_multiply_columns(const strips_matrix *a, const spmv_job *job, i64 first,
                                    i64 last)
{
    for (i64 s = first; s < last; s++) {
        for (i32 begin = 0; begin < job->columns; begin += COLUMN_VECTORS * LANES) {
            const column_operands v = column_operands_of(job, begin);
            real *part = (real *)job->workspace + s * STRIP_PARTS * job->columns + begin;
            if (v.columns < LANES)
                multiply_strip_by_one(a, &v, s, part, job->columns);
            else if (v.columns == LANES)
                multiply_strip_by_one_whole(a, &v, s, part, job->columns);
            else if (v.columns < COLUMN_VECTORS * LANES)
                multiply_strip_by_two(a, &v, s, part, job->columns);
            else
                multiply_strip_by_two_whole(a, &v, s, part, job->columns);
        }
    }
}

static void run_strips_columns(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    strips_multiply_columns(&a, job, first, last);
}

static void run_split_rows_columns(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    strips_split_rows_columns(&a, job, first, last);
}

#endif
