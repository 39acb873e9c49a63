/* test_plan.c: the choice of a module and its reason, borrowed arrays, new values, restored CSR. */
#define _POSIX_C_SOURCE 200809L  /* setenv */
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- choice --------------------------------------------------------------------------------- */

/* Expects a module and part of its reason or, without a module, part of the error text. */
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
     "and this CPU can run; it is for other CPUs"},
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
        spmv_plan_info info = {.struct_size = sizeof info, .reason = ""};
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
    const spmv_device_options other = {.struct_size = sizeof other, .target = "nowhere",
                                       .no_builtin_modules = 1};
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
       strstr(err.text, "of target 'nowhere' (by options.target); there is toy, toy-fast, "
                        "toy-future"), "a device opened for a target without modules says so");
    spmv_device_close(device);
    sample_destroy(s);
}

/* The reason of a choice on a device that was opened for one target. */
static void test_reason(const char *environment, const char *asked, const char *method,
                        const char *expected)
{
    const spmv_device_options device_options = {.struct_size = sizeof device_options,
                                                .target = asked, .no_builtin_modules = 1};
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method};
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan_info info = {.struct_size = sizeof info, .reason = ""};
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;

    setenv("SPMV_TARGET", environment, 1);
    spmv_device_open(&device_options, &device, NULL);
    unsetenv("SPMV_TARGET");
    spmv_device_add_modules(device, toy_modules, NULL);
    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    spmv_plan_query(plan, &info);
    if (!ok(strcmp(info.reason, expected) == 0, "the reason is: %s", expected))
        diag("%s", info.reason);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
}

/* ---- queries of older and newer programs ----------------------------------------------------- */

/* A spmv_plan_info of a later version of the library. */
typedef struct newer_info {
    spmv_plan_info known;
    int64_t unknown;
} newer_info;

static void test_info_sizes(void)
{
    spmv_device *device = sample_device();
    sample *s = sample_create(10, 12, 0, SPMV_F64, SPMV_I32);
    newer_info newer;
    spmv_plan_info info;
    size_t refused = 0;
    spmv_plan *plan = NULL;

    spmv_plan_create(device, &s->csr, NULL, &plan, NULL);
    memset(&newer, 0xee, sizeof newer);
    newer.known.struct_size = sizeof newer;
    ok(spmv_plan_query(plan, &newer.known) == SPMV_OK && newer.known.cols == 12 &&
       newer.known.struct_size == sizeof newer && newer.unknown == 0,
       "a newer program gets zeros in fields that this library does not know");
    memset(&newer, 0xee, sizeof newer);
    newer.known.struct_size = sizeof newer.known;
    ok(spmv_plan_query(plan, &newer.known) == SPMV_OK &&
       newer.unknown == (int64_t)0xeeeeeeeeeeeeeeee, "nothing is written past struct_size");
    for (size_t size = 0; size <= offsetof(spmv_plan_info, y_permutation); size++) {
        info = (spmv_plan_info){.struct_size = size, .cols = -1};
        refused += spmv_plan_query(plan, &info) == SPMV_INVALID_ARGUMENT && info.cols == -1;
    }
    ok(refused == offsetof(spmv_plan_info, y_permutation) + 1,
       "a struct smaller than that of the first release is refused");
    info.struct_size = SIZE_MAX;
    ok(spmv_plan_query(plan, &info) == SPMV_INVALID_ARGUMENT, "so is one larger than any");
    spmv_plan_destroy(plan);
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
       strstr(err.text, "struct_size is 0"), "a forgotten struct_size is reported");
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

static int32_t threads_of(spmv_device *device, const sample *s, int32_t wanted)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .threads = wanted};
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_plan *plan = NULL;

    if (spmv_plan_create(device, &s->csr, &options, &plan, NULL) == SPMV_OK)
        spmv_plan_query(plan, &info);
    spmv_plan_destroy(plan);
    return info.threads;
}

/* By default, a small matrix does not use more threads than it can profit from. */
static void test_threads(void)
{
    spmv_device *device = sample_device();
    sample *small = sample_create(30, 10, 0, SPMV_F64, SPMV_I32);
    sample *large = sample_create(30000, 40, 0, SPMV_F64, SPMV_I32);
    const int64_t worth = (large->csr.rows + large->csr.nnz) / 4096;
    const int32_t given = threads_of(device, large, 0);

    ok(threads_of(device, small, 0) == 1, "a small matrix uses one thread by default");
    ok(threads_of(device, small, 3) == threads_of(device, large, 3),
       "options.threads is used for any matrix");
    ok(worth >= 4 && given >= 1 && given <= worth, "%d threads for %lld rows and nonzeros",
       (int)given, (long long)(large->csr.rows + large->csr.nnz));
    sample_destroy(small);
    sample_destroy(large);
    spmv_device_close(device);
}

/* ---- ownership ------------------------------------------------------------------------------ */

static void test_ownership(const char *method, int copy, int32_t borrows, int is_free_of_caller)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .copy = copy};
    spmv_device *device = sample_device();
    sample *s = sample_create(50, 40, 1, SPMV_F64, SPMV_I32);
    const size_t row_ptr_bytes = 51 * sizeof(int32_t);
    const size_t entry_bytes = (size_t)s->csr.nnz * (sizeof(int32_t) + sizeof(double));
    double *y = sample_vector(s, 50, 7);
    spmv_plan_info info = {.struct_size = sizeof info, .borrows = -1};
    spmv_plan *plan = NULL;

    ok(spmv_plan_create(device, &s->csr, &options, &plan, NULL) == SPMV_OK &&
       spmv_plan_query(plan, &info) == SPMV_OK && info.borrows == borrows,
       "%s, copy %d: the query reports the borrowed arrays", method, copy);
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
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_plan *plan = NULL;
    spmv_error err;

    for (int64_t k = 0; k < s->csr.nnz; k++)
        doubled[k] = 2 * ((double *)s->val)[k];
    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    spmv_plan_query(plan, &info);
    ok(spmv_plan_update_values(plan, doubled, &err) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, 0, 0),
       "%s, copy %d: new values are used", method, copy);
    memset(doubled, 0, (size_t)s->csr.nnz * sizeof *doubled);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK &&
       sample_is_right(s, y, info.borrows & SPMV_BORROWS_VAL ? 0 : 2, 0, 0),
       "and borrowed only by a plan that borrows values");
    ok(spmv_plan_update_values(plan, s->val, &err) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "and the old values again");
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
    ok(spmv_plan_restore_csr(plan, NULL, NULL, NULL, &err) == SPMV_OK, "all pointers may be NULL");
    ok(spmv_plan_restore_csr(NULL, row_ptr, col_idx, val, NULL) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_restore_csr(plan, NULL, NULL, (char *)val + 1, NULL) == SPMV_INVALID_ARGUMENT,
       "null plans and misaligned arrays are refused");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(col_idx);
    free(val);
}

/* Outputs that overlap each other or borrowed arrays. */
static void test_restore_overlap(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_rows"};
    spmv_device *device = sample_device();
    sample *s = sample_create(50, 40, 1, SPMV_F64, SPMV_I32);
    const size_t nnz = (size_t)s->csr.nnz;
    int32_t *both = calloc(2 * nnz + 51, sizeof *both);
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    ok(spmv_plan_restore_csr(plan, both, both + 50, NULL, &err) == SPMV_ALIASING &&
       strstr(err.text, "two of row_ptr, col_idx and val overlap"), "outputs may not overlap");
    ok(spmv_plan_restore_csr(plan, both, both + 51, NULL, &err) == SPMV_OK, "they may touch");
    ok(spmv_plan_restore_csr(plan, NULL, s->col_idx + 1, NULL, &err) == SPMV_ALIASING &&
       strstr(err.text, "one that the plan borrows"),
       "an output may not be a borrowed array's later part");
    ok(spmv_plan_restore_csr(plan, s->col_idx, NULL, NULL, &err) == SPMV_ALIASING,
       "nor another borrowed array");
    ok(spmv_plan_restore_csr(plan, NULL, s->row_ptr, NULL, &err) == SPMV_ALIASING,
       "whichever it is");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(both);
}

static void test_option_sizes(void)
{
    enum { FIRST = offsetof(spmv_plan_options, expected_runs) };      /* in the first release */
    static const size_t garbage[] = {1, 8, FIRST - 1, 4097, SIZE_MAX / 2, SIZE_MAX};
    const spmv_plan_options older = {.struct_size = FIRST, .threads = 1, .expected_runs = -1};
    struct {
        spmv_plan_options known;
        int64_t unknown;
    } newer = {{.struct_size = sizeof newer, .threads = 1}, 0};
    spmv_device *device = sample_device();
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        const spmv_plan_options options = {.struct_size = garbage[i], .threads = 1};

        ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_INVALID_ARGUMENT &&
           strstr(err.text, "options.struct_size is"), "a struct_size of %zu is refused",
           garbage[i]);
    }
    ok(spmv_plan_create(device, &s->csr, &older, &plan, &err) == SPMV_OK,
       "options of an older program are accepted, and newer fields are not read");
    spmv_plan_destroy(plan);
    ok(spmv_plan_create(device, &s->csr, &newer.known, &plan, &err) == SPMV_OK,
       "options of a newer program are accepted while their new fields are zero");
    spmv_plan_destroy(plan);
    newer.unknown = 1;
    ok(spmv_plan_create(device, &s->csr, &newer.known, &plan, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "does not know"), "and refused otherwise");
    spmv_device_close(device);
    sample_destroy(s);
}

int main(void)
{
    const int32_t all = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;

    test_choice();
    test_no_modules();
    test_reason("toy", NULL, "toy_rows",
                "method 'toy_rows' was asked for; target 'toy' was set by SPMV_TARGET");
    test_reason("toy", "toy-fast", NULL,
                "the only method for this matrix's types; target 'toy-fast' was set by "
                "options.target");
    test_reason("", NULL, "toy_rows",
                "method 'toy_rows' was asked for; target 'toy-fast' has the highest rank (50) of "
                "those that this CPU can run and that take the matrix");
    test_info_sizes();
    test_arguments();
    test_threads();
    test_option_sizes();
    test_restore_overlap();
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
