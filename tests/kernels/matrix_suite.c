/* matrix_suite.c: tests real matrices with every module that this machine can run, in f32 and f64,
 * with both row-pointer types. Results must be within their bounds, and the same with one thread
 * and with two.
 *
 *     matrix_suite FOLDER [--device DEVICE TARGET] [NAME]...
 *
 * With --device it tries the target's programs on that device. Each matrix is then tried in one of
 * the four pairs of types, in turn, since OpenCL devices that are CPUs are slow. FOLDER holds .mtx
 * and .mtx.gz files; the environment variable SPMV_MATRICES overrides it. With names it tries only
 * these files. It prints one TAP line for each matrix; SKIP if the folder or a named file is
 * missing.
 */
#define _POSIX_C_SOURCE 200809L  /* scandir */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "bench/matrices/matrix.h"
#include "bench/matrices/mtx/mtx.h"
#include "bench/matrices/permutation.h"
#include "bench/matrices/random.h"
#include "bench/race/reference.h"
#include "runtime/spmv.h"

/* One matrix in one module's types. */
typedef struct trial {
    const char *file;
    bench_matrix *matrix;
    void *x, *before, *y, *other;
    bench_reference *reference;
} trial;

static void trial_destroy(trial *t)
{
    bench_matrix_destroy(t->matrix);
    bench_reference_destroy(t->reference);
    free(t->x);
    free(t->before);
    free(t->y);
    free(t->other);
}

static bool trial_create(const char *file, const spmv_csr *csr, spmv_offset_type offset_type,
                         spmv_value_type value_type, trial *t)
{
    const size_t bytes = bench_value_bytes(value_type);
    bench_random random = { 5 };

    *t = (trial){ .file = file };
    t->x = malloc((size_t)csr->cols * bytes + 1);
    t->before = malloc((size_t)csr->rows * bytes + 1);
    t->y = malloc((size_t)csr->rows * bytes + 1);
    t->other = malloc((size_t)csr->rows * bytes + 1);
    bool made = t->x && t->before && t->y && t->other &&
                !bench_matrix_convert(csr, 0, offset_type, value_type, &t->matrix);
    if (made) {
        bench_random_fill(&random, BENCH_UNIFORM, value_type, t->x, (size_t)csr->cols);
        bench_random_fill(&random, BENCH_UNIFORM, value_type, t->before, (size_t)csr->rows);
        made = !bench_reference_create(&t->matrix->csr, t->x, &t->reference);
    }
    if (!made)
        trial_destroy(t);
    return made;
}

/* y = A*x/2 + 3*y on this number of threads; y is in the order of rows. */
static bool multiply(spmv_device *device, const spmv_module *module, const trial *t, int threads,
                     void *y)
{
    const spmv_csr *csr = &t->matrix->csr;
    const spmv_plan_options options = { .struct_size = sizeof options, .method = module->method,
                                        .target = module->target, .threads = threads,
                                        .full_check = 1 };
    spmv_error err = { SPMV_OK, "" };
    spmv_plan *plan = NULL;

    spmv_status status = spmv_plan_create(device, csr, &options, &plan, &err);
    if (!status)
        status = bench_permuted_execute(plan, 0.5, t->x, 3, t->before, NULL, y);
    if (status)
        diag("%s: %s: %s", t->file, module->name,
             err.text[0] ? err.text : spmv_status_text(status));
    spmv_plan_destroy(plan);
    return !status;
}

static bool is_right(spmv_device *device, const spmv_module *module, const trial *t)
{
    const spmv_csr *csr = &t->matrix->csr;

    if (!multiply(device, module, t, 1, t->y) || !multiply(device, module, t, 2, t->other))
        return false;
    if (memcmp(t->y, t->other, (size_t)csr->rows * bench_value_bytes(csr->value_type)) != 0) {
        diag("%s: %s: other bits on two threads than on one", t->file, module->name);
        return false;
    }
    const bench_verdict v = bench_reference_check(t->reference, 0.5, 3, t->before, t->y, false);
    if (v.wrong)
        diag("%s: %s: %lld rows are wrong; row %lld: expected %.17g within %.3g, found %.17g",
             t->file, module->name, (long long)v.wrong, (long long)v.row, v.expected, v.bound,
             v.found);
    return v.wrong == 0;
}

/* Tries every module with these types. */
static bool try_types(spmv_device *device, const char *file, const spmv_csr *csr,
                      spmv_offset_type offset_type, spmv_value_type value_type, int *tried)
{
    bool good = true;
    trial t;

    if (!trial_create(file, csr, offset_type, value_type, &t)) {
        diag("%s: the test itself has no memory", file);
        return false;
    }
    for (size_t i = 0; i < spmv_device_module_count(device); i++) {
        const spmv_module *module = spmv_device_module(device, i);
        /* A module that transposes needs other vectors, and one of symmetric matrices other
           matrices; the suite of kernels makes them. */
        if (module->offset_type != offset_type || module->value_type != value_type ||
            module->ops->transposes || module->ops->symmetric)
            continue;
        good = is_right(device, module, &t) && good;
        ++*tried;
    }
    trial_destroy(&t);
    return good;
}

/* types: the number of a pair of types; -1: all four pairs. */
static void try_file(spmv_device *device, const char *folder, const char *file, int types)
{
    static const spmv_offset_type offsets[] = { SPMV_I32, SPMV_I64 };
    static const spmv_value_type values[] = { SPMV_F32, SPMV_F64 };
    char path[4096];
    mtx_matrix m;
    mtx_error err;
    bool good = true;
    int tried = 0;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    const mtx_status status = mtx_read(path, NULL, &m, &err);
    if (status == MTX_UNREPRESENTABLE) {
        skip("%s", err.text);
        return;
    }
    if (status) {
        ok(false, "%s is read", file);
        diag("%s", err.text);
        return;
    }
    const spmv_csr csr = { .rows = m.rows, .cols = m.cols, .nnz = m.nnz, .row_ptr = m.row_ptr,
                           .col_idx = m.col_idx, .val = m.val, .offset_type = SPMV_I64,
                           .value_type = SPMV_F64 };
    for (int i = 0; i < 4; i++)
        if (types < 0 || types == i)
            good = try_types(device, file, &csr, offsets[i / 2], values[i % 2], &tried) && good;
    ok(good && tried > 0, "%s: %lld x %lld, %lld nonzeros: %d modules are right", file,
       (long long)m.rows, (long long)m.cols, (long long)m.nnz, tried);
    mtx_free(&m);
}

/* The ending of a matrix's file; NULL: not a matrix. */
static const char *ending_of(const char *file)
{
    const char *dot = strstr(file, ".mtx");
    return dot && (!dot[4] || strcmp(dot, ".mtx.gz") == 0) ? dot : NULL;
}

static int is_matrix(const struct dirent *entry)
{
    return ending_of(entry->d_name) != NULL;
}

static bool is_file_of(const char *file, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && file + length == ending_of(file);
}

/* Without names every file is chosen. */
static bool is_chosen(const char *file, char **names)
{
    for (char **name = names; *name; name++)
        if (is_file_of(file, *name))
            return true;
    return !*names;
}

static void skip_missing(struct dirent **entries, int count, char **names)
{
    for (char **name = names; *name; name++) {
        int i = 0;
        while (i < count && !is_file_of(entries[i]->d_name, *name))
            i++;
        if (i == count)
            skip("no file of %s among the matrices", *name);
    }
}

int main(int argc, char **argv)
{
    const char *named = getenv("SPMV_MATRICES");
    const char *folder = named ? named : argc > 1 ? argv[1] : "";
    struct dirent **entries = NULL;
    spmv_device *device = NULL;
    spmv_error err = { SPMV_OK, "" };
    const int count = scandir(folder, &entries, is_matrix, alphasort);
    const bool is_other = argc > 4 && strcmp(argv[2], "--device") == 0;      /* than the CPU */
    char **names = argv + (is_other ? 5 : argc > 2 ? 2 : argc);
    const spmv_device_options options = { .struct_size = sizeof options,
                                          .device = is_other ? argv[3] : NULL,
                                          .target = is_other ? argv[4] : NULL };

    if (argc > 2 && strncmp(argv[2], "--", 2) == 0 && !is_other) {
        ok(false, "takes its arguments");
        return tap_done();
    }
    if (count <= 0) {
        skip("no matrices in '%s'; SPMV_MATRICES names a folder", folder);
        return tap_done();
    }
    const spmv_status status = spmv_device_open(&options, &device, &err);
    if (status && is_other)
        skip("%s", err.text);
    else if (!ok(status == SPMV_OK, "opens the device"))
        diag("%s", err.text);
    else if (spmv_device_module_count(device) == 0)
        skip("no module that this machine can run");
    skip_missing(entries, count, names);
    for (int i = 0; i < count; i++) {
        if (device && spmv_device_module_count(device) > 0 && is_chosen(entries[i]->d_name, names))
            try_file(device, folder, entries[i]->d_name, is_other ? i % 4 : -1);
        free(entries[i]);
    }
    free(entries);
    spmv_device_close(device);
    return tap_done();
}
