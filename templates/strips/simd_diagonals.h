/* simd_diagonals.h: multiplies a strip of STRIP_DIAGONALS.
 *
 * Most slices of a stencil have the list of the slice before. Several such slices are multiplied
 * together: pairs are read, and branched on, once for all of them. A row's products are added in
 * the same order.
 */
#ifndef SPMV_STRIPS_SIMD_DIAGONALS_H
#define SPMV_STRIPS_SIMD_DIAGONALS_H

#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "layout_diagonals.h"
#include "simd_values.h"
#include "simd_vectors.h"

enum {
    DIAGONAL_VECTORS = DIAGONAL_ROWS / LANES,
    GROUP_ROWS = 32,             /* most rows of slices that are multiplied together, and */
    GROUP_VECTORS = 4,           /* most vectors: their sums need twice as many registers */
    GROUP_SLICES = DIAGONAL_VECTORS > GROUP_VECTORS           ? 1
                   : GROUP_ROWS / LANES < GROUP_VECTORS       ? GROUP_ROWS / DIAGONAL_ROWS
                                                              : GROUP_VECTORS / DIAGONAL_VECTORS
};

/* The bits of a mask for vector i of a slice. */
DEVICE u32 vector_bits(u32 mask, i32 i)
{
    return mask >> (i * LANES) & (((u32)1 << (LANES - 1) << 1) - 1);
}

/* Adds the products of a diagonal, whose values begin k entries after *val, to sum; returns its
 * number of entries. */
INLINED i32 add_diagonal(const i32 kind, const value_cursor *val, i64 k, const real *x, u32 mask,
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
INLINED void add_padded_diagonal(const i32 kind, const value_cursor *val, i64 k, const real *x,
                                 u32 mask, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
        sum[i] = v_fma_where(m_from_bits(vector_bits(mask, i)),
                             load_values(kind, val, k + i * LANES), v_load(x + i * LANES), sum[i]);
}

/* Adds the products of a diagonal on which all rows have an entry to sum. */
INLINED void add_full_diagonal(const i32 kind, const value_cursor *val, i64 k, const real *x,
                               vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
        sum[i] = v_fma(load_values(kind, val, k + i * LANES), v_load(x + i * LANES), sum[i]);
}

/* Prefetches values FETCH_AHEAD bytes ahead, into the second-level cache or the first. The second
 * can have more misses in flight. But where it holds the values already, such a prefetch takes
 * longer than reading them. Padded values are few: the CPU's own prefetching is enough. */
INLINED void fetch_diagonals(const i32 kind, const value_cursor *val, bool into_l2)
{
    UNROLL
    for (i32 i = 0; i < 2 * DIAGONAL_VECTORS; i++)
        if (fetches_values(kind) && kind != VALUES_PADDED) {
            if (into_l2)
                fetch_stream(value_place(kind, val, i * LANES));
            else
                fetch_ahead(value_place(kind, val, i * LANES));
        }
}

/* Adds the products of a pair of full diagonals, whose values begin k entries after *val, to two
 * sums. */
INLINED void add_full_pair(const i32 kind, const i32 *pair, const value_cursor *val, i64 k,
                           const real *x, vreal *even, vreal *odd)
{
    add_full_diagonal(kind, val, k, x + pair[0], even);
    add_full_diagonal(kind, val, k + DIAGONAL_ROWS, x + pair[1], odd);
}

/* Adds the products of any pair of diagonals to two sums; returns the pair's number of values.
 * first, second: x on the two diagonals. */
INLINED i32 add_masked_pair(const i32 kind, const i32 *pair, const value_cursor *val, i64 k,
                            const real *first, const real *second, vreal *even, vreal *odd)
{
    i32 entries = DIAGONAL_ROWS;

    if (kind == VALUES_PADDED) {
        add_padded_diagonal(kind, val, k, first, first_mask(pair), even);
        add_padded_diagonal(kind, val, k + entries, second, second_mask(pair), odd);
        return entries + padded_values(second_mask(pair));
    }
    entries = add_diagonal(kind, val, k, first, first_mask(pair), even);
    return entries + add_diagonal(kind, val, k + entries, second, second_mask(pair), odd);
}

/* Copies of x on the two diagonals of a pair, each with space for DIAGONAL_ROWS values before and
 * after. */
enum { BORDER_COPY = 3 * DIAGONAL_ROWS };

/* x from column `column` on, copied as far as there are columns: the copy begins earlier or later
 * than x, and a mask leaves out what is not x. A load of x under the mask would be slow where it
 * reaches a page without memory. */
INLINED const real *copy_x(const strips_vectors *to, i64 column, real *copy)
{
    const i64 begin = i64_min(i64_max(column, 0), to->cols - DIAGONAL_ROWS);
    real *lanes = copy + DIAGONAL_ROWS;

    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
        v_store(lanes + (begin - column) + i * LANES, v_load(to->x + begin + i * LANES));
    return lanes;
}

/* Adds the products of a pair with a mask to two sums, where vectors may leave x; returns the
 * pair's number of values. row: the slice's first; copy: BORDER_COPY values for each diagonal. */
INLINED i32 add_border_pair(const i32 kind, const i32 *pair, const value_cursor *val,
                            const strips_vectors *to, i64 row, real *copy, vreal *even, vreal *odd)
{
    const real *first = copy_x(to, row + pair[0], copy);
    const real *second = copy_x(to, row + pair[1], copy + BORDER_COPY);

    return add_masked_pair(kind, pair, val, 0, first, second, even, odd);
}

/* Adds the products of a pair to two sums of each of some slices, `values` values apart; returns
 * the pair's number of values in a slice. Nearly all pairs of a stencil are full. */
INLINED i32 add_pair(const i32 kind, const i32 slices, i64 values, const i32 *pair,
                     const value_cursor *val, const real *x, vreal *even, vreal *odd)
{
    i32 count = 2 * DIAGONAL_ROWS;

    (void)values;
    if (is_full_pair(pair)) {
        UNROLL
        for (i32 j = 0; j < GROUP_SLICES; j++)
            if (j < slices)
                add_full_pair(kind, pair, val, j * values, x + j * DIAGONAL_ROWS,
                              even + j * DIAGONAL_VECTORS, odd + j * DIAGONAL_VECTORS);
    } else {
        UNROLL
        for (i32 j = 0; j < GROUP_SLICES; j++)
            if (j < slices)
                count = add_masked_pair(kind, pair, val, j * values,
                                        x + j * DIAGONAL_ROWS + pair[0],
                                        x + j * DIAGONAL_ROWS + pair[1],
                                        even + j * DIAGONAL_VECTORS, odd + j * DIAGONAL_VECTORS);
    }
    return count;
}

/* The pairs [begin, end) of some slices in a row, which have the same list. */
typedef struct pair_list {
    const i32 *begin, *end;
} pair_list;

/* Multiplies `slices` slices, of whose rows `rows` are left in the strip; *val goes to their end. A
 * single slice may have fewer than DIAGONAL_ROWS rows, and vectors of x that are not within x. */
INLINED void multiply_slices(const i32 kind, const i32 slices, const bool at_border,
                             pair_list list, value_cursor *val, const strips_vectors *to, i32 row,
                             i32 rows)
{
    /* Only a group of padded slices needs their number of values. */
    const i64 values = kind == VALUES_PADDED && slices > 1
                           ? padded_count(list.begin, list.end) : 0;
    const real *x = to->x + row;
    vreal even[GROUP_SLICES * DIAGONAL_VECTORS];
    vreal odd[GROUP_SLICES * DIAGONAL_VECTORS];
    real copy[2 * BORDER_COPY];

    for (i32 i = 0; at_border && i < 2 * BORDER_COPY; i++)
        copy[i] = 0;
    UNROLL
    for (i32 i = 0; i < GROUP_SLICES * DIAGONAL_VECTORS; i++) {
        even[i] = v_zero();
        odd[i] = v_zero();
    }
    for (const i32 *pair = list.begin; pair < list.end; pair += PAIR) {
        fetch_diagonals(kind, val, to->fetches_into_l2);
        if (at_border && !is_full_pair(pair))
            skip_values(kind, val, add_border_pair(kind, pair, val, to, row, copy, even, odd));
        else
            skip_values(kind, val, add_pair(kind, slices, values, pair, val, x, even, odd));
    }
    skip_values(kind, val, (slices - 1) * values);
    if (slices * DIAGONAL_ROWS <= rows) {
        UNROLL
        for (i32 i = 0; i < GROUP_SLICES * DIAGONAL_VECTORS; i++)
            if (i < slices * DIAGONAL_VECTORS)
                v_y_store(to->y, row + i * LANES, v_add(even[i], odd[i]), to->alpha, to->beta);
    } else {
        real result[DIAGONAL_ROWS];
        UNROLL
        for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
            v_store(result + i * LANES, v_add(even[i], odd[i]));
        for (i32 i = 0; i < rows; i++)
            y_store(to->y, row + i, result[i], to->alpha, to->beta);
    }
}

/* Whether GROUP_SLICES slices from `list` on have the same list of pairs. */
DEVICE bool is_group(const diagonal_list *list)
{
    bool is_same = true;

    (void)list;
    UNROLL
    for (i32 j = 1; j < GROUP_SLICES; j++)
        is_same &= list[j].first == list[0].first && list[j].pairs == list[0].pairs &&
                   !list[j].leaves_x;
    return is_same;
}

/* Whether groups pay: if the places of values take no time to find, and values no prefetches. */
INLINED bool has_groups(const i32 kind)
{
    (void)kind;
    return GROUP_SLICES > 1 && (kind == VALUES_PADDED || kind == VALUES_EQUAL);
}

INLINED void multiply_diagonals(const i32 kind, const strips_matrix *a, const strips_vectors *v,
                                const strip *t, i64 s, i32 rows)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    value_cursor val = first_value(kind, a, s, BLOCK_ROWS, t->entry);
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);
    const strips_vectors to = *v;        /* y may alias *v and *t for compilers */
    const i32 first = t->row;

    for (i32 row = 0; row < rows;) {
        const i32 *pair = index + list->first * PAIR;
        const pair_list pairs = { pair, pair + list->pairs * PAIR };
        i32 slices = 1;

        if (list->leaves_x) {
            multiply_slices(kind, 1, true, pairs, &val, &to, first + row, rows - row);
        } else if (has_groups(kind) && row + GROUP_SLICES * DIAGONAL_ROWS <= rows &&
                   is_group(list)) {
            slices = GROUP_SLICES;
            multiply_slices(kind, GROUP_SLICES, false, pairs, &val, &to, first + row, rows - row);
        } else {
            multiply_slices(kind, 1, false, pairs, &val, &to, first + row, rows - row);
        }
        row += slices * DIAGONAL_ROWS;
        list += slices;
    }
}

#endif
