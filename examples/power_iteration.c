/* power_iteration.c: the largest eigenvalue of a symmetric matrix, with vectors that are permuted
 * once: EVC-HYB sorts the rows, and its settings keep y and x in that order.
 *
 *     cc -std=c11 power_iteration.c $(pkg-config --cflags --libs spmv) -lm -o power_iteration
 *
 * The matrix is the Laplacian of a grid of M x N points, whose largest eigenvalue is
 * 4 sin^2(M*pi / (2M+2)) + 4 sin^2(N*pi / (2N+2)). Sums over all entries do not depend on the
 * order, so only the eigenvector has to be brought back into the order of the rows.
 */
#include "spmv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 13, N = 17, ROWS = M * N, ITERATIONS = 2000 };

static const double pi = 3.14159265358979323846;

typedef struct laplacian {
    int32_t row_ptr[ROWS + 1], col_idx[5 * ROWS];
    double val[5 * ROWS];
    int32_t nnz;
} laplacian;

static void add_entry(laplacian *a, int32_t col, double value)
{
    a->col_idx[a->nnz] = col;
    a->val[a->nnz++] = value;
}

static void fill(laplacian *a)
{
    a->nnz = 0;
    a->row_ptr[0] = 0;
    for (int32_t row = 0; row < ROWS; row++) {
        if (row >= N)
            add_entry(a, row - N, -1);
        if (row % N > 0)
            add_entry(a, row - 1, -1);
        add_entry(a, row, 4);
        if (row % N < N - 1)
            add_entry(a, row + 1, -1);
        if (row < ROWS - N)
            add_entry(a, row + N, -1);
        a->row_ptr[row + 1] = a->nnz;
    }
}

/* Returns the Rayleigh quotient of the last multiplication by A; x becomes the eigenvector, of
 * length 1. */
static spmv_status iterate(const spmv_plan *plan, double *x, double *y, double *eigenvalue)
{
    for (int32_t k = 0; k < ROWS; k++)
        x[k] = k == 0;                           /* any start with a part of the eigenvector */
    for (int i = 0; i < ITERATIONS; i++) {
        double xy = 0, yy = 0;
        const spmv_status status = spmv_execute(plan, 1.0, x, 0.0, y, NULL);
        if (status != SPMV_OK)
            return status;
        for (int32_t k = 0; k < ROWS; k++) {
            xy += x[k] * y[k];
            yy += y[k] * y[k];
        }
        for (int32_t k = 0; k < ROWS; k++)
            x[k] = y[k] / sqrt(yy);
        *eigenvalue = xy;
    }
    return SPMV_OK;
}

/* The largest distance of a vector in the order of the rows from the exact eigenvector. */
static double eigenvector_error(const double *v)
{
    const double scale = 2 / sqrt((M + 1) * (N + 1));
    const double sign = v[0] < 0 ? -1 : 1;
    double error = 0;

    for (int32_t row = 0; row < ROWS; row++) {
        const double exact = scale * sin((row / N + 1) * M * pi / (M + 1)) *
                             sin((row % N + 1) * N * pi / (N + 1));
        error = fmax(error, fabs(sign * v[row] - exact));
    }
    return error;
}

int main(void)
{
    static laplacian a;
    static double x[ROWS], y[ROWS];
    const spmv_csr csr = {
        .rows = ROWS, .cols = ROWS, .nnz = (fill(&a), a.nnz), .row_ptr = a.row_ptr,
        .col_idx = a.col_idx, .val = a.val, .offset_type = SPMV_I32, .value_type = SPMV_F64,
    };
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = "evc_hyb",
        .settings = "permuted_y=1,permuted_x=1",     /* so that y can be the next x */
    };
    const double exact = 4 * pow(sin(pi * (double)M / (2 * M + 2)), 2) +
                         4 * pow(sin(pi * (double)N / (2 * N + 2)), 2);
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_error err = {SPMV_OK, ""};
    double eigenvalue = 0, error = 1;

    if (spmv_device_open(NULL, &device, &err) == SPMV_OK &&
        spmv_plan_create(device, &csr, &options, &plan, &err) == SPMV_OK) {
        spmv_plan_query(plan, &info);
        err.status = iterate(plan, x, y, &eigenvalue);
        for (int32_t k = 0; k < ROWS; k++)
            y[info.y_permutation[k]] = x[k];         /* the only permutation */
        error = eigenvector_error(y);
        printf("eigenvalue %.12f, exact %.12f; largest error of the eigenvector %.1e\n",
               eigenvalue, exact, error);
    }
    if (err.status != SPMV_OK)
        fprintf(stderr, "power_iteration: %s\n",
                err.text[0] ? err.text : spmv_status_text(err.status));
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    return err.status == SPMV_OK && fabs(eigenvalue - exact) < 1e-12 && error < 1e-9 ? 0 : 1;
}
