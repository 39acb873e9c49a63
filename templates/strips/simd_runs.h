/* simd_runs.h: multiplies a strip of STRIP_RUNS. */
#ifndef SPMV_STRIPS_SIMD_RUNS_H
#define SPMV_STRIPS_SIMD_RUNS_H

#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "layout_runs.h"
#include "simd_values.h"
#include "simd_vectors.h"

/* Prefetches values FETCH_AHEAD bytes ahead. The second-level cache is better on CPUs that can have
 * more misses in flight there, and whose own prefetcher is late if several rows are read at
 * once. */
INLINED void fetch_runs(const i32 kind, const value_cursor *val, i64 k)
{
    if (fetches_values(kind)) {
        if (PREFETCH_LEVEL == 2)
            fetch_stream(value_place(kind, val, k));
        else
            fetch_ahead(value_place(kind, val, k));
    }
}

/* Returns sum plus the products of a vector of windows; advances *val. */
INLINED vreal add_windows(const i32 kind, value_cursor *val, const real *x, const u16 *at,
                          vreal sum)
{
    const u32 mask = at[RUN_WINDOWS];

    fetch_runs(kind, val, 0);
    fetch_soon(at);
    sum = v_fma_where(m_from_bits(mask), expand(kind, val, 0, mask), v_load_runs(x, at), sum);
    skip_values(kind, val, u32_popcount(mask));
    return sum;
}

/* The sum of `segments` segments; advances *index and *val to their end. */
INLINED real runs_sum(const i32 kind, const u16 **index, i32 segments, value_cursor *val,
                      const real *x)
{
    const u16 *at = *index;
    value_cursor from = *val;
    vreal even = v_zero();
    vreal odd = v_zero();

    for (; segments > 0; segments--) {
        const real *base = x + run_base(at);
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at + RUN_WORDS < end; at += 2 * RUN_WORDS) {
            even = add_windows(kind, &from, base, at, even);
            odd = add_windows(kind, &from, base, at + RUN_WORDS, odd);
        }
        if (at < end) {
            even = add_windows(kind, &from, base, at, even);
            at += RUN_WORDS;
        }
    }
    *index = at;
    *val = from;
    return v_sum(v_add(even, odd));
}

/* The sums of two or three rows of `length` entries with the same columns, so that x is loaded
 * once: sum[0], sum[1] and, of three rows, sum[2]. */
INLINED void shared_runs_sums(const i32 kind, const u16 **index, i32 segments, value_cursor val,
                              i64 length, const real *x, i32 rows, real *sum)
{
    const u16 *at = *index;
    vreal first = v_zero();
    vreal second = v_zero();
    vreal third = v_zero();

    for (; segments > 0; segments--) {
        const real *base = x + run_base(at);
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at < end; at += RUN_WORDS) {
            const u32 mask = at[RUN_WINDOWS];
            const vmask lanes = m_from_bits(mask);
            const vreal from = v_load_runs(base, at);
            fetch_runs(kind, &val, 0);
            fetch_runs(kind, &val, length);
            if (rows > 2)
                fetch_runs(kind, &val, 2 * length);
            first = v_fma_where(lanes, expand(kind, &val, 0, mask), from, first);
            second = v_fma_where(lanes, expand(kind, &val, length, mask), from, second);
            if (rows > 2)
                third = v_fma_where(lanes, expand(kind, &val, 2 * length, mask), from, third);
            skip_values(kind, &val, u32_popcount(mask));
        }
    }
    *index = at;
    sum[0] = v_sum(first);
    sum[1] = v_sum(second);
    sum[2] = rows > 2 ? v_sum(third) : 0;
}

/* Number of rows to multiply at once, of the `left` rows from word[0] on: up to three rows with the
 * same columns. Four such rows are multiplied two by two. */
DEVICE i32 rows_at_once(const u16 *word, i32 left)
{
    i32 rows = 1;

    while (rows < left && rows < 5 && word[rows] & SAME_COLUMNS)
        rows++;
    return rows == 4 ? 2 : rows == 5 ? 3 : rows;
}

INLINED void multiply_runs(const i32 kind, const strips_matrix *a, const strips_vectors *v,
                           const strip *t, i64 s, i32 rows)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;
    value_cursor val = first_value(kind, a, s, BLOCK_ROWS, t->entry);
    const real alpha = v->alpha;
    const real beta = v->beta;
    const i32 end = t->row + rows;
    i32 count;

    for (i32 row = t->row; row < end; row += count) {
        const i32 word = a->row[row];
        at = word & SAME_COLUMNS ? at : next;
        next = at;
        count = rows_at_once(a->row + row, end - row);
        if (count == 1) {
            y_store(v->y, row, runs_sum(kind, &next, word & ~SAME_COLUMNS, &val, v->x), alpha,
                    beta);
        } else {
            const i64 length = row_length(&a->row_ptr, row);
            real sum[3];
            shared_runs_sums(kind, &next, word & ~SAME_COLUMNS, val, length, v->x, count, sum);
            skip_values(kind, &val, count * length);
            for (i32 i = 0; i < count; i++)
                y_store(v->y, row + i, sum[i], alpha, beta);
        }
    }
}

#endif
