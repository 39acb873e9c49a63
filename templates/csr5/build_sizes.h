/* build_sizes.h: sizes of the arrays of CSR5, and the costs of building and multiplying. */
#ifndef SPMV_CSR5_BUILD_SIZES_H
#define SPMV_CSR5_BUILD_SIZES_H

#include "../common/build_column_span.h"
#include "layout.h"

/* ---- definitions that differ between CPUs and devices ---------------------------------------- */

/* Number of tiles that have a descriptor: the complete ones, and on devices the tail too. */
static i64 form_described_tiles(i64 nnz, i32 tile_size);

/* Sets the sizes of the arrays from FORM_ARRAYS on, array_count, and the workspace. */
static spmv_status form_arrays(spmv_layout *layout);

/* Appends the steps that fill those arrays. */
static i32 form_build_steps(const spmv_layout *layout, spmv_step *step, i32 count);

/* ---- sizes --------------------------------------------------------------------------------- */

/* Section 3.2: sigma from the average row length, rounded down, by <r, s, t, u>. */
static i32 choose_sigma(const spmv_csr *csr)
{
    const i64 average = csr->rows ? csr->nnz / csr->rows : 0;
    if (average <= R)
        return R;
    if (average <= S)
        return (i32)average;
    return average <= T ? S : U;
}

static i64 count_wide(const spmv_csr *csr, i64 tiles, i32 tile_size)
{
    i64 wide = 0;

    if (matrix_is_narrow(csr->cols))
        return 0;
    for (i64 t = 0; t < tiles; t++)
        wide += !span_is_narrow(csr->cols, span_of(csr->col_idx + t * tile_size, tile_size));
    return wide;
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(csr);
    const tile_shape shape = shape_of(SIGMA ? SIGMA : choose_sigma(csr));
    const i64 tiles = csr->nnz / shape.size;
    const i64 chunks = i64_ceil_div(i64_ceil_div(csr->nnz, shape.size), CHUNK_TILES);
    const i64 described = form_described_tiles(csr->nnz, shape.size);
    i64 empty_rows = 0;
    i64 wide, wide_columns, narrow_columns;
    spmv_status status;

    if (tiles > 0xffffffff)      /* tile_columns counts in 32 bits */
        return SPMV_OVERFLOW;
    wide = count_wide(csr, tiles, shape.size);
    narrow_columns = (tiles - wide) * shape.size;
    wide_columns = csr->nnz - narrow_columns;
    for (i64 r = 0; r < csr->rows; r++)
        empty_rows += row_length(&row_ptr, r) == 0;

    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->value_arrays = 1 << VAL;
    layout->number[NUMBER_TILES] = tiles;
    layout->number[NUMBER_SIGMA] = shape.sigma;
    layout->number[NUMBER_CHUNKS] = chunks;
    layout->number[NUMBER_DESCRIBED] = described;
    layout->number[NUMBER_WIDE] = wide;

    /* A tile that contains empty rows has at most one more segment than rows that start in it. */
    const i64 segments = empty_rows ? csr->rows - empty_rows + described : 0;

    status = set_array(layout, TILE_PTR, "tile_ptr", described + 1, sizeof(u32));
    if (!status)
        status = set_array(layout, TILE_DESC, "tile_desc", described * shape.words * OMEGA,
                           sizeof(u32));
    if (!status)
        status = set_array(layout, TILE_COLUMNS, "tile_columns", tiles + 1, sizeof(u64));
    if (!status)
        status = set_array(layout, COL_IDX, "col_idx", wide_columns, sizeof(i32));
    if (!status)
        status = set_array(layout, COL_OFFSET, "col_offset", narrow_columns, sizeof(u16));
    if (!status)
        status = set_array(layout, VAL, "val", csr->nnz, value_bytes(csr));
    if (!status)
        status = set_array(layout, EMPTY_PTR, "empty_ptr", empty_rows ? described + 1 : 0,
                           sizeof(i64));
    if (!status)
        status = set_array(layout, EMPTY_OFFSET, "empty_offset", segments, sizeof(i32));
    if (!status)
        status = form_arrays(layout);

    /* Bytes of the arrays, x and y, each once, and of storing a row's sum. Columns count as 32 bits
     * even if narrow, since narrow columns save no time on some devices. */
    layout->cost = (f64)csr->nnz * entry_bytes(csr) +
                   (f64)(described * shape.words * OMEGA) * sizeof(u32) +
                   (f64)csr->rows * (value_bytes(csr) + 48) + (f64)csr->cols * value_bytes(csr);
    layout->build_cost = (f64)csr->nnz * 190;
    return status;
}

#endif
