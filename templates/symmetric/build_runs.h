/* build_runs.h: stores the half of a symmetric matrix by runs of columns. */
#ifndef SPMV_SYMMETRIC_BUILD_RUNS_H
#define SPMV_SYMMETRIC_BUILD_RUNS_H

#include "../common/cost_cycles.h"
#include "find_groups.h"

enum { SAMPLES = 16 };           /* blocks that are examined before all are */

/* ---- sizes ---------------------------------------------------------------------------------- */

typedef struct run_counts {
    i64 groups, entries;         /* entries after corners */
    i64 values, words;           /* elements of VAL and INDEX */
    i64 vectors, products;       /* products: vectors times the rows of their group */
} run_counts;

/* Adds the vectors of entries [k, end) of a group. */
static void count_vectors(const block_rows *a, i64 rows, const row_group *g, i64 k, i64 end,
                          run_counts *counts)
{
    while (k < end) {
        run_vector v;

        find_vector(a, rows, k, end, &v);
        k = v.end;
        counts->vectors++;
        counts->products += g->rows;
        counts->words += RUN_WORDS;
    }
}

static void count_block(const spmv_csr *csr, const half_matrix *a, i64 b, run_counts *counts)
{
    const block_rows rows = rows_of(csr, a, b);
    row_group g = {0};

    for (i64 row = rows.begin; row < rows.end; row += g.rows) {
        find_group(&rows, row, &g);
        const i64 end = g.first[0] + g.length;
        const i64 wrap = find_mirror_column(&rows, g.first[0], end, rows.place.wrap);
        counts->groups++;
        counts->entries += g.rows * g.length;
        counts->values += corner_entries(g.rows) + g.rows * g.length;
        counts->words += GROUP_HEAD;
        count_vectors(&rows, a->rows, &g, g.first[0], wrap, counts);
        count_vectors(&rows, a->rows, &g, wrap, end, counts);
    }
}

/* Counts every `stride`-th block. */
static run_counts count_blocks(const spmv_csr *csr, const half_matrix *a, i64 stride)
{
    run_counts counts = {0};

    for (i64 b = 0; b < a->blocks; b += stride)
        count_block(csr, a, b, &counts);
    return counts;
}

static bool pays(const run_counts *counts)
{
    return 100 * counts->entries >= LEAST_RUN_VALUES * LANES * counts->vectors;
}

static i64 longest_reach(const spmv_csr *csr)
{
    const row_offsets row_ptr = row_offsets_of(csr);
    i64 reach = 0;

    for (i64 row = 0; row < csr->rows; row++) {
        const i64 end = row_begin(&row_ptr, row + 1);
        if (row_length(&row_ptr, row) > 0)
            reach = i64_max(reach, csr->col_idx[end - 1] - csr->base - row);
    }
    return reach;
}

/* Cycles of the second step are few beside those of a vector. Cycles and bytes are added up, as if
 * they did not overlap, as in the costs of strips. */
static void set_run_costs(spmv_layout *layout, const run_counts *counts)
{
    const f64 bytes = (f64)counts->values * sizeof(real) + (f64)counts->words * sizeof(u16);

    layout->cost = bytes + (f64)(2 * layout->csr.rows) * sizeof(real) +
                   step_cost(2000 + 12.0 * (f64)counts->vectors + 5.0 * (f64)counts->products +
                             40.0 * (f64)counts->groups);
    layout->build_cost = 2.0 * bytes + step_cost(20000 + 8.0 * (f64)layout->csr.nnz);
}

/* Declines what has few columns in a window, or few segments. Reads the columns of a sample, then
 * half of all. */
static spmv_status size_runs(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 blocks = i64_ceil_div(csr->rows, BLOCK_ROWS);
    const i64 reach = longest_reach(csr);

    if (csr->rows < RUN_WIDTH || ring_rows(reach) > MOST_DISTANCE)
        return SPMV_UNSUPPORTED;
    layout->number[NUMBER_STORAGE] = BY_RUNS;
    layout->number[NUMBER_DIAGONALS] = 0;
    spmv_status status = set_segments(layout, reach, csr->nnz / 2);
    if (status)
        return status;
    const half_matrix a = half_view(layout);
    run_counts counts = count_blocks(csr, &a, i64_ceil_div(blocks, SAMPLES));
    if (pays(&counts) && blocks > SAMPLES)
        counts = count_blocks(csr, &a, 1);
    if (!pays(&counts))
        return SPMV_UNSUPPORTED;
    set_run_costs(layout, &counts);
    status = set_array(layout, DISTANCE, "distance", 0, sizeof(i32));
    status = status ? status : set_array(layout, VAL, "val", counts.values + LANES, sizeof(real));
    status = status ? status : set_array(layout, MASK, "mask", 0, sizeof(u8));
    status = status ? status : set_array(layout, FULL, "full", 0, sizeof(u8));
    status = status ? status : set_array(layout, INDEX, "index", counts.words, sizeof(u16));
    return status ? status : set_array(layout, BLOCK, "block", 2 * (blocks + 1), sizeof(i64));
}

/* ---- building ------------------------------------------------------------------------------- */

/* Writes the numbers of values and words of each block behind those of the block before. */
static void count_runs(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);
    i64 *block = (i64 *)job->layout->array[BLOCK].data;

    for (i64 b = first; b < last; b++) {
        run_counts counts = {0};

        count_block(&job->layout->csr, &a, b, &counts);
        block[2 * (b + 1)] = counts.values;
        block[2 * (b + 1) + 1] = counts.words;
    }
}

/* By one thread. */
static void sum_runs(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);
    i64 *block = (i64 *)job->layout->array[BLOCK].data;
    real *val = (real *)job->layout->array[VAL].data;

    block[0] = 0;
    block[1] = 0;
    for (i64 b = 0; first < last && b < a.blocks; b++) {
        block[2 * b + 2] += block[2 * b];
        block[2 * b + 3] += block[2 * b + 1];
    }
    for (i64 i = 0; i < LANES; i++)
        val[block[2 * a.blocks] + i] = 0;
}

/* Copies a group's values; returns the place behind them. */
static real *copy_group(const real *from, const row_group *g, real *val)
{
    if (!g->has_diagonal)
        *val++ = 0;
    for (i64 i = 0; i < g->rows && g->has_diagonal; i++)
        for (i64 k = 0; k < g->rows - i; k++)
            *val++ = from[g->first[i] - (g->rows - i) + k];
    for (i64 i = 0; i < g->rows; i++) {
        for (i64 k = 0; k < g->length; k++)
            val[k] = from[g->first[i] + k];
        val += g->length;
    }
    return val;
}

/* Writes the vectors of entries [k, end), as distances from a base column; returns their number. */
static i64 write_vectors(const block_rows *a, i64 rows, i64 base, i64 k, i64 end, u16 *to)
{
    i64 count = 0;

    for (; k < end; count++, to += RUN_WORDS) {
        run_vector v;

        find_vector(a, rows, k, end, &v);
        for (i64 i = 0; i < RUN_WINDOWS; i++)
            to[i] = (u16)(v.begin[i] - base);
        to[RUN_WINDOWS] = (u16)v.mask;
        k = v.end;
    }
    return count;
}

/* Writes a group's columns; returns the place behind them. */
static u16 *write_group(const block_rows *a, i64 rows, const row_group *g, u16 *to)
{
    const i64 end = g->first[0] + g->length;
    const i64 wrap = find_mirror_column(a, g->first[0], end, a->place.wrap);
    u16 *at = to + GROUP_HEAD;
    const i64 vectors = write_vectors(a, rows, a->place.base[0], g->first[0], wrap, at);
    const i64 wrapped =
        write_vectors(a, rows, a->place.base[1], wrap, end, at + vectors * RUN_WORDS);

    to[0] = (u16)(g->rows | (g->has_diagonal ? HAS_DIAGONAL : 0));
    to[1] = (u16)vectors;
    to[2] = (u16)wrapped;
    to[3] = (u16)g->length;
    return at + (vectors + wrapped) * RUN_WORDS;
}

/* Writes block b. index may be NULL: the columns are there. */
static void write_block(const spmv_layout *layout, const half_matrix *a, i64 b, real *val,
                        u16 *index)
{
    const block_rows rows = rows_of(&layout->csr, a, b);
    row_group g = {0};

    val += a->block[2 * b];
    index = index ? index + a->block[2 * b + 1] : NULL;
    for (i64 row = rows.begin; row < rows.end; row += g.rows) {
        find_group(&rows, row, &g);
        val = copy_group(csr_val(layout), &g, val);
        index = index ? write_group(&rows, a->rows, &g, index) : NULL;
    }
}

static void build_runs(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const half_matrix a = half_view(layout);

    for (i64 b = first; b < last; b++)
        write_block(layout, &a, b, (real *)layout->array[VAL].data,
                    (u16 *)layout->array[INDEX].data);
}

static i32 runs_build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i64 blocks = half_view(layout).blocks;
    i32 n = add_step(step, 0, "count_runs", count_runs, blocks);

    n = add_step(step, n, "sum_runs", sum_runs, 1);
    return add_step(step, n, "build_runs", build_runs, blocks);
}

/* ---- new values, and back to CSR ------------------------------------------------------------ */

static void update_runs(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);

    for (i64 b = first; b < last; b++)
        write_block(job->layout, &a, b, (real *)job->layout->array[VAL].data, NULL);
}

/* Writes a value to its entry k, and to its mirror if the matrix has it. */
static void restore_value(const block_rows *a, i64 row, i64 k, real value, real *val_out)
{
    const i64 col = a->col_idx[k] - a->base;
    const i64 end = row_begin(&a->row_ptr, col + 1);
    const i64 mirror = find_mirror_column(a, row_begin(&a->row_ptr, col), end, row);

    val_out[k] = value;
    if (mirror < end && a->col_idx[mirror] - a->base == row)
        val_out[mirror] = value;
}

/* Writes the values of a group; returns the place behind them. */
static const real *restore_group(const block_rows *a, const row_group *g, const real *val,
                                 real *val_out)
{
    if (!g->has_diagonal)
        val++;
    for (i64 i = 0; i < g->rows && g->has_diagonal; i++)
        for (i64 k = 0; k < g->rows - i; k++)
            restore_value(a, g->row + i, g->first[i] - (g->rows - i) + k, *val++, val_out);
    for (i64 i = 0; i < g->rows; i++)
        for (i64 k = 0; k < g->length; k++)
            restore_value(a, g->row + i, g->first[i] + k, *val++, val_out);
    return val;
}

static void restore_runs(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);

    for (i64 b = first; b < last; b++) {
        const block_rows rows = rows_of(&job->layout->csr, &a, b);
        const real *val = a.val + a.block[2 * b];
        row_group g = {0};

        for (i64 row = rows.begin; row < rows.end; row += g.rows) {
            find_group(&rows, row, &g);
            val = restore_group(&rows, &g, val, (real *)job->val_out);
        }
    }
}

#endif
