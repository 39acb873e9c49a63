/* test_transposed.c: plans with options.transposed: their products, values, matrix, files, facts,
 * and the choice between modules that transpose and modules that need the transpose. */
#define _XOPEN_SOURCE 700
#include "folder.h"
#include "sample.h"
#include "toy.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

static spmv_device *device;

/* ---- a module that transposes ---------------------------------------------------------------- */

static spmv_status at_once_layout_size(spmv_layout *layout)
{
    layout->borrows = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;
    layout->cost = (double)(1000 + 40 * layout->csr.nnz);
    return SPMV_OK;
}

static int32_t no_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    (void)step;
    return 0;
}

static void at_once_run(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_csr *a = &job->layout->csr;
    const int32_t *row_ptr = (const int32_t *)a->row_ptr;
    double *y = (double *)job->y;

    for (int64_t c = first; c < last; c++) {
        double sum = 0;

        for (int64_t r = 0; r < a->rows && job->alpha != 0; r++)
            for (int32_t k = row_ptr[r] - a->base; k < row_ptr[r + 1] - a->base; k++)
                if (a->col_idx[k] - a->base == c)
                    sum += ((const double *)a->val)[k] * ((const double *)job->x)[r];
        y[c] = job->alpha * sum + (job->beta == 0 ? 0 : job->beta * y[c]);
    }
}

static int32_t at_once_launches(const spmv_job *job, spmv_step *step)
{
    step[0] = (spmv_step){"at_once", at_once_run, job->layout->csr.cols};
    return 1;
}

static void at_once_copy(const spmv_job *job, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k++) {
        if (job->col_idx_out)
            job->col_idx_out[k] = job->layout->csr.col_idx[k];
        if (job->val_out)
            ((double *)job->val_out)[k] = ((const double *)job->layout->csr.val)[k];
    }
}

static int32_t at_once_restore_steps(const spmv_job *job, spmv_step *step)
{
    step[0] = (spmv_step){"at_once_copy", at_once_copy, job->layout->csr.nnz};
    return 1;
}

static const spmv_method_ops at_once_ops = {
    .layout_size = at_once_layout_size, .build_steps = no_steps, .update_steps = no_steps,
    .restore_steps = at_once_restore_steps, .launches = at_once_launches, .transposes = 1,
};

static const spmv_module at_once = {
    .abi = SPMV_MODULE_ABI, .source_hash = 77, .name = "toy_at_once_f64_i32",
    .method = "toy_at_once", .target = "toy", .generator = "none", .value_type = SPMV_F64,
    .offset_type = SPMV_I32, .usable = toy_is_usable, .ops = &at_once_ops,
};

static const spmv_module *const at_once_modules[] = {&at_once, NULL};

/* ---- samples --------------------------------------------------------------------------------- */

/* Sorts the columns of each row; entries with the same column keep their order. */
static void sort_rows(sample *s)
{
    int64_t k = 0;

    for (int64_t row = 0; row < s->csr.rows; row++) {
        const int64_t begin = k;
        const int64_t end = (s->csr.offset_type == SPMV_I32 ? ((int32_t *)s->row_ptr)[row + 1]
                                                            : ((int64_t *)s->row_ptr)[row + 1]) -
                            s->csr.base;

        for (; k < end; k++) {
            const int32_t col = s->col_idx[k];
            const double value = sample_get(s, s->val, k);
            int64_t at = k;

            for (; at > begin && s->col_idx[at - 1] > col; at--) {
                s->col_idx[at] = s->col_idx[at - 1];
                sample_set(s, s->val, at, sample_get(s, s->val, at - 1));
            }
            s->col_idx[at] = col;
            sample_set(s, s->val, at, value);
        }
    }
}

static sample *make(int32_t rows, int32_t cols, int32_t base, spmv_value_type value_type,
                    spmv_offset_type offset_type, int is_sorted)
{
    sample *s = sample_create(rows, cols, base, value_type, offset_type);

    if (is_sorted)
        sort_rows(s);
    return s;
}

static spmv_plan *create(const sample *s, const spmv_plan_options *options)
{
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

/* Whether the plan multiplies by the transpose with these values. */
static int multiplies(const sample *s, const spmv_plan *plan, const void *val)
{
    static const double scalars[][2] = {{1, 0}, {2, 3}, {0, 2}};
    void *x = sample_transposed_x(s);
    int right = plan != NULL;

    for (size_t i = 0; i < 3 && right; i++) {
        void *y = sample_vector(s, s->csr.cols, 5);

        right = spmv_execute(plan, scalars[i][0], x, scalars[i][1], y, NULL) == SPMV_OK &&
                sample_is_transposed(s, val, x, y, scalars[i][0], scalars[i][1], 5);
        free(y);
    }
    free(x);
    return right;
}

/* Two columns, both of them x, in both orders. */
static int multiplies_columns(const sample *s, const spmv_plan *plan)
{
    const int64_t rows = s->csr.rows, cols = s->csr.cols;
    void *x = sample_transposed_x(s);
    int right = 1;

    for (int order = SPMV_ROW_MAJOR; order <= SPMV_COLUMN_MAJOR; order++) {
        const int is_rows = order == SPMV_ROW_MAJOR;
        void *xs = sample_vector(s, 2 * rows, 0), *ys = sample_vector(s, 2 * cols, 7);
        void *y = sample_vector(s, cols, 0);

        for (int64_t i = 0; i < 2 * rows; i++)
            sample_set(s, xs, i, sample_get(s, x, is_rows ? i / 2 : i % rows));
        right &= spmv_execute_columns(plan, (spmv_order)order, 2, 1, xs, is_rows ? 2 : rows, 0, ys,
                                      is_rows ? 2 : cols, NULL) == SPMV_OK;
        for (int c = 0; c < 2; c++) {
            for (int64_t i = 0; i < cols; i++)
                sample_set(s, y, i, sample_get(s, ys, is_rows ? 2 * i + c : i + c * cols));
            right &= sample_is_transposed(s, s->val, x, y, 1, 0, 0);
        }
        free(xs);
        free(ys);
        free(y);
    }
    free(x);
    return right;
}

static int restores(const sample *s, const spmv_plan *plan, const void *val)
{
    const size_t offset_bytes = s->csr.offset_type == SPMV_I32 ? 4 : 8;
    const size_t value_bytes = s->csr.value_type == SPMV_F32 ? 4 : 8;
    const size_t rows = (size_t)s->csr.rows + 1, nnz = (size_t)s->csr.nnz;
    void *row_ptr = calloc(rows, 8), *values = calloc(nnz + 1, 8);
    int32_t *col_idx = calloc(nnz + 1, 4);
    int right;

    right = spmv_plan_restore_csr(plan, row_ptr, col_idx, values, NULL) == SPMV_OK &&
            memcmp(row_ptr, s->row_ptr, rows * offset_bytes) == 0 &&
            memcmp(col_idx, s->col_idx, nnz * 4) == 0 &&
            memcmp(values, val, nnz * value_bytes) == 0;
    memset(row_ptr, 0xee, rows * offset_bytes);
    memset(values, 0xee, nnz * value_bytes);
    memset(col_idx, 0xee, nnz * 4);
    right &= spmv_plan_restore_csr(plan, row_ptr, NULL, NULL, NULL) == SPMV_OK &&
             memcmp(row_ptr, s->row_ptr, rows * offset_bytes) == 0;
    right &= spmv_plan_restore_csr(plan, NULL, NULL, values, NULL) == SPMV_OK &&
             memcmp(values, val, nnz * value_bytes) == 0;
    right &= spmv_plan_restore_csr(plan, NULL, col_idx, NULL, NULL) == SPMV_OK &&
             memcmp(col_idx, s->col_idx, nnz * 4) == 0;
    free(row_ptr);
    free(col_idx);
    free(values);
    return right;
}

/* ---- everything that a plan can do ----------------------------------------------------------- */

static void *other_values(const sample *s)
{
    void *val = sample_vector(s, s->csr.nnz, 0);

    for (int64_t k = 0; k < s->csr.nnz; k++)
        sample_set(s, val, k, (double)(k % 11 - 5));
    return val;
}

/* The caller's arrays are overwritten after the creation: the plan may read none of them. */
static void test_plan(const char *method, int32_t rows, int32_t cols, int32_t base,
                      spmv_value_type value_type, spmv_offset_type offset_type, int is_sorted,
                      int32_t threads)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .threads = threads, .transposed = 1, .savable = 1,
                                       .copy = threads > 1};
    sample *s = make(rows, cols, base, value_type, offset_type, is_sorted);
    sample *given = make(rows, cols, base, value_type, offset_type, is_sorted);
    spmv_plan_info info = {.struct_size = sizeof info}, after = info;
    spmv_plan *plan = create(given, &options), *loaded = NULL;
    spmv_error err = {SPMV_OK, ""};
    void *val = other_values(s);
    char what[128];

    snprintf(what, sizeof what, "%s, %d x %d, base %d, %d-bit values, %s rows, %d threads", method,
             (int)rows, (int)cols, (int)base, (int)value_type, is_sorted ? "sorted" : "unsorted",
             (int)threads);
    ok(spmv_plan_query(plan, &info) == SPMV_OK && info.rows == cols && info.cols == rows &&
       info.borrows == 0, "%s: rows and columns are the product's, nothing is borrowed", what);
    memset(given->row_ptr, 0xee, ((size_t)rows + 1) * (offset_type == SPMV_I32 ? 4 : 8));
    memset(given->col_idx, 0xee, (size_t)s->csr.nnz * 4);
    memset(given->val, 0xee, (size_t)s->csr.nnz * (value_type == SPMV_F32 ? 4 : 8));
    ok(multiplies(s, plan, s->val) && (cols == 0 || multiplies_columns(s, plan)),
       "%s: products are right", what);
    ok(restores(s, plan, s->val), "%s: the matrix is restored", what);
    ok(spmv_plan_save(plan, "plan", &err) == SPMV_OK, "%s: it is saved: %s", what, err.text);
    ok(spmv_plan_update_values(plan, val, &err) == SPMV_OK && multiplies(s, plan, val) &&
       restores(s, plan, val), "%s: new values are used: %s", what, err.text);
    ok(spmv_plan_query(plan, &after) == SPMV_OK &&
       after.layout_bytes ==
           info.layout_bytes +
               (is_sorted && !info.module->ops->transposes ? (size_t)s->csr.nnz * 4 : 0),
       "%s: from the first update on, a plan of sorted rows knows their order", what);
    ok(spmv_plan_load(device, &s->csr, &options, "plan", &loaded, &err) == SPMV_OK &&
       multiplies(s, loaded, s->val) && restores(s, loaded, s->val) &&
       spmv_plan_update_values(loaded, val, &err) == SPMV_OK && multiplies(s, loaded, val),
       "%s: a loaded plan does the same: %s", what, err.text);
    spmv_plan_destroy(plan);
    spmv_plan_destroy(loaded);
    sample_destroy(s);
    sample_destroy(given);
    free(val);
}

static void test_plans(void)
{
    static const struct { int32_t rows, cols; } sizes[] = {{50, 40}, {6, 900}, {700, 3}, {2, 2},
                                                           {4, 0}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int32_t is_sorted = 0; is_sorted <= 1; is_sorted++) {
            const int32_t rows = sizes[i].rows, cols = sizes[i].cols;

            test_plan("toy_rows", rows, cols, is_sorted, SPMV_F64, SPMV_I32, is_sorted, 1);
            test_plan("toy_rows", rows, cols, 1, SPMV_F32, SPMV_I64, is_sorted, 3);
            test_plan("toy_parts", rows, cols, 1, SPMV_F64, SPMV_I32, is_sorted, 2);
            test_plan("toy_sorted", rows, cols, 0, SPMV_F64, SPMV_I32, is_sorted, 2);
        }
}

/* ---- the choice ------------------------------------------------------------------------------ */

static void test_choice(const char *what, int32_t runs, const char *method, const char *expected,
                        const char *reason)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .expected_runs = runs, .transposed = 1};
    sample *s = make(60, 50, 1, SPMV_F64, SPMV_I32, 1);
    spmv_plan_info info = {.struct_size = sizeof info, .reason = ""};
    spmv_plan *plan = create(s, &options);
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t steps = -1;

    spmv_plan_query(plan, &info);
    if (!ok(info.module != NULL && strcmp(info.module->method, expected) == 0 &&
            strstr(info.reason, reason) != NULL, "%s: %s", what, expected))
        diag("%s: %s", info.module != NULL ? info.module->name : "none", info.reason);
    ok(multiplies(s, plan, s->val), "%s: and the product is right", what);
    ok(spmv_plan_build_profile(plan, time, &steps) == SPMV_OK &&
       (strcmp(expected, "toy_at_once") == 0
            ? steps == 0 && info.layout_bytes == 0 && info.borrows != 0
            : steps > 0 && strcmp(time[0].name, "transpose") == 0 && info.borrows == 0),
       "%s: transposing is the first step of building, if there is any", what);
    spmv_plan_destroy(plan);
    sample_destroy(s);
}

/* Candidates that need the transpose say what it costs. */
static void test_candidates(void)
{
    spmv_plan_options options = {.struct_size = sizeof options, .transposed = 1};
    sample *s = make(60, 50, 1, SPMV_F64, SPMV_I32, 1);
    spmv_plan *plan = create(s, &options), *plain, *few;
    spmv_candidate candidate = {.struct_size = sizeof candidate};
    spmv_plan_info info = {.struct_size = sizeof info};
    int charged = 0, left_out = 0, transposing = 0;

    spmv_plan_query(plan, &info);
    ok(spmv_plan_explain(plan, 0, &candidate) == SPMV_OK && candidate.borrows == 0 &&
       candidate.layout_bytes == info.layout_bytes,
       "the candidate's bytes are those of the plan");
    for (size_t i = 0; i < spmv_plan_candidate_count(plan); i++)
        if (spmv_plan_explain(plan, i, &candidate) == SPMV_OK)
            charged += candidate.module->ops->transposes ? candidate.build_cost == 0
                                                         : candidate.build_cost > 0;
    ok(charged == (int)spmv_plan_candidate_count(plan) && charged > 2,
       "the transpose is part of the cost of building, where it is needed");
    options.expected_runs = 3;
    few = create(s, &options);
    for (size_t i = 1; i < spmv_plan_candidate_count(few); i++)
        if (spmv_plan_explain(few, i, &candidate) == SPMV_OK)
            left_out += candidate.why_not != NULL && strstr(candidate.why_not, "3 expected");
    ok(left_out > 1 && left_out + 1 == (int)spmv_plan_candidate_count(few),
       "for few multiplications nothing is transposed");
    options.transposed = 0;
    options.expected_runs = 0;
    plain = create(s, &options);
    for (size_t i = 0; i < spmv_plan_candidate_count(plain); i++)
        if (spmv_plan_explain(plain, i, &candidate) == SPMV_OK)
            transposing += candidate.module->ops->transposes;
    ok(transposing == 0 && plain != NULL, "a plain plan does not consider modules that transpose");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(plain);
    spmv_plan_destroy(few);
    sample_destroy(s);
}

/* ---- options that contradict each other ------------------------------------------------------ */

static void refuse(const sample *s, const spmv_plan_options *options, spmv_status status,
                   const char *text, const char *what)
{
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_status got = spmv_plan_create(device, &s->csr, options, &plan, &err);

    if (!ok(got == status && plan == NULL && strstr(err.text, text) != NULL, "%s: %s", what, text))
        diag("%d: %s", (int)got, err.text);
}

static void refuse_file(const sample *s, int transposed, const char *text)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .transposed = transposed};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_status got = spmv_plan_load(device, &s->csr, &options, "plan", &plan, &err);

    if (!ok(got == SPMV_STALE && plan == NULL && strstr(err.text, text) != NULL,
            "a file of the other product is refused: %s", text))
        diag("%d: %s", (int)got, err.text);
}

static void test_refusals(void)
{
    spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_at_once"};
    sample *s = make(40, 40, 0, SPMV_F64, SPMV_I32, 0);
    char choice[SPMV_CHOICE_SIZE];
    spmv_plan *plan;

    refuse(s, &options, SPMV_UNSUPPORTED, "for y = A*x; it is for y = A^T*x, with "
           "options.transposed", "a plain plan of a module that transposes");
    for (int transposes = 0; transposes <= 1; transposes++) {
        options = (spmv_plan_options){.struct_size = sizeof options, .transposed = 1, .savable = 1,
                                      .method = transposes ? "toy_at_once" : "toy_parts"};
        plan = create(s, &options);
        spmv_plan_choice(plan, choice, sizeof choice, NULL);
        spmv_plan_save(plan, "plan", NULL);
        spmv_plan_destroy(plan);
        refuse_file(s, 0, "multiplies by the transpose of the matrix, but options.transposed is 0");
        options.method = NULL;
        options.choice = choice;
        plan = create(s, &options);
        ok(multiplies(s, plan, s->val), "the text of the choice makes the same plan");
        spmv_plan_destroy(plan);
    }
    options.transposed = 0;
    refuse(s, &options, SPMV_INVALID_ARGUMENT,
           "method 'toy_at_once', which multiplies by the transpose, but options.transposed is 0",
           "a choice without the option");
    options = (spmv_plan_options){.struct_size = sizeof options, .savable = 1,
                                  .method = "toy_parts"};
    plan = create(s, &options);
    spmv_plan_save(plan, "plan", NULL);
    spmv_plan_destroy(plan);
    refuse_file(s, 1, "multiplies by the matrix itself, but options.transposed is 1");
    s->col_idx[3] = 40;
    options = (spmv_plan_options){.struct_size = sizeof options, .transposed = 1};
    refuse(s, &options, SPMV_INVALID_MATRIX, "col_idx[3] is 40", "a column out of range");
    sample_destroy(s);
}

/* Outputs of a restore may not overlap each other or the plan. */
static void test_overlap(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_sorted",
                                       .settings = "permuted=1", .transposed = 1};
    sample *s = make(40, 30, 0, SPMV_F64, SPMV_I32, 0);
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_plan *plan = create(s, &options);
    void *x = sample_transposed_x(s), *y = sample_vector(s, s->csr.cols, 0), *plain = y;
    int right = 1;

    spmv_plan_query(plan, &info);
    plain = sample_vector(s, s->csr.cols, 0);
    spmv_execute(plan, 1, x, 0, y, NULL);
    for (int64_t i = 0; i < s->csr.cols && info.y_permutation != NULL; i++)
        sample_set(s, plain, info.y_permutation[i], sample_get(s, y, i));
    right = info.y_permutation != NULL && sample_is_transposed(s, s->val, x, plain, 1, 0, 0);
    ok(right, "a setting permutes y, which has a value for each column of the matrix");
    ok(spmv_plan_restore_csr(plan, NULL, s->col_idx, s->col_idx, NULL) == SPMV_ALIASING,
       "outputs of a restore that overlap are refused");
    ok(spmv_plan_restore_csr(plan, NULL, (int32_t *)(uintptr_t)info.y_permutation, NULL, NULL) ==
       SPMV_ALIASING, "and outputs that overlap the plan");
    ok(spmv_execute(plan, 1, x, 0, x, NULL) == SPMV_ALIASING, "y may not be x");
    spmv_plan_destroy(plan);
    sample_destroy(s);
    free(x);
    free(y);
    free(plain);
}

/* The fastest candidate is kept, whichever it is. */
static void test_measured(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .transposed = 1,
                                       .measure = 1};
    sample *s = make(300, 90, 1, SPMV_F64, SPMV_I32, 1);
    spmv_plan *plan = create(s, &options);
    spmv_candidate candidate = {.struct_size = sizeof candidate};

    ok(multiplies(s, plan, s->val) && restores(s, plan, s->val) &&
       spmv_plan_explain(plan, 0, &candidate) == SPMV_OK && candidate.seconds > 0,
       "a measured plan is right");
    spmv_plan_destroy(plan);
    sample_destroy(s);
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    folder_enter();
    test_plans();
    test_choice("without a module that transposes", 3, NULL, "toy_parts", "cheapest of 2");
    spmv_device_add_modules(device, at_once_modules, NULL);
    test_choice("few multiplications", 3, NULL, "toy_at_once", "only one of");
    test_choice("many multiplications", 1000, NULL, "toy_parts", "cheapest of");
    test_choice("by name", 0, "toy_at_once", "toy_at_once", "was asked for");
    test_choice("few, by name", 2, "toy_rows", "toy_rows", "was asked for");
    for (int32_t is_sorted = 0; is_sorted <= 1; is_sorted++)
        test_plan("toy_at_once", 50, 40, 1, SPMV_F64, SPMV_I32, is_sorted, 2);
    test_candidates();
    test_refusals();
    test_overlap();
    test_measured();
    folder_leave();
    spmv_device_close(device);
    return tap_done();
}
