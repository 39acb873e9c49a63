/* cg.c: the conjugate gradient method on a 2-D Poisson problem: how a solver uses a plan.
 *
 *     cg [--method NAME | --permuted] [N]      N x N grid points; default 256
 *
 * --method names the plan's method; without it, libspmv chooses. With --permuted, the method is
 * EVC-HYB, and vectors are in the order in which it sorts rows, so no multiplication scatters y.
 * Dot products and other sums over all entries do not depend on the order.
 *
 * The plan is created once and executed in every iteration. The solver has its own workspace, so
 * several solvers could share the plan. Vectors come from spmv_alloc: they are aligned, and shared
 * with the device.
 */
#include "spmv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the matrix: 4 on the diagonal, -1 for each of up to four neighbours -------------------- */

typedef struct poisson {
    spmv_csr csr;
    int32_t *row_ptr, *col_idx;
    double *val;
} poisson;

static void poisson_destroy(poisson *p)
{
    free(p->row_ptr);
    free(p->col_idx);
    free(p->val);
}

static void add_entry(poisson *p, int32_t col, double value)
{
    p->col_idx[p->csr.nnz] = col;
    p->val[p->csr.nnz++] = value;
}

static int poisson_create(poisson *p, int32_t n)
{
    const size_t rows = (size_t)n * (size_t)n;

    *p = (poisson){.csr = {.rows = (int64_t)rows, .cols = (int64_t)rows, .offset_type = SPMV_I32,
                           .value_type = SPMV_F64}};
    p->csr.row_ptr = p->row_ptr = malloc((rows + 1) * sizeof *p->row_ptr);
    p->csr.col_idx = p->col_idx = malloc(5 * rows * sizeof *p->col_idx);
    p->csr.val = p->val = malloc(5 * rows * sizeof *p->val);
    if (p->row_ptr == NULL || p->col_idx == NULL || p->val == NULL)
        return 0;
    p->row_ptr[0] = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            const int32_t row = i * n + j;
            if (i > 0)
                add_entry(p, row - n, -1);
            if (j > 0)
                add_entry(p, row - 1, -1);
            add_entry(p, row, 4);
            if (j < n - 1)
                add_entry(p, row + 1, -1);
            if (i < n - 1)
                add_entry(p, row + n, -1);
            p->row_ptr[row + 1] = (int32_t)p->csr.nnz;
        }
    return 1;
}

/* ---- the solver ---------------------------------------------------------------------------- */

static double dot(int64_t n, const double *a, const double *b)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

typedef struct solver {
    int64_t n;
    double *u, *r, *p, *q;       /* solution, residual, direction, A*p */
    void *workspace;             /* for spmv_execute */
} solver;

static void solver_destroy(solver *s, spmv_device *device)
{
    spmv_free(device, s->u);
    spmv_free(device, s->r);
    spmv_free(device, s->p);
    spmv_free(device, s->q);
    spmv_free(device, s->workspace);
}

static spmv_status solver_create(solver *s, spmv_device *device, const spmv_plan *plan, int64_t n)
{
    const size_t bytes = (size_t)n * sizeof(double);
    double **const vectors[] = {&s->u, &s->r, &s->p, &s->q};
    spmv_status status = SPMV_OK;

    *s = (solver){.n = n};
    for (int i = 0; i < 4 && status == SPMV_OK; i++) {
        void *vector = NULL;
        status = spmv_alloc(device, bytes, &vector);
        *vectors[i] = vector;
    }
    if (status == SPMV_OK)
        status = spmv_alloc(device, spmv_plan_workspace_size(plan), &s->workspace);
    return status;
}

/* Solves A*u = r from u = 0, until the residual has shrunk to `tolerance` times its initial norm.
 * Overwrites r. */
static spmv_status solve(const spmv_plan *plan, solver *s, double tolerance, int limit,
                         int *iterations)
{
    double rho = dot(s->n, s->r, s->r);
    const double goal = tolerance * tolerance * rho;

    for (int64_t i = 0; i < s->n; i++) {
        s->u[i] = 0;
        s->p[i] = s->r[i];
    }
    for (*iterations = 0; rho > goal && *iterations < limit; (*iterations)++) {
        const spmv_status status = spmv_execute(plan, 1.0, s->p, 0.0, s->q, s->workspace);
        if (status != SPMV_OK)
            return status;
        const double step = rho / dot(s->n, s->p, s->q);
        for (int64_t i = 0; i < s->n; i++) {
            s->u[i] += step * s->p[i];
            s->r[i] -= step * s->q[i];
        }
        const double rho_old = rho;
        rho = dot(s->n, s->r, s->r);
        for (int64_t i = 0; i < s->n; i++)
            s->p[i] = s->r[i] + rho / rho_old * s->p[i];
    }
    return SPMV_OK;
}

/* The expected value of unknown i. */
static double expected(int64_t i)
{
    return 1 + (double)(i % 10) / 10;
}

static double seconds_now(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct result {
    int iterations;
    double seconds;              /* of the solver */
    double error;                /* the largest error of an unknown */
} result;

/* Solves for the right-hand side of the expected unknowns. order[k] is the unknown at position k of
 * the vectors; NULL: unknown k. */
static spmv_status solve_for_expected(const spmv_plan *plan, const int32_t *order, solver *s,
                                      result *r)
{
    spmv_status status;

    for (int64_t k = 0; k < s->n; k++)
        s->p[k] = expected(order != NULL ? order[k] : k);
    status = spmv_execute(plan, 1.0, s->p, 0.0, s->r, s->workspace);
    r->seconds = -seconds_now();
    if (status == SPMV_OK)
        status = solve(plan, s, 1e-10, 10000, &r->iterations);
    r->seconds += seconds_now();
    r->error = 0;
    for (int64_t k = 0; k < s->n && status == SPMV_OK; k++)
        r->error = fmax(r->error, fabs(s->u[k] - expected(order != NULL ? order[k] : k)));
    return status;
}

int main(int argc, char **argv)
{
    const int permuted = argc > 1 && strcmp(argv[1], "--permuted") == 0;
    const char *const method = argc > 2 && strcmp(argv[1], "--method") == 0 ? argv[2] : NULL;
    const int words = permuted ? 2 : method != NULL ? 3 : 1;     /* before N */
    const int n = argc > words ? atoi(argv[words]) : 256;
    const spmv_plan_options options = {
        .struct_size = sizeof options,
        .method = permuted ? "evc_hyb" : method,
        .settings = permuted ? "permuted_y=1,permuted_x=1" : NULL,
    };
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_error err = {SPMV_OK, ""};
    poisson a = {.val = NULL};
    solver s = {.n = 0};
    result r = {.error = 1};

    if (n < 1 || n > 10000) {
        fprintf(stderr, "usage: cg [--method NAME | --permuted] [N], N from 1 to 10000\n");
        return 2;
    }
    if (!poisson_create(&a, n)) {
        err.status = SPMV_OUT_OF_MEMORY;
        goto cleanup;
    }
    if (spmv_device_open(NULL, &device, &err) != SPMV_OK ||
        spmv_plan_create(device, &a.csr, &options, &plan, &err) != SPMV_OK)
        goto cleanup;
    spmv_plan_query(plan, &info);
    printf("%" PRId64 " unknowns, %" PRId64 " nonzeros, %s\n", info.rows, info.nnz,
           info.module->name);
    err.status = solver_create(&s, device, plan, info.rows);
    if (err.status == SPMV_OK)
        err.status = solve_for_expected(plan, info.x_permutation, &s, &r);
    if (err.status == SPMV_OK)
        printf("%d iterations, largest error %.1e, %.1f us an iteration\n", r.iterations, r.error,
               1e6 * r.seconds / (r.iterations > 0 ? r.iterations : 1));

cleanup:
    if (err.status != SPMV_OK)
        fprintf(stderr, "cg: %s\n", err.text[0] ? err.text : spmv_status_text(err.status));
    solver_destroy(&s, device);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    poisson_destroy(&a);
    return err.status == SPMV_OK && r.error < 1e-6 ? 0 : 1;
}
