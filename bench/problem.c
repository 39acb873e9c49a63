/* problem.c: see problem.h. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mtx/mtx.h"
#include "bench/random.h"
#include "bench/shapes.h"
#include "runtime/spmv.h"

/* Values are aligned as those of an application usually are: to a cache line. */
static void *allocate_values(int64_t count, size_t bytes)
{
    const size_t total = ((size_t)count * bytes + 63) / 64 * 64;
    return aligned_alloc(64, total ? total : 64);
}

/* ---- the matrix ---------------------------------------------------------------------------- */

/* nnz and options decide the types; *from is freed by the caller. */
static spmv_status convert(const bench_options *options, const spmv_csr *from, bench_matrix **out)
{
    const bool wide = options->offset ? strcmp(options->offset, "i64") == 0 : from->nnz > INT32_MAX;

    return bench_matrix_convert(from, 0, wide ? SPMV_I64 : SPMV_I32,
                                strcmp(options->type, "f32") == 0 ? SPMV_F32 : SPMV_F64, out);
}

static bool read_file(const bench_options *options, bench_problem *out, char *message,
                      size_t message_bytes)
{
    const char *slash = strrchr(options->file, '/');
    mtx_matrix file;
    mtx_error err;

    snprintf(out->name, sizeof out->name, "%s", slash ? slash + 1 : options->file);
    if (mtx_read(options->file, NULL, &file, &err)) {
        snprintf(message, message_bytes, "%s", err.text);
        return false;
    }
    const spmv_csr csr = {
        .rows = file.rows, .cols = file.cols, .nnz = file.nnz,
        .row_ptr = file.row_ptr, .col_idx = file.col_idx, .val = file.val,
        .offset_type = SPMV_I64, .value_type = SPMV_F64,
    };
    const spmv_status status = convert(options, &csr, &out->matrix);
    mtx_free(&file);
    if (status)
        snprintf(message, message_bytes, "%s: %s", options->file, spmv_status_text(status));
    return !status;
}

static bool build_shape(const bench_options *options, bench_problem *out, char *message,
                        size_t message_bytes)
{
    const bench_shape *shape = bench_shape_find(options->shape ? options->shape : "poisson-3d");
    int64_t size = options->size;
    bench_matrix *matrix = NULL;

    if (!shape) {
        snprintf(message, message_bytes, "no shape is called '%s'; --list shows the names",
                 options->shape);
        return false;
    }
    if (!options->shape) {
        const int64_t side = options->poisson ? options->poisson : 100;
        size = side * side * side;
        snprintf(out->name, sizeof out->name, "poisson-3d %lld^3", (long long)side);
    } else {
        size = size < 0 ? shape->typical : size;
        snprintf(out->name, sizeof out->name, "%s %lld", shape->name, (long long)size);
    }
    spmv_status status = bench_shape_build(shape, size, (uint64_t)options->seed, &matrix);
    if (status == SPMV_INVALID_ARGUMENT) {
        snprintf(message, message_bytes, "--shape %s needs --size %lld or more, not %lld",
                 shape->name, (long long)shape->smallest, (long long)size);
        return false;
    }
    if (!status)
        status = convert(options, &matrix->csr, &out->matrix);
    bench_matrix_destroy(matrix);
    if (status)
        snprintf(message, message_bytes, "%s: %s", out->name, spmv_status_text(status));
    return !status;
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
    const spmv_csr *csr = &out->matrix->csr;
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
    bool made = options->file ? read_file(options, out, message, message_bytes)
                              : build_shape(options, out, message, message_bytes);
    if (made && !make_vectors(options, out)) {
        snprintf(message, message_bytes, "%s: %s", out->name, spmv_status_text(SPMV_OUT_OF_MEMORY));
        made = false;
    }
    if (!made)
        bench_problem_destroy(out);
    return made;
}

void bench_problem_destroy(bench_problem *problem)
{
    bench_matrix_destroy(problem->matrix);
    bench_reference_destroy(problem->reference);
    free(problem->x);
    free(problem->before);
    *problem = (bench_problem){ .matrix = NULL };
}
