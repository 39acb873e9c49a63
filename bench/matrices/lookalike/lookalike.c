/* lookalike.c: draws lengths, sums them up, then draws columns and values of all rows in parallel;
 * see lookalike.h. */
#include "bench/matrices/lookalike/lookalike.h"

#include <stdlib.h>

#include "bench/matrices/lookalike/columns.h"
#include "bench/matrices/lookalike/exact.h"
#include "bench/matrices/lookalike/lengths.h"
#include "bench/matrices/lookalike/streams.h"
#include "common/fail.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/spmv.h"

enum { CHUNK = 256 };            /* rows */

typedef struct job {
    const bench_facts *facts;
    bench_model model;
    const bench_exact *exact;    /* NULL: drawn from the model */
    int64_t side;
    uint64_t seed;
    bench_matrix *matrix;
} job;

/* Mixes the name into the seed, so that matrices of the same sizes differ. */
static uint64_t mix_name(uint64_t seed, const char *name)
{
    for (; *name; name++)
        seed = bench_random_stream(seed, (unsigned char)*name, 0).state;
    return seed;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Multiples of 2^-23 up to 1, which are exact in f32 too. */
static void draw_values(const job *j, int64_t row, int64_t begin, int64_t end)
{
    bench_random random = bench_random_stream(j->seed, STREAM_VALUES, (uint64_t)row);
    void *const val = j->matrix->val;

    for (int64_t k = begin; k < end; k++) {
        const uint64_t bits = bench_random_bits(&random);
        const double magnitude = (double)((bits >> 41) + 1) * 0x1p-23;
        const double value = bits & 1 ? magnitude : -magnitude;
        if (j->matrix->csr.value_type == SPMV_F32)
            ((float *)val)[k] = (float)value;
        else
            ((double *)val)[k] = value;
    }
}

static void draw_rows(const void *context, int64_t first, int64_t last)
{
    const job *j = context;
    const int64_t rows = j->facts->rows;
    const int64_t stop = last * CHUNK < rows ? last * CHUNK : rows;

    for (int64_t r = first * CHUNK; r < stop; r++) {
        const int64_t begin = bench_csr_offset(&j->matrix->csr, r);
        const int64_t end = bench_csr_offset(&j->matrix->csr, r + 1);
        int32_t *col = j->matrix->col_idx + begin;
        if (j->exact)
            j->exact->draw(j->side, r, col);
        else
            bench_columns_draw(j->facts, &j->model, j->seed, r, col, end - begin);
        draw_values(j, r, begin, end);
    }
}

/* ---- the matrix ---------------------------------------------------------------------------- */

static spmv_status draw_lengths(const job *j, int32_t *length, spmv_error *error)
{
    if (!j->exact)
        return bench_lengths_draw(j->facts, &j->model, j->seed, length, error);
    for (int64_t r = 0; r < j->facts->rows; r++)
        length[r] = (int32_t)j->exact->draw(j->side, r, NULL);
    return SPMV_OK;
}

static void store_offsets(bench_matrix *matrix, const int32_t *length)
{
    int64_t sum = 0;

    for (int64_t r = 0; r <= matrix->csr.rows; r++) {
        if (matrix->csr.offset_type == SPMV_I32)
            ((int32_t *)matrix->row_ptr)[r] = (int32_t)sum;
        else
            ((int64_t *)matrix->row_ptr)[r] = sum;
        if (r < matrix->csr.rows)
            sum += length[r];
    }
}

spmv_status bench_lookalike_create(const bench_facts *facts, const bench_lookalike_options *options,
                                   bench_matrix **out, spmv_error *error)
{
    job j = { .facts = facts, .seed = mix_name(options->seed, facts->suitesparse) };
    const bool wide = options->wide || (!options->narrow && facts->nnz > INT32_MAX);
    spmv_status status;

    *out = NULL;
    if (!bench_model_of(facts, &j.model)) {
        sg_fail(error, "%s: no class of matrices is called '%s'", facts->name, facts->kind);
        return SPMV_INVALID_ARGUMENT;
    }
    j.exact = bench_exact_find(facts, &j.side);
    int32_t *length = malloc((size_t)(facts->rows > 0 ? facts->rows : 1) * sizeof *length);
    error->text[0] = '\0';
    status = length ? draw_lengths(&j, length, error) : SPMV_OUT_OF_MEMORY;
    if (!status)
        status = bench_matrix_create(facts->rows, facts->cols, facts->nnz, 0,
                                     wide ? SPMV_I64 : SPMV_I32, options->value_type, &j.matrix);
    if (!status) {
        store_offsets(j.matrix, length);
        free(length);
        length = NULL;
        const spmv_threads threads = spmv_threads_wanted(options->threads, NULL, NULL);
        spmv_parallel_run(&threads, (facts->rows + CHUNK - 1) / CHUNK, draw_rows, &j);
        *out = j.matrix;
    }
    free(length);
    if (status && !error->text[0])
        sg_fail(error, "%s: %s", facts->name, spmv_status_text(status));
    return status;
}

bench_facts bench_facts_of(const spmv_csr *csr, const char *name, const char *kind)
{
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);

    return (bench_facts){
        .name = name, .suitesparse = name, .kind = kind, .rows = csr->rows, .cols = csr->cols,
        .nnz = csr->nnz, .row_min = lengths.min,
        .row_avg = csr->rows > 0 ? csr->nnz / csr->rows : 0, .row_max = lengths.max,
    };
}
