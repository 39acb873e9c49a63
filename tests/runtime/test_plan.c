/* test_plan.c: which module is chosen and why, what is borrowed, new values, the way back to CSR. */
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

/* ---- choice -------------------------------------------------------------------------------- */

/* A case expects either a module and part of its reason, or none and part of the error's text. */
typedef struct choice {
    const char *what;
    int32_t rows;
    spmv_value_type value_type;
    spmv_offset_type offset_type;
    const char *method, *target;
    const spmv_module *module;
    const char *text;
} choice;

static const choice choices[] = {
    {"a small matrix", 10, SPMV_F64, SPMV_I32, NULL, NULL, &toy_fast_f64_i32, "cheapest of 2"},
    {"a large matrix", 200, SPMV_F64, SPMV_I32, NULL, NULL, &toy_parts_f64_i32, "cheapest of 2"},
    {"a method by name", 10, SPMV_F64, SPMV_I32, "toy_parts", NULL, &toy_parts_f64_i32,
     "method 'toy_parts' was asked for"},
    {"a target by name", 10, SPMV_F64, SPMV_I32, "toy_rows", "toy", &toy_rows_f64_i32,
     "target 'toy' was asked for"},
    {"other types", 10, SPMV_F32, SPMV_I64, NULL, NULL, &toy_rows_f32_i64, "the only method"},
    {"benchmark only, by name", 10, SPMV_F64, SPMV_I32, "toy_loose", NULL, &toy_loose_f64_i32,
     "'toy_loose' was asked for"},
    {"a mistyped method", 10, SPMV_F64, SPMV_I32, "toy_part", NULL, NULL,
     "no module of method 'toy_part'; did you mean 'toy_parts'? "
     "There is toy_loose, toy_parts, toy_rows"},
    {"an unknown method", 10, SPMV_F64, SPMV_I32, "ellpack", NULL, NULL,
     "no module of method 'ellpack'; there is toy_loose, toy_parts, toy_rows"},
    {"an unknown target", 10, SPMV_F64, SPMV_I32, "toy_parts", "gpu", NULL,
     "no module of method 'toy_parts' of target 'gpu'; there is toy"},
    {"a method without these values", 10, SPMV_F32, SPMV_I32, "toy_parts", NULL, NULL,
     "no module of method 'toy_parts' for f32 values; there is f64"},
    {"no such row pointers", 10, SPMV_F64, SPMV_I64, NULL, NULL, NULL,
     "no module for f64 values with i64 row pointers; there is i32"},
    {"a target that this CPU cannot run", 10, SPMV_F64, SPMV_I32, NULL, "toy-future", NULL,
     "that this CPU can run; there is needs another CPU"},
    {"an endless name", 10, SPMV_F64, SPMV_I32,
     "0123456789012345678901234567890123456789012345678901234567890123456789", NULL, NULL,
     "there is toy_loose"},
};

static void test_choice(void)
{
    spmv_device *device = sample_device();

    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const choice *c = &choices[i];
        const spmv_plan_options options = {.struct_size = sizeof options, .method = c->method,
                                           .target = c->target};
        sample *s = sample_create(c->rows, 10, 0, c->value_type, c->offset_type);
        spmv_error err = {SPMV_OK, ""};
        spmv_plan_info info = {.reason = ""};
        spmv_plan *plan;
        const spmv_status status = spmv_plan_create(device, &s->csr, &options, &plan, &err);

        spmv_plan_query(plan, &info);
        ok(c->module != NULL ? info.module == c->module
                             : status == SPMV_UNSUPPORTED && err.status == status,
           "%s: %s", c->what, c->module != NULL ? c->module->name : "refused");
        if (!ok(strstr(c->module != NULL ? info.reason : err.text, c->text) != NULL,
                "%s: the text says '%s'", c->what, c->text))
            diag("%s%s", info.reason, err.text);
        spmv_plan_destroy(plan);
        sample_destroy(s);
    }
    spmv_device_close(device);
}

static void test_no_modules(void)
{
    const spmv_device_options none = {.struct_size = sizeof none, .no_builtin_modules = 1};
    const spmv_device_options other = {sizeof other, "nowhere", 1};
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_device *device = NULL;
    spmv_error err;
    spmv_plan *plan;

    spmv_device_open(&none, &device, NULL);
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "the device has no modules"), "a device without modules says so");
    spmv_device_close(device);
    spmv_device_open(&other, &device, NULL);
    spmv_device_add_modules(device, toy_modules, NULL);
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "device's only target 'nowhere' (by options.target); there is toy, "
                        "toy-fast, toy-future"), "a device opened for a target without modules "
                        "says so");
    spmv_device_close(device);
    sample_destroy(s);
}

static void test_arguments(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan_options options = {.threads = 1};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_plan_create(NULL, &s->csr, NULL, &plan, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "device is NULL"), "a null device is refused");
    ok(spmv_plan_create(device, &s->csr, NULL, NULL, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "out is NULL"), "a null out is refused");
    ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "struct_size is 0"), "a forgotten struct_size is told");
    options.struct_size = sizeof options;
    options.threads = -1;
    ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "options.threads is -1"), "a negative thread count is refused");
    options.threads = 1000000000;
    ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_INVALID_ARGUMENT,
       "a thread count that would end the program is refused");
    ok(spmv_plan_query(NULL, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_workspace_size(NULL) == 0, "queries take null plans");
    spmv_plan_destroy(NULL);
    spmv_device_close(device);
    sample_destroy(s);
}

/* ---- modules that break the contract --------------------------------------------------------- */

static int broken_mode;

static spmv_status broken_layout_size(spmv_layout *layout)
{
    layout->borrows = 7;
    layout->csr.rows = 1;                        /* none of its business; undone by the runtime */
    layout->array[11].data = &broken_mode;       /* nor is this */
    switch (broken_mode) {
    case 0: layout->array_count = SPMV_MAX_ARRAYS + 1; break;
    case 1: layout->array_count = -1; break;
    case 2: layout->borrows = 8; break;
    case 3: layout->cost = -1; break;
    case 4: layout->cost = 0.0 / (double)layout->array_count; break;
    case 5: return SPMV_OVERFLOW;
    case 6: layout->array_count = 1; layout->array[0].bytes = SIZE_MAX - 7; break;
    case 7: layout->workspace_bytes = SIZE_MAX; break;
    }
    return SPMV_OK;
}

static int32_t broken_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    step[0] = (spmv_step){"broken", NULL, broken_mode == 8 ? 1 : -1};
    return broken_mode == 8 || broken_mode == 9 ? 1 : broken_mode == 10 ? 9 : broken_mode == 11 ? -1 : 0;
}

static int32_t broken_job_steps(const spmv_job *job, spmv_step *step)
{
    return broken_steps(job->layout, step);
}

static const spmv_method_ops broken_ops = {
    broken_layout_size, broken_steps, broken_steps, broken_job_steps, broken_job_steps,
};

static spmv_device *broken_device(void)
{
    static spmv_module broken;
    static const spmv_module *const table[] = {&broken, NULL};
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1};
    spmv_device *device = NULL;

    broken = toy_rows_f64_i32;
    broken.name = "broken";
    broken.ops = &broken_ops;
    spmv_device_open(&options, &device, NULL);
    spmv_device_add_modules(device, table, NULL);
    return device;
}

static void test_broken_modules(void)
{
    static const struct {
        const char *what;
        spmv_status status;
        const char *text;
    } cases[] = {
        {"too many arrays", SPMV_ABI_MISMATCH, "array_count"},
        {"a negative array count", SPMV_ABI_MISMATCH, "array_count"},
        {"unknown borrow bits", SPMV_ABI_MISMATCH, "borrows"},
        {"a negative cost", SPMV_ABI_MISMATCH, "cost"},
        {"a cost that is no number", SPMV_ABI_MISMATCH, "cost"},
        {"a layout too large", SPMV_OVERFLOW, "broken does not take this matrix: a size"},
        {"an array larger than memory", SPMV_OUT_OF_MEMORY, "no memory for an array of broken"},
        {"a workspace larger than memory", SPMV_OUT_OF_MEMORY, "the workspace of broken"},
        {"a step without a function", SPMV_ABI_MISMATCH, "build steps of broken"},
        {"a step with a negative grid", SPMV_ABI_MISMATCH, "build steps of broken"},
        {"too many steps", SPMV_ABI_MISMATCH, "build steps of broken"},
        {"a negative number of steps", SPMV_ABI_MISMATCH, "build steps of broken"},
    };
    spmv_device *device = broken_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);

    for (broken_mode = 0; broken_mode < (int)(sizeof cases / sizeof cases[0]); broken_mode++) {
        spmv_error err = {SPMV_OK, ""};
        spmv_plan *plan;

        ok(spmv_plan_create(device, &s->csr, NULL, &plan, &err) == cases[broken_mode].status &&
           plan == NULL, "a module with %s is refused", cases[broken_mode].what);
        if (!ok(strstr(err.text, cases[broken_mode].text) != NULL, "the text says so"))
            diag("%s", err.text);
    }
    spmv_device_close(device);
    sample_destroy(s);
}

static void test_broken_later(void)
{
    spmv_device *device = broken_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    double *y = sample_vector(s, 10, 7);
    spmv_plan_info info;
    spmv_plan *plan = NULL;
    spmv_error err;

    broken_mode = -1;
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, NULL) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.rows == 10,
       "a module cannot change the matrix's sizes");
    ok(spmv_plan_restore_csr(plan, NULL, s->col_idx, NULL, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "cannot be converted back"), "a module may have no way back to CSR");
    broken_mode = 11;
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_ABI_MISMATCH && y[0] == 7,
       "an execute with impossible steps does nothing");
    ok(spmv_plan_update_values(plan, s->val, &err) == SPMV_ABI_MISMATCH &&
       strstr(err.text, "the steps of broken"), "nor does an update");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* One method cannot take the matrix; another one serves. */
static void test_next_candidate(void)
{
    spmv_device *device = broken_device();
    const spmv_module *const table[] = {&toy_parts_f64_i32, NULL};
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan_info info = {.module = NULL};
    spmv_plan *plan;

    broken_mode = 5;
    spmv_device_add_modules(device, table, NULL);
    ok(spmv_plan_create(device, &s->csr, NULL, &plan, NULL) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.module == &toy_parts_f64_i32,
       "a method that does not take the matrix gives way to one that does");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
}

/* ---- ownership ----------------------------------------------------------------------------- */

static void test_ownership(const char *method, int copy, int32_t borrows, int is_free_of_caller)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .copy = copy};
    spmv_device *device = sample_device();
    sample *s = sample_create(50, 40, 1, SPMV_F64, SPMV_I32);
    const size_t row_ptr_bytes = 51 * sizeof(int32_t);
    const size_t entry_bytes = (size_t)s->csr.nnz * (sizeof(int32_t) + sizeof(double));
    double *y = sample_vector(s, 50, 7);
    spmv_plan_info info = {.borrows = -1};
    spmv_plan *plan = NULL;

    ok(spmv_plan_create(device, &s->csr, &options, &plan, NULL) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.borrows == borrows,
       "%s, copy %d: the query says what is borrowed", method, copy);
    ok(info.rows == 50 && info.cols == 40 && info.nnz == s->csr.nnz && info.threads >= 1 &&
       info.build_seconds >= 0 && info.workspace_bytes == spmv_plan_workspace_size(plan),
       "and the rest");
    if (is_free_of_caller) {
        ok(info.layout_bytes >= entry_bytes && info.layout_bytes <= entry_bytes * 2 + row_ptr_bytes,
           "the layout's bytes are counted");
        memset(s->row_ptr, 0xff, row_ptr_bytes);
        memset(s->col_idx, 0xff, (size_t)s->csr.nnz * sizeof(int32_t));
        memset(s->val, 0xff, (size_t)s->csr.nnz * sizeof(double));
    } else {
        ok(info.layout_bytes == 0, "a plan that borrows everything allocates no layout");
    }
    ok(spmv_execute(plan, 1, s->x, 1, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 1, 7),
       "%s", is_free_of_caller ? "the caller's arrays are not read any more" : "multiplies");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* ---- new values, and back ------------------------------------------------------------------- */

static void test_update(const char *method, int copy)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .copy = copy};
    spmv_device *device = sample_device();
    sample *s = sample_create(50, 40, 0, SPMV_F64, SPMV_I32);
    double *doubled = sample_vector(s, s->csr.nnz, 0);
    double *y = sample_vector(s, 50, 7);
    spmv_plan *plan = NULL;
    spmv_error err;

    for (int64_t k = 0; k < s->csr.nnz; k++)
        doubled[k] = 2 * ((double *)s->val)[k];
    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    ok(spmv_plan_update_values(plan, doubled, &err) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, 0, 0),
       "%s, copy %d: new values are used", method, copy);
    ok(spmv_plan_update_values(plan, s->val, &err) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "and the old ones again");
    ok(spmv_plan_update_values(plan, NULL, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "val is NULL"), "no values are refused");
    ok(spmv_plan_update_values(plan, (char *)doubled + 1, &err) == SPMV_INVALID_ARGUMENT,
       "misaligned values are refused");
    ok(spmv_plan_update_values(NULL, doubled, NULL) == SPMV_INVALID_ARGUMENT,
       "a null plan is refused");
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "a refused update changes nothing");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(doubled);
    free(y);
}

static void test_restore(const char *method, int copy, int keeps_row_ptr)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .copy = copy};
    spmv_device *device = sample_device();
    sample *s = sample_create(50, 40, 1, SPMV_F64, SPMV_I32);
    const size_t nnz = (size_t)s->csr.nnz;
    int32_t row_ptr[51];
    int32_t *col_idx = calloc(nnz, sizeof *col_idx);
    double *val = calloc(nnz, sizeof *val);
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    ok(spmv_plan_restore_csr(plan, NULL, col_idx, val, &err) == SPMV_OK &&
       memcmp(col_idx, s->col_idx, nnz * sizeof *col_idx) == 0 &&
       memcmp(val, s->val, nnz * sizeof *val) == 0,
       "%s, copy %d: columns and values come back", method, copy);
    memset(col_idx, 0, nnz * sizeof *col_idx);
    memset(val, 0, nnz * sizeof *val);
    ok(spmv_plan_restore_csr(plan, NULL, col_idx, NULL, &err) == SPMV_OK &&
       memcmp(col_idx, s->col_idx, nnz * sizeof *col_idx) == 0, "columns alone come back");
    ok(spmv_plan_restore_csr(plan, NULL, NULL, val, &err) == SPMV_OK &&
       memcmp(val, s->val, nnz * sizeof *val) == 0, "values alone come back");
    if (keeps_row_ptr)
        ok(spmv_plan_restore_csr(plan, row_ptr, NULL, NULL, &err) == SPMV_OK &&
           memcmp(row_ptr, s->row_ptr, sizeof row_ptr) == 0, "row pointers come back");
    else
        ok(spmv_plan_restore_csr(plan, row_ptr, NULL, NULL, &err) == SPMV_UNSUPPORTED &&
           strstr(err.text, "keeps no row_ptr"), "a method may keep no row pointers");
    ok(spmv_plan_restore_csr(plan, keeps_row_ptr ? s->row_ptr : NULL, s->col_idx, s->val, &err) ==
           SPMV_OK && memcmp(col_idx, s->col_idx, nnz * sizeof *col_idx) == 0,
       "the caller's own arrays may take the result");
    ok(spmv_plan_restore_csr(plan, NULL, NULL, NULL, &err) == SPMV_OK, "nothing may be asked for");
    ok(spmv_plan_restore_csr(NULL, row_ptr, col_idx, val, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_restore_csr(plan, NULL, NULL, (char *)val + 1, NULL) == SPMV_INVALID_ARGUMENT,
       "null plans and misaligned arrays are refused");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(col_idx);
    free(val);
}

int main(void)
{
    const int32_t all = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;

    test_choice();
    test_no_modules();
    test_arguments();
    test_broken_modules();
    test_broken_later();
    test_next_candidate();
    test_ownership("toy_rows", 0, all, 0);
    test_ownership("toy_rows", 1, 0, 1);
    test_ownership("toy_parts", 0, 0, 1);
    test_ownership("toy_parts", 1, 0, 1);
    for (int copy = 0; copy <= 1; copy++) {
        test_update("toy_rows", copy);
        test_update("toy_parts", copy);
        test_restore("toy_rows", copy, 1);
        test_restore("toy_parts", copy, 0);
    }
    return tap_done();
}
