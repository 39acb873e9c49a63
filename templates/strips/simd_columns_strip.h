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

DEVICE void multiply_lanes_columns(const strips_matrix *a, const column_operands *v, const strip *t,
                                   i64 s, i32 rows)
{
    static const real zero[TURN_COLUMNS] = {0};
    const i32 *index = a->index + strip_index(t->entry, s);
    const lane_slice *slice = a->lane_slices + first_lane_slice(t->row, s);
    const u16 *order = a->row + t->row;
    const i32 lanes_end = t->long_rows + t->lane_rows;
    real result[SLICE_ROWS * TURN_COLUMNS];
    lane_cursor at;

    at.val = a->val + t->entry;
    at.wide = index;
    at.narrow = (const u16 *)(index + narrow_columns_begin(t));
    at.count = a->count + s * BOUNDARY;
    at.wide_end = index + t->wide;
    for (i32 p = t->long_rows; p < lanes_end; p += SLICE_ROWS, slice++) {
        const i32 count = (i32)i64_min(SLICE_ROWS, lanes_end - p);

        if (slice->base == WIDE)
            wide_slice_sums(slice, v, count, &at, result);
        else
            narrow_slice_sums(slice, v, count, &at, result);
        for (i32 r = 0; r < count; r++)
            store_columns(v, t->row + order[p + r], result + r * TURN_COLUMNS);
    }
    multiply_long_rows_columns(a, v, t, at.val, index + long_columns_begin(t));
    for (i32 p = lanes_end; p < rows; p++)
        store_columns(v, t->row + order[p], zero);
}

/* Multiplies strip s. part: place of the sums of the strip's first part, of the turn's columns; the
 * second part is `columns` values later. */
DEVICE void multiply_strip_columns(const strips_matrix *a, const column_operands *v, i64 s,
                                   real *part, i32 columns)
{
    const strip *t = &a->strips[s];
    const i32 rows = strip_row_count(t);

    if (t->kind == STRIP_LANES)
        multiply_lanes_columns(a, v, t, s, rows);
    else if (t->kind == STRIP_DIAGONALS)
        multiply_diagonals_columns(a, v, t, s, rows);
    else
        multiply_runs_columns(a, v, t, s, rows);
    if (t->has_part[PART_CONTINUED])
        multiply_part_columns(a, v, t, s, PART_CONTINUED, part + PART_CONTINUED * columns);
    if (t->has_part[PART_BEGUN])
        multiply_part_columns(a, v, t, s, PART_BEGUN, part + PART_BEGUN * columns);
}

/* A strip's turns follow each other, so that all but the first find it in the cache. */
KERNEL void strips_multiply_columns(const strips_matrix *a, const spmv_job *job, i64 first,
                                    i64 last)
{
    const i32 columns = job->columns;

    for (i64 s = first; s < last; s++) {
        real *part = (real *)job->workspace + s * STRIP_PARTS * columns;
        i32 done = 0;

        while (done < columns) {
            const column_operands v = column_operands_of(job, done);
            multiply_strip_columns(a, &v, s, part + done, columns);
            done += v.columns;
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
