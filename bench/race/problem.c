/* problem.c: see problem.h. */
#include "bench/race/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/matrices/random.h"
#include "runtime/spmv.h"

/* Vectors are aligned to cache lines, as in most applications. */
static void *allocate_values(int64_t count, size_t bytes)
{
    const size_t total = ((size_t)count * bytes + 63) / 64 * 64;
    return aligned_alloc(64, total ? total : 64);
}

/* ---- the vectors --------------------------------------------------------------------------- */

static void poison(spmv_value_type type, void *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (type == SPMV_F32)
            ((float *)values)[i] = NAN;
        else
            ((double *)values)[i] = NAN;
    }
}

static bool make_vectors(const bench_options *options, bench_problem *out)
{
    const spmv_csr *csr = &out->source.matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    bench_random random = { (uint64_t)options->seed };

    out->x = allocate_values(csr->cols, bytes);
    out->before = allocate_values(csr->rows, bytes);
    if (!out->x || !out->before)
        return false;
    bench_random_fill(&random, BENCH_UNIFORM, csr->value_type, out->x, (size_t)csr->cols);
    if (options->beta == 0)
        poison(csr->value_type, out->before, csr->rows);
    else
        bench_random_fill(&random, BENCH_UNIFORM, csr->value_type, out->before, (size_t)csr->rows);
    return !bench_reference_create(csr, out->x, &out->reference);
}

bool bench_problem_create(const bench_options *options, bench_problem *out, char *message,
                          size_t message_bytes)
{
    *out = (bench_problem){ .alpha = options->alpha, .beta = options->beta };
    if (!bench_source_create(options, &out->source, message, message_bytes))
        return false;
    if (make_vectors(options, out))
        return true;
    snprintf(message, message_bytes, "%s: %s", out->source.name,
             spmv_status_text(SPMV_OUT_OF_MEMORY));
    bench_problem_destroy(out);
    return false;
}

void bench_problem_destroy(bench_problem *problem)
{
    bench_source_destroy(&problem->source);
    bench_reference_destroy(problem->reference);
    free(problem->x);
    free(problem->before);
    *problem = (bench_problem){ .x = NULL };
}
