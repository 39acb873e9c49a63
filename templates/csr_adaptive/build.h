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

/* The row blocks of a matrix, one after the other. */
typedef struct block_reader {
    row_offsets row_ptr;
    i32 rows;
    i32 row;                     /* the first row of the next block */
    i64 part;                    /* its part of that row, if the row is long */
} block_reader;

typedef struct packed_block {
    i32 row, end;                /* its rows; none for a part of a row, but for the last part */
    i64 begin, count;            /* its nonzeros */
    bool is_part;                /* of a CSR-VectorL row */
} packed_block;

static block_reader block_reader_of(const spmv_layout *layout)
{
    block_reader r;

    r.row_ptr = row_offsets_of(&layout->csr);
    r.rows = (i32)layout->csr.rows;
    r.row = 0;
    r.part = 0;
    return r;
}

/* The next block; false: there is none. */
static bool next_block(block_reader *r, packed_block *block)
{
    if (r->row == r->rows)
        return false;

    const i64 length = row_length(&r->row_ptr, r->row);
    const i64 before = r->part * LONG_ROW_PART;

    block->row = r->row;
    block->is_part = length > LONG_ROW_PART;
    block->begin = row_begin(&r->row_ptr, r->row) + before;
    if (block->is_part) {
        block->count = i64_min(length - before, LONG_ROW_PART);
        block->end = before + block->count == length ? r->row + 1 : r->row;
        r->part = block->end > r->row ? 0 : r->part + 1;
    } else {
        block->end = block_end(&r->row_ptr, r->rows, r->row);
        block->count = row_begin(&r->row_ptr, block->end) - block->begin;
    }
    r->row = block->end;
    return true;
}

/* Whether it is the first part of a long row. */
static bool begins_long_row(const block_reader *r, const packed_block *block)
{
    return block->is_part && block->begin == row_begin(&r->row_ptr, block->row);
}

/* ---- sizes --------------------------------------------------------------------------------- */

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    block_reader reader = block_reader_of(layout);
    packed_block block;
    i64 blocks = 0;
    i64 long_rows = 0;
    spmv_status status;

    borrowed_layout_size(layout);
    for (; next_block(&reader, &block); blocks++)
        long_rows += begins_long_row(&reader, &block);
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

#endif
