/* source.c: see source.h. */
#include "bench/race/source.h"

#include <stdio.h>
#include <string.h>

#include "bench/race/footprint.h"
#include "bench/matrices/lookalike/lookalike.h"
#include "bench/matrices/mtx/mtx.h"
#include "bench/matrices/shapes.h"
#include "common/did_you_mean.h"
#include "runtime/spmv.h"

typedef struct loading {
    const bench_options *options;
    bench_source *out;
    char *message;
    size_t message_bytes;
} loading;

#define fail(l, ...) (snprintf((l)->message, (l)->message_bytes, __VA_ARGS__), false)

/* ---- checks of the options ----------------------------------------------------------------- */

static bool check_shape(const loading *l)
{
    const int64_t size = l->options->size;
    const bench_shape *shape = bench_shape_find(l->options->shape);
    size_t count = 0, models, adversarial;
    const bench_shape *model = bench_model_shapes(&models);
    const bench_shape *other = bench_adversarial_shapes(&adversarial);
    const char *names[128];
    char hint[128];

    if (shape)
        return size < 0 || size >= shape->smallest ||
               fail(l, "--shape %s needs --size %lld or more, not %lld", shape->name,
                    (long long)shape->smallest, (long long)size);
    for (size_t i = 0; i < models && count < 128; i++)
        names[count++] = model[i].name;
    for (size_t i = 0; i < adversarial && count < 128; i++)
        names[count++] = other[i].name;
    return fail(l, "no shape is called '%s'%s; --list shows the names", l->options->shape,
                sg_did_you_mean(hint, sizeof hint, l->options->shape, names, count));
}

static bool check_lookalike(const loading *l)
{
    const char *name = l->options->lookalike;
    char hint[128];

    return bench_facts_find(name) ||
           fail(l, "no look-alike is called '%s'%s; --lookalike list shows the names", name,
                bench_facts_suggest(hint, sizeof hint, name));
}

static bool check_class(const loading *l)
{
    const char *kind = l->options->lookalike, *kinds[64];
    size_t count;
    const bench_model *models = bench_models(&count);
    char hint[128];

    for (size_t i = 0; i < count && i < sizeof kinds / sizeof kinds[0]; i++)
        kinds[i] = models[i].kind;
    return bench_model_find(kind) ||
           fail(l, "beside a file --lookalike takes a class of matrices, not '%s'%s; "
                "--lookalike list shows them", kind,
                sg_did_you_mean(hint, sizeof hint, kind, kinds, count));
}

bool bench_source_check(const bench_options *options, char *message, size_t message_bytes)
{
    const loading l = { options, NULL, message, message_bytes };

    if (options->lookalike && !options->file && strcmp(options->lookalike, "all") == 0)
        return true;             /* handled by series.h */
    if (options->lookalike)
        return options->file ? check_class(&l) : check_lookalike(&l);
    return !options->shape || check_shape(&l);
}

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

    snprintf(l->out->name, sizeof l->out->name, "look-alike of %s (%s)", facts->name, facts->kind);
    return bench_footprint_fits(options, l->out->name, facts->rows, facts->cols, facts->nnz,
                                BENCH_MADE_IN_PLACE, l->message, l->message_bytes) &&
           !bench_lookalike_create(facts, &how, &l->out->matrix, l->message, l->message_bytes);
}

/* --lookalike CLASS beside a file: that class's model with the file's sizes. */
static bool replace_by_lookalike(loading *l)
{
    const char *name = l->out->name, *kind = l->options->lookalike;
    bench_matrix *const original = l->out->matrix;
    char file[sizeof l->out->name];

    snprintf(file, sizeof file, "%s", name);
    const bench_facts facts = bench_facts_of(&original->csr, file, kind);
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

/* ---- files --------------------------------------------------------------------------------- */

/* mtx_options.accepts. Refuses a matrix that does not fit into memory, with a sentence in the
 * loading's message. */
static bool fits(void *context, int64_t rows, int64_t cols, int64_t entries)
{
    const loading *l = context;

    return bench_footprint_fits(l->options, mtx_path_name(l->options->file), rows, cols, entries,
                                BENCH_CONVERTED, l->message, l->message_bytes);
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
    const char *path = mtx_path_name(l->options->file);
    const char *slash = strrchr(path, '/');
    const mtx_options how = { .accepts = fits, .context = l };
    mtx_matrix file;
    mtx_error err;

    snprintf(l->out->name, sizeof l->out->name, "%s", slash ? slash + 1 : path);
    const mtx_status read = mtx_read(l->options->file, &how, &file, &err);
    if (read == MTX_DECLINED)
        return false;
    if (read)
        return fail(l, "%s", err.text);
    const spmv_csr csr = {
        .rows = file.rows, .cols = file.cols, .nnz = file.nnz,
        .row_ptr = file.row_ptr, .col_idx = file.col_idx, .val = file.val,
        .offset_type = SPMV_I64, .value_type = SPMV_F64,
    };
    const spmv_status status = convert(l->options, &csr, &l->out->matrix);
    if (!l->options->lookalike)
        note_range(l, &file);
    mtx_free(&file);
    if (status)
        return fail(l, "%s: %s", path, spmv_status_text(status));
    return !l->options->lookalike || replace_by_lookalike(l);
}

/* ---- shapes -------------------------------------------------------------------------------- */

static bool is_model(const bench_shape *shape)
{
    size_t count;
    const bench_shape *models = bench_model_shapes(&count);

    return shape >= models && shape < models + count;
}

static bool build_shape(loading *l)
{
    const bench_options *options = l->options;
    const bench_shape *shape = bench_shape_find(options->shape ? options->shape : "poisson-3d");
    char *name = l->out->name;
    int64_t size = options->size;
    bench_matrix *matrix = NULL;

    if (!options->shape) {
        const int64_t side = options->poisson ? options->poisson : 100;
        size = side * side * side;
        snprintf(name, sizeof l->out->name, "poisson-3d %lld^3", (long long)side);
    } else {
        size = size < 0 ? shape->typical : size;
        snprintf(name, sizeof l->out->name, "%s %lld", shape->name, (long long)size);
    }
    /* The size of a model counts rows, with more than one entry on average. For another shape, the
     * size may count columns, which need the least memory. */
    const int64_t rows = is_model(shape) ? size : 0;
    if (!bench_footprint_fits(options, name, rows, size, rows, BENCH_CONVERTED, l->message,
                              l->message_bytes))
        return false;
    spmv_status status = bench_shape_build(shape, size, (uint64_t)options->seed, &matrix);
    const bool fits = status || bench_footprint_fits(options, name, matrix->csr.rows,
                                                     matrix->csr.cols, matrix->csr.nnz,
                                                     BENCH_CONVERTED, l->message,
                                                     l->message_bytes);
    if (!status && fits)
        status = convert(options, &matrix->csr, &l->out->matrix);
    bench_matrix_destroy(matrix);
    return status ? fail(l, "%s: %s", name, spmv_status_text(status)) : fits;
}

bool bench_source_create(const bench_options *options, bench_source *out, char *message,
                         size_t message_bytes)
{
    loading l = { options, out, message, message_bytes };

    *out = (bench_source){ .matrix = NULL };
    const bool good = options->file ? read_file(&l)
        : options->lookalike ? make_lookalike(&l, bench_facts_find(options->lookalike))
                             : build_shape(&l);
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
