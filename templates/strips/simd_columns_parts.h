/* simd_columns_parts.h: multiplies the parts of split rows by several vectors, and adds their sums.
 *
 * Part p of strip s has its sums of all columns from (s * STRIP_PARTS + p) * columns of the
 * workspace on.
 */
#ifndef SPMV_STRIPS_SIMD_COLUMNS_PARTS_H
#define SPMV_STRIPS_SIMD_COLUMNS_PARTS_H

#include "layout.h"
#include "simd_columns_rows.h"
#include "simd_columns_values.h"

/* Multiplies the part of a split row in strip s. part: place of the sums of the turn's columns. */
DEVICE void multiply_part_columns(const strips_matrix *a, const column_operands *v, const strip *t,
                                  i64 s, strip_part which, real *part, real *decoded)
{
    const part_range p = part_range_of(a, s, which, split_row_of(t, which));
    const i32 *index = a->index + p.index;
    value_reader val = value_reader_of(a, s, BLOCK_PARTS + (i32)which, decoded);
    real sum[TURN_COLUMNS];
    entry_reader r;

    r.coding = t->part_segments[which] ? ENTRIES_RUNS : ENTRIES_WIDE;
    r.left = p.end - p.begin;
    r.index = index;
    r.at = (const u16 *)index;
    r.in_segment = 0;
    rows_columns_sums(&r, values_from(&val, 0, r.left), 0, v, 1, sum);
    for (i32 i = 0; i < v->columns; i++)
        part[i] = sum[i];
}

/* Split rows [first, last): adds the sums of their parts in order. */
KERNEL void strips_split_rows_columns(const strips_matrix *a, const spmv_job *job, i64 first,
                                      i64 last)
{
    const real *part = (const real *)job->workspace;
    const i32 columns = job->columns;

    for (i64 i = first; i < last; i++) {
        const i32 row = a->split_rows[i];
        const i64 begun = (row + row_begin(&a->row_ptr, row)) / a->strip_weight;
        const i64 ended = (row + row_begin(&a->row_ptr, row + 1)) / a->strip_weight;
        real *y = (real *)job->y + row * job->y_row_stride;
        for (i32 c = 0; c < columns; c++) {
            real sum = part[(begun * STRIP_PARTS + PART_BEGUN) * columns + c];
            for (i64 s = begun + 1; s <= ended; s++)
                sum = sum + part[(s * STRIP_PARTS + PART_CONTINUED) * columns + c];
            y_store(y + c * job->y_column_stride, 0, sum, (real)job->alpha, (real)job->beta);
        }
    }
}

#endif
