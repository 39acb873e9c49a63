/* random_suite.c: random matrices through every module that is linked in.
 *
 *     random_suite [--seed N] [--first N] [--cases N] [--device NAME]
 *
 * Matrix number i of a seed, with its vectors, alpha, beta, base, settings and number of threads,
 * follows from (seed, i) alone, so the seed and the number repeat a failure. Each module with the
 * matrix's types multiplies it through libspmv, by a plan that was created with other values and
 * updated. The result must be within the reference's bound, and have the bits of a repetition and
 * of a new plan without settings on one thread; the matrix must be restored unchanged. A module of
 * symmetric matrices gets the matrix that symmetrising.h makes of it. One module on one matrix is a
 * case. With --device it tries the linked-in programs on that device, named as
 * in spmv.h, and prints SKIP if the device does not exist. random_suite.py emits modules with
 * random parameters and runs this program. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/permutation.h"
#include "bench/matrices/random.h"
#include "bench/race/reference.h"
#include "runtime/spmv.h"
#include "tests/kernels/symmetrising.h"
#include "tests/tap.h"

enum { MOST_NONZEROS = 6000, SHOWN_FAILURES = 5 };

/* ---- a random structure -------------------------------------------------------------------- */

/* A number from 0 to limit, of any magnitude with equal probability. */
static int64_t any_size(bench_random *random, int64_t limit)
{
    const double exponent = bench_random_unit(random) * log((double)limit + 2);
    const int64_t size = (int64_t)exp(exponent) - 1;
    return size < 0 ? 0 : size > limit ? limit : size;
}

/* Distribution of row lengths. */
typedef enum length_model {
    LENGTH_EQUAL, LENGTH_UP_TO, LENGTH_RARE, LENGTH_BURSTS, LENGTH_MIXED, LENGTH_MODELS
} length_model;

typedef struct drawn_lengths {
    length_model model;
    int64_t most;                /* of a row */
    int64_t run;                 /* rows left of the current burst */
    bool full;                   /* whether the burst has entries */
} drawn_lengths;

static int64_t row_length(bench_random *random, drawn_lengths *d)
{
    switch (d->model) {
    case LENGTH_EQUAL:
        return d->most;
    case LENGTH_UP_TO:
        return bench_random_below(random, d->most + 1);
    case LENGTH_RARE:
        return bench_random_below(random, 16) ? 0 : bench_random_below(random, d->most + 1);
    case LENGTH_BURSTS:
        if (d->run-- <= 0) {
            d->run = any_size(random, 200);
            d->full = !d->full;
        }
        return d->full ? bench_random_below(random, d->most + 1) : 0;
    default:
        return any_size(random, d->most);
    }
}

static int64_t column(bench_random *random, int how, int64_t row, int64_t cols)
{
    if (how == 0)
        return bench_random_below(random, cols);
    if (how == 1)                /* a few columns, again and again */
        return bench_random_below(random, cols < 3 ? cols : 3);
    return (row + bench_random_below(random, 9)) % cols;
}

/* An f64 matrix with 64-bit offsets from 0; NULL: out of memory. */
static bench_matrix *draw_matrix(bench_random *random)
{
    const int64_t rows = any_size(random, 700);
    const int64_t cols = any_size(random, 700);
    const int how = (int)bench_random_below(random, 3);
    drawn_lengths lengths = { .model = (length_model)bench_random_below(random, LENGTH_MODELS),
                              .most = any_size(random, bench_random_below(random, 8) ? 40 : 4000) };
    bench_builder *builder = bench_builder_create(cols);
    bench_matrix *matrix = NULL;
    int64_t left = MOST_NONZEROS;

    if (!builder)
        return NULL;
    for (int64_t r = 0; r < rows; r++) {
        int64_t length = cols ? row_length(random, &lengths) : 0;
        length = length < left ? length : left;
        left -= length;
        for (; length > 0; length--)
            bench_builder_add(builder, column(random, how, r, cols), 1);
        bench_builder_end_row(builder);
    }
    return bench_builder_finish(builder, &matrix) ? NULL : matrix;
}

/* ---- one case in one pair of types --------------------------------------------------------- */

typedef struct input {
    bench_matrix *matrix;
    bench_reference *reference;
    void *x, *before, *y, *again;
    void *other_val;             /* for an update of values */
    double alpha, beta;
    bool exact;
    int32_t threads;
} input;

static void input_destroy(input *in)
{
    bench_matrix_destroy(in->matrix);
    bench_reference_destroy(in->reference);
    free(in->x);
    free(in->before);
    free(in->y);
    free(in->again);
    free(in->other_val);
}

static void *values(bench_random *random, bench_data data, spmv_value_type type, int64_t count)
{
    void *v = calloc((size_t)count + 1, bench_value_bytes(type));

    if (v)
        bench_random_fill(random, data, type, v, (size_t)count);
    return v;
}

static void set_value(spmv_value_type type, void *v, int64_t index, double value)
{
    if (type == SPMV_F32)
        ((float *)v)[index] = (float)value;
    else
        ((double *)v)[index] = value;
}

/* Plants an Inf or a NaN in x or in the matrix; only rows that use it may change. */
static void plant_special(bench_random *random, input *in)
{
    const spmv_csr *csr = &in->matrix->csr;
    const double special = bench_random_below(random, 2) ? (double)INFINITY : (double)NAN;

    if (csr->nnz > 0 && bench_random_below(random, 2))
        set_value(csr->value_type, in->matrix->val, bench_random_below(random, csr->nnz), special);
    else if (csr->cols > 0)
        set_value(csr->value_type, in->x, bench_random_below(random, csr->cols), special);
}

/* module: one of those that get the input; modules of symmetric matrices have inputs of their
 * own. */
static bool input_create(bench_random *random, const bench_matrix *drawn, const spmv_module *module,
                         input *in)
{
    const spmv_value_type value = module->value_type;
    static const double scalar[] = { 1, 0, -1, 0.5, 3 };
    const bench_data data = (bench_data)bench_random_below(random, 3);
    const int32_t base = (int32_t)bench_random_below(random, 2);
    const bool special = data != BENCH_INTEGERS && bench_random_below(random, 8) == 0;

    memset(in, 0, sizeof *in);
    if (bench_matrix_convert(&drawn->csr, base, module->offset_type, value, &in->matrix))
        return false;
    const spmv_csr *csr = &in->matrix->csr;
    bench_random_fill(random, data, value, in->matrix->val, (size_t)csr->nnz);
    in->x = values(random, data, value, csr->cols);
    in->before = values(random, data, value, csr->rows);
    in->other_val = values(random, data, value, csr->nnz);
    in->y = values(random, data, value, csr->rows);
    in->again = values(random, data, value, csr->rows);
    if (!in->x || !in->before || !in->other_val || !in->y || !in->again)
        return false;
    if (special)
        plant_special(random, in);
    test_mirror_values(module, csr, in->matrix->val);
    test_mirror_values(module, csr, in->other_val);
    in->alpha = scalar[bench_random_below(random, 5)];
    in->beta = scalar[bench_random_below(random, 5)];
    in->exact = data == BENCH_INTEGERS;
    in->threads = bench_random_below(random, 16) ? 1 : 2 + (int32_t)bench_random_below(random, 3);
    if (in->beta == 0)           /* y must not be read */
        for (int64_t r = 0; r < csr->rows; r++)
            set_value(value, in->before, r, (double)NAN);
    return !bench_reference_create(csr, in->x, &in->reference);
}

/* ---- one module's turn --------------------------------------------------------------------- */

/* "name=value,..." with a random value for each setting. */
static const char *draw_settings(bench_random *random, const spmv_module *module, char *text,
                                 size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (int32_t i = 0; i < module->ops->setting_count; i++) {
        const spmv_setting *s = &module->ops->settings[i];
        const int64_t value = s->least + bench_random_below(random, s->most - s->least + 1);
        length += (size_t)snprintf(text + length, size - length, "%s%s=%" PRId64, i ? "," : "",
                                   s->name, value);
    }
    return text;
}

static spmv_status multiply(const spmv_plan *plan, const input *in, void *y)
{
    return bench_permuted_execute(plan, in->alpha, in->x, in->beta, in->before, NULL, y);
}

static bool comes_back(const spmv_plan *plan, const spmv_csr *csr)
{
    const size_t row_ptr_bytes =
        ((size_t)csr->rows + 1) * bench_offset_bytes(csr->offset_type);
    const size_t col_bytes = (size_t)csr->nnz * sizeof(int32_t);
    const size_t val_bytes = (size_t)csr->nnz * bench_value_bytes(csr->value_type);
    void *row_ptr = malloc(row_ptr_bytes);
    int32_t *col_idx = malloc(col_bytes + 1);
    void *val = malloc(val_bytes + 1);
    const bool same = row_ptr && col_idx && val &&
                      !spmv_plan_restore_csr(plan, row_ptr, col_idx, val, NULL) &&
                      memcmp(row_ptr, csr->row_ptr, row_ptr_bytes) == 0 &&
                      (csr->nnz == 0 || (memcmp(col_idx, csr->col_idx, col_bytes) == 0 &&
                                         memcmp(val, csr->val, val_bytes) == 0));

    free(row_ptr);
    free(col_idx);
    free(val);
    return same;
}

/* The fault; NULL: none. `plan` was created with other values and gets the matrix's values here;
 * `fresh` was created with the matrix's values and without settings. */
static const char *try_plans(spmv_plan *plan, const spmv_plan *fresh, const input *in)
{
    static char text[256];
    const spmv_csr *csr = &in->matrix->csr;
    const size_t y_bytes = (size_t)csr->rows * bench_value_bytes(csr->value_type);
    bench_verdict verdict;

    if (spmv_plan_update_values(plan, csr->val, NULL))
        return "an update of values fails";
    if (multiply(plan, in, in->y) || multiply(fresh, in, in->again))
        return "an execute fails";
    if (memcmp(in->y, in->again, y_bytes) != 0)
        return "values that were put in give other bits than those that were there";
    if (multiply(plan, in, in->again))
        return "a second execute fails";
    if (memcmp(in->y, in->again, y_bytes) != 0)
        return "the second execute gives other bits";
    verdict = bench_reference_check(in->reference, in->alpha, in->beta, in->before, in->y,
                                    in->exact);
    if (verdict.wrong) {
        snprintf(text, sizeof text, "%" PRId64 " wrong rows; row %" PRId64 " is %.17g, expected "
                 "%.17g +- %.3g", verdict.wrong, verdict.row, verdict.found, verdict.expected,
                 verdict.bound);
        return text;
    }
    return comes_back(plan, csr) ? NULL : "the matrix does not come back";
}

typedef struct turn {
    spmv_device *device;
    uint64_t seed, number;
    int64_t done, failed;
} turn;

static void try_module(turn *t, bench_random *random, const spmv_module *module, const input *in)
{
    char settings[128];
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = module->method, .target = module->target,
        .threads = in->threads, .copy = (int32_t)bench_random_below(random, 2), .full_check = 1,
        .settings = draw_settings(random, module, settings, sizeof settings),
        .symmetric = module->ops->symmetric ? SPMV_SYMMETRIC_FULL : SPMV_SYMMETRIC_NONE,
    };
    spmv_plan_options plain = options;
    spmv_csr with_other = in->matrix->csr;
    spmv_plan *plan = NULL, *fresh = NULL;
    spmv_error err = { SPMV_OK, "" };
    const char *wrong;

    plain.threads = 1;
    plain.settings = NULL;
    with_other.val = in->other_val;
    const spmv_status status = spmv_plan_create(t->device, &with_other, &options, &plan, &err);
    if (status == SPMV_UNSUPPORTED)
        wrong = NULL;            /* the method declines the matrix */
    else if (status || spmv_plan_create(t->device, &in->matrix->csr, &plain, &fresh, &err))
        wrong = err.text;
    else
        wrong = try_plans(plan, fresh, in);

    t->done++;
    if (wrong && t->failed++ < SHOWN_FAILURES) {
        const spmv_csr *csr = &in->matrix->csr;
        diag("--seed %" PRIu64 " --first %" PRIu64 " --cases 1: %s: %s", t->seed, t->number,
                 module->name, wrong);
        diag("  %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros, base %d, alpha %g, beta %g, "
                 "%d threads, settings '%s'", csr->rows, csr->cols, csr->nnz, (int)csr->base,
                 in->alpha, in->beta, (int)in->threads, settings);
    }
    spmv_plan_destroy(plan);
    spmv_plan_destroy(fresh);
}

/* Whether both modules get the same inputs. */
static bool share_inputs(const spmv_module *module, const spmv_module *other)
{
    return module->value_type == other->value_type && module->offset_type == other->offset_type &&
           !module->ops->symmetric == !other->ops->symmetric;
}

/* Tries the drawn matrix with module `first` and all later ones that share its inputs. */
static bool try_modules(turn *t, bench_random *random, const bench_matrix *drawn, size_t first)
{
    const spmv_module *module = spmv_device_module(t->device, first);
    bench_matrix *matrix = NULL;
    input in = { .matrix = NULL };
    const bool good = !bench_matrix_convert(&drawn->csr, 0, SPMV_I64, SPMV_F64, &matrix) &&
                      test_symmetrise(module, t->number, &matrix) &&
                      input_create(random, matrix, module, &in);

    for (size_t i = first; i < spmv_device_module_count(t->device) && good; i++) {
        const spmv_module *other = spmv_device_module(t->device, i);
        if (share_inputs(module, other) && !other->ops->transposes &&
            (other->determinism == SPMV_SAME_BITS || in.exact))
            try_module(t, random, other, &in);
    }
    input_destroy(&in);
    bench_matrix_destroy(matrix);
    return good;
}

/* Tries one matrix with all modules, with new values for each pair of types. */
static bool try_matrix(turn *t)
{
    bench_random random = { t->seed ^ t->number * UINT64_C(0x9e3779b97f4a7c15) };
    bench_matrix *drawn = draw_matrix(&random);
    bool good = drawn != NULL;

    for (size_t i = 0; i < spmv_device_module_count(t->device) && good; i++) {
        size_t first = 0;
        while (!share_inputs(spmv_device_module(t->device, first),
                             spmv_device_module(t->device, i)))
            first++;
        good = first < i || try_modules(t, &random, drawn, i);
    }
    bench_matrix_destroy(drawn);
    return good;
}

/* ---- the program --------------------------------------------------------------------------- */

static const char *text_option(int argc, char **argv, const char *name)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return argv[i + 1];
    return NULL;
}

static uint64_t option(int argc, char **argv, const char *name, uint64_t otherwise)
{
    const char *text = text_option(argc, argv, name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    turn t = { .seed = option(argc, argv, "--seed", 1) };
    const uint64_t first = option(argc, argv, "--first", 0);
    const int64_t cases = (int64_t)option(argc, argv, "--cases", 10000);
    const spmv_device_options options = { .struct_size = sizeof options,
                                          .device = text_option(argc, argv, "--device") };
    spmv_error err = { SPMV_OK, "" };
    bool good = !spmv_device_open(&options, &t.device, &err);

    if (!good && options.device) {
        skip("%s", err.text);
        return tap_done();
    }
    for (t.number = first; good && t.done < cases; t.number++)
        good = try_matrix(&t);
    ok(good, "there is memory for every case %s", err.text);
    ok(t.failed == 0, "%" PRId64 " cases, %zu modules, %" PRId64 " failed (--seed %" PRIu64
       " --first %" PRIu64 ", %" PRIu64 " matrices)", t.done, spmv_device_module_count(t.device),
       t.failed, t.seed, first, t.number - first);
    spmv_device_close(t.device);
    return tap_done();
}
