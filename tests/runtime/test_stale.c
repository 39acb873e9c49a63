/* test_stale.c: a saved plan of another matrix, module or choice is refused, and so are paths that
 * name no file of a plan. */
#define _XOPEN_SOURCE 700
#include "folder.h"
#include "sample.h"
#include "saved.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS = 120, COLS = 70 };

static spmv_device *device;

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
    plan = saved_load(device, s, 1, 0);
    ok(plan != NULL, "a module that states the same layout is accepted");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    device = kept;
}

static void test_stale(void)
{
    sample *s = sample_create(ROWS, COLS, 1, SPMV_F64, SPMV_I32);
    spmv_plan *plan = saved_create(device, s, "toy_sorted", NULL, "permuted=1,stripe=9", 1, 0);

    spmv_plan_save(plan, "plan", NULL);
    spmv_plan_destroy(plan);
    test_other_matrix(s);
    test_options(s);
    test_other_module(s);
    test_other_layout(s);
    plan = saved_load(device, s, 1, 0);
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
    spmv_plan *plan = saved_create(device, s, "toy_parts", NULL, NULL, 1, 0);
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

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    folder_enter();
    test_stale();
    test_paths();
    spmv_device_close(device);
    folder_leave();
    return tap_done();
}
