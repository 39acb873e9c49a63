/* dense.h: dense matrices whose columns are the vectors of a multiplication. */
#ifndef SPMV_DENSE_H
#define SPMV_DENSE_H

#include "runtime/core/threads/team.h"
#include "runtime/spmv.h"

/* rows x columns values; element (i, c) is value i*row_stride + c*column_stride of data. */
typedef struct spmv_dense {
    char *data;
    int64_t rows;
    int32_t columns;
    int64_t row_stride, column_stride;
    size_t value_bytes;          /* 4 or 8 */
} spmv_dense;

/* The matrix with leading dimension ld: the distance of rows, if row-major, or of columns. */
spmv_dense spmv_dense_of(spmv_order order, const void *data, int64_t ld, int64_t rows,
                         int32_t columns, size_t value_bytes);

/* Columns first to first + count - 1. */
spmv_dense spmv_dense_columns(const spmv_dense *matrix, int32_t first, int32_t count);

/* Bytes from the first to behind the last element; 0 for an empty matrix. */
size_t spmv_dense_extent(const spmv_dense *matrix);

/* Whether the matrices share an element. Two matrices of equal strides may interleave, such as two
 * groups of columns of one row-major matrix. Matrices of other strides overlap if their extents
 * do. */
int spmv_dense_overlap(const spmv_dense *a, const spmv_dense *b);

/* Copies `from` to `to`, which has the same rows and columns. They must not overlap. */
void spmv_dense_copy(const spmv_threads *threads, const spmv_dense *to, const spmv_dense *from);

#endif
