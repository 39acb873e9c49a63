/* build.h: packs rows into row blocks. */
#ifndef SPMV_CSR_ADAPTIVE_BUILD_H
#define SPMV_CSR_ADAPTIVE_BUILD_H

#include "../common/build_borrowed.h"
#include "layout.h"

/* ---- packing ------------------------------------------------------------------------------- */

/* End of the block that begins at `row`, which is not a CSR-VectorL row. */
static i32 block_end(const row_offsets *row_ptr, i32 rows, i32 row)
{
    const i64 begin = row_begin(row_ptr, row);
    const i32 most = rows - row < NNZ_PER_WG ? rows : row + NNZ_PER_WG;
    i64 before = row_length(row_ptr, row);
    i32 end = row + 1;

    for (; end < most; end++) {
        const i64 length = row_length(row_ptr, end);
        const bool jump = (before > LONG_ROW && length < SHORT_ROW) ||
                          (before < SHORT_ROW && length > LONG_ROW);
        if (jump || row_begin(row_ptr, end + 1) - begin > NNZ_PER_WG)
            break;
        before = length;
    }
    return end;
}

/* Packs all rows into blocks; counts blocks and long rows, and fills the arrays if not NULL. */
static void pack_rows(const spmv_layout *layout, i32 *row_block, i64 *long_block, i64 *blocks,
                      i64 *long_rows)
{
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    const i32 rows = (i32)layout->csr.rows;
    i32 row = 0;

    *blocks = 0;
    *long_rows = 0;
    while (row < rows) {
        const i64 length = row_length(&row_ptr, row);
        const bool is_long = length > LONG_ROW_PART;
        const i64 parts = is_long ? i64_ceil_div(length, LONG_ROW_PART) : 1;

        if (is_long && long_block)
            long_block[*long_rows] = *blocks;
        for (i64 p = 0; p < parts && row_block; p++)
            row_block[*blocks + p] = row;
        *long_rows += is_long;
        *blocks += parts;
        row = is_long ? row + 1 : block_end(&row_ptr, rows, row);
    }
    if (row_block)
        row_block[*blocks] = rows;
}

static void build_row_blocks(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    i64 blocks = 0;
    i64 long_rows = 0;

    (void)first;
    (void)last;
    pack_rows(layout, (i32 *)layout->array[ROW_BLOCK].data, (i64 *)layout->array[LONG_BLOCK].data,
              &blocks, &long_rows);
}

/* ---- sizes and steps ----------------------------------------------------------------------- */

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    i64 blocks = 0;
    i64 long_rows = 0;
    spmv_status status;

    borrowed_layout_size(layout);
    pack_rows(layout, NULL, NULL, &blocks, &long_rows);
    layout->array_count = ARRAY_COUNT;
    layout->number[NUMBER_BLOCKS] = blocks;
    layout->number[NUMBER_LONG_ROWS] = long_rows;
    status = set_array(layout, ROW_BLOCK, "row_block", blocks + 1, sizeof(i32));
    if (!status)
        status = set_array(layout, LONG_BLOCK, "long_block", long_rows, sizeof(i64));

    /* The workspace holds the sum of each block that is part of a long row. */
    if (!status && long_rows)
        status = set_workspace(layout, blocks, value_bytes(csr));

    /* Bytes of values, columns, row pointers, x and y, each once, and some steps for each row. */
    layout->cost = (f64)csr->nnz * entry_bytes(csr) +
                   (f64)csr->rows * (offset_bytes(csr) + value_bytes(csr) + 32) +
                   (f64)csr->cols * value_bytes(csr);
    layout->build_cost = (f64)csr->rows * 140;
    return status;
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    return add_step(step, 0, "build_row_blocks", build_row_blocks, 1);
}

#endif
