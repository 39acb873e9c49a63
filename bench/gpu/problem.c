/* problem.c: see problem.h. */
#include "bench/gpu/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/gpu/format.h"
#include "bench/matrices/lookalike/lookalike.h"
#include "bench/yardsticks/machine.h"
#include "bench/matrices/permutation.h"
#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"
#include "common/fail.h"
#include "runtime/spmv.h"

static bool out_of_memory(spmv_error *error, const char *where)
{
    return sg_fail(error, "%s: %s", where, spmv_status_text(SPMV_OUT_OF_MEMORY));
}

/* ---- on the host --------------------------------------------------------------------------- */

static void fill_before(const gpu_problem *problem, bench_random *random)
{
    const spmv_csr *csr = &problem->matrix->csr;

    if (problem->beta != 0) {
        bench_random_fill(random, BENCH_UNIFORM, csr->value_type, problem->before,
                          (size_t)csr->rows);
        return;
    }
    for (int64_t r = 0; r < csr->rows; r++) {
        if (csr->value_type == SPMV_F32)
            ((float *)problem->before)[r] = NAN;
        else
            ((double *)problem->before)[r] = NAN;
    }
}

/* Linux grants more memory than the machine has, and kills the process that uses it. */
static bool fits(const gpu_problem *problem, double rows, double cols, double nnz,
                 spmv_error *error)
{
    const double needed = 30 * nnz + 64 * (rows + cols);
    const double available = bench_available_bytes();

    if (available <= 0 || needed <= available)
        return true;
    return sg_fail(error, "%s: needs about %.1f GB of the host's memory, but %.1f GB are free",
                   problem->name, needed * 1e-9, available * 1e-9);
}

static bool make_lookalike(const gpu_matrix_source *source, spmv_value_type value_type,
                           spmv_offset_type offset_type, gpu_problem *out, spmv_error *error)
{
    const char *name = source->lookalike;
    const bench_lookalike_options how = { .seed = source->seed, .value_type = value_type,
                                          .narrow = offset_type == SPMV_I32,
                                          .wide = offset_type == SPMV_I64 };
    const bench_facts *facts = bench_facts_find(name);
    char hint[128];

    if (!facts)
        return sg_fail(error, "no look-alike is called '%s'%s", name,
                       bench_facts_suggest(hint, sizeof hint, name));
    snprintf(out->name, sizeof out->name, "%s", facts->name);
    out->suitesparse = facts->suitesparse;
    out->kind = facts->kind;
    return fits(out, (double)facts->rows, (double)facts->cols, (double)facts->nnz, error) &&
           !bench_lookalike_create(facts, &how, &out->matrix, error);
}

static bool make_shape(const gpu_matrix_source *source, spmv_value_type value_type,
                       spmv_offset_type offset_type, gpu_problem *out, spmv_error *error)
{
    const bench_shape *shape = bench_shape_find(source->shape);
    bench_matrix *made = NULL;

    if (!shape)
        return sg_fail(error, "no shape is called '%s'; spmvbench --list shows them",
                       source->shape);
    const double size = source->size < 0 ? (double)shape->typical : source->size;
    if (size < (double)shape->smallest || size > INT32_MAX || size != floor(size))
        return sg_fail(error, "--shape %s takes as --size a whole number from %lld on, not %g",
                       shape->name, (long long)shape->smallest, size);
    snprintf(out->name, sizeof out->name, "%s %.0f", shape->name, size);
    out->suitesparse = "";
    out->kind = "shape";
    /* An estimate: not every size counts rows, and most models have about 20 entries a row. */
    if (!fits(out, size, size, 20 * size, error))
        return false;
    spmv_status status = bench_shape_build(shape, (int64_t)size, source->seed, &made);
    if (!status)
        status = bench_matrix_convert(&made->csr, 0, offset_type, value_type, &out->matrix);
    bench_matrix_destroy(made);
    if (status)
        sg_fail(error, "%s: %s", out->name, spmv_status_text(status));
    return !status;
}

bool gpu_problem_create(const gpu_matrix_source *source, spmv_value_type value_type,
                        spmv_offset_type offset_type, double beta, gpu_problem *out,
                        spmv_error *error)
{
    const size_t bytes = bench_value_bytes(value_type);
    bench_random random = { source->seed };

    *out = (gpu_problem){ .alpha = 1, .beta = beta };
    if (!(source->lookalike
              ? make_lookalike(source, value_type, offset_type, out, error)
              : make_shape(source, value_type, offset_type, out, error)))
        return false;
    const spmv_csr *csr = &out->matrix->csr;
    out->given = *csr;
    out->x = malloc((size_t)csr->cols * bytes + 1);
    out->before = malloc((size_t)csr->rows * bytes + 1);
    if (out->x && out->before) {
        bench_random_fill(&random, BENCH_UNIFORM, value_type, out->x, (size_t)csr->cols);
        fill_before(out, &random);
        if (!bench_reference_create(csr, out->x, &out->reference))
            return true;
    }
    out_of_memory(error, out->name);
    gpu_problem_destroy(out);
    return false;
}

void gpu_problem_destroy(gpu_problem *problem)
{
    bench_reference_destroy(problem->reference);
    bench_matrix_destroy(problem->matrix);
    free(problem->x);
    free(problem->before);
    for (size_t i = 0; i < 3; i++)
        if (problem->on_device[i])
            cudaFree(problem->on_device[i]);
    *problem = (gpu_problem){ .matrix = NULL };
}

double gpu_problem_bytes(const gpu_problem *problem)
{
    return bench_csr_bytes(&problem->matrix->csr, problem->beta != 0);
}

/* ---- on the GPU ---------------------------------------------------------------------------- */

bool gpu_problem_upload(gpu_problem *problem, spmv_error *error)
{
    const spmv_csr *csr = &problem->matrix->csr;
    const size_t bytes[3] = {
        ((size_t)csr->rows + 1) * (csr->offset_type == SPMV_I32 ? 4 : 8),
        (size_t)csr->nnz * sizeof(int32_t), (size_t)csr->nnz * bench_value_bytes(csr->value_type),
    };
    const void *const array[3] = { csr->row_ptr, csr->col_idx, csr->val };

    for (size_t i = 0; i < 3; i++)
        if (!gpu_upload(array[i], bytes[i], bytes[i], &problem->on_device[i], error))
            return false;
    problem->given.row_ptr = problem->on_device[0];
    problem->given.col_idx = problem->on_device[1];
    problem->given.val = problem->on_device[2];
    return true;
}

size_t gpu_replicas(double bytes, size_t l2_bytes, size_t contenders, size_t free_bytes)
{
    /* Half of the free memory, since formats add padding and methods have tables of their own. */
    const double most = 0.5 * (double)free_bytes / ((double)contenders + 1) / bytes;
    const double wanted = ceil((double)(GPU_BEYOND * l2_bytes) / bytes);
    const double count = fmin(wanted < most ? wanted : floor(most), (double)GPU_MAX_REPLICAS);

    return count < 1 ? 1 : (size_t)count;
}

bool gpu_vectors_create(const gpu_problem *problem, size_t count, gpu_vectors *out,
                        spmv_error *error)
{
    const spmv_csr *csr = &problem->matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    const size_t x_bytes = (size_t)csr->cols * bytes, y_bytes = (size_t)csr->rows * bytes;
    bool good = true;

    *out = (gpu_vectors){ .count = count };
    /* Formats of blocks read and write whole blocks. */
    for (size_t i = 0; i < count && good; i++)
        good = gpu_upload(problem->x, x_bytes, x_bytes + GPU_MAX_EDGE * bytes, &out->x[i], error) &&
               gpu_upload(problem->before, y_bytes, y_bytes + GPU_MAX_EDGE * bytes, &out->y[i],
                          error);
    if (!good)
        gpu_vectors_destroy(out);
    return good;
}

void gpu_vectors_destroy(gpu_vectors *vectors)
{
    for (size_t i = 0; i < vectors->count; i++) {
        cudaFree(vectors->x[i]);
        cudaFree(vectors->y[i]);
    }
    *vectors = (gpu_vectors){ .count = 0 };
}

bool gpu_vectors_reset(const gpu_vectors *vectors, const gpu_problem *problem, size_t replica,
                       const int32_t *order, cudaStream_t stream, spmv_error *error)
{
    const spmv_csr *csr = &problem->matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type), all = (size_t)csr->rows * bytes;
    void *ordered = malloc(all + 1);

    if (!ordered)
        return out_of_memory(error, "y");
    bench_permute(order, csr->rows, bytes, problem->before, ordered);
    const bool good = GPU_TRY(cudaMemcpyAsync(vectors->y[replica], ordered, all,
                                              cudaMemcpyHostToDevice, stream), error) &&
                      GPU_TRY(cudaStreamSynchronize(stream), error);
    free(ordered);
    return good;
}

bool gpu_vectors_fetch(const gpu_vectors *vectors, const gpu_problem *problem, size_t replica,
                       const int32_t *order, cudaStream_t stream, void *result, spmv_error *error)
{
    const spmv_csr *csr = &problem->matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type), all = (size_t)csr->rows * bytes;
    void *ordered = malloc(all + 1);

    if (!ordered)
        return out_of_memory(error, "y");
    const bool good = GPU_TRY(cudaMemcpyAsync(ordered, vectors->y[replica], all,
                                              cudaMemcpyDeviceToHost, stream), error) &&
                      GPU_TRY(cudaStreamSynchronize(stream), error);
    if (good)
        bench_unpermute(order, csr->rows, bytes, ordered, result);
    free(ordered);
    return good;
}
