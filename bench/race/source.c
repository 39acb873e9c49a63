/* source.c: see source.h. */
#include "bench/race/source.h"

#include <stdio.h>
#include <string.h>

#include "bench/race/footprint.h"
#include "bench/race/input.h"
#include "bench/matrices/lookalike/lookalike.h"
#include "bench/matrices/mtx/mtx.h"
#include "common/fail.h"
#include "runtime/spmv.h"

typedef struct loading {
    const bench_options *options;
    bench_input input;
    bench_source *out;
    spmv_error *error;
} loading;

/* ---- shared by all sources ----------------------------------------------------------------- */

static spmv_value_type value_type_of(const bench_options *options)
{
    return strcmp(options->type, "f32") == 0 ? SPMV_F32 : SPMV_F64;
}

/* Chooses the types from nnz and options. */
static spmv_status convert(const bench_options *options, const spmv_csr *from, bench_matrix **out)
{
    const bool wide = options->offset ? strcmp(options->offset, "i64") == 0 : from->nnz > INT32_MAX;

    return bench_matrix_convert(from, 0, wide ? SPMV_I64 : SPMV_I32, value_type_of(options), out);
}

/* ---- look-alikes --------------------------------------------------------------------------- */

static bool make_lookalike(loading *l, const bench_facts *facts)
{
    const bench_options *options = l->options;
    const bench_lookalike_options how = {
        .seed = (uint64_t)options->seed, .value_type = value_type_of(options),
        .wide = options->offset && strcmp(options->offset, "i64") == 0,
        .narrow = options->offset && strcmp(options->offset, "i32") == 0,
        .threads = (int32_t)options->threads,
    };

    char seed[32] = "";

    if (options->seed != 1)
        snprintf(seed, sizeof seed, ", seed %lld", (long long)options->seed);
    snprintf(l->out->name, sizeof l->out->name, "look-alike of %s (%s)%s", facts->name,
             facts->kind, seed);
    return bench_footprint_fits(options, l->out->name, facts->rows, facts->cols, facts->nnz,
                                BENCH_MADE_IN_PLACE, l->error) &&
           !bench_lookalike_create(facts, &how, &l->out->matrix, l->error);
}

/* ---- files --------------------------------------------------------------------------------- */

/* mtx_options.accepts. Refuses a matrix that does not fit into memory, with a sentence in the
 * loading's message. */
static bool fits(void *context, int64_t rows, int64_t cols, int64_t nnz)
{
    const loading *l = context;

    return bench_footprint_fits(l->options, mtx_path_name(l->input.path), rows, cols, nnz,
                                BENCH_CONVERTED, l->error);
}

/* Describes the values that f32 cannot hold. */
static void note_range(loading *l, const mtx_matrix *file)
{
    if (value_type_of(l->options) == SPMV_F32 && file->beyond_float > 0)
        snprintf(l->out->note, sizeof l->out->note, "%s:%lld: %lld of %lld entries are too large "
                 "for f32 and become inf, this one first; --type f64 takes them as they are",
                 l->out->name, (long long)file->beyond_float_line, (long long)file->beyond_float,
                 (long long)file->stored_entries);
}

static bool read_file(loading *l)
{
    const char *path = mtx_path_name(l->input.path);
    const char *slash = strrchr(path, '/');
    const mtx_options how = { .accepts = fits, .context = l };
    mtx_matrix file;
    mtx_error err;

    snprintf(l->out->name, sizeof l->out->name, "%s", slash ? slash + 1 : path);
    const mtx_status read = mtx_read(l->input.path, &how, &file, &err);
    if (read == MTX_DECLINED)
        return false;
    if (read)
        return sg_fail(l->error, "%s", err.text);
    const spmv_csr csr = {
        .rows = file.rows, .cols = file.cols, .nnz = file.nnz,
        .row_ptr = file.row_ptr, .col_idx = file.col_idx, .val = file.val,
        .offset_type = SPMV_I64, .value_type = SPMV_F64,
    };
    const spmv_status status = convert(l->options, &csr, &l->out->matrix);
    note_range(l, &file);
    mtx_free(&file);
    if (status)
        return sg_fail(l->error, "%s: %s", path, spmv_status_text(status));
    return true;
}

/* ---- generators and shapes ----------------------------------------------------------------- */

static bool fits_converted(const loading *l, int64_t rows, int64_t cols, int64_t nnz)
{
    return bench_footprint_fits(l->options, l->out->name, rows, cols, nnz, BENCH_CONVERTED,
                                l->error);
}

/* Takes a matrix that was made, or reports why it was not. */
static bool take_made(loading *l, spmv_status status, bench_matrix *matrix)
{
    const bool fits = status || fits_converted(l, matrix->csr.rows, matrix->csr.cols,
                                               matrix->csr.nnz);

    if (!status && fits)
        status = convert(l->options, &matrix->csr, &l->out->matrix);
    bench_matrix_destroy(matrix);
    return status ? sg_fail(l->error, "%s: %s", l->out->name, spmv_status_text(status)) : fits;
}

static bool is_model(const bench_shape *shape)
{
    size_t count;
    const bench_shape *models = bench_model_shapes(&count);

    return shape >= models && shape < models + count;
}

static bool build_shape(loading *l)
{
    const bench_shape *shape = l->input.shape;
    const int64_t size = l->input.size;
    bench_matrix *matrix = NULL;

    snprintf(l->out->name, sizeof l->out->name, "%s %lld", shape->name, (long long)size);
    /* The size of a model counts rows, with more than one entry on average. For another shape, the
     * size may count columns, which need the least memory. */
    const int64_t rows = is_model(shape) ? size : 0;
    if (!fits_converted(l, rows, size, rows))
        return false;
    const spmv_status status = bench_shape_build(shape, size, (uint64_t)l->options->seed, &matrix);
    return take_made(l, status, matrix);
}

static bool build_generated(loading *l)
{
    const bench_generator *generator = l->input.generator;
    char text[BENCH_INPUT_BYTES];
    int64_t rows, cols, nnz;
    bench_matrix *matrix = NULL;

    if (strcmp(generator->name, "poisson7") == 0)
        snprintf(l->out->name, sizeof l->out->name, "poisson-3d %lld^3",
                 (long long)l->input.value[0]);
    else
        snprintf(l->out->name, sizeof l->out->name, "%s",
                 strchr(bench_input_text(&l->input, text), ':') + 1);
    generator->measure(l->input.value, &rows, &cols, &nnz);
    if (!fits_converted(l, rows, cols, nnz))
        return false;
    const spmv_status status = generator->build(l->input.value, (uint64_t)l->options->seed,
                                                &matrix);
    return take_made(l, status, matrix);
}

/* ---- all sources --------------------------------------------------------------------------- */

static bool create(loading *l)
{
    return l->input.path      ? read_file(l)
         : l->input.generator ? build_generated(l)
         : l->input.shape     ? build_shape(l)
                              : make_lookalike(l, l->input.facts);
}

/* The look-alike of another input: a class's model with that matrix's sizes. */
static bool create_lookalike_of(loading *l)
{
    const char *kind = l->input.kind;
    char name[sizeof l->out->name];

    if (!bench_input_parse(l->input.original, &l->input, l->error) ||
        !create(l))
        return false;
    bench_matrix *const original = l->out->matrix;
    l->out->note[0] = '\0';      /* it is about the original's values */
    snprintf(name, sizeof name, "%s", l->out->name);
    const bench_facts facts = bench_facts_of(&original->csr, name, kind);
    l->out->matrix = NULL;
    l->out->original = original;
    if (!make_lookalike(l, &facts))
        return false;
    if (!l->options->statistics) {
        bench_matrix_destroy(original);
        l->out->original = NULL;
    }
    return true;
}

/* The matrix of another input, with other values. */
static bool create_with_values(loading *l)
{
    const bench_value_set values = l->input.values;
    char text[64];

    if (!bench_input_parse(l->input.structure, &l->input, l->error) ||
        !(l->input.original ? create_lookalike_of(l) : create(l)))
        return false;
    const size_t used = strlen(l->out->name);
    snprintf(l->out->name + used, sizeof l->out->name - used, ", %s",
             bench_value_set_name(&values, text, sizeof text));
    l->out->note[0] = '\0';      /* it is about the values before */
    bench_value_set_apply(&values, (uint64_t)l->options->seed, l->out->matrix);
    return true;
}

bool bench_source_create(const bench_options *options, bench_source *out, spmv_error *error)
{
    loading l = { .options = options, .out = out, .error = error };

    *out = (bench_source){ .matrix = NULL };
    const bool good = bench_input_parse(options->input, &l.input, error) &&
                      (l.input.structure  ? create_with_values(&l)
                       : l.input.original ? create_lookalike_of(&l)
                                          : create(&l));
    if (!good)
        bench_source_destroy(out);
    return good;
}

void bench_source_destroy(bench_source *source)
{
    bench_matrix_destroy(source->matrix);
    bench_matrix_destroy(source->original);
    *source = (bench_source){ .matrix = NULL };
}
