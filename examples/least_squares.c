/* least_squares.c: least squares for several right-hand sides at once, by CGLS.
 *
 *     cc -std=c11 least_squares.c $(pkg-config --cflags --libs spmv) -lm -o least_squares
 *
 * or, in a clone, with the static library:
 *
 *     cc -std=c11 -I runtime examples/least_squares.c build/runtime/libspmv.a -fopenmp -ldl -lm \
 *         -o least_squares
 *
 * Finds the X that minimises |A X - B| in each column, for a sparse A of more rows than columns.
 * Each iteration multiplies by A and by its transpose: two plans of the same arrays. The eight
 * vectors are multiplied together, so A is read once for all of them. They are row-major: the eight
 * values of a row are neighbours.
 */
#include "spmv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 6000, COLS = 2000, NONZEROS = 4 * ROWS, VECTORS = 8, MOST_ITERATIONS = 500 };

/* A has four nonzeros in each row: a large one near the diagonal, and three others. B = A X for a
 * known X, so the residual can become 0. */
static int32_t row_ptr[ROWS + 1], col_idx[NONZEROS];
static double val[NONZEROS], known[COLS * VECTORS];
static double x[COLS * VECTORS], p[COLS * VECTORS], s[COLS * VECTORS];
static double r[ROWS * VECTORS], q[ROWS * VECTORS];

static double next_random(void)
{
    static uint32_t state = 1;

    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (double)(state >> 8) / (1 << 24);
}

static spmv_csr make_matrix(void)
{
    const spmv_csr a = {
        .rows = ROWS, .cols = COLS, .nnz = NONZEROS, .row_ptr = row_ptr, .col_idx = col_idx,
        .val = val, .offset_type = SPMV_I32, .value_type = SPMV_F64,
    };

    for (int32_t i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = row_ptr[i] + 4;
        for (int32_t k = row_ptr[i]; k < row_ptr[i + 1]; k++) {
            const int is_first = k == row_ptr[i];
            col_idx[k] = is_first ? i % COLS : (int32_t)(next_random() * (double)COLS);
            val[k] = is_first ? 4 : next_random() - 0.5;
        }
    }
    return a;
}

/* The squares of the norms of the vectors. */
static void square_norms(const double *v, int32_t rows, double *norm)
{
    for (int32_t c = 0; c < VECTORS; c++)
        norm[c] = 0;
    for (int32_t i = 0; i < rows * VECTORS; i++)
        norm[i % VECTORS] += v[i] * v[i];
}

/* y += scale * v in each vector. */
static void add(double *y, const double *scale, const double *v, int32_t rows)
{
    for (int32_t i = 0; i < rows * VECTORS; i++)
        y[i] += scale[i % VECTORS] * v[i];
}

static double largest(const double *value)
{
    double most = 0;

    for (int32_t c = 0; c < VECTORS; c++)
        most = value[c] > most ? value[c] : most;
    return most;
}

/* y = A x, or y = A^T x for the plan of the transpose, for all vectors. */
static spmv_status multiply(const spmv_plan *plan, const double *from, double *to)
{
    return spmv_execute_columns(plan, SPMV_ROW_MAJOR, VECTORS, 1, from, VECTORS, 0, to, VECTORS,
                                NULL);
}

/* On entry r = B and x = 0. Returns the number of iterations in *iterations. */
static spmv_status solve(const spmv_plan *a, const spmv_plan *a_transposed, int *iterations)
{
    double gamma[VECTORS], before[VECTORS], norm[VECTORS], step[VECTORS], start;
    spmv_status status = multiply(a_transposed, r, s);

    square_norms(s, COLS, gamma);
    start = largest(gamma);
    memcpy(p, s, sizeof p);
    for (*iterations = 0; status == SPMV_OK && *iterations < MOST_ITERATIONS &&
                          largest(gamma) > 1e-24 * start; ++*iterations) {
        if ((status = multiply(a, p, q)) != SPMV_OK)
            break;
        square_norms(q, ROWS, norm);
        for (int c = 0; c < VECTORS; c++)
            step[c] = norm[c] > 0 ? gamma[c] / norm[c] : 0;
        add(x, step, p, COLS);
        for (int c = 0; c < VECTORS; c++)
            step[c] = -step[c];
        add(r, step, q, ROWS);
        status = multiply(a_transposed, r, s);
        for (int c = 0; c < VECTORS; c++)
            before[c] = gamma[c];
        square_norms(s, COLS, gamma);
        for (int32_t i = 0; i < COLS * VECTORS; i++) {
            const int c = i % VECTORS;
            p[i] = s[i] + (before[c] > 0 ? gamma[c] / before[c] : 0) * p[i];
        }
    }
    return status;
}

int main(void)
{
    const spmv_csr matrix = make_matrix();
    const spmv_plan_options transposed = {.struct_size = sizeof transposed, .transposed = 1};
    spmv_device *device = NULL;
    spmv_plan *a = NULL;
    spmv_plan *a_transposed = NULL;
    spmv_error err = {SPMV_OK, ""};
    double error = 0;
    int iterations = 0;

    for (int32_t i = 0; i < COLS * VECTORS; i++)
        known[i] = next_random();
    if (spmv_device_open(NULL, &device, &err) == SPMV_OK &&
        spmv_plan_create(device, &matrix, NULL, &a, &err) == SPMV_OK &&
        spmv_plan_create(device, &matrix, &transposed, &a_transposed, &err) == SPMV_OK) {
        err.status = multiply(a, known, r);
        if (err.status == SPMV_OK)
            err.status = solve(a, a_transposed, &iterations);
    }
    if (err.status == SPMV_OK) {
        for (int32_t i = 0; i < COLS * VECTORS; i++)
            error = fmax(error, fabs(x[i] - known[i]));
        printf("%d vectors after %d iterations: the largest error is %.1e\n", VECTORS, iterations,
               error);
    } else {
        fprintf(stderr, "least_squares: %s\n",
                err.text[0] ? err.text : spmv_status_text(err.status));
    }
    spmv_plan_destroy(a_transposed);
    spmv_plan_destroy(a);
    spmv_device_close(device);
    return err.status == SPMV_OK && error < 1e-6 ? 0 : 1;
}
