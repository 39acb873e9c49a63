/* problem.c: see problem.h. */
#include "bench/race/problem.h"

#include <math.h>
#include <stdlib.h>

#include "bench/matrices/random.h"
#include "common/fail.h"
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

static void fill_ones(spmv_value_type type, void *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (type == SPMV_F32)
            ((float *)values)[i] = 1;
        else
            ((double *)values)[i] = 1;
    }
}

/* Makes a column of X and of the initial Y, by `scratch`, and its reference. */
static bool make_column(const bench_options *options, bench_problem *out, int32_t column,
                        bench_random *random, void *scratch)
{
    const spmv_csr *csr = &out->csr;
    const bench_product *product = &out->product;
    const size_t bytes = bench_value_bytes(csr->value_type);
    const int64_t inputs = bench_product_inputs(product, csr);
    const int64_t outputs = bench_product_outputs(product, csr);

    if (options->ones)
        fill_ones(csr->value_type, scratch, inputs);
    else
        bench_random_fill(random, BENCH_UNIFORM, csr->value_type, scratch, (size_t)inputs);
    bench_product_put(product, inputs, bytes, column, scratch, out->x);
    if ((product->transposed ? bench_reference_create_transposed
                             : bench_reference_create)(csr, scratch, &out->reference[column]))
        return false;
    if (options->beta == 0)
        poison(csr->value_type, scratch, outputs);
    else
        bench_random_fill(random, BENCH_UNIFORM, csr->value_type, scratch, (size_t)outputs);
    bench_product_put(product, outputs, bytes, column, scratch, out->before);
    return true;
}

static bool make_vectors(const bench_options *options, bench_problem *out)
{
    const spmv_csr *csr = &out->csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    const int64_t columns = out->product.columns;
    const int64_t inputs = bench_product_inputs(&out->product, csr);
    const int64_t outputs = bench_product_outputs(&out->product, csr);
    bench_random random = { (uint64_t)options->seed };
    void *scratch = allocate_values(inputs > outputs ? inputs : outputs, bytes);

    out->x = allocate_values(inputs * columns, bytes);
    out->before = allocate_values(outputs * columns, bytes);
    out->reference = calloc((size_t)columns, sizeof *out->reference);
    bool good = scratch && out->x && out->before && out->reference;
    for (int32_t c = 0; c < columns && good; c++)
        good = make_column(options, out, c, &random, scratch);
    free(scratch);
    return good;
}

/* Sets what is multiplied, and what plans are created from. */
static bool take_values(bench_problem *out, spmv_error *error)
{
    const spmv_csr *original = &out->source.matrix->csr;
    int64_t too_large = -1;

    out->csr = out->given = *original;
    if (!out->product.values)
        return true;
    if (bench_rounded_create(original, out->product.values, &out->rounded, &too_large))
        return too_large < 0 ? sg_fail(error, "%s: %s", out->source.name,
                                       spmv_status_text(SPMV_OUT_OF_MEMORY))
                             : sg_fail(error, "%s: value %lld is %g, too large for --values %s",
                                       out->source.name, (long long)too_large,
                                       bench_csr_value(original, too_large),
                                       bench_rounded_name(out->product.values));
    out->csr.val = out->rounded.wide;
    out->given.val = out->rounded.narrow;
    out->given.value_type = out->product.values;
    return true;
}

/* Adds values and vectors to a problem that has its matrix. */
static bool complete(const bench_options *options, bench_problem *out, spmv_error *error)
{
    bool good = take_values(out, error);

    if (good && !make_vectors(options, out)) {
        sg_fail(error, "%s: %s", out->source.name, spmv_status_text(SPMV_OUT_OF_MEMORY));
        good = false;
    }
    if (!good)
        bench_problem_destroy(out);
    return good;
}

bool bench_problem_create(const bench_options *options, bench_problem *out, spmv_error *error)
{
    *out = (bench_problem){ .alpha = options->alpha, .beta = options->beta,
                            .product = bench_product_of(options) };
    if (!bench_source_create(options, &out->source, error))
        return false;
    if (options->ones)
        fill_ones(out->source.matrix->csr.value_type, out->source.matrix->val,
                  out->source.matrix->csr.nnz);
    return complete(options, out, error);
}

bool bench_problem_create_beside(const bench_options *options, const bench_problem *other,
                                 const bench_product *product, bench_problem *out,
                                 spmv_error *error)
{
    *out = (bench_problem){ .source = other->source, .borrows_source = true, .product = *product,
                            .alpha = options->alpha, .beta = options->beta };
    return complete(options, out, error);
}

void bench_problem_destroy(bench_problem *problem)
{
    if (!problem->borrows_source)
        bench_source_destroy(&problem->source);
    for (int32_t c = 0; c < problem->product.columns && problem->reference; c++)
        bench_reference_destroy(problem->reference[c]);
    free(problem->reference);
    free(problem->x);
    free(problem->before);
    bench_rounded_destroy(&problem->rounded);
    *problem = (bench_problem){ .x = NULL };
}
