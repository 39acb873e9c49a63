/* build.h: converts CSR into the layout of CSR5, updates its values, and restores CSR from it. */
#ifndef SPMV_CSR5_BUILD_H
#define SPMV_CSR5_BUILD_H

#include "../common/build_column_span.h"
#include "../common/layout_row_search.h"
#include "build_sizes.h"
#include "layout.h"

/* ---- tiles ---------------------------------------------------------------------------------- */

static void build_tile_ptr(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    u32 *tile_ptr = (u32 *)job->layout->array[TILE_PTR].data;
    const i64 end = last >= a.chunks ? a.described + 1 : last * CHUNK_TILES;
    i32 row = 0;

    for (i64 t = first * CHUNK_TILES; t < end; t++) {
        row = row_of_nonzero(&a.row_ptr, a.rows, t * a.shape.size, row);
        tile_ptr[t] = (u32)row;
    }
}

/* Fills the descriptor of a tile and returns the number of its segments; *last_row is the row of
 * the last segment. */
static i32 describe_tile(const csr5_matrix *a, i64 tile, u32 *desc, i32 *last_row)
{
    const tile_shape *shape = &a->shape;
    const i64 tile_begin = tile * shape->size;
    i32 flags[OMEGA] = {0};
    i32 segments = 0;

    for (i32 i = 0; i < shape->words * OMEGA; i++)
        desc[i] = 0;

    *last_row = tile_row(a->tile_ptr[tile]);
    for (i32 r = *last_row; r < a->rows; r++) {
        /* The first row may have begun in an earlier tile: it is flagged at the tile's start. */
        const i64 k = i64_max(row_begin(&a->row_ptr, r) - tile_begin, 0);
        if (k >= shape->size)
            break;
        if (row_length(&a->row_ptr, r) == 0)
            continue;

        const i32 lane = (i32)k / shape->sigma;
        const i32 bit = shape->y_bits + shape->seg_bits + (i32)k % shape->sigma;
        desc[bit / 32 * OMEGA + lane] |= 0x80000000u >> bit % 32;
        flags[lane]++;
        segments++;
        *last_row = r;
    }

    i32 y_offset = segments;
    i32 seg_offset = 0;
    for (i32 lane = OMEGA - 1; lane >= 0; lane--) {
        y_offset -= flags[lane];
        desc[lane] |= (u32)y_offset << (32 - shape->y_bits);
        if (shape->seg_bits)
            desc[lane] |= (u32)seg_offset << (32 - shape->y_bits - shape->seg_bits);
        seg_offset = flags[lane] ? 0 : seg_offset + 1;
    }
    return segments;
}

/* Writes the descriptors, and to empty_ptr the number of segments of each tile with empty rows. */
static void build_tile_desc(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    u32 *tile_desc = (u32 *)job->layout->array[TILE_DESC].data;
    i64 *empty_ptr = (i64 *)job->layout->array[EMPTY_PTR].data;
    const i64 end = i64_min(last * CHUNK_TILES, a.described);

    for (i64 t = first * CHUNK_TILES; t < end; t++) {
        i32 last_row = 0;
        const i32 segments = describe_tile(&a, t, tile_desc + t * a.shape.words * OMEGA, &last_row);
        if (empty_ptr)
            empty_ptr[t + 1] = last_row - tile_row(a.tile_ptr[t]) == segments - 1 ? 0 : segments;
    }
}

/* Copies values from CSR order into the tiles. */
static void transpose_val(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    const real *from = csr_val(job->layout);
    real *to = (real *)job->layout->array[VAL].data;
    const i64 end = i64_min(last * CHUNK_TILES, a.tiles);

    for (i64 t = first * CHUNK_TILES; t < end; t++)
        for (i32 s = 0; s < a.shape.sigma; s++)
            for (i32 lane = 0; lane < OMEGA; lane++)
                to[t * a.shape.size + value_place(a.shape.sigma, s, lane)] =
                    from[t * a.shape.size + lane * a.shape.sigma + s];

    if (last == a.chunks)
        for (i64 k = a.tiles * a.shape.size; k < a.nnz; k++)
            to[k] = from[k];
}

/* Sets the kind of each tile and its smallest column. */
static void build_tile_columns(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    const i32 *col_idx = job->layout->csr.col_idx;
    u64 *columns = (u64 *)job->layout->array[TILE_COLUMNS].data;
    const i64 end = i64_min(last * CHUNK_TILES, a.tiles);

    for (i64 t = first * CHUNK_TILES; t < end; t++) {
        const column_span found = span_of(col_idx + t * a.shape.size, a.shape.size);
        const bool wide = !span_is_narrow(job->layout->csr.cols, found);

        columns[t] = column_word(wide, wide ? 0 : found.least, 0);
    }
}

/* Counts the tiles of the same kind before each tile. */
static void place_tile_columns(const spmv_job *job, i64 first, i64 last)
{
    const i64 tiles = job->layout->number[NUMBER_TILES];
    u64 *columns = (u64 *)job->layout->array[TILE_COLUMNS].data;
    u32 wide = 0;
    u32 narrow = 0;

    (void)first;
    (void)last;
    for (i64 t = 0; t < tiles; t++)
        columns[t] |= column_word(false, 0, word_is_narrow(columns[t]) ? narrow++ : wide++);
    columns[tiles] = column_word(true, 0, wide);
}

/* Copies columns from CSR order into the tiles of both kinds. */
static void transpose_columns(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    const i32 *from = job->layout->csr.col_idx;
    i32 *col_idx = (i32 *)job->layout->array[COL_IDX].data;
    u16 *col_offset = (u16 *)job->layout->array[COL_OFFSET].data;
    const i64 end = i64_min(last * CHUNK_TILES, a.tiles);

    for (i64 t = first * CHUNK_TILES; t < end; t++) {
        const u64 own = a.columns[t];
        const i64 to = columns_begin(own, a.shape.size);

        for (i32 s = 0; s < a.shape.sigma; s++) {
            for (i32 lane = 0; lane < OMEGA; lane++) {
                const i64 place = to + column_place(a.shape.sigma, s, lane);
                const i32 column = from[t * a.shape.size + lane * a.shape.sigma + s];

                if (word_is_narrow(own))
                    col_offset[place] = (u16)(column - first_column(own));
                else
                    col_idx[place] = column;
            }
        }
    }

    if (last == a.chunks)
        for (i64 k = a.tiles * a.shape.size; k < a.nnz; k++)
            col_idx[tail_columns(&a) + k - a.tiles * a.shape.size] = from[k];
}

/* Turns the counts of segments in empty_ptr into positions, and marks the tiles that have any. */
static void build_empty_ptr(const spmv_job *job, i64 first, i64 last)
{
    const i64 tiles = job->layout->number[NUMBER_DESCRIBED];
    u32 *tile_ptr = (u32 *)job->layout->array[TILE_PTR].data;
    i64 *empty_ptr = (i64 *)job->layout->array[EMPTY_PTR].data;

    (void)first;
    (void)last;
    empty_ptr[0] = 0;
    for (i64 t = 0; t < tiles; t++) {
        if (empty_ptr[t + 1])
            tile_ptr[t] |= 0x80000000u;
        empty_ptr[t + 1] += empty_ptr[t];
    }
}

static void build_empty_offset(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    i32 *empty_offset = (i32 *)job->layout->array[EMPTY_OFFSET].data;
    const i64 end = i64_min(last * CHUNK_TILES, a.described);

    for (i64 t = first * CHUNK_TILES; t < end; t++) {
        const i32 row = tile_row(a.tile_ptr[t]);
        i32 r = row;
        for (i64 j = a.empty_ptr[t]; j < a.empty_ptr[t + 1]; j++) {
            while (row_length(&a.row_ptr, r) == 0)
                r++;
            empty_offset[j] = r++ - row;
        }
    }
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i64 chunks = layout->number[NUMBER_CHUNKS];
    i32 n = 0;

    /* At least one chunk, since tile_ptr has an entry even if there are no nonzeros. */
    n = add_step(step, n, "build_tile_ptr", build_tile_ptr, i64_max(chunks, 1));
    n = add_step(step, n, "build_tile_columns", build_tile_columns, chunks);
    n = add_step(step, n, "place_tile_columns", place_tile_columns, 1);
    n = add_step(step, n, "build_tile_desc", build_tile_desc, chunks);
    n = add_step(step, n, "transpose_columns", transpose_columns, chunks);
    n = add_step(step, n, "transpose_val", transpose_val, chunks);
    if (layout->array[EMPTY_PTR].bytes) {
        n = add_step(step, n, "build_empty_ptr", build_empty_ptr, 1);
        n = add_step(step, n, "build_empty_offset", build_empty_offset, chunks);
    }
    return form_build_steps(layout, step, n);
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "transpose_val", transpose_val, layout->number[NUMBER_CHUNKS]);
}

/* ---- back to CSR --------------------------------------------------------------------------- */

/* The column at an index within a complete tile. */
static i32 column_at(const csr5_matrix *a, i64 tile, i32 place)
{
    const u64 own = a->columns[tile];
    const i64 at = columns_begin(own, a->shape.size) + place;
    return word_is_narrow(own) ? first_column(own) + a->col_offset[at] : a->col_idx[at];
}

static void restore_csr(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    i32 *col_idx = job->col_idx_out;
    const real *from = (const real *)job->layout->array[VAL].data;
    real *val = (real *)job->val_out;
    const i64 tiles_end = i64_min(last * CHUNK_TILES, a.tiles) * a.shape.size;

    for (i64 k = first * CHUNK_TILES * a.shape.size; k < tiles_end; k++) {
        const i32 in_tile = (i32)(k % a.shape.size);
        const i32 step = in_tile % a.shape.sigma;
        const i32 lane = in_tile / a.shape.sigma;

        if (col_idx)
            col_idx[k] = column_at(&a, k / a.shape.size, column_place(a.shape.sigma, step, lane));
        if (val)
            val[k] = from[k - in_tile + value_place(a.shape.sigma, step, lane)];
    }

    if (last == a.chunks) {
        const i64 tail = a.tiles * a.shape.size;

        for (i64 k = tail; k < a.nnz; k++) {
            if (col_idx)
                col_idx[k] = a.col_idx[tail_columns(&a) + k - tail];
            if (val)
                val[k] = from[k];
        }
    }
}

static i32 restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "restore_csr", restore_csr, job->layout->number[NUMBER_CHUNKS]);
}

#endif
