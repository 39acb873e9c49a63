/* tile_bound.c: see tile_bound.h. */
#include "tile_bound.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"

typedef struct magnitudes {
    int64_t size;                /* nonzeros of a block, as many as the largest tile has */
    int64_t blocks;
    long double *block;          /* sums of |a||x| */
} magnitudes;

static int64_t param_of(const spmv_module *module, const char *name)
{
    for (int32_t i = 0; i < module->param_count; i++)
        if (strcmp(module->params[i].name, name) == 0)
            return module->params[i].value;
    return 0;
}

static int64_t largest_tile(const spmv_module *module, int64_t nnz)
{
    const int64_t sigma = param_of(module, "sigma");
    const int64_t size = param_of(module, "omega") * (sigma ? sigma : param_of(module, "s"));

    return size > 0 ? size : nnz + 1;
}

static long double product(const test_input *input, int64_t k)
{
    const spmv_csr *csr = &input->matrix->csr;

    return (long double)bench_csr_value(csr, k) *
           bench_value(csr->value_type, input->x, csr->col_idx[k] - csr->base);
}

static bool create_magnitudes(const spmv_module *module, const test_input *input, magnitudes *out)
{
    const int64_t nnz = input->matrix->csr.nnz;

    out->size = largest_tile(module, nnz);
    out->blocks = nnz / out->size + 1;
    out->block = calloc((size_t)out->blocks, sizeof *out->block);
    for (int64_t k = 0; out->block && k < nnz; k++)
        out->block[k / out->size] += fabsl(product(input, k));
    return out->block != NULL;
}

/* The sum of |a||x| of all nonzeros that may share a tile with nonzeros [begin, end). Tiles are no
 * larger than blocks, so none reaches further than one block to either side. */
static long double near(const magnitudes *m, int64_t begin, int64_t end)
{
    int64_t first = begin / m->size - 1;
    int64_t last = (end - 1) / m->size + 1;
    long double sum = 0;

    if (begin == end)
        return 0;
    first = first < 0 ? 0 : first;
    last = last < m->blocks ? last : m->blocks - 1;
    for (int64_t i = first; i <= last; i++)
        sum += m->block[i];
    return sum;
}

/* The error of row r over its bound, with both and the expected value; 0 if it is not judged. */
static double judge(const test_input *input, const magnitudes *m, int64_t omega, int64_t r,
                    const double *scalars, const void *before, double found, bench_verdict *row)
{
    const spmv_csr *csr = &input->matrix->csr;
    const bool single = csr->value_type == SPMV_F32;
    const long double eps = single ? FLT_EPSILON : DBL_EPSILON;
    const long double smallest = single ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    const long double least = !single && LDBL_MANT_DIG == DBL_MANT_DIG ? 4 : 2;
    const long double alpha = single ? (float)scalars[0] : scalars[0];
    const long double beta = single ? (float)scalars[1] : scalars[1];
    const int64_t begin = bench_csr_offset(csr, r), end = bench_csr_offset(csr, r + 1);
    const long double n = end - begin > 1 ? (long double)(end - begin) : 1;
    long double sum = 0, own = 0, shared = 0;

    for (int64_t k = begin; k < end && alpha != 0; k++) {
        sum += product(input, k);
        own += fabsl(product(input, k));
    }
    if (alpha != 0)
        shared = near(m, begin, end);

    const long double old = beta != 0 ? beta * bench_value(csr->value_type, before, r) : 0;
    const long double expected = (alpha != 0 ? alpha * sum : 0) + old;
    const long double size = fabsl(alpha) * own + fabsl(old);
    const long double far = fabsl(alpha) * shared;
    const long double bound = least * (n * (eps * size + smallest) +
                                       (long double)omega * (eps * far + smallest));

    row->row = r;
    row->found = found;
    row->expected = (double)expected;
    row->bound = (double)bound;
    if (!(size + far <= (single ? FLT_MAX : DBL_MAX)) || !(shared <= (single ? FLT_MAX : DBL_MAX)))
        return 0;
    return isfinite(found) ? (double)(fabsl(found - expected) / bound) : HUGE_VAL;
}

bench_verdict test_tile_bound_check(const spmv_module *module, const test_input *input,
                                    double alpha, double beta, const void *before, const void *y)
{
    const spmv_csr *csr = &input->matrix->csr;
    const double scalars[2] = { alpha, beta };
    bench_verdict verdict = { .row = -1 };
    magnitudes m;

    if (!create_magnitudes(module, input, &m)) {
        verdict.wrong = -1;
        return verdict;
    }
    for (int64_t r = 0; r < csr->rows; r++) {
        bench_verdict row = { .row = -1 };
        const double error = judge(input, &m, param_of(module, "omega"), r, scalars, before,
                                   bench_value(csr->value_type, y, r), &row);
        const int64_t wrong = verdict.wrong + (error > 1);

        if (verdict.row < 0 || (error > verdict.worst && verdict.wrong == 0)) {
            verdict = row;
            verdict.worst = error;
        }
        verdict.wrong = wrong;
    }
    free(m.block);
    return verdict;
}
