/* row_blocks.c: the layout of CSR-Adaptive, which is nothing but a list of row blocks.
 *
 * Greathouse & Daga, SC 2014; Daga & Greathouse, HiPC 2015. The caller's CSR stays as it is and is
 * borrowed. Consecutive rows are packed into a block until the next row would make it longer than
 * NNZ_PER_WG nonzeros; a block also ends where a short row follows a long one or the other way
 * round, so that one block is of one kind. With NNZ_PER_WG = 8, NNZ_MULTIPLIER = 1:
 *
 *     row          0  1  2  3  4   5    6  7
 *     nonzeros     3  2  4  0  2   20   1  1
 *     row_block    0     2         5 5 5  6    8
 *     kind         S     S         L L L  S
 *
 *   row_block      i32[blocks + 1]: the first row of each block, and rows at the end. A row of more
 *                  than NNZ_PER_WG * NNZ_MULTIPLIER nonzeros (L, CSR-VectorL) has a block for every
 *                  so many of its nonzeros, all with the same first row.
 *   long_block     i64[long rows]: the first block of each such row.
 *
 * What kind a block is follows from its rows and nonzeros (section III of HiPC 2015):
 *
 *     at least NUM_ROWS_STREAM rows             CSR-Stream
 *     fewer, or one row over NNZ_PER_WG         CSR-Vector, row by row
 *     one row over the limit                    CSR-VectorL, a part of the row
 *
 * Gaps of the papers closed here: a block holds at most NNZ_PER_WG rows, so that a long run of
 * empty rows is shared out too; how the parts of a CSR-VectorL row meet is theirs by atomic
 * additions, ours by a second step that adds them in order; a jump is judged between a row and the
 * one before it.
 */

#include "kinds.c"

enum {                           /* spmv_layout.array */
    ROW_BLOCK,
    LONG_BLOCK,
    ARRAY_COUNT
};

enum {                           /* spmv_layout.number */
    NUMBER_BLOCKS,
    NUMBER_LONG_ROWS
};

/* The matrix and its blocks. */
typedef struct adaptive_matrix {
    row_offsets row_ptr;
    const i32 *col_idx;
    const i32 *row_block;
    const i64 *long_block;
    i64 blocks, long_rows;
} adaptive_matrix;

static adaptive_matrix adaptive_view(const spmv_layout *layout)
{
    adaptive_matrix a;
    a.row_ptr = row_offsets_of(&layout->csr);
    a.col_idx = layout->csr.col_idx;
    a.row_block = (const i32 *)layout->array[ROW_BLOCK].data;
    a.long_block = (const i64 *)layout->array[LONG_BLOCK].data;
    a.blocks = layout->number[NUMBER_BLOCKS];
    a.long_rows = layout->number[NUMBER_LONG_ROWS];
    return a;
}

/* ---- kinds --------------------------------------------------------------------------------- */

DEVICE i32 block_kind(const adaptive_matrix *a, i64 block)
{
    const i32 row = a->row_block[block];
    const i32 end = a->row_block[block + 1];

    /* Between two parts of a row there is no row; its last part ends where the next row begins. */
    if (end <= row + 1 && row_length(&a->row_ptr, row) > LONG_ROW_PART)
        return KIND_VECTOR_L;
    if (end - row >= NUM_ROWS_STREAM &&
        row_begin(&a->row_ptr, end) - row_begin(&a->row_ptr, row) <= NNZ_PER_WG)
        return KIND_STREAM;
    return KIND_VECTOR;
}

/* ---- packing ------------------------------------------------------------------------------- */

/* The end of the block that begins at `row`, which is no CSR-VectorL row. */
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

/* Packs all rows. Writes the layout's arrays where they are not NULL, and counts. */
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

#include "../common/build_borrowed.h"

/* ---- what the method answers --------------------------------------------------------------- */

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

    /* The sum of each block that is part of a long row. */
    if (!status && long_rows)
        status = set_workspace(layout, blocks, value_bytes(csr));

    /* Values, columns and row pointers once, x and y once, and some steps a row. */
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

static i32 figures(const spmv_layout *layout, spmv_figure *figure)
{
    const adaptive_matrix a = adaptive_view(layout);
    const spmv_csr *csr = &layout->csr;
    const f64 csr_bytes = (f64)csr->nnz * entry_bytes(csr) +
                          (f64)(csr->rows + 1) * offset_bytes(csr);
    i64 kind[KIND_COUNT] = {0};
    i32 n = 0;

    for (i64 b = 0; b < a.blocks; b++)
        kind[block_kind(&a, b)]++;
    n = add_figure(figure, n, "row blocks", "blocks", (f64)a.blocks);
    n = add_figure(figure, n, "CSR-Stream", "blocks", (f64)kind[KIND_STREAM]);
    n = add_figure(figure, n, "CSR-Vector", "blocks", (f64)kind[KIND_VECTOR]);
    n = add_figure(figure, n, "CSR-VectorL", "blocks", (f64)kind[KIND_VECTOR_L]);
    n = add_figure(figure, n, "row blocks' share of the storage", "%",
                   100.0 * ((f64)(a.blocks + 1) * sizeof(i32) + (f64)a.long_rows * sizeof(i64)) /
                       csr_bytes);
    return n;
}
