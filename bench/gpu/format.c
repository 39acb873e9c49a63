/* format.c: see format.h. */
#include "bench/gpu/format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/sort.h"

static int64_t count_of(int64_t size, int64_t edge)
{
    return (size + edge - 1) / edge;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Allocates the array's own memory, all zero; false: out of memory. */
static bool allocate(gpu_array *array, int64_t count, size_t bytes)
{
    array->bytes = (size_t)count * bytes;
    array->owned = calloc(array->bytes > 0 ? array->bytes : 1, 1);
    array->data = array->owned;
    return array->owned != NULL;
}

static gpu_array borrow(const void *data, int64_t count, size_t bytes)
{
    return (gpu_array){ .data = data, .bytes = (size_t)count * bytes };
}

/* ---- CSR and COO --------------------------------------------------------------------------- */

static spmv_status make_csr(const spmv_csr *csr, gpu_arrays *out)
{
    const size_t offset = bench_offset_bytes(csr->offset_type);

    out->first = borrow(csr->row_ptr, csr->rows + 1, offset);
    out->first_bytes = (int)offset;
    out->columns = borrow(csr->col_idx, csr->nnz, sizeof(int32_t));
    out->values = borrow(csr->val, csr->nnz, bench_value_bytes(csr->value_type));
    return SPMV_OK;
}

static spmv_status make_wide(const spmv_csr *csr, gpu_arrays *out)
{
    make_csr(csr, out);
    if (!allocate(&out->columns, csr->nnz, sizeof(int64_t)))
        return SPMV_OUT_OF_MEMORY;
    out->column_bytes = sizeof(int64_t);
    for (int64_t k = 0; k < csr->nnz; k++)
        ((int64_t *)out->columns.owned)[k] = csr->col_idx[k];
    return csr->offset_type == SPMV_I64 ? SPMV_OK : SPMV_INVALID_ARGUMENT;
}

static spmv_status make_coo(const spmv_csr *csr, gpu_arrays *out)
{
    make_csr(csr, out);
    out->first_bytes = sizeof(int32_t);
    if (csr->offset_type != SPMV_I32)
        return SPMV_OVERFLOW;
    if (!allocate(&out->first, csr->nnz, sizeof(int32_t)))
        return SPMV_OUT_OF_MEMORY;
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++)
            ((int32_t *)out->first.owned)[k] = (int32_t)r;
    return SPMV_OK;
}

/* ---- SELL ---------------------------------------------------------------------------------- */

static int64_t slice_width(const spmv_csr *csr, int64_t slice, int64_t edge)
{
    int64_t width = 0;

    for (int64_t r = slice * edge; r < smaller((slice + 1) * edge, csr->rows); r++)
        width = bench_csr_length(csr, r) > width ? bench_csr_length(csr, r) : width;
    return width;
}

static int64_t sell_stored(const spmv_csr *csr, int64_t edge)
{
    int64_t stored = 0;

    for (int64_t s = 0; s < count_of(csr->rows, edge); s++)
        stored += slice_width(csr, s, edge) * edge;
    return stored;
}

static void copy_value(const spmv_csr *csr, int64_t from, void *values, int64_t to)
{
    const size_t bytes = bench_value_bytes(csr->value_type);

    memcpy((char *)values + (size_t)to * bytes, (const char *)csr->val + (size_t)from * bytes,
           bytes);
}

static spmv_status make_sell(const spmv_csr *csr, gpu_arrays *out)
{
    const int64_t slices = count_of(csr->rows, out->edge);

    if (!allocate(&out->first, slices + 1, sizeof(int32_t)) ||
        !allocate(&out->columns, out->stored, sizeof(int32_t)) ||
        !allocate(&out->values, out->stored, bench_value_bytes(csr->value_type)))
        return SPMV_OUT_OF_MEMORY;
    int32_t *const first = out->first.owned, *const column = out->columns.owned;
    for (int64_t s = 0; s < slices; s++)
        first[s + 1] = first[s] + (int32_t)(slice_width(csr, s, out->edge) * out->edge);
    for (int64_t i = 0; i < out->stored; i++)
        column[i] = -1;
    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t begin = bench_csr_offset(csr, r);
        for (int64_t k = 0; k < bench_csr_length(csr, r); k++) {
            const int64_t place = first[r / out->edge] + k * out->edge + r % out->edge;
            column[place] = csr->col_idx[begin + k];
            copy_value(csr, begin + k, out->values.owned, place);
        }
    }
    return SPMV_OK;
}

/* ---- BSR ----------------------------------------------------------------------------------- */

/* Counts the blocks of a block row, and writes their block columns to `column` unless it is NULL.
 * seen[c] is 1 + the last block row with a block in column c. */
static int64_t collect_blocks(const spmv_csr *csr, int64_t block_row, int64_t edge, int32_t *seen,
                              int32_t *column)
{
    const int64_t begin = bench_csr_offset(csr, block_row * edge);
    const int64_t end = bench_csr_offset(csr, smaller((block_row + 1) * edge, csr->rows));
    int64_t count = 0;

    for (int64_t k = begin; k < end; k++) {
        const int64_t block = csr->col_idx[k] / edge;
        if (seen[block] == (int32_t)block_row + 1)
            continue;
        seen[block] = (int32_t)block_row + 1;
        if (column)
            column[count] = (int32_t)block;
        count++;
    }
    return count;
}

static int64_t count_blocks(const spmv_csr *csr, int64_t edge, int32_t *seen)
{
    int64_t count = 0;

    for (int64_t b = 0; b < count_of(csr->rows, edge); b++)
        count += collect_blocks(csr, b, edge, seen, NULL);
    return count;
}

static int64_t bsr_stored(const spmv_csr *csr, int64_t edge)
{
    int32_t *seen = calloc((size_t)count_of(csr->cols, edge) + 1, sizeof *seen);
    const int64_t blocks = seen ? count_blocks(csr, edge, seen) : 0;

    free(seen);
    return blocks * edge * edge;
}

/* Copies the entries of a block row. place[c] becomes the block in block column c. */
static void fill_blocks(const spmv_csr *csr, int64_t block_row, int32_t *place, gpu_arrays *out)
{
    const int64_t edge = out->edge;
    const int32_t *const first = out->first.owned, *const column = out->columns.owned;

    for (int32_t i = first[block_row]; i < first[block_row + 1]; i++)
        place[column[i]] = i;
    for (int64_t r = block_row * edge; r < smaller((block_row + 1) * edge, csr->rows); r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++) {
            const int64_t col = csr->col_idx[k];
            copy_value(csr, k, out->values.owned,
                       (place[col / edge] * edge + r % edge) * edge + col % edge);
        }
}

static spmv_status make_bsr(const spmv_csr *csr, gpu_arrays *out)
{
    const int64_t edge = out->edge, blocks = out->stored / (edge * edge);
    int32_t *seen = calloc((size_t)count_of(csr->cols, edge) + 1, sizeof *seen);

    out->rows = count_of(csr->rows, edge);
    out->cols = count_of(csr->cols, edge);
    if (!seen || !allocate(&out->first, out->rows + 1, sizeof(int32_t)) ||
        !allocate(&out->columns, blocks, sizeof(int32_t)) ||
        !allocate(&out->values, out->stored, bench_value_bytes(csr->value_type))) {
        free(seen);
        return SPMV_OUT_OF_MEMORY;
    }
    int32_t *const first = out->first.owned, *const column = out->columns.owned;
    for (int64_t b = 0; b < out->rows; b++) {
        const int64_t count = collect_blocks(csr, b, edge, seen, column + first[b]);
        first[b + 1] = first[b] + (int32_t)count;
        bench_sort_i32(column + first[b], count);
    }
    for (int64_t b = 0; b < out->rows; b++)
        fill_blocks(csr, b, seen, out);
    free(seen);
    return SPMV_OK;
}

/* ---- all of them --------------------------------------------------------------------------- */

int64_t gpu_format_stored(const spmv_csr *csr, gpu_format format, int64_t edge)
{
    return format == GPU_SELL ? sell_stored(csr, edge)
         : format == GPU_BSR ? bsr_stored(csr, edge) : csr->nnz;
}

spmv_status gpu_arrays_create(const spmv_csr *csr, gpu_format format, int64_t edge, gpu_arrays *out)
{
    spmv_status (*const make[])(const spmv_csr *, gpu_arrays *) = {
        [GPU_CSR] = make_csr, [GPU_WIDE] = make_wide, [GPU_COO] = make_coo, [GPU_SELL] = make_sell,
        [GPU_BSR] = make_bsr,
    };

    *out = (gpu_arrays){ .format = format, .rows = csr->rows, .cols = csr->cols, .edge = edge,
                         .stored = gpu_format_stored(csr, format, edge), .first_bytes = 4,
                         .column_bytes = 4 };
    const bool counts = format == GPU_SELL || format == GPU_BSR;
    spmv_status status = counts && out->stored > INT32_MAX ? SPMV_OVERFLOW : make[format](csr, out);
    if (status)
        gpu_arrays_destroy(out);
    return status;
}

void gpu_arrays_destroy(gpu_arrays *arrays)
{
    free(arrays->first.owned);
    free(arrays->columns.owned);
    free(arrays->values.owned);
    *arrays = (gpu_arrays){ .format = GPU_CSR };
}
