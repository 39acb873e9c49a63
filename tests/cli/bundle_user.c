/* bundle_user.c: a program that uses a bundle of all types as its users do; test_bundle.py compiles
 * it. Ends with 0 if every product is right. */
#include "spmv_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3000, COLS = 2500, MOST = 40 };

static int failures;

static void expect(int holds, const char *what, const char *detail)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "failed: %s: %s\n", what, detail);
}

/* ---- matrix -------------------------------------------------------------------------------- */

typedef struct problem {
    int32_t row_ptr[ROWS + 1];
    int64_t row_ptr_i64[ROWS + 1];
    int32_t *col_idx;
    double *val;
    float *val_f32;
    double x[COLS];
    float x_f32[COLS];
} problem;

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Rows of 0 to MOST nonzeros, and one that is full. Values are exact in f32. */
static void make_problem(problem *p, int32_t base)
{
    uint32_t state = 7;
    int32_t k = 0;

    p->col_idx = malloc((ROWS * MOST + COLS) * sizeof *p->col_idx);
    p->val = malloc((ROWS * MOST + COLS) * sizeof *p->val);
    p->val_f32 = malloc((ROWS * MOST + COLS) * sizeof *p->val_f32);
    if (!p->col_idx || !p->val || !p->val_f32)
        exit(2);
    for (int32_t r = 0; r < ROWS; r++) {
        const int32_t length = r == 700 ? COLS : (int32_t)(next(&state) % MOST);
        p->row_ptr[r] = k + base;
        for (int32_t i = 0; i < length; i++, k++) {
            p->col_idx[k] = base + (r == 700 ? i : (int32_t)(next(&state) % COLS));
            p->val[k] = (double)(next(&state) % 2001) / 64 - 15;
            p->val_f32[k] = (float)p->val[k];
        }
    }
    p->row_ptr[ROWS] = k + base;
    for (int32_t r = 0; r <= ROWS; r++)
        p->row_ptr_i64[r] = p->row_ptr[r];
    for (int32_t c = 0; c < COLS; c++) {
        p->x[c] = (double)(next(&state) % 1001) / 32 - 15;
        p->x_f32[c] = (float)p->x[c];
    }
}

static void free_problem(problem *p)
{
    free(p->col_idx);
    free(p->val);
    free(p->val_f32);
}

/* 0: no row is farther from alpha*A*x + beta*y than rounding allows. y: the result; before: y. */
static int is_right(const problem *p, double factor, double alpha, double beta, const double *y,
                    const double *before, double epsilon)
{
    const int32_t base = p->row_ptr[0];

    for (int32_t r = 0; r < ROWS; r++) {
        long double sum = 0, size = 0;
        for (int32_t k = p->row_ptr[r] - base; k < p->row_ptr[r + 1] - base; k++) {
            const long double term = (long double)p->val[k] * factor * p->x[p->col_idx[k] - base];
            sum += term;
            size += fabsl(term);
        }
        const long double wanted = alpha * sum + beta * before[r];
        const long double scale = fabs(alpha) * size + fabs(beta * before[r]);
        if (fabsl(wanted - y[r]) > 64 * epsilon * scale)
            return 0;
    }
    return 1;
}

/* ---- threads of the program ---------------------------------------------------------------- */

static int calls;

/* Runs the parts backwards, on this thread. */
static void backwards(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    ++*(int *)context;
    while (count-- > 0)
        run(argument, count);
}

/* ---- products ------------------------------------------------------------------------------ */

static double y[ROWS], before[ROWS], first[ROWS];
static float y_f32[ROWS];

static void fill_y(void)
{
    for (int32_t r = 0; r < ROWS; r++) {
        before[r] = y[r] = (double)(r % 17) - 8;
        y_f32[r] = (float)y[r];
    }
}

/* Several vectors: each has the bits that it has as the only one, and these are right. */
static void check_columns(const problem *p, spmv_matrix *a, const char *what)
{
    enum { COLUMNS = 11 };
    double *x = malloc((size_t)COLS * COLUMNS * sizeof *x);
    double *z = malloc((size_t)ROWS * COLUMNS * sizeof *z);
    int same = x && z;

    for (int32_t i = 0; same && i < COLS; i++)
        for (int32_t c = 0; c < COLUMNS; c++)
            x[i * COLUMNS + c] = p->x[i];
    for (int32_t i = 0; same && i < ROWS; i++)
        for (int32_t c = 0; c < COLUMNS; c++)
            z[i * COLUMNS + c] = before[i];
    fill_y();
    expect(spmv_multiply_columns_f64(a, SPMV_COLUMN_MAJOR, 1, 2.5, p->x, COLS, -0.5, y, ROWS) ==
               SPMV_OK && is_right(p, 1, 2.5, -0.5, y, before, 2.3e-16), what, "f64, one column");
    same = same && spmv_multiply_columns_f64(a, SPMV_ROW_MAJOR, COLUMNS, 2.5, x, COLUMNS, -0.5, z,
                                             COLUMNS) == SPMV_OK;
    for (int32_t i = 0; same && i < ROWS; i++)
        for (int32_t c = 0; c < COLUMNS; c++)
            same &= !memcmp(&z[i * COLUMNS + c], &y[i], sizeof *z);
    expect(same, what, "several vectors have the bits of one column");
    free(x);
    free(z);
}

static void check_f64(const problem *p, spmv_matrix *a, const char *what)
{
    fill_y();
    expect(spmv_multiply_f64(a, 2.5, p->x, -0.5, y) == SPMV_OK &&
               is_right(p, 1, 2.5, -0.5, y, before, 2.3e-16), what, "f64");
    memcpy(first, y, sizeof y);
    fill_y();
    spmv_multiply_f64(a, 2.5, p->x, -0.5, y);
    expect(!memcmp(first, y, sizeof y), what, "the same bits again");
    check_columns(p, a, what);
    expect(spmv_multiply_f32(a, 1, p->x_f32, 0, y_f32) == SPMV_INVALID_ARGUMENT, what,
           "the other type's function refuses it");
}

static void check_f32(const problem *p, spmv_matrix *a, const char *what)
{
    fill_y();
    expect(spmv_multiply_f32(a, 2.5f, p->x_f32, -0.5f, y_f32) == SPMV_OK, what, "f32");
    for (int32_t r = 0; r < ROWS; r++)
        y[r] = y_f32[r];
    expect(is_right(p, 1, 2.5, -0.5, y, before, 1.2e-7), what, "f32");
}

static void check_update(problem *p, spmv_matrix *a, const char *what)
{
    const int32_t nnz = p->row_ptr[ROWS] - p->row_ptr[0];
    double *twice = malloc((size_t)nnz * sizeof *twice);
    spmv_error error;

    for (int32_t k = 0; twice && k < nnz; k++)
        twice[k] = 2 * p->val[k];
    expect(twice && spmv_matrix_update_f64(a, twice, &error) == SPMV_OK, what, "update");
    fill_y();
    expect(spmv_multiply_f64(a, 1, p->x, 0, y) == SPMV_OK &&
               is_right(p, 2, 1, 0, y, before, 2.3e-16), what, "new values");
    expect(spmv_matrix_update_f64(a, p->val, &error) == SPMV_OK, what, "update back");
    free(twice);
}

static void check_method(problem *p, const char *method)
{
    spmv_matrix_options options = { .method = method };
    spmv_matrix_info info;
    spmv_error error;
    spmv_matrix *a;

    for (int threads = 0; threads < 3; threads++) {
        options.threads = threads == 2 ? 3 : threads;
        options.parallel_for = threads == 2 ? backwards : NULL;
        options.parallel_for_context = threads == 2 ? &calls : NULL;
        a = spmv_matrix_create_f64_with(ROWS, COLS, p->row_ptr, p->col_idx, p->val, &options,
                                        &error);
        expect(a != NULL, method, error.text);
        if (!a)
            continue;
        expect(spmv_matrix_query(a, &info) == SPMV_OK && !strcmp(info.method, method) &&
                   info.rows == ROWS && info.nnz == p->row_ptr[ROWS] - p->row_ptr[0], method,
               "query");
        check_f64(p, a, method);
        check_update(p, a, method);
        spmv_matrix_destroy(a);
    }
    expect(calls > 0, method, "the program's threads are used");
    options = (spmv_matrix_options){ .method = method, .full_check = 1, .copy = 1 };
    a = spmv_matrix_create_f64_i64_with(ROWS, COLS, p->row_ptr_i64, p->col_idx, p->val, &options,
                                        &error);
    expect(a != NULL, method, error.text);
    if (a)
        check_f64(p, a, method);
    spmv_matrix_destroy(a);
    a = spmv_matrix_create_f32_with(ROWS, COLS, p->row_ptr, p->col_idx, p->val_f32, &options,
                                    &error);
    expect(a != NULL, method, error.text);
    if (a)
        check_f32(p, a, method);
    spmv_matrix_destroy(a);
    a = spmv_matrix_create_f32_i64_with(ROWS, COLS, p->row_ptr_i64, p->col_idx, p->val_f32,
                                        &options, &error);
    expect(a != NULL, method, error.text);
    if (a)
        check_f32(p, a, method);
    spmv_matrix_destroy(a);
}

/* ---- errors -------------------------------------------------------------------------------- */

static void check_errors(problem *p)
{
    const spmv_matrix_options unknown = { .method = "strip" };
    const int32_t kept = p->row_ptr[10];
    spmv_error error = { SPMV_OK, "" };

    expect(!spmv_matrix_create_f64_with(ROWS, COLS, p->row_ptr, p->col_idx, p->val, &unknown,
                                        &error) &&
               error.status == SPMV_UNSUPPORTED && strstr(error.text, "strip"), "unknown method",
           error.text);
    expect(!spmv_matrix_create_f64(ROWS, COLS, NULL, p->col_idx, p->val, &error) &&
               strstr(error.text, "row_ptr"), "no row_ptr", error.text);
    expect(!spmv_matrix_create_f64(ROWS, COLS, NULL, p->col_idx, p->val, NULL), "no error", "");
    p->row_ptr[10] = p->row_ptr[9] - 5;
    expect(!spmv_matrix_create_f64(ROWS, COLS, p->row_ptr, p->col_idx, p->val, &error) &&
               error.status == SPMV_INVALID_MATRIX && strstr(error.text, "row"), "row_ptr falls",
           error.text);
    p->row_ptr[10] = kept;
    expect(spmv_multiply_f64(NULL, 1, p->x, 0, y) == SPMV_INVALID_ARGUMENT, "no matrix", "");
    spmv_matrix_destroy(NULL);
}

int main(void)
{
    static const char *const methods[] = { "csr5", "csr_adaptive", "csr_scalar", "csr_vector",
                                           "evc_hyb", "speculative", "strips" };
    static problem p;

    for (int32_t base = 0; base < 2; base++) {
        spmv_error error;
        spmv_matrix *a;

        make_problem(&p, base);
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
            check_method(&p, methods[m]);
        a = spmv_matrix_create_f64(ROWS, COLS, p.row_ptr, p.col_idx, p.val, &error);
        expect(a != NULL, "the automatic choice", error.text);
        if (a)
            check_f64(&p, a, "the automatic choice");
        spmv_matrix_destroy(a);
        check_errors(&p);
        free_problem(&p);
    }
    return failures != 0;
}
