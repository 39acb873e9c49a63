/* build_diagonals.h: finds the diagonals of a matrix, and stores its half by them. */
#ifndef SPMV_SYMMETRIC_BUILD_DIAGONALS_H
#define SPMV_SYMMETRIC_BUILD_DIAGONALS_H

#include "../common/cost_cycles.h"
#include "find_rows.h"
#include "layout.h"

enum {
    PIECES = 64,                 /* that rows are cut into, to find the distances by all threads */
    COPIED_ROWS = 64             /* that are copied at once: the first cache holds their values */
};

/* ---- the distances -------------------------------------------------------------------------- */

/* Distances from the main diagonal, ascending, and the number of entries that they have. */
typedef struct distance_list {
    i32 count;                   /* MOST_DIAGONALS + 1: too many */
    i32 distance[MOST_DIAGONALS];
    i64 entries;
} distance_list;

/* Adds distance d behind place i, whose distance is less. */
static void insert_distance(distance_list *list, i32 i, i32 d)
{
    for (i32 at = list->count; at > i + 1; at--)
        list->distance[at] = list->distance[at - 1];
    list->distance[i + 1] = d;
    list->count++;
}

/* Adds the distances of a run of rows. They fall on the way back through a row. */
static void add_distances(const spmv_csr *csr, const row_run *run, distance_list *list)
{
    const i32 diagonal = (i32)run->row + csr->base;
    i32 i = list->count - 1;

    list->entries += run->count * (run->end - run->row);
    for (i64 k = run->first + run->count - 1; k >= run->first; k--) {
        const i32 d = csr->col_idx[k] - diagonal;
        while (i >= 0 && list->distance[i] > d)
            i--;
        if (i >= 0 && list->distance[i] == d)
            continue;
        if (list->count == MOST_DIAGONALS) {
            list->count++;
            return;
        }
        insert_distance(list, i, d);
    }
}

/* Adds the distances of rows [begin, end), until there are too many. */
static void find_distances(const spmv_csr *csr, i64 begin, i64 end, distance_list *list)
{
    const row_offsets row_ptr = row_offsets_of(csr);

    for (i64 row = begin; row < end && list->count <= MOST_DIAGONALS;) {
        const row_run run = find_run(csr, &row_ptr, row, end);
        add_distances(csr, &run, list);
        row = run.end;
    }
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static spmv_status set_diagonal_arrays(spmv_layout *layout, i64 blocks, i64 diagonals)
{
    const i64 places = blocks * diagonals * BLOCK_ROWS;
    spmv_status status = set_array(layout, DISTANCE, "distance", diagonals, sizeof(i32));

    status = status ? status : set_array(layout, VAL, "val", places, sizeof(real));
    status = status ? status : set_array(layout, MASK, "mask", places / 8, sizeof(u8));
    status = status ? status : set_array(layout, FULL, "full", blocks * diagonals, sizeof(u8));
    status = status ? status : set_array(layout, INDEX, "index", 0, sizeof(u16));
    return status ? status : set_array(layout, BLOCK, "block", 0, sizeof(i64));
}

/* Per vector 10 cycles, as if they and the bytes did not overlap, as in the costs of strips. */
static void set_diagonal_costs(spmv_layout *layout, i64 places, i64 blocks)
{
    const f64 values = (f64)places * (sizeof(real) + 0.125);

    layout->cost = values + (f64)(2 * layout->csr.rows) * sizeof(real) +
                   step_cost(2000 + 10.0 * (f64)places / LANES + 100.0 * (f64)blocks);
    layout->build_cost = 2.0 * values + step_cost(20000 + 16.0 * (f64)layout->csr.nnz);
}

/* Declines what has many or half-empty diagonals, or few segments. Reads half of the columns. */
static spmv_status size_diagonals(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 blocks = i64_ceil_div(csr->rows, BLOCK_ROWS);
    distance_list list;

    list.count = 0;
    list.entries = 0;
    find_distances(csr, 0, csr->rows, &list);
    if (list.count > MOST_DIAGONALS || 100 * list.entries < LEAST_FULL * list.count * csr->rows)
        return SPMV_UNSUPPORTED;
    const i64 reach = list.count > 0 ? list.distance[list.count - 1] : 0;
    spmv_status status = set_segments(layout, reach, list.entries);
    if (status)
        return status;
    layout->number[NUMBER_STORAGE] = BY_DIAGONALS;
    layout->number[NUMBER_DIAGONALS] = list.count;
    set_diagonal_costs(layout, blocks * list.count * BLOCK_ROWS, blocks);
    status = set_build_scratch(layout, PIECES, sizeof(distance_list));
    return status ? status : set_diagonal_arrays(layout, blocks, list.count);
}

/* ---- building ------------------------------------------------------------------------------- */

static void find_distances_of_pieces(const spmv_job *job, i64 first, i64 last)
{
    const spmv_csr *csr = &job->layout->csr;
    distance_list *list = (distance_list *)job->workspace;

    for (i64 p = first; p < last; p++) {
        list[p].count = 0;
        list[p].entries = 0;
        find_distances(csr, csr->rows * p / PIECES, csr->rows * (p + 1) / PIECES, &list[p]);
    }
}

/* By one thread: there are at most MOST_DIAGONALS distances. */
static void join_distances(const spmv_job *job, i64 first, i64 last)
{
    const distance_list *list = (const distance_list *)job->workspace;
    i32 *distance = (i32 *)job->layout->array[DISTANCE].data;
    distance_list all;

    all.count = 0;
    for (i64 p = 0; first < last && p < PIECES; p++) {
        i32 at = all.count - 1;
        for (i32 i = list[p].count - 1; i >= 0; i--) {
            const i32 d = list[p].distance[i];
            while (at >= 0 && all.distance[at] > d)
                at--;
            if (at < 0 || all.distance[at] != d)
                insert_distance(&all, at, d);
        }
    }
    for (i32 i = 0; i < all.count; i++)
        distance[i] = all.distance[i];
}

/* Sets bits [begin, end), whole bytes at a time. */
static void set_bits(u8 *mask, i64 begin, i64 end)
{
    i64 i = begin;

    for (; i < end && i % 8 != 0; i++)
        mask[i / 8] |= (u8)(1 << (i % 8));
    for (; i + 8 <= end; i += 8)
        mask[i / 8] = 255;
    for (; i < end; i++)
        mask[i / 8] |= (u8)(1 << (i % 8));
}

/* Copies a run's entries on and above the main diagonal to their places in its block. If mask is
 * not NULL, sets their bits. */
static void copy_run(const half_matrix *a, const spmv_csr *csr, const real *from,
                     const row_run *run, real *val, u8 *mask)
{
    const i64 begin = run->row % BLOCK_ROWS;
    const i64 end = begin + run->end - run->row;
    i64 d = 0;

    for (i64 i = 0; i < run->count; i++) {
        const i64 ahead = csr->col_idx[run->first + i] - csr->base - run->row;
        while (a->distance[d] < ahead)
            d++;
        for (i64 r = begin; r < end; r++)
            val[d * BLOCK_ROWS + r] = from[run->first + i + (r - begin) * run->length];
        if (mask)
            set_bits(mask, d * BLOCK_ROWS + begin, d * BLOCK_ROWS + end);
    }
}

/* Copies the values of block b. mask may be NULL. */
static void copy_rows(const spmv_layout *layout, const half_matrix *a, i64 b, real *val, u8 *mask)
{
    const spmv_csr *csr = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(csr);
    const i64 end = i64_min(a->rows, (b + 1) * BLOCK_ROWS);

    for (i64 row = b * BLOCK_ROWS; row < end;) {
        const row_run run = find_run(csr, &row_ptr, row, i64_min(end, row + COPIED_ROWS));
        copy_run(a, csr, csr_val(layout), &run, val, mask);
        row = run.end;
    }
}

/* Writes 0 to the places without an entry. Returns 1 if there is none. */
static u8 clear_holes(const u8 *mask, real *val)
{
    u8 full = 1;

    for (i64 i = 0; i < BLOCK_ROWS; i++) {
        if (i % 8 == 0 && mask[i / 8] == 255) {
            i += 7;
            continue;
        }
        if (!(mask[i / 8] >> (i % 8) & 1)) {
            val[i] = 0;
            full = 0;
        }
    }
    return full;
}

static void build_blocks(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const half_matrix a = half_view(layout);
    const i64 places = a.diagonals * BLOCK_ROWS;

    for (i64 b = first; b < last; b++) {
        real *val = (real *)layout->array[VAL].data + b * places;
        u8 *mask = (u8 *)layout->array[MASK].data + b * (places / 8);
        u8 *full = (u8 *)layout->array[FULL].data + b * a.diagonals;

        for (i64 i = 0; i < places / 8; i++)
            mask[i] = 0;
        copy_rows(layout, &a, b, val, mask);
        for (i64 d = 0; d < a.diagonals; d++)
            full[d] = clear_holes(mask + d * (BLOCK_ROWS / 8), val + d * BLOCK_ROWS);
    }
}

static i32 diagonals_build_steps(const spmv_layout *layout, spmv_step *step)
{
    i32 n = add_step(step, 0, "find_distances", find_distances_of_pieces, PIECES);

    n = add_step(step, n, "join_distances", join_distances, 1);
    return add_step(step, n, "build_blocks", build_blocks, half_view(layout).blocks);
}

/* ---- new values, and back to CSR ------------------------------------------------------------ */

static void update_blocks(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);

    for (i64 b = first; b < last; b++)
        copy_rows(job->layout, &a, b,
                  (real *)job->layout->array[VAL].data + b * a.diagonals * BLOCK_ROWS, NULL);
}

/* Writes the values of a row. On the way through its columns, distances first fall to the main
 * diagonal, then rise. */
static void restore_row(const half_matrix *a, const spmv_csr *csr, i64 row, real *val_out)
{
    const row_offsets row_ptr = row_offsets_of(csr);
    const i64 end = row_begin(&row_ptr, row + 1);
    i64 d = a->diagonals - 1;

    for (i64 k = row_begin(&row_ptr, row); k < end; k++) {
        const i64 col = csr->col_idx[k] - csr->base;
        const i64 first = i64_min(row, col);
        const i64 distance = col < row ? row - col : col - row;
        while (a->distance[d] > distance)
            d--;
        while (a->distance[d] < distance)
            d++;
        val_out[k] = a->val[(first / BLOCK_ROWS * a->diagonals + d) * BLOCK_ROWS +
                            first % BLOCK_ROWS];
    }
}

static void restore_rows(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);
    const i64 end = i64_min(last * BLOCK_ROWS, a.rows);

    for (i64 row = first * BLOCK_ROWS; row < end && job->val_out; row++)
        restore_row(&a, &job->layout->csr, row, (real *)job->val_out);
}

#endif
