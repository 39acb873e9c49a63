/* simd_columns_strip.h: multiplies a strip by several vectors. */
#ifndef SPMV_STRIPS_SIMD_COLUMNS_STRIP_H
#define SPMV_STRIPS_SIMD_COLUMNS_STRIP_H

#include "../common/simd_columns.h"
#include "layout.h"
#include "simd_columns_diagonals.h"
#include "simd_columns_lanes.h"
#include "simd_columns_parts.h"
#include "simd_columns_rows.h"
#include "simd_columns_values.h"

DEVICE void multiply_lanes_columns(const strips_matrix *a, const column_operands *v, const strip *t,
                                   i64 s, i32 rows, value_reader *val)
{
    static const real zero[TURN_COLUMNS] = {0};
    const i32 *index = a->index + strip_index(t->entry, s);
    const lane_slice *slice = a->lane_slices + first_lane_slice(t->row, s);
    const u16 *order = a->row + t->row;
    const i32 lanes_end = t->long_rows + t->lane_rows;
    real result[SLICE_ROWS * TURN_COLUMNS];
    entry_cursor at;
    i64 entry = 0;

    at.wide = index;
    at.narrow = (const u16 *)(index + narrow_columns_begin(t));
    at.count = a->count + s * BOUNDARY;
    at.wide_end = index + t->wide;
    for (i32 p = t->long_rows; p < lanes_end; p += SLICE_ROWS, slice++) {
        const i32 count = (i32)i64_min(SLICE_ROWS, lanes_end - p);
        const real *first = values_from(val, entry, (i64)slice->longest * SLICE_ROWS);

        at.val = first;
        if (slice->base == WIDE)
            wide_slice_sums(slice, v, count, &at, result);
        else
            narrow_slice_sums(slice, v, count, &at, result);
        entry += at.val - first;
        for (i32 r = 0; r < count; r++)
            store_columns(v, t->row + order[p + r], result + r * TURN_COLUMNS);
    }
    multiply_long_rows_columns(a, v, t, val, entry, index + long_columns_begin(t));
    for (i32 p = lanes_end; p < rows; p++)
        store_columns(v, t->row + order[p], zero);
}

/* The rows of strip s. decoded: memory for values. */
DEVICE void multiply_rows_columns(const strips_matrix *a, const column_operands *v, i64 s,
                                  real *decoded)
{
    const strip *t = &a->strips[s];
    const i32 rows = strip_row_count(t);
    value_reader val = value_reader_of(a, s, BLOCK_ROWS, decoded);

    if (t->kind == STRIP_LANES)
        multiply_lanes_columns(a, v, t, s, rows, &val);
    else if (t->kind == STRIP_DIAGONALS)
        multiply_diagonals_columns(a, v, t, s, rows, &val);
    else
        multiply_runs_columns(a, v, t, s, rows, &val);
}

/* Multiplies strip s. part: place of the sums of the strip's first part, of the turn's columns; the
 * second part is `columns` values later. */
DEVICE void multiply_strip_columns(const strips_matrix *a, const column_operands *v, i64 s,
                                   real *part, i32 columns, real *decoded)
{
    const strip *t = &a->strips[s];

    multiply_rows_columns(a, v, s, decoded);
    for (i32 i = 0; i < STRIP_PARTS; i++)
        if (t->has_part[i])
            multiply_part_columns(a, v, t, s, (strip_part)i, part + i * columns, decoded);
}

/* A strip's turns follow each other, so that all but the first find it in the cache. */
KERNEL void strips_multiply_columns(const strips_matrix *a, const spmv_job *job, i64 first,
                                    i64 last, real *decoded)
{
    const i32 columns = job->columns;

    for (i64 s = first; s < last; s++) {
        real *part = (real *)job->workspace + s * STRIP_PARTS * columns;
        i32 done = 0;

        while (done < columns) {
            const column_operands v = column_operands_of(job, done);
            multiply_strip_columns(a, &v, s, part + done, columns, decoded);
            done += v.columns;
        }
    }
}

/* Multiplies chunks [first, last), with the memory for values of chunk `first`. */
static void run_strips_columns(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    const i64 chunks = decoding_chunk_count(a.strip_count);
    const usize parts = (usize)job->columns * job->layout->workspace_bytes;
    real *decoded = NULL;        /* without narrowed values there may be no workspace */

    if (job->layout->columns_bytes > 0)
        decoded = (real *)((c8 *)job->workspace + aligned_bytes(parts)) +
                  first * decoded_count(a.strip_weight);
    strips_multiply_columns(&a, job, share_begin(first, a.strip_count, chunks),
                            share_begin(last, a.strip_count, chunks), decoded);
}

static void run_split_rows_columns(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    strips_split_rows_columns(&a, job, first, last);
}

#endif
