/* test_columns.c: spmv_execute_columns: results, arguments, memory between vectors, workspaces. */
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *text)
{
    printf("Bail out! %s\n", text);
    exit(1);
}

/* ---- a module that multiplies several vectors ------------------------------------------------ */

static int32_t most_columns;     /* of one call of its launches_columns */
static int64_t least_x_stride;

enum { ODD_BYTES = 4 };          /* a workspace need not be a whole number of values */

/* Each row of a vector is summed in the workspace. */
static void run_columns(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_csr *a = &job->layout->csr;
    const int32_t *row_ptr = (const int32_t *)a->row_ptr;
    const double *val = (const double *)a->val;
    double *sum = (double *)job->workspace;
    double *y = (double *)job->y;

    (void)first;
    (void)last;
    most_columns = job->columns > most_columns ? job->columns : most_columns;
    least_x_stride = job->x_stride < least_x_stride ? job->x_stride : least_x_stride;
    for (int32_t c = 0; c < job->columns; c++)
        for (int64_t r = 0; r < a->rows; r++) {
            double *s = &sum[r * job->columns + c];
            double *to = &y[r * job->y_row_stride + c * job->y_column_stride];
            *s = 0;
            for (int32_t k = row_ptr[r]; k < row_ptr[r + 1] && job->alpha != 0; k++)
                *s += val[k - a->base] *
                      ((const double *)job->x)[(a->col_idx[k - a->base] - a->base) * job->x_stride +
                                               c];
            *to = job->alpha * *s + (job->beta == 0 ? 0 : job->beta * *to);
        }
}

static int32_t launches_columns(const spmv_job *job, spmv_step *step)
{
    (void)job;
    step[0] = (spmv_step){"toy_columns", run_columns, 1};
    return 1;
}

static spmv_status columns_layout_size(spmv_layout *layout)
{
    const spmv_status status = toy_rows_f64_i32.ops->layout_size(layout);

    layout->workspace_bytes = (size_t)layout->csr.rows * sizeof(double) + ODD_BYTES;
    return status;
}

static spmv_method_ops columns_ops;
static spmv_module columns_module;

static spmv_device *device_with_columns(void)
{
    static const spmv_module *const table[] = {&columns_module, NULL};
    spmv_device *device = sample_device();

    columns_ops = *toy_rows_f64_i32.ops;
    columns_ops.layout_size = columns_layout_size;
    columns_ops.launches_columns = launches_columns;
    columns_module = toy_rows_f64_i32;
    columns_module.ops = &columns_ops;
    columns_module.source_hash = 77;
    columns_module.name = "toy_columns_f64_i32";
    columns_module.method = "toy_columns";
    if (spmv_device_add_modules(device, table, NULL) != SPMV_OK)
        give_up("the module of several vectors was refused");
    return device;
}

static spmv_plan *create(spmv_device *device, const sample *s, const char *method)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .threads = 2};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, &options, &plan, &err) != SPMV_OK)
        give_up(err.text);
    return plan;
}

/* ---- results --------------------------------------------------------------------------------- */

typedef struct shape {
    spmv_order order;
    int32_t columns;
    int64_t more;                /* of a leading dimension, than it must be */
} shape;

static int64_t leading(const shape *h, int64_t rows)
{
    const int64_t least = h->order == SPMV_ROW_MAJOR ? h->columns : rows;

    return (least > 0 ? least : 1) + h->more;
}

static int64_t place(const shape *h, int64_t ld, int64_t row, int32_t column)
{
    return h->order == SPMV_ROW_MAJOR ? row * ld + column : row + column * ld;
}

static size_t values_of(const shape *h, int64_t ld, int64_t rows)
{
    return (size_t)(ld * (h->order == SPMV_ROW_MAJOR ? rows : h->columns));
}

/* Vector c is c + 1 times the sample's x. Values between vectors are NaN. */
static void *create_x(const sample *s, const shape *h, int64_t ld)
{
    void *x = sample_vector(s, (int64_t)values_of(h, ld, s->csr.cols) + 1, NAN);

    for (int64_t row = 0; row < s->csr.cols; row++)
        for (int32_t c = 0; c < h->columns; c++)
            sample_set(s, x, place(h, ld, row, c), (c + 1) * sample_get(s, s->x, row));
    return x;
}

/* Whether every element is right, and memory between vectors has its old value. */
static int is_right(const sample *s, const shape *h, int64_t ld, const void *y, double alpha,
                    double beta, double y_old)
{
    int64_t right = 0;
    int64_t kept = 0;
    const int64_t all = (int64_t)values_of(h, ld, s->csr.rows) + 1;

    for (int64_t row = 0; row < s->csr.rows; row++)
        for (int32_t c = 0; c < h->columns; c++) {
            const double sum = alpha == 0 ? 0 : alpha * (c + 1) * s->product[row];
            right += sample_get(s, y, place(h, ld, row, c)) ==
                     sum + (beta == 0 ? 0 : beta * y_old);
        }
    for (int64_t i = 0; i < all; i++) {
        const int64_t group = i / ld;
        const int64_t within = i % ld;
        const int is_element = h->order == SPMV_ROW_MAJOR
                                   ? group < s->csr.rows && within < h->columns
                                   : group < h->columns && within < s->csr.rows;
        const double value = sample_get(s, y, i);
        kept += !is_element && (value == y_old || (isnan(value) && isnan(y_old)));
    }
    return right == s->csr.rows * h->columns && right + kept == all;
}

static void test_shape(spmv_device *device, const sample *s, const char *method, const shape *h,
                       double alpha, double beta)
{
    spmv_plan *plan = create(device, s, method);
    const int64_t ldx = leading(h, s->csr.cols);
    const int64_t ldy = leading(h, s->csr.rows);
    const double y_old = beta == 0 ? NAN : 7;
    void *x = create_x(s, h, ldx);
    void *y = sample_vector(s, (int64_t)values_of(h, ldy, s->csr.rows) + 1, y_old);

    ok(spmv_execute_columns(plan, h->order, h->columns, alpha, alpha == 0 ? NULL : x, ldx, beta, y,
                            ldy, NULL) == SPMV_OK &&
       is_right(s, h, ldy, y, alpha, beta, y_old),
       "%s, %dx%d, f%d, %s, %d vectors + %d, alpha %g, beta %g", method, (int)s->csr.rows,
       (int)s->csr.cols, (int)s->csr.value_type, h->order == SPMV_ROW_MAJOR ? "rows" : "columns",
       (int)h->columns, (int)h->more, alpha, beta);
    spmv_plan_destroy(plan);
    free(x);
    free(y);
}

static void test_results(void)
{
    static const int32_t sizes[][2] = {{0, 9}, {9, 0}, {1, 1}, {6, 5}, {100, 80}};
    static const int32_t counts[] = {0, 1, 3, 16, 17, 40};
    spmv_device *device = device_with_columns();

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++)
            for (int order = 0; order < 2; order++) {
                const shape h = {(spmv_order)order, counts[j], (int64_t)(i % 2) * 3};
                sample *s = sample_create(sizes[i][0], sizes[i][1], (int32_t)j % 2, SPMV_F64,
                                          SPMV_I32);
                sample *t = sample_create(sizes[i][0], sizes[i][1], (int32_t)j % 2, SPMV_F32,
                                          SPMV_I64);
                test_shape(device, s, "toy_columns", &h, j == 2 ? 0 : 2, (double)j / 2);
                test_shape(device, s, "toy_parts", &h, j == 2 ? 0 : 2, (double)j / 2);
                test_shape(device, t, "toy_rows", &h, j == 3 ? 0 : 2, (double)j / 2);
                sample_destroy(s);
                sample_destroy(t);
            }
    spmv_device_close(device);
}

static void test_blocks(void)
{
    spmv_device *device = device_with_columns();
    sample *s = sample_create(60, 50, 0, SPMV_F64, SPMV_I32);
    const shape wide = {SPMV_ROW_MAJOR, 40, 7};
    const shape tall = {SPMV_COLUMN_MAJOR, 40, 7};

    most_columns = 0;
    least_x_stride = INT64_MAX;
    test_shape(device, s, "toy_columns", &wide, 1, 0);
    ok(most_columns == SPMV_MAX_COLUMNS && least_x_stride == 47,
       "a module gets at most %d vectors at once, and a row-major x in place", SPMV_MAX_COLUMNS);
    least_x_stride = INT64_MAX;
    test_shape(device, s, "toy_columns", &tall, 1, 0);
    ok(least_x_stride == 40 % SPMV_MAX_COLUMNS, "a column-major x is copied without gaps");
    sample_destroy(s);
    spmv_device_close(device);
}

/* ---- arguments ------------------------------------------------------------------------------- */

#define CALL(order, columns, x, ldx, y, ldy, workspace) \
    spmv_execute_columns(plan, order, columns, 1, x, ldx, 0, y, ldy, workspace)

static void test_arguments(void)
{
    spmv_device *device = device_with_columns();
    sample *s = sample_create(30, 20, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, "toy_columns");
    double *x = sample_vector(s, 20 * 8, 1);
    double *y = sample_vector(s, 30 * 8, 5);
    int unchanged = 1;

    ok(spmv_execute_columns(NULL, SPMV_ROW_MAJOR, 2, 1, x, 2, 0, y, 2, NULL) ==
       SPMV_INVALID_ARGUMENT, "no plan");
    ok(CALL(SPMV_ROW_MAJOR, -1, x, 2, y, 2, NULL) == SPMV_INVALID_ARGUMENT, "negative columns");
    ok(CALL((spmv_order)2, 2, x, 2, y, 2, NULL) == SPMV_INVALID_ARGUMENT, "an unknown order");
    ok(CALL(SPMV_ROW_MAJOR, 3, x, 2, y, 3, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_ROW_MAJOR, 3, x, 3, y, 2, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_COLUMN_MAJOR, 3, x, 19, y, 30, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_COLUMN_MAJOR, 3, x, 20, y, 29, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_ROW_MAJOR, 3, x, -3, y, 3, NULL) == SPMV_INVALID_ARGUMENT,
       "a leading dimension that is too small");
    ok(CALL(SPMV_ROW_MAJOR, 3, x, INT64_MAX, y, 3, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_ROW_MAJOR, 3, x, 3, y, INT64_MAX / 8, NULL) == SPMV_INVALID_ARGUMENT,
       "one that no memory has");
    ok(sizeof(size_t) > 4 ||
       CALL(SPMV_ROW_MAJOR, INT32_MAX, x, INT32_MAX, y, INT32_MAX, NULL) == SPMV_INVALID_ARGUMENT,
       "on a 32-bit machine, more vectors than memory has");
    ok(CALL(SPMV_ROW_MAJOR, 0, x, 0, y, 0, NULL) == SPMV_OK, "no vectors have any distance");
    ok(CALL(SPMV_ROW_MAJOR, 3, NULL, 3, y, 3, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_ROW_MAJOR, 3, x, 3, NULL, 3, NULL) == SPMV_INVALID_ARGUMENT, "null pointers");
    ok(CALL(SPMV_ROW_MAJOR, 3, (char *)x + 1, 3, y, 3, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_ROW_MAJOR, 3, x, 3, (char *)y + 4, 3, NULL) == SPMV_INVALID_ARGUMENT &&
       CALL(SPMV_ROW_MAJOR, 3, x, 3, y, 3, (char *)x + 8) == SPMV_INVALID_ARGUMENT,
       "misaligned pointers");
    ok(CALL(SPMV_ROW_MAJOR, 3, y, 3, y + 20, 3, NULL) == SPMV_ALIASING &&
       CALL(SPMV_ROW_MAJOR, 2, x, 2, s->val, 2, NULL) == SPMV_ALIASING,
       "y must not overlap x or the matrix");
    for (int i = 0; i < 30 * 8; i++)
        unchanged &= y[i] == 5;
    ok(unchanged, "a refused call changes nothing");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(x);
    free(y);
}

/* x and y as groups of columns of one matrix. */
static void test_interleaved(void)
{
    spmv_device *device = device_with_columns();
    sample *s = sample_create(20, 20, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, "toy_columns");
    double *b = sample_vector(s, 20 * 10, 1);

    ok(CALL(SPMV_ROW_MAJOR, 4, b, 10, b + 4, 10, NULL) == SPMV_OK &&
       CALL(SPMV_ROW_MAJOR, 4, b + 6, 10, b, 10, NULL) == SPMV_OK,
       "y may lie between the rows of x");
    ok(CALL(SPMV_ROW_MAJOR, 5, b, 10, b + 4, 10, NULL) == SPMV_ALIASING &&
       CALL(SPMV_ROW_MAJOR, 4, b + 6, 10, b + 3, 10, NULL) == SPMV_ALIASING &&
       CALL(SPMV_ROW_MAJOR, 4, b, 10, b + 8, 10, NULL) == SPMV_ALIASING &&
       CALL(SPMV_ROW_MAJOR, 4, b, 10, b + 4, 9, NULL) == SPMV_ALIASING,
       "but must share no element with it, and have its leading dimension");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(b);
}

/* ---- workspaces ------------------------------------------------------------------------------ */

static void test_workspace(spmv_device *device, const sample *s, const char *method,
                           spmv_order order)
{
    spmv_plan *plan = create(device, s, method);
    const shape h = {order, 5, 1};
    const int64_t ldx = leading(&h, s->csr.cols);
    const int64_t ldy = leading(&h, s->csr.rows);
    const size_t bytes = spmv_plan_columns_workspace_size(plan, order, 5);
    double *x = create_x(s, &h, ldx);
    double *y = sample_vector(s, (int64_t)values_of(&h, ldy, s->csr.rows) + 1, 7);
    char *memory = aligned_alloc(SPMV_ALIGNMENT, bytes / 64 * 64 + 128);
    const size_t guard = bytes;
    int kept = 1;

    memset(memory, 0x5a, bytes / 64 * 64 + 128);
    ok(bytes % SPMV_ALIGNMENT == 0 &&
       spmv_execute_columns(plan, order, 5, 2, x, ldx, 1, y, ldy, memory) == SPMV_OK &&
       is_right(s, &h, ldy, y, 2, 1, 7), "%s: right in the caller's workspace", method);
    for (size_t i = guard; i < guard + 64; i++)
        kept &= memory[i] == 0x5a;
    ok(kept, "which is as large as spmv_plan_columns_workspace_size says");
    ok(bytes == 0 || spmv_execute_columns(plan, order, 5, 2, memory, ldx, 1, y, ldy, memory) ==
       SPMV_ALIASING, "and must not overlap x");
    ok(spmv_plan_columns_workspace_size(plan, order, 100) ==
       spmv_plan_columns_workspace_size(plan, order, SPMV_MAX_COLUMNS),
       "more vectors than %d need no more", SPMV_MAX_COLUMNS);
    ok(spmv_plan_columns_workspace_size(plan, order, 0) == 0 &&
       spmv_plan_columns_workspace_size(NULL, order, 5) == 0, "no vectors need none");
    spmv_plan_destroy(plan);
    free(x);
    free(y);
    free(memory);
}

/* The smallest workspaces, of one vector. */
static void test_sizes(spmv_device *device)
{
    const spmv_csr wide = {.rows = 0, .cols = 9000000, .row_ptr = &(const int32_t){0},
                           .offset_type = SPMV_I32, .value_type = SPMV_F64};
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_rows"};
    sample *s = sample_create(8, 8, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, "toy_columns"), *of_wide = NULL;

    ok(spmv_plan_columns_workspace_size(plan, SPMV_ROW_MAJOR, 1) >= 8 * sizeof(double) + ODD_BYTES,
       "a module's workspace is not cut to whole values");
    spmv_plan_create(device, &wide, &options, &of_wide, NULL);
    ok(spmv_plan_columns_workspace_size(of_wide, SPMV_ROW_MAJOR, 1) < 100000000,
       "a vector of 72 MB is no more than the memory of a 32-bit machine");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(of_wide);
    sample_destroy(s);
}

static void test_workspaces(void)
{
    static const char *const methods[] = {"toy_columns", "toy_parts", "toy_rows"};
    spmv_device *device = device_with_columns();
    sample *s = sample_create(100, 80, 0, SPMV_F64, SPMV_I32);

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        for (int order = 0; order < 2; order++)
            test_workspace(device, s, methods[i], (spmv_order)order);
    test_sizes(device);
    sample_destroy(s);
    spmv_device_close(device);
}

int main(void)
{
    test_results();
    test_blocks();
    test_arguments();
    test_interleaved();
    test_workspaces();
    return tap_done();
}
