/* test_saved.c: saved and loaded plans give the same bits with the caller's values. */
#define _XOPEN_SOURCE 700
#include "folder.h"
#include "sample.h"
#include "saved.h"
#include "toy.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 120, COLS = 70 };

static spmv_device *device;

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
    plan = saved_create(device, s, module->method, module->target, settings, 1, copy);
    ok(spmv_plan_save(plan, "plan", &err) == SPMV_OK, "%s, %dx%d, copy %d: is saved", module->name,
       rows, cols, copy);
    loaded = saved_load(device, s, 3, copy);
    ok(is_same(s, plan, loaded), "and loaded gives the same bits");
    ok(plan != NULL && loaded != NULL && is_same_info(plan, loaded), "and has the same info");
    ok(spmv_plan_save(loaded, "again", &err) == SPMV_OK, "and can be saved again");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(loaded);

    make_inexact(s, 17);         /* the file has the old values, borrowed or not */
    loaded = saved_load(device, s, 2, copy);
    fresh = saved_create(device, s, module->method, module->target, settings, 1, copy);
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
    spmv_plan *one = saved_create(device, s, module->method, module->target, NULL, 1, 0);
    spmv_plan *seven = saved_create(device, s, module->method, module->target, NULL, 7, 0);

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
    spmv_plan *plan = saved_create(device, s, "toy_parts", NULL, NULL, 2, 0);
    spmv_plan *loaded;
    spmv_error err = {SPMV_OK, ""};
    unsigned char *bytes;
    size_t size;

    ok(spmv_plan_save(plan, "plan", &err) == SPMV_OK, "a plan of several megabytes is saved");
    loaded = saved_load(device, s, 3, 0);
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
    spmv_plan *plans[] = {saved_create(device, s, "toy_parts", NULL, NULL, 1, 0),
                          saved_create(device, s, "toy_sorted", NULL, NULL, 1, 0)};
    pthread_t thread[SAVERS];
    int loaded = 0, saved = 0;

    spmv_plan_save(plans[0], "plan", NULL);
    for (int i = 0; i < SAVERS; i++)
        if (pthread_create(&thread[i], NULL, save_repeatedly, plans[i % 2]) != 0)
            abort();
    for (int i = 0; i < SAVES; i++) {
        spmv_plan *plan = saved_load(device, s, 1, 0);
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
