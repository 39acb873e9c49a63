/* build.h: examines a matrix, and builds its half. */
#ifndef SYMMETRIC_BUILD_H
#define SYMMETRIC_BUILD_H

#include "../common/build_borrowed.h"
#include "../common/cost_cycles.h"
#include "layout.h"

/* ---- the caller's CSR ----------------------------------------------------------------------- */

/* The place of the entry in this row and column, or -1. Columns of a row ascend. */
static i64 find_entry(const spmv_csr *csr, i64 row, i64 col)
{
    const row_offsets row_ptr = row_offsets_of(csr);
    i64 low = row_begin(&row_ptr, row);
    i64 high = row_begin(&row_ptr, row + 1);

    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        const i64 found = csr->col_idx[middle] - csr->base;
        if (found == col)
            return middle;
        if (found < col)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Whether the columns of this row ascend, and each of its entries has a mirror of the same
 * value. */
static bool is_symmetric_row(const spmv_csr *csr, const real *val, i64 row)
{
    const row_offsets row_ptr = row_offsets_of(csr);
    i64 before = -1;

    for (i64 k = row_begin(&row_ptr, row); k < row_begin(&row_ptr, row + 1); k++) {
        const i64 col = csr->col_idx[k] - csr->base;
        if (col <= before)
            return false;
        before = col;
        if (col != row) {
            const i64 mirror = find_entry(csr, col, row);
            if (mirror < 0 || !(val[mirror] == val[k]))
                return false;
        }
    }
    return true;
}

/* ---- the distances -------------------------------------------------------------------------- */

/* The index of distance d among count ascending ones, or of the next longer one. */
static i64 distance_index(const i32 *distance, i64 count, i64 d)
{
    i64 low = 0;

    while (low < count && distance[low] < d)
        low++;
    return low;
}

/* Adds the distances of a row; returns their new number, at most MOST_DIAGONALS + 1. */
static i64 add_distances(const spmv_csr *csr, i64 row, i32 *distance, i64 count)
{
    const row_offsets row_ptr = row_offsets_of(csr);

    for (i64 k = row_begin(&row_ptr, row); k < row_begin(&row_ptr, row + 1); k++) {
        const i64 d = csr->col_idx[k] - csr->base - row;
        const i64 at = distance_index(distance, count, d);
        if (d < 0 || (at < count && distance[at] == d))
            continue;
        if (count == MOST_DIAGONALS)
            return count + 1;
        for (i64 i = count; i > at; i--)
            distance[i] = distance[i - 1];
        distance[at] = (i32)d;
        count++;
    }
    return count;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* A segment has SEGMENT_REACHES times the rows that it reaches beyond its end. */
static i64 segments_of(i64 blocks, i64 reach)
{
    const i64 least = i64_ceil_div(SEGMENT_REACHES * reach, BLOCK_ROWS);

    return i64_max(1, i64_min(SEGMENTS, blocks / i64_max(least, 1)));
}

static spmv_status set_half_arrays(spmv_layout *layout, i64 blocks, i64 diagonals)
{
    const i64 places = blocks * diagonals * BLOCK_ROWS;
    spmv_status status = set_array(layout, DISTANCE, "distance", diagonals, sizeof(i32));

    status = status ? status : set_array(layout, VAL, "val", places, sizeof(real));
    status = status ? status : set_array(layout, MASK, "mask", places / 8, sizeof(u8));
    status = status ? status : set_array(layout, FULL, "full", blocks * diagonals, sizeof(u8));
    return status ? status : set_array(layout, UNEQUAL, "unequal", blocks, sizeof(u8));
}

/* Declines what is not symmetric, has many or half-empty diagonals, or few segments. */
static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const real *val = csr_val(layout);
    const i64 blocks = i64_ceil_div(csr->rows, BLOCK_ROWS);
    i32 distance[MOST_DIAGONALS];
    i64 count = 0;

    if (csr->rows != csr->cols)
        return SPMV_UNSUPPORTED;
    for (i64 r = 0; r < csr->rows && count <= MOST_DIAGONALS; r++) {
        if (!is_symmetric_row(csr, val, r))
            return SPMV_UNSUPPORTED;
        count = add_distances(csr, r, distance, count);
    }
    if (count == 0 || count > MOST_DIAGONALS ||
        4 * csr->nnz < 3 * (2 * count - 1) * csr->rows)
        return SPMV_UNSUPPORTED;
    const i64 reach = distance[count - 1];
    const i64 segments = segments_of(blocks, reach);
    const i64 places = blocks * count * BLOCK_ROWS;
    if (segments < FEW_SEGMENTS && csr->nnz > MANY_NONZEROS)
        return SPMV_UNSUPPORTED;
    borrowed_layout_size(layout);
    layout->array_count = ARRAY_COUNT;
    layout->value_arrays = 1 << VAL | 1 << UNEQUAL;
    layout->number[NUMBER_DIAGONALS] = count;
    layout->number[NUMBER_REACH] = reach;
    layout->number[NUMBER_SEGMENTS] = segments;
    layout->workspace_bytes = (usize)(segments * ring_values(reach)) * sizeof(real);
    layout->cost = (f64)places * (sizeof(real) + 0.125) + (f64)(2 * csr->rows) * sizeof(real) +
                   step_cost(2000 + 4.0 * (f64)places / LANES);
    layout->build_cost = step_cost(60.0 * (f64)csr->nnz);
    return set_half_arrays(layout, blocks, count);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Step 1, by one thread: the distances, which layout_size had no place to keep. */
static void find_distances(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    i32 distance[MOST_DIAGONALS + 1];
    i64 count = 0;

    for (i64 r = 0; first < last && r < layout->csr.rows; r++)
        count = add_distances(&layout->csr, r, distance, count);
    for (i64 d = 0; d < count; d++)
        ((i32 *)layout->array[DISTANCE].data)[d] = distance[d];
}

/* Copies the upper entries of a row to the places of a block. If mask is not NULL, sets their
 * bits. */
static void copy_row(const spmv_layout *layout, i64 row, real *val, u8 *mask)
{
    const spmv_csr *csr = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(csr);
    const i32 *distance = (const i32 *)layout->array[DISTANCE].data;
    const i64 r = row % BLOCK_ROWS;
    i64 d = 0;

    for (i64 k = row_begin(&row_ptr, row); k < row_begin(&row_ptr, row + 1); k++) {
        const i64 ahead = csr->col_idx[k] - csr->base - row;
        if (ahead < 0)
            continue;
        while (distance[d] < ahead)
            d++;
        val[d * BLOCK_ROWS + r] = csr_val(layout)[k];
        if (mask)
            mask[(d * BLOCK_ROWS + r) / 8] |= (u8)(1 << (r % 8));
    }
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

        for (i64 i = 0; i < places; i++)
            val[i] = 0;
        for (i64 i = 0; i < places / 8; i++)
            mask[i] = 0;
        for (i64 r = b * BLOCK_ROWS; r < i64_min(a.rows, (b + 1) * BLOCK_ROWS); r++)
            copy_row(layout, r, val, mask);
        for (i64 d = 0; d < a.diagonals; d++) {
            full[d] = 1;
            for (i64 i = 0; i < BLOCK_ROWS / 8; i++)
                full[d] &= mask[d * (BLOCK_ROWS / 8) + i] == 255;
        }
        ((u8 *)layout->array[UNEQUAL].data)[b] = 0;
    }
}

/* Takes new values, which may differ from their mirrors. */
static void update_blocks(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const half_matrix a = half_view(layout);

    for (i64 b = first; b < last; b++) {
        real *val = (real *)layout->array[VAL].data + b * a.diagonals * BLOCK_ROWS;
        u8 unequal = 0;
        for (i64 r = b * BLOCK_ROWS; r < i64_min(a.rows, (b + 1) * BLOCK_ROWS); r++) {
            copy_row(layout, r, val, NULL);
            unequal |= !is_symmetric_row(&layout->csr, csr_val(layout), r);
        }
        ((u8 *)layout->array[UNEQUAL].data)[b] = unequal;
    }
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i32 n = add_step(step, 0, "find_distances", find_distances, 1);

    return add_step(step, n, "build_blocks", build_blocks, half_view(layout).blocks);
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "update_blocks", update_blocks, half_view(layout).blocks);
}

#endif
