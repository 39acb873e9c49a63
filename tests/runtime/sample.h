/* sample.h: small matrices with integer values, so that results are exact, and their product with a
 * vector, by a plain loop. The sample owns everything. Running out of memory ends the test. */
#ifndef TEST_SAMPLE_H
#define TEST_SAMPLE_H

#include "runtime/spmv.h"

typedef struct sample {
    spmv_csr csr;
    void *row_ptr;
    int32_t *col_idx;
    void *val;
    void *x;                     /* cols values */
    double *product;             /* A*x */
} sample;

/* Rows of 0, 1, 2, 3, 0, 5, ... nonzeros; the first and the last two are empty, one is full.
 * Columns are unsorted and repeat. */
sample *sample_create(int32_t rows, int32_t cols, int32_t base, spmv_value_type value_type,
                      spmv_offset_type offset_type);
void sample_destroy(sample *s);

double sample_get(const sample *s, const void *vector, int64_t index);
void sample_set(const sample *s, void *vector, int64_t index, double value);

/* A vector of `count` values, all `value`, for the caller to free(). */
void *sample_vector(const sample *s, int64_t count, double value);

/* Whether y == alpha*product + beta*y_old in every row. */
int sample_is_right(const sample *s, const void *y, double alpha, double beta, double y_old);

/* x of the product with the transpose: rows values, for the caller to free(). */
void *sample_transposed_x(const sample *s);

/* Whether y == alpha*A^T*x + beta*y_old in every column, if the matrix has these values. */
int sample_is_transposed(const sample *s, const void *val, const void *x, const void *y,
                         double alpha, double beta, double y_old);

/* An open device with the toy modules alone; ignores SPMV_TARGET. */
spmv_device *sample_device(void);

#endif
