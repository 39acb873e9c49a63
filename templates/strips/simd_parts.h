/* simd_parts.h: multiplies the parts of split rows, and adds their sums. */
#ifndef STRIPS_SIMD_PARTS_H
#define STRIPS_SIMD_PARTS_H

#include "layout.h"
#include "simd_row_sum.h"
#include "simd_runs.h"
#include "simd_values.h"
#include "simd_vectors.h"

/* The sum of the part of a split row in strip s, whose values have a coding of this kind. */
INLINED real coded_part_sum(const i32 kind, const strips_matrix *a, const real *x, const strip *t,
                            i64 s, strip_part which)
{
    const part_range p = part_range_of(a, s, which, split_row_of(t, which));
    const i32 *index = a->index + p.index;
    const u16 *at = (const u16 *)index;
    value_cursor val = first_value(a, s, BLOCK_PARTS + (i32)which, p.begin);

    return t->part_segments[which] ? runs_sum(kind, &at, t->part_segments[which], &val, x)
                                   : coded_row_sum(kind, index, &val, x, p.end - p.begin);
}

DEVICE real narrow_part_sum(const strips_matrix *a, const real *x, const strip *t, i64 s,
                            strip_part which)
{
    const i32 kind = coding_of(a, s, BLOCK_PARTS + (i32)which).kind;

    if (kind == VALUES_EQUAL)
        return coded_part_sum(VALUES_EQUAL, a, x, t, s, which);
    if (TABLE_VALUES > 0 && kind == VALUES_FEW)
        return coded_part_sum(VALUES_FEW, a, x, t, s, which);
    if (sizeof(real) > sizeof(f32) && kind == VALUES_BYTE)
        return coded_part_sum(VALUES_BYTE, a, x, t, s, which);
    if (sizeof(real) > sizeof(f32) && kind == VALUES_SINGLE)
        return coded_part_sum(VALUES_SINGLE, a, x, t, s, which);
    return coded_part_sum(VALUES_WIDE, a, x, t, s, which);
}

DEVICE real part_sum(const strips_matrix *a, const real *x, const strip *t, i64 s, strip_part which)
{
    return NARROW_VALUES ? narrow_part_sum(a, x, t, s, which)
                         : coded_part_sum(VALUES_WIDE, a, x, t, s, which);
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
