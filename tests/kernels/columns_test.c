/* columns_test.c: several vectors at once. A column gets the bits that it gets when it is the only
 * one, for every number of columns, in row-major and in column-major y. These are within the error
 * bound. Places between the columns keep their bytes. They hold signalling NaN, so that arithmetic
 * on them shows in a result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

/* One multiplication by several vectors, and what it must give. */
typedef struct columns_case {
    bare_columns of;
    double alpha, beta;
    int64_t x_count, y_count;    /* values of all columns, with the places between them */
    size_t bytes;                /* of a value */
    void *x, *y, *expected;
    void *x_one, *before_one, *y_one;    /* one column */
} columns_case;

static void destroy(columns_case *c)
{
    free(c->x);
    free(c->y);
    free(c->expected);
    free(c->x_one);
    free(c->before_one);
    free(c->y_one);
}

static void *value_at(const columns_case *c, void *values, int64_t index)
{
    return (char *)values + (size_t)index * c->bytes;
}

/* row: of Y, whose order may be another than that of A. */
static int64_t y_index(const columns_case *c, int64_t row, int32_t column)
{
    return row * c->of.y_row_stride + column * c->of.y_column_stride;
}

static void *allocate(const columns_case *c, int64_t count)
{
    return malloc((size_t)count * c->bytes + 1);
}

/* Numbers of columns, strides and scalars follow from `turn`. */
static bool create(columns_case *c, const spmv_csr *csr, size_t turn)
{
    static const int gaps[] = { 0, 1, 3, 8 };
    static const double alphas[] = { 1, -2, 0.75, 0, 1 }, betas[] = { 0, 0.5, 1 };
    const int32_t columns = 1 + (int32_t)(turn * 7 % SPMV_MAX_COLUMNS);
    const int64_t x_stride = columns + gaps[turn % 4];
    const bool row_major = turn / 2 % 2 == 0;

    *c = (columns_case){
        .of = { .columns = columns, .x_stride = x_stride,
                .y_row_stride = row_major ? columns + gaps[turn / 4 % 4] : 1,
                .y_column_stride = row_major ? 1 : csr->rows + gaps[turn / 4 % 4] },
        .alpha = alphas[turn % 5], .beta = betas[turn % 3],
        .x_count = csr->cols > 0 ? (csr->cols - 1) * x_stride + columns : 0,
        .bytes = bench_value_bytes(csr->value_type),
    };
    c->y_count = bare_columns_y_count(&c->of, csr->rows);
    c->x = allocate(c, c->x_count);
    c->y = allocate(c, c->y_count);
    c->expected = allocate(c, c->y_count);
    c->x_one = allocate(c, csr->cols);
    c->before_one = allocate(c, csr->rows);
    c->y_one = allocate(c, csr->rows);
    c->of.x = c->x;
    c->of.y = c->y;
    return c->x && c->y && c->expected && c->x_one && c->before_one && c->y_one;
}

/* A column of X, sometimes with a number that is not finite: where the row has no entry, it must
 * not show. */
static void fill_x(columns_case *c, const spmv_csr *csr, size_t turn, bench_random *random)
{
    test_random_fill(random, BENCH_MIXED, csr->value_type, c->x_one, csr->cols);
    if (turn % 4 == 3 && csr->cols > 0)
        test_set_value(csr->value_type, c->x_one, bench_random_below(random, csr->cols),
                       turn % 8 == 3 ? INFINITY : NAN);
}

/* Fills x_one and before_one, both in the order of the matrix. Column 0 is the input's x. */
static void fill_one(columns_case *c, const test_input *input, int32_t column, size_t turn)
{
    const spmv_csr *csr = &input->matrix->csr;
    bench_random random = { turn * SPMV_MAX_COLUMNS + (size_t)column };

    if (column == 0)
        memcpy(c->x_one, input->x, (size_t)csr->cols * c->bytes);
    else
        fill_x(c, csr, turn + (size_t)column, &random);
    if (c->beta == 0)
        test_fill_signalling(csr->value_type, c->before_one, csr->rows);
    else
        test_random_fill(&random, BENCH_MIXED, csr->value_type, c->before_one, csr->rows);
}

/* Multiplies x_one as the only column. The result, in the order of the matrix, is in y_one. */
static bool multiply_one(suite *s, columns_case *c, const spmv_csr *csr, const char *name)
{
    bare_columns one = { .columns = 1, .x_stride = 1, .y_row_stride = 1, .x = c->x_one };

    one.y_column_stride = csr->rows;
    one.y = allocate(c, csr->rows);
    if (!one.y)
        return suite_check(s, P_COLUMNS, false, "the test itself has no memory");
    for (int64_t k = 0; k < csr->rows; k++)
        memcpy(value_at(c, one.y, k), value_at(c, c->before_one, bare_y_row(s->bare, k)), c->bytes);
    const bool good = suite_accept(s, P_COLUMNS,
                                   bare_execute_columns(s->bare, c->alpha, c->beta, &one,
                                                        BARE_FORWARD), name);
    for (int64_t k = 0; k < csr->rows; k++)
        memcpy(value_at(c, c->y_one, bare_y_row(s->bare, k)), value_at(c, one.y, k), c->bytes);
    free(one.y);
    return good;
}

/* Fills a column of X and Y, and multiplies it alone. */
static bool expect_column(suite *s, columns_case *c, const test_input *input, int32_t column,
                          size_t turn)
{
    const spmv_csr *csr = &input->matrix->csr;

    fill_one(c, input, column, turn);
    if (!multiply_one(s, c, csr, input->name) ||
        (column == 0 && !suite_check_result(s, P_COLUMNS, input, c->alpha, c->beta,
                                            c->beta == 0 ? NULL : c->before_one, c->y_one, false)))
        return false;
    for (int64_t j = 0; j < csr->cols; j++)
        memcpy(value_at(c, c->x, j * c->of.x_stride + column), value_at(c, c->x_one, j), c->bytes);
    for (int64_t k = 0; k < csr->rows; k++) {
        const int64_t at = y_index(c, k, column), row = bare_y_row(s->bare, k);
        memcpy(value_at(c, c->y, at), value_at(c, c->before_one, row), c->bytes);
        memcpy(value_at(c, c->expected, at), value_at(c, c->y_one, row), c->bytes);
    }
    return true;
}

/* Whether the results are as expected; a NaN may have other bits, as its origin is open. Marks
 * places of results in *expected as seen, by copying the result there. */
static bool has_results(columns_case *c, const spmv_csr *csr, int32_t column, int64_t *row)
{
    for (int64_t i = 0; i < csr->rows; i++) {
        const int64_t at = y_index(c, i, column);
        const double found = bench_value(csr->value_type, c->y, at);
        const double expected = bench_value(csr->value_type, c->expected, at);
        void *place = value_at(c, c->expected, at);
        *row = i;
        if (memcmp(value_at(c, c->y, at), place, c->bytes) != 0 &&
            !(isnan(found) && isnan(expected)))
            return false;
        memcpy(place, value_at(c, c->y, at), c->bytes);
    }
    return true;
}

static void try_columns(suite *s, columns_case *c, const test_input *input, size_t turn)
{
    const spmv_csr *csr = &input->matrix->csr;
    int64_t row = 0;
    bool good = true;

    test_fill_signalling(csr->value_type, c->x, c->x_count);
    test_fill_signalling(csr->value_type, c->y, c->y_count);
    test_fill_signalling(csr->value_type, c->expected, c->y_count);
    for (int32_t column = 0; column < c->of.columns && good; column++)
        good = expect_column(s, c, input, column, turn);
    good = good && suite_accept(s, P_COLUMNS,
                                bare_execute_columns(s->bare, c->alpha, c->beta, &c->of,
                                                     (bare_order)(turn % BARE_ORDERS)),
                                input->name);
    for (int32_t column = 0; column < c->of.columns && good; column++)
        good = suite_check(s, P_COLUMNS, has_results(c, csr, column, &row),
                           "%s, alpha %g, beta %g: row %lld of column %d of %d differs from its "
                           "result as the only one (strides %lld; %lld, %lld)", input->name,
                           c->alpha, c->beta, (long long)row, column, c->of.columns,
                           (long long)c->of.x_stride, (long long)c->of.y_row_stride,
                           (long long)c->of.y_column_stride);
    if (good)
        suite_check(s, P_COLUMNS,
                    memcmp(c->y, c->expected, (size_t)c->y_count * c->bytes) == 0,
                    "%s: wrote between the columns of y", input->name);
}

void test_columns(suite *s, const test_input *input, size_t turn)
{
    const bool is_small = s->effort == EFFORT_BRIEF || s->effort == EFFORT_TINY;
    const size_t count = is_small ? 1 : s->effort == EFFORT_FULL ? 4 : 2;

    if (!s->module->ops->launches_columns)
        return;
    for (size_t i = 0; i < count; i++) {
        columns_case c;
        if (create(&c, &input->matrix->csr, turn + 3 * i))
            try_columns(s, &c, input, turn + 3 * i);
        else
            suite_check(s, P_COLUMNS, false, "the test itself has no memory");
        destroy(&c);
    }
}
