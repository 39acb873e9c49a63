/* dense.c: see dense.h. Thread-safe: no shared state. */
#include "runtime/core/dense.h"

#include "runtime/base/overlap.h"
#include "runtime/core/threads/parallel.h"

#include <string.h>

spmv_dense spmv_dense_of(spmv_order order, const void *data, int64_t ld, int64_t rows,
                         int32_t columns, size_t value_bytes)
{
    const int is_row_major = order == SPMV_ROW_MAJOR;
    const spmv_dense matrix = {
        .data = (char *)data, .rows = rows, .columns = columns,
        .row_stride = is_row_major ? ld : 1, .column_stride = is_row_major ? 1 : ld,
        .value_bytes = value_bytes,
    };

    return matrix;
}

static char *element(const spmv_dense *matrix, int64_t row, int32_t column)
{
    const int64_t index = row * matrix->row_stride + column * matrix->column_stride;

    return matrix->data != NULL ? matrix->data + (size_t)index * matrix->value_bytes : NULL;
}

spmv_dense spmv_dense_columns(const spmv_dense *matrix, int32_t first, int32_t count)
{
    spmv_dense columns = *matrix;

    columns.data = element(matrix, 0, first);
    columns.columns = count;
    return columns;
}

size_t spmv_dense_extent(const spmv_dense *matrix)
{
    if (matrix->rows == 0 || matrix->columns == 0)
        return 0;
    return (size_t)((matrix->rows - 1) * matrix->row_stride +
                    (matrix->columns - 1) * matrix->column_stride + 1) * matrix->value_bytes;
}

/* Length of the contiguous groups of elements: rows if row-major, else columns. */
static int64_t group_length(const spmv_dense *matrix)
{
    return matrix->column_stride == 1 ? matrix->columns : matrix->rows;
}

/* Whether two matrices of equal strides, whose extents overlap, interleave without a common
 * element: the groups of one lie between those of the other. */
static int do_interleave(const spmv_dense *a, const spmv_dense *b)
{
    const int64_t ld = a->column_stride == 1 ? a->row_stride : a->column_stride;
    const uintptr_t bytes = (uintptr_t)ld * a->value_bytes;
    const uintptr_t a_place = (uintptr_t)a->data % bytes;
    const uintptr_t b_place = (uintptr_t)b->data % bytes;
    const uintptr_t b_begin = b_place >= a_place ? b_place - a_place : b_place + bytes - a_place;

    return b_begin >= (uintptr_t)group_length(a) * a->value_bytes &&
           b_begin + (uintptr_t)group_length(b) * b->value_bytes <= bytes;
}

int spmv_dense_overlap(const spmv_dense *a, const spmv_dense *b)
{
    if (!spmv_do_overlap(a->data, spmv_dense_extent(a), b->data, spmv_dense_extent(b)))
        return 0;
    if (a->row_stride != b->row_stride || a->column_stride != b->column_stride)
        return 1;
    return !do_interleave(a, b);
}

/* ---- copies -------------------------------------------------------------------------------- */

enum { DENSE_COPY_ROWS = 64 };       /* of a chunk: their lines stay in the first cache */

typedef struct dense_copy {
    const spmv_dense *to, *from;
} dense_copy;

/* Copies rows [begin, end) of values of `bytes` bytes, a constant in each call. */
static inline void copy_rows_of(const spmv_dense *to, const spmv_dense *from, int64_t begin,
                                int64_t end, size_t bytes)
{
    for (int32_t c = 0; c < to->columns; c++) {
        const char *source = from->data + (size_t)(c * from->column_stride) * bytes;
        char *target = to->data + (size_t)(c * to->column_stride) * bytes;

        for (int64_t i = begin; i < end; i++)
            memcpy(target + (size_t)(i * to->row_stride) * bytes,
                   source + (size_t)(i * from->row_stride) * bytes, bytes);
    }
}

static void copy_dense_chunks(const void *context, int64_t first, int64_t last)
{
    const dense_copy *copy = (const dense_copy *)context;
    const int64_t rows = copy->to->rows;

    for (int64_t chunk = first; chunk < last; chunk++) {
        const int64_t begin = chunk * DENSE_COPY_ROWS;
        const int64_t end = rows - begin < DENSE_COPY_ROWS ? rows : begin + DENSE_COPY_ROWS;
        if (copy->to->value_bytes == sizeof(float))
            copy_rows_of(copy->to, copy->from, begin, end, sizeof(float));
        else
            copy_rows_of(copy->to, copy->from, begin, end, sizeof(double));
    }
}

void spmv_dense_copy(const spmv_threads *threads, const spmv_dense *to, const spmv_dense *from)
{
    const int64_t chunks = to->rows / DENSE_COPY_ROWS + (to->rows % DENSE_COPY_ROWS != 0);
    const dense_copy copy = {to, from};

    spmv_parallel_run(threads, chunks, copy_dense_chunks, &copy);
}
