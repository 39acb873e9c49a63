/* format.h: a CSR matrix in the formats that cuSPARSE multiplies, as arrays on the host.
 *
 *     GPU_CSR    first  rows + 1 offsets, of the matrix's type
 *     GPU_WIDE   the same with columns of 64 bits, as its offsets
 *     GPU_COO    first  the row of each entry, in the order of rows
 *     GPU_SELL   rows in slices of `edge`. A slice is as wide as its longest row and is stored by
 *                column:
 *
 *                    slice of 4 rows          stored
 *                    a b c                    a d e f  b * g *  c * h *
 *                    d * *
 *                    e g h      * padding: column -1, value 0
 *                    f * *
 *
 *                first  slices + 1 offsets, in entries; the last slice is padded to `edge` rows
 *     GPU_BSR    dense blocks of edge x edge, stored by row, in the order of columns;
 *                first  block rows + 1 offsets, in blocks. rows and cols count blocks: vectors need
 *                room for whole blocks
 *
 * Pure functions. Arrays that a format shares with the matrix are borrowed: the matrix must outlive
 * the format.
 */
#ifndef GPU_FORMAT_H
#define GPU_FORMAT_H

#include "runtime/spmv_module.h"

typedef enum gpu_format { GPU_CSR, GPU_WIDE, GPU_COO, GPU_SELL, GPU_BSR } gpu_format;

/* Largest edge of blocks: vectors have this many more elements at their end. */
enum { GPU_MAX_EDGE = 32 };

/* An array that the format owns or borrows. */
typedef struct gpu_array {
    const void *data;
    size_t bytes;
    void *owned;                 /* data, if the format owns it; NULL: the matrix owns it */
} gpu_array;

typedef struct gpu_arrays {
    gpu_format format;
    int64_t rows, cols;          /* BSR: in blocks */
    int64_t edge;                /* rows of a slice, or of a block */
    int64_t stored;              /* values, padding included */
    gpu_array first, columns, values;
    int first_bytes, column_bytes;       /* bytes of an index: 4 or 8 */
} gpu_arrays;

/* Number of values that the format stores, padding included; 0: out of memory. */
int64_t gpu_format_stored(const spmv_csr *csr, gpu_format format, int64_t edge);

/* The matrix has base 0, and its columns ascend without duplicates. SPMV_OVERFLOW: the number of
 * stored values exceeds 32-bit offsets, or the format is COO and the offsets have 64 bits. */
spmv_status gpu_arrays_create(const spmv_csr *csr, gpu_format format, int64_t edge,
                              gpu_arrays *out);
void gpu_arrays_destroy(gpu_arrays *arrays);         /* all zero is fine */

#endif
