/* simd_diagonals.h: multiplies a strip of STRIP_DIAGONALS. */
#ifndef STRIPS_SIMD_DIAGONALS_H
#define STRIPS_SIMD_DIAGONALS_H

#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "layout_diagonals.h"
#include "simd_vectors.h"

enum { DIAGONAL_VECTORS = DIAGONAL_ROWS / LANES };

/* The bits of a mask for vector i of a slice. */
DEVICE u32 vector_bits(u32 mask, i32 i)
{
    return mask >> (i * LANES) & (((u32)1 << (LANES - 1) << 1) - 1);
}

/* Adds the products of a diagonal to sum; returns its number of entries. */
DEVICE i32 add_diagonal(const real *val, const real *x, u32 mask, vreal *sum)
{
    i32 entries = 0;

    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++) {
        const u32 bits = vector_bits(mask, i);
        sum[i] = v_fma_where(m_from_bits(bits), expand(val + entries, bits), v_load(x + i * LANES),
                             sum[i]);
        entries += u32_popcount(bits);
    }
    return entries;
}

/* Adds the products of a diagonal on which all rows have an entry to sum. */
DEVICE void add_full_diagonal(const real *val, const real *x, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
        sum[i] = v_fma(v_load(val + i * LANES), v_load(x + i * LANES), sum[i]);
}

/* Adds the products of a pair to two sums; returns the pair's number of entries. Nearly all pairs
 * of a stencil are full. */
DEVICE i32 add_pair(const i32 *pair, const real *val, const real *x, vreal *even, vreal *odd)
{
    i32 entries = DIAGONAL_ROWS;

    UNROLL
    for (i32 i = 0; i < 2 * DIAGONAL_VECTORS; i++)
        fetch_stream(val + i * LANES);
    if (is_full_pair(pair)) {
        add_full_diagonal(val, x + pair[0], even);
        add_full_diagonal(val + entries, x + pair[1], odd);
        return 2 * entries;
    }
    entries = add_diagonal(val, x + pair[0], first_mask(pair), even);
    return entries + add_diagonal(val + entries, x + pair[1], second_mask(pair), odd);
}

DEVICE void multiply_diagonals(const strips_matrix *a, const strips_vectors *v, const strip *t,
                               i64 s, i32 rows)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const real *val = a->val + t->entry;
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);

    for (i32 row = 0; row < rows; row += DIAGONAL_ROWS, list++) {
        const i32 *pair = index + list->first * PAIR;
        const i32 *end = pair + list->pairs * PAIR;
        const real *x = v->x + t->row + row;
        vreal even[DIAGONAL_VECTORS];
        vreal odd[DIAGONAL_VECTORS];

        UNROLL
        for (i32 i = 0; i < DIAGONAL_VECTORS; i++) {
            even[i] = v_zero();
            odd[i] = v_zero();
        }
        for (; pair < end; pair += PAIR)
            val += add_pair(pair, val, x, even, odd);
        if (row + DIAGONAL_ROWS <= rows) {
            UNROLL
            for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
                v_y_store(v->y, t->row + row + i * LANES, v_add(even[i], odd[i]), v->alpha,
                          v->beta);
        } else {
            real result[DIAGONAL_ROWS];
            UNROLL
            for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
                v_store(result + i * LANES, v_add(even[i], odd[i]));
            for (i32 i = 0; row + i < rows; i++)
                y_store(v->y, t->row + row + i, result[i], v->alpha, v->beta);
        }
    }
}

#endif
