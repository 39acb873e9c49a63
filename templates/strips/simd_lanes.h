/* simd_lanes.h: multiplies a strip of STRIP_LANES. */
#ifndef SPMV_STRIPS_SIMD_LANES_H
#define SPMV_STRIPS_SIMD_LANES_H

#include "../common/simd_fetch_ahead.h"
#include "../common/simd_fetch_x.h"
#include "../common/simd_x_at.h"
#include "layout.h"
#include "layout_long_rows.h"
#include "simd_row_sum.h"
#include "simd_values.h"
#include "simd_vectors.h"

enum { SLICE_VECTORS = SLICE_ROWS / LANES };

/* Places of a slice's entries; advances from slice to slice. */
typedef struct lane_cursor {
    value_cursor val;
    const i32 *wide;
    const u16 *narrow;
    const u8 *count;
    const i32 *wide_end;         /* x is prefetched for columns before it */
} lane_cursor;

/* The mask of the first n lanes of a vector; 0 <= n < LANES. */
DEVICE vmask first_lanes(i32 n)
{
    return m_from_bits(((u32)1 << n) - 1);
}

/* Returns sum plus the products of the first n lanes, n > 0, with the values from the k-th on. The
 * other lanes read entries of other rows, or zeros, and keep their sum. */
INLINED vreal add_lanes(const i32 kind, const value_cursor *val, i64 k, vreal x, i32 n, vreal sum)
{
    return n >= LANES ? v_fma(load_values(kind, val, k), x, sum)
                      : v_fma_where(first_lanes(n), load_values(kind, val, k), x, sum);
}

INLINED void fetch_lanes(const i32 kind, const value_cursor *val, i64 k)
{
    if (fetches_values(kind))
        fetch_soon(value_place(kind, val, k));
}

INLINED void add_wide_slice(const i32 kind, const lane_slice *slice, const real *x,
                            lane_cursor *at, vreal *sum)
{
    for (i32 k = 0; k < slice->shortest; k++) {
        if (X_AHEAD > 0)
            fetch_x(x, at->wide, SLICE_ROWS, at->wide_end - at->wide);
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++) {
            fetch_lanes(kind, &at->val, i * LANES);
            fetch_soon(at->wide + i * LANES);
            sum[i] = v_fma(load_values(kind, &at->val, i * LANES), x_at(x, at->wide + i * LANES),
                           sum[i]);
        }
        skip_values(kind, &at->val, SLICE_ROWS);
        at->wide += SLICE_ROWS;
    }
    for (i32 k = slice->shortest; k < slice->longest; k++) {
        const i32 active = *at->count++;
        if (X_AHEAD > 0)
            fetch_x(x, at->wide, active, at->wide_end - at->wide);
        fetch_lanes(kind, &at->val, 0);
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            if (active > i * LANES)
                sum[i] = add_lanes(kind, &at->val, i * LANES,
                                   x_at_first(x, at->wide + i * LANES, active - i * LANES),
                                   active - i * LANES, sum[i]);
        skip_values(kind, &at->val, active);
        at->wide += active;
    }
}

INLINED void add_narrow_slice(const i32 kind, const lane_slice *slice, const real *x,
                              lane_cursor *at, vreal *sum)
{
    const real *from = x + slice->base;

    for (i32 k = 0; k < slice->shortest; k++) {
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++) {
            fetch_lanes(kind, &at->val, i * LANES);
            sum[i] = v_fma(load_values(kind, &at->val, i * LANES),
                           x_at16(from, at->narrow + i * LANES), sum[i]);
        }
        fetch_soon(at->narrow);
        skip_values(kind, &at->val, SLICE_ROWS);
        at->narrow += SLICE_ROWS;
    }
    for (i32 k = slice->shortest; k < slice->longest; k++) {
        const i32 active = *at->count++;
        fetch_lanes(kind, &at->val, 0);
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            if (active > i * LANES)
                sum[i] = add_lanes(kind, &at->val, i * LANES,
                                   x_at16_first(from, at->narrow + i * LANES, active - i * LANES),
                                   active - i * LANES, sum[i]);
        skip_values(kind, &at->val, active);
        at->narrow += active;
    }
}

/* Stores rows without entries, the last `count` of `rows` in the order. If beta is 0 and empty rows
 * are many, sets all rows of the strip without reading the order; rows with entries are set again
 * later. */
DEVICE void store_empty_rows(const strips_vectors *v, i32 row, const u16 *order, i32 count,
                             i32 rows)
{
    const real alpha = v->alpha;
    const real beta = v->beta;
    real *y = v->y + row;

    if (beta == 0 && 8 * (i64)count > rows)
        for (i32 i = 0; i < rows; i++)
            y[i] = alpha * 0;
    else
        for (i32 i = 0; i < count; i++)
            y_store(y, order[rows - count + i], 0, alpha, beta);
}

/* Whether a slice has all its rows, and these are neighbours in the matrix. Rows of one length are
 * in the order of the matrix. */
DEVICE bool has_neighbouring_rows(const lane_slice *slice, const u16 *order)
{
    return slice->shortest == slice->longest &&
           order[SLICE_ROWS - 1] - order[0] == SLICE_ROWS - 1;
}

/* Stores the sums of a slice of neighbouring rows, whose first is `row`. */
DEVICE void store_neighbouring_rows(const strips_vectors *v, i32 row, const vreal *sum)
{
    const real alpha = v->alpha;
    const real beta = v->beta;

    UNROLL
    for (i32 i = 0; i < SLICE_VECTORS; i++)
        v_y_store(v->y, row + i * LANES, sum[i], alpha, beta);
}

/* Stores the sums of a slice of `count` rows. */
DEVICE void store_slice(const strips_vectors *v, i32 row, const u16 *order, i32 count,
                        const vreal *sum)
{
    const real alpha = v->alpha;
    const real beta = v->beta;
    real *y = v->y + row;
    real result[SLICE_ROWS];

    UNROLL
    for (i32 i = 0; i < SLICE_VECTORS; i++)
        v_store(result + i * LANES, beta == 0 ? v_mul(v_all(alpha), sum[i]) : sum[i]);
    if (beta != 0) {
        for (i32 i = 0; i < count; i++)
            y_store(y, order[i], result[i], alpha, beta);
    } else if (count == SLICE_ROWS) {
        /* Unrolled, because compilers turn the loop into scatter instructions, which are slower. */
        UNROLL
        for (i32 i = 0; i < SLICE_ROWS; i++)
            y[order[i]] = result[i];
    } else {
        for (i32 i = 0; i < count; i++)
            y[order[i]] = result[i];
    }
}

/* ---- long rows ------------------------------------------------------------------------------- */

/* The sum of a row with segments; advances *index to the next row. */
INLINED real segments_sum(const i32 kind, const i32 **index, value_cursor val, const real *x,
                          i64 length)
{
    const i32 *at = *index;
    vreal even = v_zero();
    vreal odd = v_zero();

    while (length > 0) {
        const real *from = x + at[0];
        const i32 entries = at[1];
        const u16 *col = (const u16 *)(at + SEGMENT_HEAD);
        i32 k = 0;

        for (; k + 2 * LANES <= entries; k += 2 * LANES) {
            if (fetches_values(kind)) {
                fetch_ahead(value_place(kind, &val, k));
                fetch_ahead(value_place(kind, &val, k + LANES));
            }
            fetch_soon(col + k);
            even = v_fma(load_values(kind, &val, k), x_at16(from, col + k), even);
            odd = v_fma(load_values(kind, &val, k + LANES), x_at16(from, col + k + LANES), odd);
        }
        for (; k < entries; k += LANES)
            even = add_lanes(kind, &val, k, x_at16(from, col + k), entries - k, even);
        skip_values(kind, &val, entries);
        length -= entries;
        at += SEGMENT_HEAD + segment_words(entries);
    }
    *index = at;
    return v_sum(v_add(even, odd));
}

INLINED void multiply_long_rows(const i32 kind, const strips_matrix *a, const strips_vectors *v,
                                const strip *t, value_cursor val, const i32 *index)
{
    const u16 *order = a->row + t->row;
    const real alpha = v->alpha;
    const real beta = v->beta;

    for (i32 p = 0; p < t->long_rows; p++) {
        const i32 row = t->row + order[p];
        const i64 length = row_length(&a->row_ptr, row);
        if (t->has_segments) {
            y_store(v->y, row, segments_sum(kind, &index, val, v->x, length), alpha, beta);
        } else {
            y_store(v->y, row, coded_row_sum(kind, index, &val, v->x, length), alpha, beta);
            index += length;
        }
        skip_values(kind, &val, length);
    }
}

/* ---- a strip --------------------------------------------------------------------------------- */

INLINED void multiply_lanes(const i32 kind, const strips_matrix *a, const strips_vectors *v,
                            const strip *t, i64 s, i32 rows)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const lane_slice *slice = a->lane_slices + first_lane_slice(t->row, s);
    const u16 *order = a->row + t->row;
    const i32 lanes_end = t->long_rows + t->lane_rows;
    const strips_vectors to = *v;        /* y may alias *v and *t for compilers */
    const i32 first = t->row;
    lane_cursor at;

    at.val = first_value(kind, a, s, BLOCK_ROWS, t->entry);
    at.wide = index;
    at.narrow = (const u16 *)(index + narrow_columns_begin(t));
    at.count = a->count + s * BOUNDARY;
    at.wide_end = index + (v->fetches_x ? t->wide : 0);
    store_empty_rows(&to, first, order, rows - lanes_end, rows);
    for (i32 p = t->long_rows; p < lanes_end; p += SLICE_ROWS, slice++) {
        vreal sum[SLICE_VECTORS];

        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            sum[i] = v_zero();
        if (slice->base == WIDE)
            add_wide_slice(kind, slice, to.x, &at, sum);
        else
            add_narrow_slice(kind, slice, to.x, &at, sum);
        if (has_neighbouring_rows(slice, order + p))
            store_neighbouring_rows(&to, first + order[p], sum);
        else if (lanes_end - p >= SLICE_ROWS)
            store_slice(&to, first, order + p, SLICE_ROWS, sum);
        else
            store_slice(&to, first, order + p, lanes_end - p, sum);
    }
    multiply_long_rows(kind, a, v, t, at.val, index + long_columns_begin(t));
}

#endif
