/* simd_parts.h: multiplies the parts of split rows, and adds their sums. */
#ifndef SPMV_STRIPS_SIMD_PARTS_H
#define SPMV_STRIPS_SIMD_PARTS_H

#include "layout.h"
#include "simd_row_sum.h"
#include "simd_runs.h"
#include "simd_values.h"
#include "simd_vectors.h"

/* Sums the part of a split row in strip s, whose values have a coding of this kind. */
INLINED void multiply_part(const i32 kind, const strips_matrix *a, const strips_vectors *v, i64 s,
                           strip_part which)
{
    const strip *t = &a->strips[s];
    const part_range p = part_range_of(a, s, which, split_row_of(t, which));
    const i32 *index = a->index + p.index;
    const u16 *at = (const u16 *)index;
    value_cursor val = first_value(kind, a, s, BLOCK_PARTS + (i32)which, p.begin);

    v->part[s * STRIP_PARTS + which] =
        t->part_segments[which] ? runs_sum(kind, &at, t->part_segments[which], &val, v->x)
                                : coded_row_sum(kind, index, &val, v->x, p.end - p.begin);
}

/* Split rows [first, last): adds the sums of their parts in order. */
KERNEL void strips_split_rows(const strips_matrix *a, const strips_vectors *v, i64 first, i64 last)
{
    for (i64 i = first; i < last; i++) {
        const i32 row = a->split_rows[i];
        const i64 begun = (row + row_begin(&a->row_ptr, row)) / a->strip_weight;
        const i64 ended = (row + row_begin(&a->row_ptr, row + 1)) / a->strip_weight;
        real sum = v->part[begun * STRIP_PARTS + PART_BEGUN];
        for (i64 s = begun + 1; s <= ended; s++)
            sum = sum + v->part[s * STRIP_PARTS + PART_CONTINUED];
        y_store(v->y, row, sum, v->alpha, v->beta);
    }
}

#endif
