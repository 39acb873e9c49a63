/* test_execute.c: spmv_execute: results, arguments, workspaces, threads, concurrent executes. */
#define _POSIX_C_SOURCE 200809L
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static spmv_plan *create(spmv_device *device, const sample *s, const char *method, int threads)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .threads = threads};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, &options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

/* ---- results -------------------------------------------------------------------------------- */

static void test_result(const sample *s, const char *method, double beta)
{
    spmv_device *device = sample_device();
    spmv_plan *plan = create(device, s, method, 0);
    const double y_old = beta == 0 ? NAN : 7;
    void *y = sample_vector(s, s->csr.rows, y_old);
    void *none = NULL;
    int is_right;

    is_right = spmv_execute(plan, 2, s->x, beta, y, NULL) == SPMV_OK &&
               sample_is_right(s, y, 2, beta, y_old);
    for (int64_t row = 0; row < s->csr.rows; row++)
        sample_set(s, y, row, y_old);
    is_right &= spmv_execute(plan, 2, s->x, beta, y, NULL) == SPMV_OK &&
                sample_is_right(s, y, 2, beta, y_old);
    ok(is_right, "%s, %dx%d, f%d, base %d, beta %g: the right result, twice", method,
       (int)s->csr.rows, (int)s->csr.cols, (int)s->csr.value_type, (int)s->csr.base, beta);
    for (int64_t row = 0; row < s->csr.rows; row++)
        sample_set(s, y, row, y_old);
    ok(spmv_execute(plan, 0, none, beta, y, NULL) == SPMV_OK &&
       sample_is_right(s, y, 0, beta, y_old), "alpha 0 reads neither A nor x");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    free(y);
}

static void test_results(void)
{
    static const struct {
        int32_t rows, cols;
    } sizes[] = {{0, 0}, {0, 9}, {9, 0}, {1, 1}, {2, 3}, {6, 5}, {100, 80}, {1000, 10}};
    static const double betas[] = {0, 1, 0.5};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < 3; j++) {
            sample *s = sample_create(sizes[i].rows, sizes[i].cols, (int32_t)(i + j) % 2, SPMV_F64,
                                      SPMV_I32);
            sample *t = sample_create(sizes[i].rows, sizes[i].cols, (int32_t)(i + j) % 2, SPMV_F32,
                                      SPMV_I64);
            test_result(s, "toy_rows", betas[j]);
            test_result(s, "toy_parts", betas[j]);
            test_result(t, "toy_rows", betas[j]);
            sample_destroy(s);
            sample_destroy(t);
        }
}

/* ---- times of steps -------------------------------------------------------------------------- */

static void test_profile(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(100, 80, 1, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, "toy_parts", 2);
    double *y = sample_vector(s, 100, 7);
    spmv_step_time time[SPMV_MAX_STEPS + 1] = {{NULL, 0}};
    int32_t count = -1;
    int named = 1;

    time[SPMV_MAX_STEPS].seconds = -1;
    ok(spmv_execute_profile(plan, 2, s->x, 0.5, y, NULL, time, &count) == SPMV_OK &&
       sample_is_right(s, y, 2, 0.5, 7), "a profiled execute gives the right result");
    for (int32_t i = 0; i < count; i++)
        named &= time[i].name != NULL && time[i].seconds >= 0;
    ok(count > 1 && count <= SPMV_MAX_STEPS && named && time[SPMV_MAX_STEPS].seconds < 0,
       "every step has a name and a time");
    ok(spmv_execute_profile(plan, 2, s->x, 0, NULL, NULL, time, &count) == SPMV_INVALID_ARGUMENT &&
       count == 0, "a refused one has no steps");
    ok(spmv_execute_profile(NULL, 2, s->x, 0, y, NULL, time, &count) == SPMV_INVALID_ARGUMENT &&
       spmv_execute_profile(plan, 2, s->x, 0, y, NULL, NULL, &count) == SPMV_INVALID_ARGUMENT &&
       spmv_execute_profile(plan, 2, s->x, 0, y, NULL, time, NULL) == SPMV_INVALID_ARGUMENT,
       "null pointers are refused");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

static void test_build_profile(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(100, 80, 1, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, "toy_parts", 2);
    spmv_step_time time[SPMV_MAX_STEPS + 1] = {{NULL, 0}};
    int32_t count = -1;
    int named = 1;

    time[SPMV_MAX_STEPS].seconds = -1;
    ok(spmv_plan_build_profile(plan, time, &count) == SPMV_OK && count > 0 &&
       count <= SPMV_MAX_STEPS, "a plan knows the steps of its building");
    for (int32_t i = 0; i < count; i++)
        named &= time[i].name != NULL && time[i].seconds >= 0;
    ok(named && time[SPMV_MAX_STEPS].seconds < 0, "each has a name and a time");
    ok(spmv_plan_build_profile(NULL, time, &count) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_build_profile(plan, NULL, &count) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_build_profile(plan, time, NULL) == SPMV_INVALID_ARGUMENT,
       "null pointers are refused");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
}

static int was_called;

static void note_call(void)
{
    was_called = 1;
}

/* For a matrix without rows the runtime calls no module. */
static void test_no_rows(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(0, 9, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, "toy_parts", 1);

    toy_during_execute = note_call;
    ok(spmv_execute(plan, 1, s->x, 0, NULL, NULL) == SPMV_OK && !was_called,
       "without rows no step runs, and y may be NULL");
    toy_during_execute = NULL;
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void test_arguments(const char *method)
{
    enum { N = 40 };
    static _Alignas(64) double both[2 * N];
    static _Alignas(64) unsigned char workspace[8192];
    spmv_device *device = sample_device();
    sample *s = sample_create(N, N, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, method, 1);
    const int has_workspace = spmv_plan_workspace_size(plan) > 0;
    double *x = s->x;
    double *y = sample_vector(s, N, 7);

#define EXECUTE(alpha, x_, y_, workspace_) spmv_execute(plan, alpha, x_, 0, y_, workspace_)
    ok(spmv_execute(NULL, 1, x, 0, y, NULL) == SPMV_INVALID_ARGUMENT, "a null plan is refused");
    ok(EXECUTE(1, NULL, y, NULL) == SPMV_INVALID_ARGUMENT, "a null x is refused");
    ok(EXECUTE(1, x, NULL, NULL) == SPMV_INVALID_ARGUMENT, "a null y is refused");
    ok(EXECUTE(0, x, NULL, NULL) == SPMV_INVALID_ARGUMENT, "a null y is refused with alpha 0 too");
    ok(EXECUTE(1, (char *)x + 4, y, NULL) == SPMV_INVALID_ARGUMENT, "a misaligned x is refused");
    ok(EXECUTE(1, x, (char *)y + 1, NULL) == SPMV_INVALID_ARGUMENT, "a misaligned y is refused");
    ok(EXECUTE(1, y, y, NULL) == SPMV_ALIASING, "x = y is refused");
    ok(EXECUTE(1, both + N - 1, both, NULL) == SPMV_ALIASING, "y may not reach into x");
    ok(EXECUTE(1, both, both + N - 1, NULL) == SPMV_ALIASING, "x may not reach into y");
    ok(y[0] == 7 && both[0] == 0, "a refused execute writes nothing");
    ok(EXECUTE(1, both + N, both, NULL) == SPMV_OK && EXECUTE(1, both, both + N, NULL) == SPMV_OK,
       "x and y may touch");
    ok(EXECUTE(1, x, y, workspace + 8) == SPMV_INVALID_ARGUMENT,
       "a misaligned workspace is refused, needed or not");
    if (has_workspace)
        ok(EXECUTE(1, x, both, both) == SPMV_ALIASING && EXECUTE(1, both, y, both) == SPMV_ALIASING,
           "the workspace may be neither x nor y");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* Memory that is written must not overlap arrays that the plan reads. */
static void test_matrix_overlap(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(50, 50, 0, SPMV_F64, SPMV_I32);
    spmv_plan *rows = create(device, s, "toy_rows", 1);
    spmv_plan *parts = create(device, s, "toy_parts", 1);
    const size_t workspace_bytes = spmv_plan_workspace_size(parts);
    char *val = s->val;
    double *y = sample_vector(s, 50, 7);
    double *last = (double *)s->val + s->csr.nnz;

    ok(spmv_execute(rows, 1, s->x, 0, s->val, NULL) == SPMV_ALIASING, "y may not be val");
    ok(spmv_execute(rows, 1, s->x, 0, last - 1, NULL) == SPMV_ALIASING, "nor reach into it");
    ok(spmv_execute(rows, 1, s->x, 0, s->col_idx, NULL) == SPMV_ALIASING, "nor be col_idx");
    ok(spmv_execute(rows, 1, s->x, 0, s->row_ptr, NULL) == SPMV_ALIASING, "nor row_ptr");
    ok(spmv_execute(rows, 1, s->val, 0, y, NULL) == SPMV_OK, "x may be val: both are only read");
    ok(spmv_execute(rows, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 7),
       "and refused executes have changed nothing");
    val += 64 - (uintptr_t)val % 64;
    ok(workspace_bytes > 0 && spmv_execute(parts, 1, s->x, 0, y, val) == SPMV_OK,
       "arrays of a converted matrix may be the workspace");
    spmv_plan_destroy(rows);
    spmv_plan_destroy(parts);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* In f32 an alpha of 1e-60 is 0, so x is not read. */
static void test_rounded_alpha(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(9, 9, 0, SPMV_F32, SPMV_I64);
    spmv_plan *plan = create(device, s, NULL, 1);
    void *y = sample_vector(s, 9, 7);

    ok(spmv_execute(plan, 1e-60, NULL, 1, y, NULL) == SPMV_OK && sample_is_right(s, y, 0, 1, 7),
       "alpha and beta are rounded to the value type first");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* ---- workspaces ----------------------------------------------------------------------------- */

static const spmv_plan *nested_plan;
static const sample *nested_sample;
static spmv_status nested_own, nested_given;

/* Executes nested_plan again while it executes. */
static void execute_nested(void)
{
    static _Alignas(64) unsigned char workspace[65536];
    void *y = sample_vector(nested_sample, nested_sample->csr.rows, 7);

    nested_own = spmv_execute(nested_plan, 1, nested_sample->x, 0, y, NULL);
    nested_given = spmv_execute(nested_plan, 1, nested_sample->x, 0, y, workspace);
    if (!sample_is_right(nested_sample, y, 1, 0, 7))
        nested_given = SPMV_INVALID_MATRIX;
    free(y);
}

static void test_busy(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(100, 80, 1, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(device, s, "toy_parts", 2);
    void *y = sample_vector(s, 100, 7);

    nested_plan = plan;
    nested_sample = s;
    toy_during_execute = execute_nested;
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 7),
       "an execute is not disturbed by another one");
    ok(nested_own == SPMV_BUSY, "the plan's own workspace serves one execute at a time");
    ok(nested_given == SPMV_OK, "a second execute with its own workspace runs");
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK, "afterwards the workspace is free");
    ok(spmv_execute(plan, 1, NULL, 0, y, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK, "a refused execute does not keep it");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* ---- same bits ------------------------------------------------------------------------------ */

/* Values whose sums depend on the order of additions. */
static void make_inexact(sample *s)
{
    for (int64_t k = 0; k < s->csr.nnz; k++)
        ((double *)s->val)[k] = 1.0 / (double)(k % 101 + 1) * (k % 2 ? -1e5 : 1);
    for (int64_t col = 0; col < s->csr.cols; col++)
        ((double *)s->x)[col] = 1.0 / (double)(col + 3);
}

static void test_same_bits(const char *method)
{
    enum { ROWS = 3000 };
    static const int threads[] = {1, 2, 7};
    spmv_device *device = sample_device();
    sample *s = sample_create(ROWS, 900, 0, SPMV_F64, SPMV_I32);
    double *first = sample_vector(s, ROWS, 0);
    double *again = sample_vector(s, ROWS, 0);

    make_inexact(s);
    for (size_t i = 0; i < 3; i++) {
        spmv_plan *plan = create(device, s, method, threads[i]);
        int is_same = 1;

        for (int repeat = 0; repeat < 5; repeat++) {
            double *y = i == 0 && repeat == 0 ? first : again;
            for (int row = 0; row < ROWS; row++)
                y[row] = 1.0 / (row + 1);
            is_same &= spmv_execute(plan, 1.1, s->x, 0.7, y, NULL) == SPMV_OK &&
                       memcmp(first, y, ROWS * sizeof *y) == 0;
        }
        ok(is_same, "%s: %d threads give the same bits, five times", method, threads[i]);
        spmv_plan_destroy(plan);
    }
    spmv_device_close(device);
    sample_destroy(s);
    free(first);
    free(again);
}

/* ---- several executes at once --------------------------------------------------------------- */

enum { THREADS = 4, REPEATS = 50, ROWS = 300 };

typedef struct worker {
    spmv_device *device;
    const spmv_plan *plan;
    const sample *s;
    const double *expected;
    int is_right;
} worker;

static void *work(void *argument)
{
    worker *w = (worker *)argument;
    double *y = sample_vector(w->s, ROWS, 0);
    void *workspace = NULL;

    w->is_right = spmv_alloc(w->device, spmv_plan_workspace_size(w->plan), &workspace) == SPMV_OK;
    for (int i = 0; i < REPEATS; i++) {
        memset(workspace, 0xff, spmv_plan_workspace_size(w->plan));
        w->is_right &= spmv_execute(w->plan, 1, w->s->x, 0, y, workspace) == SPMV_OK &&
                       memcmp(y, w->expected, ROWS * sizeof *y) == 0;
    }
    spmv_free(w->device, workspace);
    free(y);
    return NULL;
}

static void *work_on_own_workspace(void *argument)
{
    worker *w = (worker *)argument;
    double *y = sample_vector(w->s, ROWS, 0);

    w->is_right = 1;
    for (int i = 0; i < REPEATS; i++) {
        const spmv_status status = spmv_execute(w->plan, 1, w->s->x, 0, y, NULL);
        w->is_right &= status == SPMV_BUSY ||
                       (status == SPMV_OK && memcmp(y, w->expected, ROWS * sizeof *y) == 0);
    }
    free(y);
    return NULL;
}

static void *create_and_destroy(void *argument)
{
    worker *w = (worker *)argument;

    w->is_right = 1;
    for (int i = 0; i < REPEATS / 10; i++) {
        spmv_plan *plan = create(w->device, w->s, "toy_parts", 2);
        w->is_right &= plan != NULL;
        spmv_plan_destroy(plan);
    }
    return NULL;
}

static void test_at_once(const char *what, void *(*run)(void *), const char *method)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(ROWS, 100, 0, SPMV_F64, SPMV_I32);
    double *expected = sample_vector(s, ROWS, 0);
    spmv_plan *plan;
    pthread_t thread[THREADS];
    worker workers[THREADS];
    int is_right = 1;

    make_inexact(s);
    plan = create(device, s, method, 2);
    spmv_execute(plan, 1, s->x, 0, expected, NULL);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){device, plan, s, expected, 0};
        if (pthread_create(&thread[i], NULL, run, &workers[i]) != 0) {
            printf("Bail out! no thread\n");
            exit(1);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        is_right &= workers[i].is_right;
    }
    ok(is_right, "%s: %s", method, what);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(expected);
}

int main(void)
{
    test_results();
    test_profile();
    test_build_profile();
    test_no_rows();
    test_arguments("toy_rows");
    test_arguments("toy_parts");
    test_matrix_overlap();
    test_rounded_alpha();
    test_busy();
    test_same_bits("toy_rows");
    test_same_bits("toy_parts");
    test_at_once("executes at once, each with its own workspace, are right", work, "toy_parts");
    test_at_once("executes at once are right", work, "toy_rows");
    test_at_once("executes at once with the plan's workspace are right or refused",
                 work_on_own_workspace, "toy_parts");
    test_at_once("plans of one device may be created at once", create_and_destroy, "toy_rows");
    return tap_done();
}
