/* simd_diagonals.h: multiplies a strip of STRIP_DIAGONALS. */
#ifndef STRIPS_SIMD_DIAGONALS_H
#define STRIPS_SIMD_DIAGONALS_H

#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "layout_diagonals.h"
#include "simd_values.h"
#include "simd_vectors.h"

enum { DIAGONAL_VECTORS = DIAGONAL_ROWS / LANES };

/* The bits of a mask for vector i of a slice. */
DEVICE u32 vector_bits(u32 mask, i32 i)
{
    return mask >> (i * LANES) & (((u32)1 << (LANES - 1) << 1) - 1);
}

/* Adds the products of a diagonal, whose values begin k entries after *val, to sum; returns its
 * number of entries. */
INLINED i32 add_diagonal(const i32 kind, const value_cursor *val, i32 k, const real *x, u32 mask,
                         vreal *sum)
{
    i32 entries = 0;

    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++) {
        const u32 bits = vector_bits(mask, i);
        sum[i] = v_fma_where(m_from_bits(bits), expand(kind, val, k + entries, bits),
                             v_load(x + i * LANES), sum[i]);
        entries += u32_popcount(bits);
    }
    return entries;
}

/* Adds the products of a padded diagonal to sum. */
INLINED void add_padded_diagonal(const i32 kind, const value_cursor *val, i32 k, const real *x,
                                 u32 mask, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
        sum[i] = v_fma_where(m_from_bits(vector_bits(mask, i)),
                             load_values(kind, val, k + i * LANES), v_load(x + i * LANES), sum[i]);
}

/* Adds the products of a diagonal on which all rows have an entry to sum. */
INLINED void add_full_diagonal(const i32 kind, const value_cursor *val, i32 k, const real *x,
                               vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
        sum[i] = v_fma(load_values(kind, val, k + i * LANES), v_load(x + i * LANES), sum[i]);
}

/* Prefetches values FETCH_AHEAD bytes ahead, into the second-level cache or the first. The second
 * can have more misses in flight. But where it holds the values already, such a prefetch takes
 * longer than reading them. */
INLINED void fetch_diagonals(const i32 kind, const value_cursor *val, bool into_l2)
{
    UNROLL
    for (i32 i = 0; i < 2 * DIAGONAL_VECTORS; i++)
        if (fetches_values(kind)) {
            if (into_l2)
                fetch_stream(value_place(kind, val, i * LANES));
            else
                fetch_ahead(value_place(kind, val, i * LANES));
        }
}

/* Adds the products of a pair to two sums; returns the pair's number of values. Nearly all pairs
 * of a stencil are full. */
INLINED i32 add_pair(const i32 kind, const i32 *pair, const value_cursor *val, const real *x,
                     vreal *even, vreal *odd)
{
    i32 entries = DIAGONAL_ROWS;

    if (is_full_pair(pair)) {
        add_full_diagonal(kind, val, 0, x + pair[0], even);
        add_full_diagonal(kind, val, entries, x + pair[1], odd);
        return 2 * entries;
    }
    if (kind == VALUES_PADDED) {
        add_padded_diagonal(kind, val, 0, x + pair[0], first_mask(pair), even);
        add_padded_diagonal(kind, val, entries, x + pair[1], second_mask(pair), odd);
        return second_mask(pair) ? 2 * entries : entries;
    }
    entries = add_diagonal(kind, val, 0, x + pair[0], first_mask(pair), even);
    return entries + add_diagonal(kind, val, entries, x + pair[1], second_mask(pair), odd);
}

INLINED void multiply_diagonals(const i32 kind, const strips_matrix *a, const strips_vectors *v,
                                const strip *t, i64 s, i32 rows)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    value_cursor val = first_value(kind, a, s, BLOCK_ROWS, t->entry);
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);
    const strips_vectors to = *v;        /* y may alias *v and *t for compilers */
    const i32 first = t->row;

    for (i32 row = 0; row < rows; row += DIAGONAL_ROWS, list++) {
        const i32 *pair = index + list->first * PAIR;
        const i32 *end = pair + list->pairs * PAIR;
        const real *x = to.x + first + row;
        vreal even[DIAGONAL_VECTORS];
        vreal odd[DIAGONAL_VECTORS];

        UNROLL
        for (i32 i = 0; i < DIAGONAL_VECTORS; i++) {
            even[i] = v_zero();
            odd[i] = v_zero();
        }
        for (; pair < end; pair += PAIR) {
            fetch_diagonals(kind, &val, to.fetches_into_l2);
            skip_values(kind, &val, add_pair(kind, pair, &val, x, even, odd));
        }
        if (row + DIAGONAL_ROWS <= rows) {
            UNROLL
            for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
                v_y_store(to.y, first + row + i * LANES, v_add(even[i], odd[i]), to.alpha,
                          to.beta);
        } else {
            real result[DIAGONAL_ROWS];
            UNROLL
            for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
                v_store(result + i * LANES, v_add(even[i], odd[i]));
            for (i32 i = 0; row + i < rows; i++)
                y_store(to.y, first + row + i, result[i], to.alpha, to.beta);
        }
    }
}

#endif
