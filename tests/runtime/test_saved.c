/* test_saved.c: saved and loaded plans give the same bits with the caller's values; a file of
 * another matrix, module or choice is refused. */
#define _XOPEN_SOURCE 700
#include "folder.h"
#include "sample.h"
#include "toy.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS = 120, COLS = 70 };

static spmv_device *device;

static spmv_plan *create(const sample *s, const char *method, const char *target,
                         const char *settings, int threads, int copy)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .target = target, .settings = settings, .threads = threads,
                                       .copy = copy, .savable = 1};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, &options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

static spmv_plan *load(const sample *s, int threads, int copy)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .threads = threads,
                                       .copy = copy};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_load(device, &s->csr, &options, "plan", &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

/* ---- results of loaded plans ---------------------------------------------------------------- */

static void make_inexact(sample *s, int shift)
{
    for (int64_t k = 0; k < s->csr.nnz; k++)
        sample_set(s, s->val, k, 1.0 / (double)((k + shift) % 101 + 1) * (k % 2 ? -1e3 : 1));
    for (int64_t col = 0; col < s->csr.cols; col++)
        sample_set(s, s->x, col, 1.0 / (double)(col + 3));
}

/* Whether both plans give the same bits, for several values of alpha and beta. */
static int is_same(const sample *s, const spmv_plan *a, const spmv_plan *b)
{
    static const double scalars[][2] = {{1, 0}, {1.1, 0.7}, {0, 0.3}};
    const size_t bytes = (size_t)s->csr.rows * (s->csr.value_type == SPMV_F32 ? 4 : 8);
    int same = a != NULL && b != NULL;

    for (size_t i = 0; i < 3 && same; i++) {
        void *y = sample_vector(s, s->csr.rows, 1.7);
        void *z = sample_vector(s, s->csr.rows, 1.7);

        same = spmv_execute(a, scalars[i][0], s->x, scalars[i][1], y, NULL) == SPMV_OK &&
               spmv_execute(b, scalars[i][0], s->x, scalars[i][1], z, NULL) == SPMV_OK &&
               memcmp(y, z, bytes) == 0;
        free(y);
        free(z);
    }
    return same;
}

static int is_same_info(const spmv_plan *a, const spmv_plan *b)
{
    spmv_plan_info left = {.struct_size = sizeof left}, right = left;

    return spmv_plan_query(a, &left) == SPMV_OK && spmv_plan_query(b, &right) == SPMV_OK &&
           left.module == right.module && left.borrows == right.borrows &&
           left.rows == right.rows && left.cols == right.cols && left.nnz == right.nnz &&
           left.layout_bytes == right.layout_bytes &&
           left.workspace_bytes == right.workspace_bytes &&
           (left.y_permutation == NULL) == (right.y_permutation == NULL);
}

/* Saves, loads with another number of threads, replaces the values, restores the CSR. */
static void test_module(const spmv_module *module, const char *settings, int rows, int cols,
                        int base, int copy)
{
    sample *s = sample_create(rows, cols, base, module->value_type, module->offset_type);
    spmv_plan *plan, *loaded, *fresh;
    spmv_error err = {SPMV_OK, ""};
    int32_t *col_idx = calloc((size_t)s->csr.nnz + 1, sizeof *col_idx);

    make_inexact(s, 0);
    plan = create(s, module->method, module->target, settings, 1, copy);
    ok(spmv_plan_save(plan, "plan", &err) == SPMV_OK, "%s, %dx%d, copy %d: is saved", module->name,
       rows, cols, copy);
    loaded = load(s, 3, copy);
    ok(is_same(s, plan, loaded), "and loaded gives the same bits");
    ok(plan != NULL && loaded != NULL && is_same_info(plan, loaded), "and has the same info");
    ok(spmv_plan_save(loaded, "again", &err) == SPMV_OK, "and can be saved again");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(loaded);

    make_inexact(s, 17);         /* the file has the old values, borrowed or not */
    loaded = load(s, 2, copy);
    fresh = create(s, module->method, module->target, settings, 1, copy);
    ok(is_same(s, fresh, loaded), "the caller's values are used, not those of the file");
    ok(spmv_plan_restore_csr(loaded, NULL, col_idx, NULL, NULL) == SPMV_OK &&
       memcmp(col_idx, s->col_idx, (size_t)s->csr.nnz * sizeof *col_idx) == 0,
       "columns come back");
    spmv_plan_destroy(fresh);
    spmv_plan_destroy(loaded);
    free(col_idx);
    sample_destroy(s);
}

static int is_same_file(const char *a, const char *b)
{
    size_t a_size, b_size;
    unsigned char *left = folder_get(a, &a_size);
    unsigned char *right = folder_get(b, &b_size);
    const int same = left != NULL && right != NULL && a_size == b_size && a_size > 0 &&
                     memcmp(left, right, a_size) == 0;

    free(left);
    free(right);
    return same;
}

/* The file does not depend on the number of threads that built the plan. */
static void test_same_file(const spmv_module *module)
{
    sample *s = sample_create(3000, 400, 0, module->value_type, module->offset_type);
    spmv_plan *one = create(s, module->method, module->target, NULL, 1, 0);
    spmv_plan *seven = create(s, module->method, module->target, NULL, 7, 0);

    ok(spmv_plan_save(one, "one", NULL) == SPMV_OK && spmv_plan_save(seven, "seven", NULL) ==
       SPMV_OK && is_same_file("one", "seven"), "%s: any number of threads saves the same bytes",
       module->name);
    spmv_plan_destroy(one);
    spmv_plan_destroy(seven);
    sample_destroy(s);
}

/* An array of several chunks of the hash, the last one partial. */
static void test_large(void)
{
    sample *s = sample_create(150000, 1000, 1, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(s, "toy_parts", NULL, NULL, 2, 0);
    spmv_plan *loaded;
    spmv_error err = {SPMV_OK, ""};
    unsigned char *bytes;
    size_t size;

    ok(spmv_plan_save(plan, "plan", &err) == SPMV_OK, "a plan of several megabytes is saved");
    loaded = load(s, 3, 0);
    ok(is_same(s, plan, loaded), "and loaded by three threads");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(loaded);
    bytes = folder_get("plan", &size);
    for (size_t at = size - 1; at > size / 2; at -= 700001) {
        bytes[at] ^= 1;
        folder_put("plan", bytes, size);
        ok(spmv_plan_load(device, &s->csr, NULL, "plan", &plan, &err) == SPMV_FILE_ERROR &&
           strstr(err.text, "checksum"), "a bit that is wrong %zu bytes before its end is found",
           size - at);
        bytes[at] ^= 1;
    }
    free(bytes);
    sample_destroy(s);
}

/* ---- concurrent saves ------------------------------------------------------------------------ */

enum { SAVERS = 4, SAVES = 8 };

static void *save_repeatedly(void *context)
{
    const spmv_plan *plan = (const spmv_plan *)context;
    int failed = 0;

    for (int i = 0; i < SAVES; i++)
        failed += spmv_plan_save(plan, "plan", NULL) != SPMV_OK;
    return failed == 0 ? context : NULL;
}

/* Threads save two plans to one path while another thread loads from it: every file is complete. */
static void test_at_once(void)
{
    sample *s = sample_create(2000, 300, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plans[] = {create(s, "toy_parts", NULL, NULL, 1, 0),
                          create(s, "toy_sorted", NULL, NULL, 1, 0)};
    pthread_t thread[SAVERS];
    int loaded = 0, saved = 0;

    spmv_plan_save(plans[0], "plan", NULL);
    for (int i = 0; i < SAVERS; i++)
        if (pthread_create(&thread[i], NULL, save_repeatedly, plans[i % 2]) != 0)
            abort();
    for (int i = 0; i < SAVES; i++) {
        spmv_plan *plan = load(s, 1, 0);
        loaded += plan != NULL;
        spmv_plan_destroy(plan);
    }
    for (int i = 0; i < SAVERS; i++) {
        void *result = NULL;
        pthread_join(thread[i], &result);
        saved += result != NULL;
    }
    ok(saved == SAVERS && loaded == SAVES, "%d threads save to one path, and each load finds a "
       "complete plan", SAVERS);
    spmv_plan_destroy(plans[0]);
    spmv_plan_destroy(plans[1]);
    sample_destroy(s);
}

/* ---- stale ---------------------------------------------------------------------------------- */

static void refuse(const char *what, const spmv_csr *csr, const spmv_plan_options *options,
                   spmv_status status, const char *text)
{
    spmv_plan *plan = (spmv_plan *)&text;        /* anything but NULL */
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_plan_load(device, csr, options, "plan", &plan, &err) == status &&
       err.status == status && plan == NULL, "refused: %s", what);
    if (!ok(strncmp(err.text, "spmv_plan_load: ", 16) == 0 && strstr(err.text, text),
            "and the text says '%s'", text))
        diag("%s", err.text);
    ok(spmv_plan_load(device, csr, options, "plan", &plan, NULL) == status,
       "the error may be NULL");
}

static void test_other_matrix(sample *s)
{
    sample *moved = sample_create(ROWS, COLS, 0, SPMV_F64, SPMV_I32);
    sample *narrow = sample_create(ROWS, COLS, 1, SPMV_F32, SPMV_I64);
    int32_t *offset = (int32_t *)s->row_ptr + 3;
    const int32_t kept = *offset;
    spmv_csr csr = s->csr;

    csr.cols++;
    refuse("more columns", &csr, NULL, SPMV_STALE, "csr.cols is 71, it was 70");
    refuse("another base", &moved->csr, NULL, SPMV_STALE, "csr.base is 0, it was 1");
    refuse("other types", &narrow->csr, NULL, SPMV_STALE, "csr.offset_type is 64, it was 32");
    csr = s->csr;
    csr.rows--;                  /* the last row is empty */
    refuse("less rows", &csr, NULL, SPMV_STALE, "csr.rows is 119, it was 120");
    s->col_idx[5]++;
    refuse("another column", &s->csr, NULL, SPMV_STALE, "csr.col_idx has other contents");
    s->col_idx[5]--;
    *offset -= 1;
    refuse("another row", &s->csr, NULL, SPMV_STALE, "csr.row_ptr has other contents");
    *offset = -7;
    refuse("an invalid matrix", &s->csr, NULL, SPMV_INVALID_MATRIX, "csr.row_ptr falls");
    *offset = kept;
    sample_destroy(moved);
    sample_destroy(narrow);
}

static void test_options(const sample *s)
{
    const struct {
        const char *what;
        spmv_plan_options options;
        spmv_status status;
        const char *text;
    } cases[] = {
        {"another method", {.method = "toy_rows"}, SPMV_STALE,
         "the file is of method 'toy_sorted', options.method is 'toy_rows'"},
        {"another target", {.target = "toy-fast"}, SPMV_STALE, "options.target is 'toy-fast'"},
        {"another setting", {.method = "toy_sorted", .settings = "permuted=1,stripe=5"}, SPMV_STALE,
         "the file has stripe=9, options.settings asks for 5"},
        {"an unknown setting", {.method = "toy_sorted", .settings = "strip=5"},
         SPMV_INVALID_ARGUMENT, "did you mean 'stripe'?"},
        {"another choice", {.choice = "spmv-choice 1 toy_rows_f64_i32 0000000000000001"},
         SPMV_STALE, "the file is of toy_sorted_f64_i32, options.choice of toy_rows_f64_i32"},
        {"another choice of settings",
         {.choice = "spmv-choice 1 toy_sorted_f64_i32 0000000000000001 permuted=1,stripe=8"},
         SPMV_STALE, "the file has stripe=9"},
        {"a malformed choice", {.choice = "what"}, SPMV_INVALID_ARGUMENT, "options.choice"},
        {"negative threads", {.threads = -1}, SPMV_INVALID_ARGUMENT, "options.threads is -1"},
    };
    spmv_plan_options agreeing = {
        .struct_size = sizeof agreeing, .method = "toy_sorted", .target = "toy",
        .settings = "stripe=9,permuted=1",
        .choice = "spmv-choice 1 toy_sorted_f64_i32 0000000000000001 permuted=1,stripe=9",
    };
    spmv_plan *plan = NULL;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_plan_options options = cases[i].options;
        options.struct_size = sizeof options;
        refuse(cases[i].what, &s->csr, &options, cases[i].status, cases[i].text);
    }
    ok(spmv_plan_load(device, &s->csr, &agreeing, "plan", &plan, NULL) == SPMV_OK,
       "options that agree with the file are fine");
    spmv_plan_destroy(plan);
}

/* The device has another build of the module, lacks the module, or may not use it. */
static void test_other_module(const sample *s)
{
    static spmv_module changed;
    const spmv_module *const table[] = {&changed, NULL};
    const spmv_device_options empty = {.struct_size = sizeof empty, .no_builtin_modules = 1};
    const spmv_device_options toys = {.struct_size = sizeof toys, .target = "toy-fast",
                                      .no_builtin_modules = 1};
    spmv_device *kept = device;

    spmv_device_open(&empty, &device, NULL);
    refuse("a module that is not there", &s->csr, NULL, SPMV_STALE, "which the device has not");
    changed = toy_sorted_f64_i32;
    changed.source_hash = 0xab;
    spmv_device_add_modules(device, table, NULL);
    refuse("a module of other sources", &s->csr, NULL, SPMV_STALE,
           "with source hash 0000000000000001; the device's has 00000000000000ab");
    spmv_device_close(device);
    spmv_device_open(&toys, &device, NULL);
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    refuse("a module that the device may not use", &s->csr, NULL, SPMV_STALE,
           "opened for another target");
    spmv_device_close(device);
    device = kept;
}

/* ---- a module that states another layout than when it was saved ------------------------------ */

static int layout_change;

static spmv_status changed_layout_size(spmv_layout *layout)
{
    const spmv_status status = toy_sorted_f64_i32.ops->layout_size(layout);

    switch (layout_change) {
    case 1: layout->array[1].bytes += 4; break;
    case 2: layout->array[1].name = "rows"; break;
    case 3: layout->array_count++; break;
    case 4: layout->number[3] = 8; break;
    case 5: layout->workspace_bytes = 64; break;
    case 6: layout->borrows = SPMV_BORROWS_VAL; break;
    case 7: layout->permutes_y = 2; break;
    case 8: layout->permutes_x = 1; break;
    }
    return status;
}

static void test_other_layout(const sample *s)
{
    static const char *const texts[] = {
        NULL, "array 1 has", "array 1 has", "array_count is 5, it was 4",
        "number[3] is 8, it was 0", "workspace_bytes is 64, it was 0", "borrows is 4, it was 0",
        "permutes_y is 2, it was 1", "permutes_x is 1, it was 0",
    };
    static spmv_module module;
    static spmv_method_ops ops;
    const spmv_module *const table[] = {&module, NULL};
    const spmv_device_options empty = {.struct_size = sizeof empty, .no_builtin_modules = 1};
    spmv_device *kept = device;
    spmv_plan *plan = NULL;

    module = toy_sorted_f64_i32;
    ops = *module.ops;
    ops.layout_size = changed_layout_size;
    module.ops = &ops;
    spmv_device_open(&empty, &device, NULL);
    spmv_device_add_modules(device, table, NULL);
    for (layout_change = 1; layout_change < (int)(sizeof texts / sizeof texts[0]); layout_change++)
        refuse("a module that states another layout now", &s->csr, NULL, SPMV_STALE,
               texts[layout_change]);
    layout_change = 0;
    plan = load(s, 1, 0);
    ok(plan != NULL, "a module that states the same layout is accepted");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    device = kept;
}

static void test_stale(void)
{
    sample *s = sample_create(ROWS, COLS, 1, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(s, "toy_sorted", NULL, "permuted=1,stripe=9", 1, 0);

    spmv_plan_save(plan, "plan", NULL);
    spmv_plan_destroy(plan);
    test_other_matrix(s);
    test_options(s);
    test_other_module(s);
    test_other_layout(s);
    plan = load(s, 1, 0);
    ok(plan != NULL, "the file itself is good");
    spmv_plan_destroy(plan);
    sample_destroy(s);
}

/* ---- arguments and paths --------------------------------------------------------------------- */

static void refuse_path(const char *what, const spmv_csr *csr, const char *path, const char *text)
{
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_status expected = path != NULL && path[0] != '\0' ? SPMV_FILE_ERROR
                                                                 : SPMV_INVALID_ARGUMENT;

    ok(spmv_plan_load(device, csr, NULL, path, &plan, &err) == expected && plan == NULL,
       "not loaded from %s", what);
    if (!ok(strstr(err.text, text) != NULL, "and the text says '%s'", text))
        diag("%s", err.text);
}

static void test_paths(void)
{
    static char endless[9000];
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);
    spmv_plan *plan = create(s, "toy_parts", NULL, NULL, 1, 0);
    spmv_plan *unsavable = NULL;
    spmv_error err = {SPMV_OK, ""};
    int files;

    memset(endless, 'e', sizeof endless - 1);
    mkdir("folder", 0777);
    mkfifo("pipe", 0600);
    folder_put("empty", "", 0);
    refuse_path("a file that is not there", &s->csr, "nowhere", "'nowhere': cannot open it");
    refuse_path("a folder", &s->csr, "folder", "'folder': it is no regular file");
    refuse_path("a pipe, without waiting for it", &s->csr, "pipe", "it is no regular file");
    refuse_path("a device", &s->csr, "/dev/zero", "it is no regular file");
    refuse_path("an empty file", &s->csr, "empty", "the file has 0 bytes");
    refuse_path("no path", &s->csr, NULL, "path is empty");
    refuse_path("an empty path", &s->csr, "", "path is empty");
    refuse_path("a path without an end", &s->csr, endless, "eee");

    files = folder_count();
    ok(spmv_plan_save(plan, "nowhere/plan", &err) == SPMV_FILE_ERROR &&
       strstr(err.text, "spmv_plan_save: 'nowhere/plan': cannot create a file beside it"),
       "not saved into a folder that is not there");
    ok(spmv_plan_save(plan, "folder", &err) == SPMV_FILE_ERROR &&
       strstr(err.text, "spmv_plan_save: 'folder': there is a folder of that name"),
       "nor in the place of a folder");
    ok(spmv_plan_save(plan, "pipe", &err) == SPMV_FILE_ERROR &&
       strstr(err.text, "there is a pipe of that name"), "nor in the place of a pipe");
    ok(spmv_plan_save(plan, endless, &err) == SPMV_FILE_ERROR, "nor where the name is too long");
    ok(spmv_plan_save(plan, NULL, &err) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_save(plan, "", &err) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_save(NULL, "plan", &err) == SPMV_INVALID_ARGUMENT, "nor null or empty arguments");
    spmv_plan_create(device, &s->csr, NULL, &unsavable, NULL);
    ok(spmv_plan_save(unsavable, "plan", &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "options.savable = 1"), "nor a plan without options.savable");
    ok(folder_count() == files, "and no file is left behind");
    spmv_plan_destroy(unsavable);
    ok(spmv_plan_load(NULL, &s->csr, NULL, "plan", &unsavable, &err) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_load(device, NULL, NULL, "plan", &unsavable, &err) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_load(device, &s->csr, NULL, "plan", NULL, &err) == SPMV_INVALID_ARGUMENT,
       "null arguments are not loaded");
    spmv_plan_destroy(plan);
    sample_destroy(s);
}

/* ---- all modules ----------------------------------------------------------------------------- */

/* Each setting at both ends of its range. */
static void test_settings(const spmv_module *module)
{
    for (int32_t i = 0; i < module->ops->setting_count; i++) {
        const spmv_setting *setting = &module->ops->settings[i];
        char text[100];

        snprintf(text, sizeof text, "%s=%lld", setting->name, (long long)setting->least);
        test_module(module, text, ROWS, COLS, 1, 0);
        snprintf(text, sizeof text, "%s=%lld", setting->name, (long long)setting->most);
        test_module(module, text, ROWS, COLS, 1, 0);
        test_module(module, text, 1000, 3, 0, 1);
    }
}

static void test_modules(void)
{
    for (size_t i = 0; i < spmv_device_module_count(device); i++) {
        const spmv_module *module = spmv_device_module(device, i);

        /* The suites "runtime transposed" and "runtime symmetric" save such plans. */
        if (module->ops->transposes || module->ops->symmetric)
            continue;
        for (int copy = 0; copy <= 1; copy++)
            test_module(module, NULL, ROWS, COLS, 1, copy);
        test_module(module, NULL, 0, 5, 0, 0);
        test_module(module, NULL, 5, 0, 1, 0);
        test_module(module, NULL, 1000, 3, 0, 0);
        test_same_file(module);
        test_settings(module);
    }
}

int main(void)
{
    spmv_device *toys = sample_device();

    spmv_device_add_modules(toys, toy_sorted_modules, NULL);
    folder_enter();
    device = toys;
    test_modules();
    test_module(&toy_sorted_f64_i32, "permuted=1,stripe=9", ROWS, COLS, 1, 0);
    test_large();
    test_at_once();
    test_stale();
    test_paths();
    spmv_device_open(NULL, &device, NULL);
    if (spmv_device_module_count(device) == 0)
        skip("no modules are linked into the library");
    else
        test_modules();
    spmv_device_close(device);
    spmv_device_close(toys);
    folder_leave();
    return tap_done();
}
