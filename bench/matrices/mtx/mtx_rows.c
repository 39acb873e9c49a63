/* mtx_rows.c: the counting sort. See mtx_rows.h.
 *
 *     after      row_ptr[r] is
 *     count      the number of entries of row r
 *     sum        where row r starts
 *     scatter    where row r + 1 starts; until then, where the next entry of row r goes
 *     shift      where row r starts
 */
#include "bench/matrices/mtx/mtx_rows.h"

#include <string.h>

static void rows_count(const mtx_store *store, bool has_mirrors, int64_t *row_ptr)
{
    for (const mtx_block *block = store->first; block; block = block->next) {
        for (uint32_t i = 0; i < block->count; i++) {
            row_ptr[block->row[i]]++;
            if (has_mirrors && block->row[i] != block->col[i])
                row_ptr[block->col[i]]++;
        }
    }
}

static int64_t rows_sum(int64_t rows, int64_t *row_ptr)
{
    int64_t sum = 0;
    for (int64_t r = 0; r < rows; r++) {
        int64_t count = row_ptr[r];
        row_ptr[r] = sum;
        sum += count;
    }
    return sum;
}

static void block_scatter(const mtx_block *block, mtx_symmetry symmetry, mtx_matrix *out)
{
    const double sign = symmetry == MTX_SKEW_SYMMETRIC ? -1 : 1;
    for (uint32_t i = 0; i < block->count; i++) {
        int32_t row = block->row[i], col = block->col[i];
        double value = block->val ? block->val[i] : 1;
        int64_t at = out->row_ptr[row]++;
        out->col_idx[at] = col;
        out->val[at] = value;
        if (symmetry != MTX_GENERAL && row != col) {
            at = out->row_ptr[col]++;
            out->col_idx[at] = row;
            out->val[at] = sign * value;
        }
    }
}

mtx_status mtx_rows_build(const mtx_report *report, const mtx_header *header, mtx_store *store,
                          mtx_matrix *out)
{
    mtx_memory *memory = store->memory;
    out->rows = header->rows;
    out->cols = header->cols;
    out->row_ptr = mtx_memory_alloc(memory, (uint64_t)out->rows + 1, sizeof *out->row_ptr);
    if (!out->row_ptr)
        return mtx_memory_fail(memory, report, "the row pointers");
    memset(out->row_ptr, 0, ((size_t)out->rows + 1) * sizeof *out->row_ptr);
    rows_count(store, header->symmetry != MTX_GENERAL, out->row_ptr);
    out->nnz = rows_sum(out->rows, out->row_ptr);
    out->row_ptr[out->rows] = out->nnz;

    out->col_idx = mtx_memory_alloc(memory, (uint64_t)out->nnz, sizeof *out->col_idx);
    if (out->col_idx)
        out->val = mtx_memory_alloc(memory, (uint64_t)out->nnz, sizeof *out->val);
    if (!out->val)
        return mtx_memory_fail(memory, report, "the rows");
    while (store->first) {
        block_scatter(store->first, header->symmetry, out);
        mtx_store_drop(store);
    }
    memmove(out->row_ptr + 1, out->row_ptr, (size_t)out->rows * sizeof *out->row_ptr);
    out->row_ptr[0] = 0;
    return MTX_OK;
}

void mtx_rows_free(mtx_memory *memory, mtx_matrix *matrix)
{
    mtx_memory_free(memory, matrix->row_ptr, (uint64_t)matrix->rows + 1, sizeof *matrix->row_ptr);
    mtx_memory_free(memory, matrix->col_idx, (uint64_t)matrix->nnz, sizeof *matrix->col_idx);
    mtx_memory_free(memory, matrix->val, (uint64_t)matrix->nnz, sizeof *matrix->val);
    *matrix = (mtx_matrix){ 0 };
}
