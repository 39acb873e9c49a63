/* test_mixed.c: plans whose values are narrower than their vectors: products, values, matrix, files
 * and facts. */
#define _XOPEN_SOURCE 700
#include "folder.h"
#include "narrow.h"
#include "sample.h"
#include "toy.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

static spmv_device *device;

/* Whether the plan multiplies by these values, or by the transpose, in x and y of the sample. */
static int multiplies(const sample *s, const spmv_plan *plan, const void *val, int transposed)
{
    void *x = transposed ? sample_transposed_x(s) : sample_vector(s, s->csr.cols, 0);
    void *y = sample_vector(s, transposed ? s->csr.cols : s->csr.rows, 5);
    double *sum = calloc((size_t)s->csr.rows + 1, sizeof *sum);
    int right;

    for (int64_t col = 0; col < s->csr.cols && !transposed; col++)
        sample_set(s, x, col, (double)(col % 5 - 2));
    right = spmv_execute(plan, 2, x, 3, y, NULL) == SPMV_OK;
    for (int64_t row = 0, k = 0; row < s->csr.rows && !transposed; row++) {
        const int64_t end = (s->csr.offset_type == SPMV_I32 ? ((int32_t *)s->row_ptr)[row + 1]
                                                            : ((int64_t *)s->row_ptr)[row + 1]) -
                            s->csr.base;

        for (; k < end; k++)
            sum[row] += sample_get(s, val, k) * sample_get(s, x, s->col_idx[k] - s->csr.base);
        right &= sample_get(s, y, row) == 2 * sum[row] + 15;
    }
    if (transposed)
        right &= sample_is_transposed(s, val, x, y, 2, 3, 5);
    free(x);
    free(y);
    free(sum);
    return right;
}

/* Whether the second of two column-major vectors gets the bits that it gets as the only one. */
static int multiplies_columns(const sample *s, const spmv_plan *plan)
{
    spmv_plan_info info = {.struct_size = sizeof info};
    void *xs, *ys, *y;
    int right = spmv_plan_query(plan, &info) == SPMV_OK;
    const size_t value_bytes = narrow_bytes(s->csr.value_type);

    xs = sample_vector(s, 2 * info.cols, 0);
    ys = sample_vector(s, 2 * info.rows, 7);
    y = sample_vector(s, info.rows, 7);
    for (int64_t i = 0; i < 2 * info.cols; i++)
        sample_set(s, xs, i, (double)(i % 7 - 3));
    right &= spmv_execute_columns(plan, SPMV_COLUMN_MAJOR, 2, 1, xs, info.cols, 0, ys, info.rows,
                                  NULL) == SPMV_OK &&
             spmv_execute_columns(plan, SPMV_COLUMN_MAJOR, 1, 1,
                                  (char *)xs + (size_t)info.cols * value_bytes, info.cols, 0, y,
                                  info.rows, NULL) == SPMV_OK &&
             memcmp((char *)ys + (size_t)info.rows * value_bytes, y,
                    (size_t)info.rows * value_bytes) == 0;
    free(xs);
    free(ys);
    free(y);
    return right;
}

/* val: in the type of the caller. */
static int restores(const spmv_csr *csr, const spmv_plan *plan, const void *val)
{
    const size_t bytes = (size_t)csr->nnz * narrow_bytes(csr->value_type);
    int32_t *col_idx = calloc((size_t)csr->nnz + 1, sizeof *col_idx);
    unsigned char *values = calloc(bytes + 1, 1);
    int right;

    values[bytes] = 0xab;
    right = spmv_plan_restore_csr(plan, NULL, col_idx, values, NULL) == SPMV_OK &&
            memcmp(values, val, bytes) == 0 && values[bytes] == 0xab &&
            memcmp(col_idx, csr->col_idx, (size_t)csr->nnz * sizeof *col_idx) == 0;
    memset(values, 0, bytes);
    right &= spmv_plan_restore_csr(plan, NULL, NULL, values, NULL) == SPMV_OK &&
             memcmp(values, val, bytes) == 0;
    memset(col_idx, 0, (size_t)csr->nnz * sizeof *col_idx);
    right &= spmv_plan_restore_csr(plan, NULL, col_idx, NULL, NULL) == SPMV_OK &&
             memcmp(col_idx, csr->col_idx, (size_t)csr->nnz * sizeof *col_idx) == 0;
    free(col_idx);
    free(values);
    return right;
}

/* Whether libspmv has widened values for the plan, which its module would not. */
static int was_widened(const spmv_plan *plan)
{
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t steps = 0;

    return spmv_plan_build_profile(plan, time, &steps) == SPMV_OK && steps > 0 &&
           strcmp(time[0].name, "widen") == 0;
}

/* ---- everything that a plan can do ----------------------------------------------------------- */

typedef struct situation {
    const char *method;
    spmv_value_type stored, vectors;
    spmv_offset_type offsets;
    int transposed, copy, measure;
} situation;

/* The caller's values are overwritten after the creation: the plan may not read them. */
static void test_plan(const situation *t)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = t->method, .threads = 2, .copy = t->copy,
        .savable = 1, .measure = t->measure, .transposed = t->transposed,
        .vector_type = t->vectors == SPMV_F32 && narrow_bytes(t->stored) == 2 ? (spmv_value_type)0
                                                                              : t->vectors,
    };
    sample *s = sample_create(60, 50, 1, t->vectors, t->offsets);
    void *wide = sample_vector(s, s->csr.nnz, 0), *other = sample_vector(s, s->csr.nnz, 0);
    void *val = narrow_values(s, t->stored, 1, wide), *given = narrow_values(s, t->stored, 1, wide);
    void *next = narrow_values(s, t->stored, -3, other);
    spmv_csr csr = s->csr;
    spmv_plan_info info = {.struct_size = sizeof info, .reason = ""};
    spmv_plan *plan, *loaded = NULL;
    spmv_error err = {SPMV_OK, ""};
    char what[128], text[64];

    snprintf(what, sizeof what, "%s, values of %s, vectors of %s%s%s%s",
             t->method != NULL ? t->method : "any method", narrow_name(t->stored),
             narrow_name(t->vectors), t->transposed ? ", transposed" : "",
             t->copy ? ", copied" : "", t->measure ? ", measured" : "");
    snprintf(text, sizeof text, "its values of %s are widened to %s", narrow_name(t->stored),
             narrow_name(t->vectors));
    csr.value_type = t->stored;
    csr.val = given;
    plan = narrow_plan(device, &csr, &options);
    ok(spmv_plan_query(plan, &info) == SPMV_OK && info.value_type == t->stored &&
       info.rounded_to == 0 && info.module->value_type == t->vectors &&
       (info.borrows & SPMV_BORROWS_VAL) == 0 && strstr(info.reason, text) != NULL,
       "%s: the plan says so: %s", what, info.reason);
    ok(was_widened(plan), "%s: widening is the first step", what);
    memset(given, 0xee, (size_t)csr.nnz * narrow_bytes(t->stored));
    ok(multiplies(s, plan, wide, t->transposed) && multiplies_columns(s, plan),
       "%s: products are right", what);
    ok(restores(&csr, plan, val), "%s: the matrix is restored", what);
    ok(spmv_plan_save(plan, "plan", &err) == SPMV_OK, "%s: it is saved: %s", what, err.text);
    ok(spmv_plan_update_values(plan, next, &err) == SPMV_OK &&
       multiplies(s, plan, other, t->transposed) && restores(&csr, plan, next) &&
       spmv_plan_update_values(plan, val, &err) == SPMV_OK &&
       multiplies(s, plan, wide, t->transposed), "%s: new values are used: %s", what, err.text);
    csr.val = val;
    ok(spmv_plan_load(device, &csr, &options, "plan", &loaded, &err) == SPMV_OK &&
       multiplies(s, loaded, wide, t->transposed) && restores(&csr, loaded, val) &&
       spmv_plan_update_values(loaded, next, &err) == SPMV_OK &&
       multiplies(s, loaded, other, t->transposed), "%s: a loaded plan does the same: %s", what,
       err.text);
    spmv_plan_destroy(plan);
    spmv_plan_destroy(loaded);
    sample_destroy(s);
    free(wide);
    free(other);
    free(val);
    free(given);
    free(next);
}

static void test_plans(void)
{
    static const spmv_value_type stored[] = {SPMV_F32, SPMV_F16, SPMV_BF16};
    static const char *const methods[] = {"toy_rows", "toy_parts", "toy_sorted"};

    for (size_t i = 0; i < 3; i++)
        for (int transposed = 0; transposed <= 1; transposed++) {
            for (size_t m = 0; m < 3; m++)
                test_plan(&(situation){methods[m], stored[i], SPMV_F64, SPMV_I32, transposed,
                                       m != 1 && i == 1, 0});
            if (stored[i] != SPMV_F32)
                test_plan(&(situation){"toy_rows", stored[i], SPMV_F32, SPMV_I64, transposed, 0,
                                       0});
            test_plan(&(situation){NULL, stored[i], SPMV_F64, SPMV_I32, transposed, 0, 1});
        }
}

/* The bytes of a candidate are those of its plan; what is not borrowed of the caller is counted. */
static void test_candidates(void)
{
    spmv_plan_options options = {.struct_size = sizeof options, .vector_type = SPMV_F64};
    sample *s = sample_create(60, 50, 0, SPMV_F64, SPMV_I32);
    void *val = narrow_values(s, SPMV_F32, 1, s->val);
    spmv_csr csr = s->csr;
    spmv_candidate plain = {.struct_size = sizeof plain}, wide = plain;
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_plan *before, *after;

    csr.value_type = SPMV_F32;
    csr.val = val;
    options.method = "toy_rows";
    before = narrow_plan(device, &s->csr, &options);
    after = narrow_plan(device, &csr, &options);
    spmv_plan_query(after, &info);
    ok(spmv_plan_explain(before, 0, &plain) == SPMV_OK &&
       spmv_plan_explain(after, 0, &wide) == SPMV_OK &&
       wide.layout_bytes == plain.layout_bytes + (size_t)csr.nnz * sizeof(double) &&
       wide.layout_bytes == info.layout_bytes && wide.build_cost > plain.build_cost &&
       plain.borrows == (wide.borrows | SPMV_BORROWS_VAL) && wide.borrows == info.borrows,
       "a method that borrows values keeps widened ones, and the candidate says so");
    spmv_plan_destroy(before);
    spmv_plan_destroy(after);
    sample_destroy(s);
    free(val);
}

/* Whether a plan of narrow values gives the bits of a plan of the same values, widened, and again
 * after an update. A copy is made only for modules that do not widen, or of a transpose. */
static int has_same_bits(spmv_device *linked, const spmv_module *module, spmv_value_type stored,
                         int transposed)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = module->method, .target = module->target,
        .transposed = transposed, .vector_type = module->value_type,
    };
    sample *s = sample_create(300, 90, 1, module->value_type, module->offset_type);
    void *val = narrow_values(s, stored, 7, s->val);
    void *x = transposed ? sample_transposed_x(s) : sample_vector(s, s->csr.cols, 0);
    void *wide_y = sample_vector(s, 300, 1), *narrow_y = sample_vector(s, 300, 1);
    spmv_csr csr = s->csr;
    spmv_plan *wide = NULL, *narrow = NULL;
    const int is_copied = transposed != module->ops->transposes || stored != SPMV_F32 ||
                          !module->ops->widens;
    int right;

    for (int64_t i = 0; i < s->csr.cols; i++)
        sample_set(s, x, i, 1.0 / (double)(i + 3));
    csr.value_type = stored;
    csr.val = val;
    right = spmv_plan_create(linked, &s->csr, &options, &wide, NULL) == SPMV_OK &&
            spmv_plan_create(linked, &csr, &options, &narrow, NULL) == SPMV_OK &&
            spmv_execute(wide, 1.5, x, 0.5, wide_y, NULL) == SPMV_OK &&
            spmv_execute(narrow, 1.5, x, 0.5, narrow_y, NULL) == SPMV_OK &&
            memcmp(wide_y, narrow_y, 300 * narrow_bytes(module->value_type)) == 0 &&
            was_widened(narrow) == is_copied &&
            spmv_plan_update_values(narrow, val, NULL) == SPMV_OK &&
            spmv_execute(wide, 1.5, x, 0.5, wide_y, NULL) == SPMV_OK &&
            spmv_execute(narrow, 1.5, x, 0.5, narrow_y, NULL) == SPMV_OK &&
            memcmp(wide_y, narrow_y, 300 * narrow_bytes(module->value_type)) == 0;
    spmv_plan_destroy(wide);
    spmv_plan_destroy(narrow);
    sample_destroy(s);
    free(val);
    free(x);
    free(wide_y);
    free(narrow_y);
    return right;
}

/* Every built-in module that this machine can run. */
static void test_linked_modules(void)
{
    static const spmv_value_type stored[] = {SPMV_F32, SPMV_F16, SPMV_BF16};
    spmv_device *linked = NULL;
    size_t count;

    spmv_device_open(NULL, &linked, NULL);
    count = spmv_device_module_count(linked);
    if (count == 0)
        skip("no modules are linked into the library");
    for (size_t i = 0; i < count; i++) {
        const spmv_module *module = spmv_device_module(linked, i);
        int right = 0, cases = 0;

        if (module->ops->symmetric)      /* the sample is not */
            continue;
        for (size_t t = 0; t < 3; t++)
            for (int transposed = module->ops->transposes; transposed <= 1; transposed++)
                if (narrow_bytes(stored[t]) < narrow_bytes(module->value_type)) {
                    right += has_same_bits(linked, module, stored[t], transposed);
                    cases++;
                }
        ok(right == cases && cases > 0, "%s: %d of %d narrow plans give the bits of a wide one",
           module->name, right, cases);
    }
    spmv_device_close(linked);
}

/* ---- values that are no numbers -------------------------------------------------------------- */

/* Each pattern that is no signalling NaN comes back. */
static void test_patterns(spmv_value_type stored, spmv_value_type vectors)
{
    const int quiet = stored == SPMV_F16 ? 0x0200 : 0x0040;
    const int infinity = stored == SPMV_F16 ? 0x7c00 : 0x7f80;
    const spmv_plan_options options = {.struct_size = sizeof options, .vector_type = vectors,
                                       .threads = 2};
    int64_t row_ptr[] = {0, 65536};
    int32_t offsets[] = {0, 65536};
    int32_t *col_idx = calloc(65536, sizeof *col_idx);
    uint16_t *val = calloc(65536, sizeof *val), *back = calloc(65536, sizeof *back);
    const spmv_csr csr = {.rows = 1, .cols = 1, .nnz = 65536, .col_idx = col_idx, .val = val,
                          .row_ptr = vectors == SPMV_F64 ? (void *)offsets : (void *)row_ptr,
                          .offset_type = vectors == SPMV_F64 ? SPMV_I32 : SPMV_I64,
                          .value_type = stored};
    spmv_plan *plan;
    int right = 0;

    for (int i = 0; i < 65536; i++)
        val[i] = (uint16_t)i;
    plan = narrow_plan(device, &csr, &options);
    ok(spmv_plan_restore_csr(plan, NULL, NULL, back, NULL) == SPMV_OK,
       "all patterns of %s are given back", narrow_name(stored));
    for (int i = 0; i < 65536; i++)
        right += back[i] == ((i & 0x7fff) > infinity ? i | quiet : i);
    ok(right == 65536, "from %s, as they were, and NaNs quiet: %d", narrow_name(vectors), right);
    spmv_plan_destroy(plan);
    free(col_idx);
    free(val);
    free(back);
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    folder_enter();
    test_plans();
    test_candidates();
    test_linked_modules();
    test_patterns(SPMV_F16, SPMV_F64);
    test_patterns(SPMV_F16, SPMV_F32);
    test_patterns(SPMV_BF16, SPMV_F64);
    test_patterns(SPMV_BF16, SPMV_F32);
    folder_leave();
    spmv_device_close(device);
    return tap_done();
}
