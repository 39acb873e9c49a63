/* Strips: rows in lanes, diagonals, runs of columns or plain rows, strip by strip.
 *
 * No paper has it as it stands. Its parts are SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske, Bishop,
 * SISC 2014), SPC5's blocks with masks (Bramas & Kus, PeerJ CS 2018), the diagonal format with a
 * mask where a diagonal has holes, and, for rows that are most of the matrix, EVC-HYB's parts (Guo &
 * Gropp, IJHPCA 2016). y is in the order of rows. layout.c draws all of it.
 *
 * Nothing is padded, so that memory reads what the matrix has and an Inf in x meets only what is
 * in its column: lanes and diagonals without an entry are masked, and keep their sums.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"

enum { CHUNK_WEIGHT = STRIP_WEIGHT };    /* of common/row_chunks.c */

#include "../common/scale.c"
#include "../common/row_chunks.c"
#include "../common/row_sum.c"
#include "../common/step_cost.c"
#include "layout.c"
#include "blocks.c"
#include "rows.c"
#include "build.c"
#include "sizes.c"
#include "figures.c"

enum {
    SLICE_VECTORS = SLICE_ROWS / LANES,
    DIAGONAL_VECTORS = DIAGONAL_ROWS / LANES
};

/* What one multiplication works on. */
typedef struct strips_vectors {
    const real *x;
    real *y;
    real *part;
    real alpha, beta;
} strips_vectors;

/* The lanes of vector i that a mask of several vectors has. */
DEVICE u32 vector_bits(u32 mask, i32 i)
{
    return mask >> (i * LANES) & (((u32)1 << (LANES - 1) << 1) - 1);
}

/* ---- lanes --------------------------------------------------------------------------------- */

/* Where a slice's entries stand; moves on from slice to slice. */
typedef struct lane_cursor {
    const real *val;
    const i32 *wide;
    const u16 *narrow;
    const u8 *count;
} lane_cursor;

/* The first n lanes of a vector; n < LANES. */
DEVICE vmask first_lanes(i32 n)
{
    return m_from_bits(((u32)1 << n) - 1);
}

/* sum plus the products of the first n lanes; none if n <= 0. What is read for the others are
 * entries of other rows, or zeros, and goes nowhere. */
DEVICE vreal add_lanes(const real *val, vreal x, i32 n, vreal sum)
{
    return n >= LANES ? v_fma(v_load(val), x, sum)
                      : v_fma_where(first_lanes(n), v_load(val), x, sum);
}

DEVICE void add_wide_slice(const lane_slice *slice, const real *x, lane_cursor *at, vreal *sum)
{
    for (i32 k = 0; k < slice->least; k++) {
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            sum[i] = v_fma(v_load(at->val + i * LANES), x_at(x, at->wide + i * LANES), sum[i]);
        at->val += SLICE_ROWS;
        at->wide += SLICE_ROWS;
    }
    for (i32 k = slice->least; k < slice->most; k++) {
        const i32 active = *at->count++;
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            if (active > i * LANES)
                sum[i] = add_lanes(at->val + i * LANES, x_at(x, at->wide + i * LANES),
                                   active - i * LANES, sum[i]);
        at->val += active;
        at->wide += active;
    }
}

DEVICE void add_narrow_slice(const lane_slice *slice, const real *x, lane_cursor *at, vreal *sum)
{
    const real *from = x + slice->base;

    for (i32 k = 0; k < slice->least; k++) {
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            sum[i] = v_fma(v_load(at->val + i * LANES), x_at16(from, at->narrow + i * LANES), sum[i]);
        at->val += SLICE_ROWS;
        at->narrow += SLICE_ROWS;
    }
    for (i32 k = slice->least; k < slice->most; k++) {
        const i32 active = *at->count++;
        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            if (active > i * LANES)
                sum[i] = add_lanes(at->val + i * LANES, x_at16(from, at->narrow + i * LANES),
                                   active - i * LANES, sum[i]);
        at->val += active;
        at->narrow += active;
    }
}

/* Rows without entries, the last of `rows` in the order. Where they are many they are not looked up: all rows
 * of the strip are set, and those with entries again later. */
DEVICE void store_empty_rows(const strips_vectors *v, i32 row, const u16 *order, i32 count, i32 rows)
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

/* A slice's sums, of `count` rows. */
DEVICE void store_slice(const strips_vectors *v, i32 row, const u16 *order, i32 count, const vreal *sum)
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
        /* Written out, or compilers take the scatter instruction, which is slower. */
        UNROLL
        for (i32 i = 0; i < SLICE_ROWS; i++)
            y[order[i]] = result[i];
    } else {
        for (i32 i = 0; i < count; i++)
            y[order[i]] = result[i];
    }
}

/* A long row's sum; moves to the next row's columns. */
DEVICE real segments_sum(const i32 **index, const real *val, const real *x, i64 length)
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
            even = v_fma(v_load(val + k), x_at16(from, col + k), even);
            odd = v_fma(v_load(val + k + LANES), x_at16(from, col + k + LANES), odd);
        }
        for (; k < entries; k += LANES)
            even = add_lanes(val + k, x_at16(from, col + k), entries - k, even);
        val += entries;
        length -= entries;
        at += SEGMENT_HEAD + segment_words(entries);
    }
    *index = at;
    return v_sum(v_add(even, odd));
}

DEVICE void multiply_long_rows(const strips_matrix *a, const strips_vectors *v, const strip *t, const real *val,
                               const i32 *index)
{
    const u16 *order = a->row + t->row;
    const real alpha = v->alpha;
    const real beta = v->beta;

    for (i32 p = 0; p < t->long_rows; p++) {
        const i32 row = t->row + order[p];
        const i64 length = (i64)a->row_ptr[row + 1] - (i64)a->row_ptr[row];
        if (t->has_segments) {
            y_store(v->y, row, segments_sum(&index, val, v->x, length), alpha, beta);
        } else {
            y_store(v->y, row, row_sum(index, val, v->x, 0, length), alpha, beta);
            index += length;
        }
        val += length;
    }
}

DEVICE void multiply_lanes(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s, i32 rows)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const lane_slice *slice = a->lane_slices + first_lane_slice(t->row, s);
    const u16 *order = a->row + t->row;
    const i32 lanes_end = t->long_rows + t->lane_rows;
    lane_cursor at;

    at.val = a->val + t->entry;
    at.wide = index;
    at.narrow = (const u16 *)(index + narrow_place(t));
    at.count = a->count + s * BOUNDARY;
    store_empty_rows(v, t->row, order, rows - lanes_end, rows);
    for (i32 p = t->long_rows; p < lanes_end; p += SLICE_ROWS, slice++) {
        vreal sum[SLICE_VECTORS];

        UNROLL
        for (i32 i = 0; i < SLICE_VECTORS; i++)
            sum[i] = v_zero();
        if (slice->base == WIDE)
            add_wide_slice(slice, v->x, &at, sum);
        else
            add_narrow_slice(slice, v->x, &at, sum);
        if (lanes_end - p >= SLICE_ROWS)
            store_slice(v, t->row, order + p, SLICE_ROWS, sum);
        else
            store_slice(v, t->row, order + p, lanes_end - p, sum);
    }
    multiply_long_rows(a, v, t, at.val, index + long_place(t));
}

/* ---- diagonals ----------------------------------------------------------------------------- */

/* sum plus the products of a diagonal; returns how many entries it has. */
DEVICE i32 add_diagonal(const real *val, const real *x, u32 mask, vreal *sum)
{
    i32 taken = 0;

    UNROLL
    for (i32 i = 0; i < DIAGONAL_VECTORS; i++) {
        const u32 bits = vector_bits(mask, i);
        sum[i] = v_fma_where(m_from_bits(bits), v_expand(val + taken, bits), v_load(x + i * LANES), sum[i]);
        taken += u32_popcount(bits);
    }
    return taken;
}

DEVICE void multiply_diagonals(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s, i32 rows)
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
        for (; pair < end; pair += PAIR) {
            val += add_diagonal(val, x + pair[0], first_mask(pair), even);
            val += add_diagonal(val, x + pair[1], second_mask(pair), odd);
        }
        if (row + DIAGONAL_ROWS <= rows) {
            UNROLL
            for (i32 i = 0; i < DIAGONAL_VECTORS; i++)
                v_y_store(v->y, t->row + row + i * LANES, v_add(even[i], odd[i]), v->alpha, v->beta);
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

/* ---- runs ---------------------------------------------------------------------------------- */

/* sum plus the products of a vector of windows; moves val on. */
DEVICE vreal add_windows(const real **val, const real *x, const u16 *at, vreal sum)
{
    const u32 mask = at[RUN_WINDOWS];

    sum = v_fma_where(m_from_bits(mask), v_expand(*val, mask), v_load_runs(x, at), sum);
    *val += u32_popcount(mask);
    return sum;
}

/* The sum of so many segments; moves to what is behind them. */
DEVICE real runs_sum(const u16 **index, i32 segments, const real **val, const real *x)
{
    const u16 *at = *index;
    const real *from = *val;
    vreal even = v_zero();
    vreal odd = v_zero();

    for (; segments > 0; segments--) {
        const real *base = x + run_base(at);
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at + RUN_WORDS < end; at += 2 * RUN_WORDS) {
            even = add_windows(&from, base, at, even);
            odd = add_windows(&from, base, at + RUN_WORDS, odd);
        }
        if (at < end) {
            even = add_windows(&from, base, at, even);
            at += RUN_WORDS;
        }
    }
    *index = at;
    *val = from;
    return v_sum(v_add(even, odd));
}

/* As runs_sum, of two or three rows of `length` entries that have the same columns: *sum, sum[1] and, of three,
 * sum[2]. */
DEVICE void runs_sums(const u16 **index, i32 segments, const real *val, i64 length, const real *x, i32 rows,
                      real *sum)
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
            first = v_fma_where(lanes, v_expand(val, mask), from, first);
            second = v_fma_where(lanes, v_expand(val + length, mask), from, second);
            if (rows > 2)
                third = v_fma_where(lanes, v_expand(val + 2 * length, mask), from, third);
            val += u32_popcount(mask);
        }
    }
    *index = at;
    sum[0] = v_sum(first);
    sum[1] = v_sum(second);
    sum[2] = rows > 2 ? v_sum(third) : 0;
}

/* Rows from `word` of ROW on that are multiplied at once: two or three with the same columns, or one. Of four
 * twice two. */
DEVICE i32 rows_at_once(const u16 *word, i32 left)
{
    i32 rows = 1;

    while (rows < left && rows < 5 && word[rows] & SAME_COLUMNS)
        rows++;
    return rows == 4 ? 2 : rows == 5 ? 3 : rows;
}

DEVICE void multiply_runs(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s, i32 rows)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;
    const real *val = a->val + t->entry;
    const real alpha = v->alpha;
    const real beta = v->beta;
    const i32 end = t->row + rows;
    i32 many;

    for (i32 row = t->row; row < end; row += many) {
        const i32 word = a->row[row];
        at = word & SAME_COLUMNS ? at : next;
        next = at;
        many = rows_at_once(a->row + row, end - row);
        if (many == 1) {
            y_store(v->y, row, runs_sum(&next, word & ~SAME_COLUMNS, &val, v->x), alpha, beta);
        } else {
            const i64 length = (i64)a->row_ptr[row + 1] - (i64)a->row_ptr[row];
            real sum[3];
            runs_sums(&next, word & ~SAME_COLUMNS, val, length, v->x, many, sum);
            val += many * length;
            for (i32 i = 0; i < many; i++)
                y_store(v->y, row + i, sum[i], alpha, beta);
        }
    }
}

/* The sum of the part of a split row that strip s has. */
DEVICE real part_sum(const strips_matrix *a, const real *x, const strip *t, i64 s, strip_part which)
{
    const part_range p = part_entries(a, s, which, split_row_of(t, which));
    const i32 *index = a->index + p.index;
    const u16 *at = (const u16 *)index;
    const real *val = a->val + p.begin;

    return t->part_segments[which] ? runs_sum(&at, t->part_segments[which], &val, x)
                                   : row_sum(index, val, x, 0, p.end - p.begin);
}

/* Some lines from p on, which no hardware can foresee. */
DEVICE void prefetch_lines(const void *p, i32 lines)
{
    for (i32 i = 0; i < lines; i++)
        prefetch((const c8 *)p + i * 64);
}

/* Where strip s begins, while the one before it is multiplied. */
DEVICE void prefetch_strip(const strips_matrix *a, i64 s)
{
    const strip *t = &a->strips[s];
    const i32 *index = a->index + strip_index(t->entry, s);

    prefetch_lines(a->strips + s + 1, 2);
    prefetch_lines(index, 4);
    if (t->kind == STRIP_LANES) {
        prefetch_lines(index + narrow_place(t), 4);
        prefetch_lines(a->row + t->row, 4);
        prefetch_lines(a->count + s * BOUNDARY, 2);
        prefetch_lines(a->lane_slices + first_lane_slice(t->row, s), 4);
    } else {
        prefetch_lines(a->row + t->row, 2);
        prefetch_lines(a->diagonals + first_diagonal_slice(t->row, s), 2);
    }
}

/* ---- strips -------------------------------------------------------------------------------- */

KERNEL void strips_multiply(const strips_matrix *a, const strips_vectors *v, i64 first, i64 last)
{
    for (i64 s = first; s < last; s++) {
        const strip *t = &a->strips[s];
        const i32 rows = strip_row_count(t);
        if (s + 1 < last)
            prefetch_strip(a, s + 1);
        if (t->has_part[PART_CONTINUED])
            v->part[s * STRIP_PARTS + PART_CONTINUED] = part_sum(a, v->x, t, s, PART_CONTINUED);
        if (t->kind == STRIP_LANES)
            multiply_lanes(a, v, t, s, rows);
        else if (t->kind == STRIP_DIAGONALS)
            multiply_diagonals(a, v, t, s, rows);
        else
            multiply_runs(a, v, t, s, rows);
        if (t->has_part[PART_BEGUN])
            v->part[s * STRIP_PARTS + PART_BEGUN] = part_sum(a, v->x, t, s, PART_BEGUN);
    }
}

/* Split rows [first, last): the sums of their parts, in order. */
KERNEL void strips_split_rows(const strips_matrix *a, const strips_vectors *v, i64 first, i64 last)
{
    for (i64 i = first; i < last; i++) {
        const i32 row = a->split_rows[i];
        const i64 begun = (row + (i64)a->row_ptr[row] - a->base) / STRIP_WEIGHT;
        const i64 ended = (row + (i64)a->row_ptr[row + 1] - a->base) / STRIP_WEIGHT;
        real sum = v->part[begun * STRIP_PARTS + PART_BEGUN];
        for (i64 s = begun + 1; s <= ended; s++)
            sum = sum + v->part[s * STRIP_PARTS + PART_CONTINUED];
        y_store(v->y, row, sum, v->alpha, v->beta);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static strips_vectors strips_vectors_of(const spmv_job *job)
{
    strips_vectors v;
    v.x = (const real *)job->x;
    v.y = (real *)job->y;
    v.part = (real *)job->workspace;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    return v;
}

static void run_strips(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    const strips_vectors v = strips_vectors_of(job);
    strips_multiply(&a, &v, first, last);
}

static void run_split_rows(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    const strips_vectors v = strips_vectors_of(job);
    strips_split_rows(&a, &v, first, last);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_step(step, n, "strips_multiply", run_strips, job->layout->number[NUMBER_STRIPS]);
    if (job->layout->number[NUMBER_SPLIT_ROWS])
        n = add_step(step, n, "strips_split_rows", run_split_rows, job->layout->number[NUMBER_SPLIT_ROWS]);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .figures = figures,
    .converts = 1,
};
