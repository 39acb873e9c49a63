/* bundle_cg.c: conjugate gradients with a bundle of kernels, which needs no other library.
 *
 *     cc -O3 -fopenmp -I examples/bundle examples/bundle_cg.c examples/bundle/spmv_kernels.c -lm
 *
 * Solves A*x = b on an n x n grid, where A is the five-point Laplacian and b belongs to a known x.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "spmv_kernels.h"

static double dot(int32_t rows, const double *a, const double *b)
{
    double sum = 0;

    for (int32_t i = 0; i < rows; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Returns the number of nonzeros. */
static int32_t fill_laplacian(int32_t n, int32_t *row_ptr, int32_t *col_idx, double *val)
{
    const int32_t away[] = { -n, -1, 0, 1, n };
    int32_t k = 0;

    for (int32_t row = 0; row < n * n; row++) {
        const int inside[] = { row >= n, row % n > 0, 1, row % n < n - 1, row < n * n - n };
        row_ptr[row] = k;
        for (int i = 0; i < 5; i++)
            if (inside[i]) {
                col_idx[k] = row + away[i];
                val[k++] = i == 2 ? 4 : -1;
            }
    }
    row_ptr[n * n] = k;
    return k;
}

/* Solves A*x = b from x = 0; r = b at first, and is the residual at the end. Returns the number of
 * steps. */
static int solve(const spmv_matrix *a, int32_t rows, double *x, double *r, double *p, double *ap)
{
    double rr = dot(rows, r, r);
    const double enough = 1e-20 * rr;
    int steps = 0;

    for (int32_t i = 0; i < rows; i++)
        p[i] = r[i];
    for (; rr > enough && steps < rows; steps++) {
        const double before = rr;

        if (spmv_multiply_f64(a, 1.0, p, 0.0, ap) != SPMV_OK)
            return -1;
        const double alpha = rr / dot(rows, p, ap);
        for (int32_t i = 0; i < rows; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        rr = dot(rows, r, r);
        for (int32_t i = 0; i < rows; i++)
            p[i] = r[i] + rr / before * p[i];
    }
    return steps;
}

int main(int argc, char **argv)
{
    const int32_t n = argc > 1 ? (int32_t)strtol(argv[1], NULL, 10) : 200, rows = n * n;

    if (n < 1 || n > 10000) {
        fprintf(stderr, "usage: %s [points of a side, 1 to 10000]\n", argv[0]);
        return 2;
    }
    int32_t *row_ptr = malloc(((size_t)rows + 1) * sizeof *row_ptr);
    int32_t *col_idx = malloc((size_t)rows * 5 * sizeof *col_idx);
    double *val = malloc((size_t)rows * 5 * sizeof *val);
    double *vectors = calloc((size_t)rows * 5, sizeof *vectors);
    if (!row_ptr || !col_idx || !val || !vectors)
        return 1;
    double *x = vectors, *r = x + rows, *p = r + rows, *ap = p + rows, *known = ap + rows;
    const int32_t nnz = fill_laplacian(n, row_ptr, col_idx, val);
    spmv_error error;
    spmv_matrix *a = spmv_matrix_create_f64(rows, rows, row_ptr, col_idx, val, &error);
    spmv_matrix_info info;

    if (a == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (int32_t i = 0; i < rows; i++)
        known[i] = 1 + i % 3;
    spmv_multiply_f64(a, 1.0, known, 0.0, r);
    const int steps = solve(a, rows, x, r, p, ap);
    double most = 0;
    for (int32_t i = 0; i < rows; i++)
        most = fmax(most, fabs(x[i] - known[i]));
    spmv_matrix_query(a, &info);
    printf("%d rows, %d nonzeros, %s for %s: %d steps, largest error %.1e\n", rows, nnz,
           info.method, info.target, steps, most);
    spmv_matrix_destroy(a);
    free(vectors);
    free(val);
    free(col_idx);
    free(row_ptr);
    return steps > 0 && most < 1e-6 ? 0 : 1;
}
