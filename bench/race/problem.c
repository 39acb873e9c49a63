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
    const int64_t inputs = bench_product_inputs(&out->product, csr);
    const int64_t outputs = bench_product_outputs(&out->product, csr);
    bench_random random = { (uint64_t)options->seed };

    out->x = allocate_values(inputs, bytes);
    out->before = allocate_values(outputs, bytes);
    if (!out->x || !out->before)
        return false;
    bench_random_fill(&random, BENCH_UNIFORM, csr->value_type, out->x, (size_t)inputs);
    if (options->beta == 0)
        poison(csr->value_type, out->before, outputs);
    else
        bench_random_fill(&random, BENCH_UNIFORM, csr->value_type, out->before, (size_t)outputs);
    return !(out->product.transposed ? bench_reference_create_transposed
                                     : bench_reference_create)(csr, out->x, &out->reference);
}

/* Adds the vectors to a problem that has its matrix. */
static bool complete(const bench_options *options, bench_problem *out, char *message,
                     size_t message_bytes)
{
    if (make_vectors(options, out))
        return true;
    snprintf(message, message_bytes, "%s: %s", out->source.name,
             spmv_status_text(SPMV_OUT_OF_MEMORY));
    bench_problem_destroy(out);
    return false;
}

bool bench_problem_create(const bench_options *options, bench_problem *out, char *message,
                          size_t message_bytes)
{
    *out = (bench_problem){ .alpha = options->alpha, .beta = options->beta,
                            .product = bench_product_of(options) };
    return bench_source_create(options, &out->source, message, message_bytes) &&
           complete(options, out, message, message_bytes);
}

bool bench_problem_create_beside(const bench_options *options, const bench_problem *other,
                                 const bench_product *product, bench_problem *out, char *message,
                                 size_t message_bytes)
{
    *out = (bench_problem){ .source = other->source, .borrows_source = true, .product = *product,
                            .alpha = options->alpha, .beta = options->beta };
    return complete(options, out, message, message_bytes);
}

void bench_problem_destroy(bench_problem *problem)
{
    if (!problem->borrows_source)
        bench_source_destroy(&problem->source);
    bench_reference_destroy(problem->reference);
    free(problem->x);
    free(problem->before);
    *problem = (bench_problem){ .x = NULL };
}
