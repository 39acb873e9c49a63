/* bundle_sample.h: a small matrix for bundles, with integer values, so that results are exact. The
 * sample owns everything. Running out of memory ends the test. */
#ifndef TEST_BUNDLE_SAMPLE_H
#define TEST_BUNDLE_SAMPLE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct bundle_sample {
    int32_t rows, cols, base, nnz;
    int32_t *row_ptr, *col_idx;
    int64_t *row_ptr_i64;        /* the same offsets */
    double *val, *x, *y, *product;       /* product: A*x */
    float *val_f32, *x_f32, *y_f32;      /* the same numbers */
} bundle_sample;

static inline void *bundle_memory(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);

    if (memory == NULL) {
        printf("Bail out! no memory for a sample\n");
        exit(1);
    }
    return memory;
}

/* Row r has r % 6 entries, but the middle row cols entries. */
static inline bundle_sample bundle_sample_create(int32_t rows, int32_t cols, int32_t base)
{
    bundle_sample s = {.rows = rows, .cols = cols, .base = base};
    const size_t most = (size_t)rows * 6 + (size_t)cols;

    s.row_ptr = bundle_memory((size_t)rows + 1, sizeof *s.row_ptr);
    s.row_ptr_i64 = bundle_memory((size_t)rows + 1, sizeof *s.row_ptr_i64);
    s.col_idx = bundle_memory(most, sizeof *s.col_idx);
    s.val = bundle_memory(most, sizeof *s.val);
    s.val_f32 = bundle_memory(most, sizeof *s.val_f32);
    s.x = bundle_memory((size_t)cols, sizeof *s.x);
    s.x_f32 = bundle_memory((size_t)cols, sizeof *s.x_f32);
    s.y = bundle_memory((size_t)rows, sizeof *s.y);
    s.y_f32 = bundle_memory((size_t)rows, sizeof *s.y_f32);
    s.product = bundle_memory((size_t)rows, sizeof *s.product);
    for (int32_t c = 0; c < cols; c++)
        s.x_f32[c] = (float)(s.x[c] = c % 5 - 2);
    for (int32_t r = 0; r < rows; r++) {
        const int32_t length = cols == 0 ? 0 : r == rows / 2 ? cols : r % 6;

        s.row_ptr_i64[r] = s.row_ptr[r] = s.nnz + base;
        for (int32_t i = 0; i < length; i++, s.nnz++) {
            const int32_t col = (s.nnz * 5 + 3) % cols;

            s.col_idx[s.nnz] = col + base;
            s.val_f32[s.nnz] = (float)(s.val[s.nnz] = s.nnz % 9 - 4);
            s.product[r] += s.val[s.nnz] * s.x[col];
        }
    }
    s.row_ptr_i64[rows] = s.row_ptr[rows] = s.nnz + base;
    return s;
}

static inline void bundle_sample_destroy(bundle_sample *s)
{
    free(s->row_ptr);
    free(s->row_ptr_i64);
    free(s->col_idx);
    free(s->val);
    free(s->val_f32);
    free(s->x);
    free(s->x_f32);
    free(s->y);
    free(s->y_f32);
    free(s->product);
}

static inline void bundle_sample_fill_y(bundle_sample *s, double value)
{
    for (int32_t r = 0; r < s->rows; r++)
        s->y_f32[r] = (float)(s->y[r] = value);
}

/* Whether y == factor*product + added in every row. */
static inline int bundle_sample_is_right(const bundle_sample *s, double factor, double added)
{
    for (int32_t r = 0; r < s->rows; r++)
        if (s->y[r] != factor * s->product[r] + added)
            return 0;
    return 1;
}

#endif
