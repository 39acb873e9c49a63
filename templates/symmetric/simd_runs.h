/* simd_runs.h: multiplies a block of the half of a symmetric matrix by runs of columns. */
#ifndef SPMV_SYMMETRIC_SIMD_RUNS_H
#define SPMV_SYMMETRIC_SIMD_RUNS_H

#include "../common/simd_fetch_ahead.h"
#include "layout_runs.h"

/* The vectors [at, end) of a group: adds their products to the sums of the group's rows, which
 * *sum has, and for each column to the ring. val: values of row 0; those of later rows are `length`
 * values further. */
typedef struct group_sums {
    vreal sum[MOST_GROUP_ROWS];
} group_sums;

/* rows is a literal. Advances *val. */
INLINED void add_vectors(const i32 rows, const u16 *at, const u16 *end, const real **val,
                         i64 length, const real *x, const real *x_row, real *ring,
                         group_sums *sums)
{
    const vreal x0 = v_all(x_row[0]);
    const vreal x1 = v_all(x_row[rows > 1 ? 1 : 0]);
    const vreal x2 = v_all(x_row[rows > 2 ? 2 : 0]);
    const real *from = *val;
    vreal sum0 = sums->sum[0];
    vreal sum1 = sums->sum[1];
    vreal sum2 = sums->sum[2];

    for (; at < end; at += RUN_WORDS) {
        const u32 mask = at[RUN_WINDOWS];
        const vmask lanes = m_from_bits(mask);
        const vreal x_col = v_load_runs(x, at);
        const vreal before = v_load_runs(ring, at);
        const vreal a0 = v_expand(from, mask);
        vreal later = v_fma(a0, x0, before);

        fetch_ahead(from);
        fetch_soon(at);
        sum0 = v_fma_where(lanes, a0, x_col, sum0);
        if (rows > 1) {
            const vreal a1 = v_expand(from + length, mask);
            fetch_ahead(from + length);
            sum1 = v_fma_where(lanes, a1, x_col, sum1);
            later = v_fma(a1, x1, later);
        }
        if (rows > 2) {
            const vreal a2 = v_expand(from + 2 * length, mask);
            fetch_ahead(from + 2 * length);
            sum2 = v_fma_where(lanes, a2, x_col, sum2);
            later = v_fma(a2, x2, later);
        }
        v_store_runs(ring, at, v_select(lanes, later, before));
        from += u32_popcount(mask);
    }
    sums->sum[0] = sum0;
    sums->sum[1] = sum1;
    sums->sum[2] = sum2;
    *val = from;
}

/* The products of a corner. */
INLINED void add_corner(const i32 rows, const real *val, const real *x, real *sum)
{
    for (i32 i = 0; i < rows; i++) {
        sum[i] = r_fma(*val, x[i], sum[i]);
        val++;
        for (i32 j = i + 1; j < rows; j++) {
            sum[i] = r_fma(*val, x[j], sum[i]);
            sum[j] = r_fma(*val, x[i], sum[j]);
            val++;
        }
    }
}

/* Adds a group; returns the place behind its values. sum: of its rows. */
INLINED const real *add_group(const i32 rows, const block_place *p, const u16 *word,
                              const real *val, const real *x, const real *x_row, real *sum,
                              real *ring)
{
    const i64 length = word[3];
    const u16 *at = word + GROUP_HEAD;
    const u16 *wrap = at + word[1] * RUN_WORDS;
    const real *from = val + corner_entries(rows);
    group_sums sums;

    for (i32 i = 0; i < MOST_GROUP_ROWS; i++)
        sums.sum[i] = v_zero();
    add_vectors(rows, at, wrap, &from, length, x + p->base[0], x_row, ring + p->ring[0], &sums);
    if (word[2] > 0)
        add_vectors(rows, wrap, wrap + word[2] * RUN_WORDS, &from, length, x + p->base[1], x_row,
                    ring + p->ring[1], &sums);
    for (i32 i = 0; i < rows; i++)
        sum[i] = v_sum(sums.sum[i]);
    if (word[0] & HAS_DIAGONAL)
        add_corner(rows, val, x_row, sum);
    return from + (rows - 1) * length;
}

/* Adds block b, whose first row has place `at` of the ring. sum: what the rows' own entries add. */
DEVICE void add_runs(const half_matrix *a, const real *x, i64 b, real *sum, real *ring, i64 at)
{
    const block_place p = place_of(a, b, at);
    const real *val = a->val + a->block[2 * b];
    const u16 *word = a->index + a->block[2 * b + 1];
    const u16 *end = a->index + a->block[2 * b + 3];
    const real *x_row = x + b * BLOCK_ROWS;

    while (word < end) {
        const i32 rows = word[0] % HAS_DIAGONAL;

        if (rows == 1)
            val = add_group(1, &p, word, val, x, x_row, sum, ring);
        else if (rows == 2)
            val = add_group(2, &p, word, val, x, x_row, sum, ring);
        else
            val = add_group(3, &p, word, val, x, x_row, sum, ring);
        sum += rows;
        x_row += rows;
        word += GROUP_HEAD + (word[1] + word[2]) * RUN_WORDS;
    }
}

#endif
