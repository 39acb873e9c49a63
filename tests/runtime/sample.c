/* sample.c: see sample.h. */
#define _POSIX_C_SOURCE 200809L
#include "sample.h"

#include "toy.h"

#include <stdio.h>
#include <stdlib.h>

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);

    if (memory == NULL) {
        printf("Bail out! no memory for a sample\n");
        exit(1);
    }
    return memory;
}

static int32_t row_length(int32_t row, int32_t rows, int32_t cols)
{
    if (cols == 0 || row == 0 || row >= rows - 2)
        return 0;
    if (row == rows / 2)
        return cols;
    return row % 7 == 4 ? 0 : row % 7;
}

double sample_get(const sample *s, const void *vector, int64_t index)
{
    return s->csr.value_type == SPMV_F32 ? (double)((const float *)vector)[index]
                                         : ((const double *)vector)[index];
}

void sample_set(const sample *s, void *vector, int64_t index, double value)
{
    if (s->csr.value_type == SPMV_F32)
        ((float *)vector)[index] = (float)value;
    else
        ((double *)vector)[index] = value;
}

static void set_offset(const sample *s, int64_t row, int64_t value)
{
    if (s->csr.offset_type == SPMV_I32)
        ((int32_t *)s->row_ptr)[row] = (int32_t)value;
    else
        ((int64_t *)s->row_ptr)[row] = value;
}

void *sample_vector(const sample *s, int64_t count, double value)
{
    void *vector = allocate((size_t)count, sizeof(double));

    for (int64_t i = 0; i < count; i++)
        sample_set(s, vector, i, value);
    return vector;
}

/* Entry k lies in column (k * 5 + 3) % cols and has the value k % 9 - 4. */
static void fill(sample *s)
{
    int64_t k = 0;

    for (int32_t row = 0; row < s->csr.rows; row++) {
        const int32_t length = row_length(row, (int32_t)s->csr.rows, (int32_t)s->csr.cols);
        set_offset(s, row, k + s->csr.base);
        for (int32_t i = 0; i < length; i++, k++) {
            const int32_t col = (int32_t)((k * 5 + 3) % s->csr.cols);
            s->col_idx[k] = col + s->csr.base;
            sample_set(s, s->val, k, (double)(k % 9 - 4));
            s->product[row] += sample_get(s, s->val, k) * sample_get(s, s->x, col);
        }
    }
    set_offset(s, s->csr.rows, k + s->csr.base);
}

sample *sample_create(int32_t rows, int32_t cols, int32_t base, spmv_value_type value_type,
                      spmv_offset_type offset_type)
{
    sample *s = allocate(1, sizeof *s);

    s->csr = (spmv_csr){.rows = rows, .cols = cols, .base = base, .offset_type = offset_type,
                        .value_type = value_type};
    for (int32_t row = 0; row < rows; row++)
        s->csr.nnz += row_length(row, rows, cols);
    s->csr.row_ptr = s->row_ptr = allocate((size_t)rows + 1, sizeof(int64_t));
    s->csr.col_idx = s->col_idx = allocate((size_t)s->csr.nnz, sizeof(int32_t));
    s->csr.val = s->val = allocate((size_t)s->csr.nnz, sizeof(double));
    s->product = allocate((size_t)rows, sizeof(double));
    s->x = sample_vector(s, cols, 0);
    for (int32_t col = 0; col < cols; col++)
        sample_set(s, s->x, col, col % 5 - 2);
    fill(s);
    return s;
}

void sample_destroy(sample *s)
{
    free(s->row_ptr);
    free(s->col_idx);
    free(s->val);
    free(s->x);
    free(s->product);
    free(s);
}

int sample_is_right(const sample *s, const void *y, double alpha, double beta, double y_old)
{
    for (int64_t row = 0; row < s->csr.rows; row++) {
        const double old = beta == 0 ? 0 : beta * y_old;
        if (sample_get(s, y, row) != alpha * s->product[row] + old)
            return 0;
    }
    return 1;
}

void *sample_transposed_x(const sample *s)
{
    void *x = sample_vector(s, s->csr.rows, 0);

    for (int64_t row = 0; row < s->csr.rows; row++)
        sample_set(s, x, row, (double)(row % 7 - 3));
    return x;
}

int sample_is_transposed(const sample *s, const void *val, const void *x, const void *y,
                         double alpha, double beta, double y_old)
{
    double *sum = allocate((size_t)s->csr.cols, sizeof *sum);
    int right = 1;

    for (int64_t row = 0, k = 0; row < s->csr.rows; row++) {
        const int64_t end = (s->csr.offset_type == SPMV_I32 ? ((int32_t *)s->row_ptr)[row + 1]
                                                            : ((int64_t *)s->row_ptr)[row + 1]) -
                            s->csr.base;

        for (; k < end; k++)
            sum[s->col_idx[k] - s->csr.base] += sample_get(s, val, k) * sample_get(s, x, row);
    }
    for (int64_t col = 0; col < s->csr.cols; col++)
        right &= sample_get(s, y, col) == alpha * sum[col] + (beta == 0 ? 0 : beta * y_old);
    free(sum);
    return right;
}

spmv_device *sample_device(void)
{
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1};
    spmv_device *device;
    spmv_error err;

    unsetenv("SPMV_TARGET");
    if (spmv_device_open(&options, &device, &err) != SPMV_OK ||
        spmv_device_add_modules(device, toy_modules, &err) != SPMV_OK) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return device;
}
