/* plain_csr.c: see plain_csr.h. */
#include "bench/yardsticks/plain_csr.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/threads/team.h"

struct bench_plain_csr {
    const spmv_csr *csr;
    double alpha, beta;
    const void *x;
    void *y;
    int threads;
    int vectors;
    int64_t first[SPMV_MAX_THREADS + 1];     /* rows of each thread */
};

#define DEFINE_ROWS(name, offset, value)                                                           \
    static void name(const bench_plain_csr *p, int64_t first, int64_t last)                        \
    {                                                                                              \
        const int64_t base = p->csr->base;                                                         \
        const offset *row_ptr = p->csr->row_ptr;                                                   \
        const int32_t *col = p->csr->col_idx;                                                      \
        const value *val = p->csr->val, *x = p->x;                                                 \
        const value alpha = (value)p->alpha, beta = (value)p->beta;                                \
        value *y = p->y;                                                                           \
                                                                                                   \
        for (int64_t row = first; row < last; row++) {                                             \
            const int64_t end = row_ptr[row + 1] - base;                                           \
            value sum = 0;                                                                         \
            for (int64_t k = row_ptr[row] - base; k < end; k++)                                    \
                sum += val[k] * x[col[k] - base];                                                  \
            y[row] = alpha * sum + (p->beta == 0 ? 0 : beta * y[row]);                             \
        }                                                                                          \
    }

DEFINE_ROWS(rows_i32_f32, int32_t, float)
DEFINE_ROWS(rows_i32_f64, int32_t, double)
DEFINE_ROWS(rows_i64_f32, int64_t, float)
DEFINE_ROWS(rows_i64_f64, int64_t, double)

/* Entries before a row. */
static int64_t entries_before(const spmv_csr *csr, int64_t row)
{
    return (csr->offset_type == SPMV_I32 ? ((const int32_t *)csr->row_ptr)[row]
                                         : ((const int64_t *)csr->row_ptr)[row]) - csr->base;
}

/* The first row that has at least `entries` before it. */
static int64_t find_row(const spmv_csr *csr, int64_t entries)
{
    int64_t low = 0, high = csr->rows;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (entries_before(csr, middle) < entries)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bench_plain_csr *bench_plain_csr_create(const spmv_csr *csr, double alpha, const void *x,
                                        double beta, const void *before, int threads)
{
    const size_t bytes = (size_t)csr->rows * bench_value_bytes(csr->value_type);
    bench_plain_csr *p = calloc(1, sizeof *p);

    if (!p || !(p->y = malloc(bytes + 1))) {
        free(p);
        return NULL;
    }
    memcpy(p->y, before, bytes);
    p->csr = csr;
    p->vectors = 1;
    p->alpha = alpha;
    p->beta = beta;
    p->x = x;
    p->threads = threads < 1 ? 1 : threads > SPMV_MAX_THREADS ? SPMV_MAX_THREADS : threads;
    for (int t = 1; t < p->threads; t++)
        p->first[t] = find_row(csr, (int64_t)((double)csr->nnz * t / p->threads));
    p->first[p->threads] = csr->rows;
    return p;
}

void bench_plain_csr_repeat(bench_plain_csr *plain, int vectors)
{
    plain->vectors = vectors;
}

void bench_plain_csr_destroy(bench_plain_csr *plain)
{
    if (!plain)
        return;
    free(plain->y);
    free(plain);
}

static void run_part(void *context, int32_t part)
{
    const bench_plain_csr *p = context;
    const bool wide = p->csr->offset_type == SPMV_I64;

    if (p->csr->value_type == SPMV_F32)
        (wide ? rows_i64_f32 : rows_i32_f32)(p, p->first[part], p->first[part + 1]);
    else
        (wide ? rows_i64_f64 : rows_i32_f64)(p, p->first[part], p->first[part + 1]);
}

int bench_plain_csr_run(void *plain)
{
    bench_plain_csr *p = plain;
    const spmv_threads team = { .count = p->threads };

    for (int i = 0; i < p->vectors; i++)
        spmv_team_run(&team, p->threads, run_part, p);
    return 0;
}

const void *bench_plain_csr_y(const bench_plain_csr *plain)
{
    return plain->y;
}
