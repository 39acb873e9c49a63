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

/* A row block, from which next_block finds the next. */
typedef struct packed_block {
    row_offsets row_ptr;
    i32 rows;
    i32 row, end;                /* its rows; of a part of a row none, but for the last part */
    i64 begin, count;            /* its nonzeros */
    i64 part;                    /* of a CSR-VectorL row, from 0; -1: whole rows */
} packed_block;

/* What stands before the first block. */
static packed_block no_block(const spmv_layout *layout)
{
    const packed_block none = {
        row_offsets_of(&layout->csr), (i32)layout->csr.rows, 0, 0, 0, 0, -1
    };
    return none;
}

/* Goes on to the next block; false: there is none. */
static bool next_block(packed_block *b)
{
    if (b->end == b->rows)
        return false;

    const i64 length = row_length(&b->row_ptr, b->end);
    const bool continues = b->part >= 0 && b->end == b->row;

    b->row = b->end;
    b->part = length <= LONG_ROW_PART ? -1 : continues ? b->part + 1 : 0;
    b->begin = row_begin(&b->row_ptr, b->row);
    if (b->part < 0) {
        b->end = block_end(&b->row_ptr, b->rows, b->row);
        b->count = row_begin(&b->row_ptr, b->end) - b->begin;
        return true;
    }
    const i64 before = b->part * LONG_ROW_PART;
    b->begin += before;
    b->count = i64_min(length - before, LONG_ROW_PART);
    b->end += before + b->count == length;
    return true;
}

/* ---- sizes --------------------------------------------------------------------------------- */

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    packed_block block = no_block(layout);
    i64 blocks = 0;
    i64 long_rows = 0;
    spmv_status status;

    borrowed_layout_size(layout);
    for (; next_block(&block); blocks++)
        long_rows += block.part == 0;
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
