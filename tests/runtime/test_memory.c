/* test_memory.c: failing allocations, and calls that must not allocate.
 *
 * The linker routes the library's calls of malloc, calloc, realloc and aligned_alloc through the
 * counters below (-Wl,--wrap), so the library needs no code for this test.
 */
#define _XOPEN_SOURCE 700        /* realpath, unsetenv */
#include "folder.h"
#include "sample.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

#ifdef WITHOUT_WRAP

int main(void)
{
    skip("the linker has no --wrap, which makes allocations fail");
    return tap_done();
}

#else

static long allocations;         /* so far */
static long failing = -1;        /* the number of the allocation that fails; negative: none */
static size_t limit = SIZE_MAX;  /* larger allocations fail, too */
static int filling = 0xff;       /* each byte of new memory */

static int must_fail(size_t bytes)
{
    return allocations++ == failing || bytes > limit;
}

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *memory = must_fail(bytes) ? NULL : __real_aligned_alloc(alignment, bytes);

    if (memory != NULL)
        memset(memory, filling, bytes);  /* the library must not rely on zeros */
    return memory;
}

void *__wrap_malloc(size_t bytes)
{
    return must_fail(bytes) ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return must_fail(count * bytes) ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return must_fail(bytes) ? NULL : __real_realloc(memory, bytes);
}

/* ---- every allocation fails in turn --------------------------------------------------------- */

/* The result of calling each function that allocates once. failed: the function that failed, or
 * NULL. */
typedef struct outcome {
    const char *failed;
    spmv_status status;
    spmv_error err;
} outcome;

typedef struct life {
    const char *modules;         /* a shared object of modules; NULL: the built-in modules */
    const char *target, *method;
    int copy, transposed;
    spmv_value_type round_to;    /* 0: values are not rounded */
} life;

/* New values and the restored matrix, which need memory if the plan has the transpose or other
 * values than the caller. */
static void live_values(const sample *s, const life *how, spmv_plan *plan, outcome *result)
{
    int32_t *col_idx = __real_calloc((size_t)s->csr.nnz + 1, sizeof *col_idx);
    void *val = __real_calloc((size_t)s->csr.nnz + 1, 8);
    void *row_ptr = __real_calloc((size_t)s->csr.rows + 1, 8);

    result->failed = "spmv_plan_restore_csr";
    result->status = spmv_plan_restore_csr(plan, how->transposed ? row_ptr : NULL, col_idx, val,
                                           &result->err);
    if (result->status == SPMV_OK) {
        result->failed = "spmv_plan_update_values";
        result->status = spmv_plan_update_values(plan, s->val, &result->err);
    }
    /* A plan may borrow the values that it got last. */
    if (result->status == SPMV_OK)
        result->status = spmv_plan_update_values(plan, s->val, &result->err);
    free(row_ptr);
    free(col_idx);
    free(val);
}

static void live(const sample *s, const life *how, const void *x, void *y, outcome *result)
{
    const spmv_device_options device_options = {.struct_size = sizeof device_options,
                                                .target = how->target,
                                                .no_builtin_modules = how->modules != NULL};
    const spmv_plan_options options = {.struct_size = sizeof options, .method = how->method,
                                       .copy = how->copy, .savable = 1,
                                       .transposed = how->transposed,
                                       .round_to = how->round_to};
    spmv_device *device = NULL;
    spmv_plan *plan = NULL, *loaded = NULL;
    void *memory = NULL;

    *result = (outcome){NULL, SPMV_OK, {SPMV_OK, ""}};
#define TRY(name, call)                                                                            \
    do {                                                                                           \
        result->failed = name;                                                                     \
        result->status = call;                                                                     \
        if (result->status != SPMV_OK)                                                             \
            goto cleanup;                                                                          \
    } while (0)
    TRY("spmv_device_open", spmv_device_open(&device_options, &device, &result->err));
    if (how->modules != NULL) {
        TRY("spmv_device_load_modules",
            spmv_device_load_modules(device, how->modules, &result->err));
        TRY("spmv_device_add_modules",
            spmv_device_add_modules(device, toy_sorted_modules, &result->err));
    }
    TRY("spmv_alloc", spmv_alloc(device, 100, &memory));
    TRY("spmv_plan_create", spmv_plan_create(device, &s->csr, &options, &plan, &result->err));
    TRY("spmv_plan_save", spmv_plan_save(plan, "plan", &result->err));
    TRY("spmv_plan_load", spmv_plan_load(device, &s->csr, &options, "plan", &loaded, &result->err));
    if (how->transposed || how->round_to != 0) {
        live_values(s, how, loaded, result);
        if (result->status != SPMV_OK)
            goto cleanup;
    }
    TRY("spmv_execute", spmv_execute(loaded, 1, x, 0, y, NULL));
    result->failed = NULL;

cleanup:
    if ((device == NULL) != (result->failed && strcmp(result->failed, "spmv_device_open") == 0))
        result->status = SPMV_INVALID_MATRIX;    /* a device is set exactly on success */
    spmv_plan_destroy(plan);
    spmv_plan_destroy(loaded);
    spmv_free(device, memory);
    spmv_device_close(device);
}

/* Makes each allocation fail in turn, and at last none. least: the minimum number of allocations.
 *  */
static void test_failures(const sample *s, const life *how, long least)
{
    void *y = sample_vector(s, how->transposed ? s->csr.cols : s->csr.rows, 7);
    void *x = sample_transposed_x(s);
    outcome result = {"", SPMV_OK, {SPMV_OK, ""}};
    long count = 0;

    for (; result.failed != NULL && count < 1000; count++) {
        allocations = 0;
        failing = count;
        live(s, how, how->transposed ? x : s->x, y, &result);
        failing = -1;
        if (result.failed != NULL) {
            const int has_error = strcmp(result.failed, "spmv_alloc") != 0;
            if (!ok(result.status == SPMV_OUT_OF_MEMORY &&
                    (!has_error || (result.err.status == SPMV_OUT_OF_MEMORY &&
                                    strstr(result.err.text, result.failed))),
                    "%s %s, copy %d%s: allocation %ld fails in %s, which says so", how->method,
                    how->target, how->copy, how->transposed ? ", transposed" : "", count,
                    result.failed))
                diag("%d: %s", (int)result.status, result.err.text);
        }
    }
    ok(result.status == SPMV_OK && count > least,
       "%s %s, copy %d: with all %ld allocations everything works", how->method, how->target,
       how->copy, count - 1);
    ok(how->transposed ? sample_is_transposed(s, s->val, x, y, 1, 0, 7)
                       : sample_is_right(s, y, 1, 0, 7),
       "and the result is right");
    free(x);
    free(y);
}

/* Unwritten memory must not reach the file: it may hold secrets, and differs each time. */
static void test_nothing_unwritten(const spmv_module *module, const sample *s,
                                   spmv_device *device)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = module->method,
                                       .target = module->target, .savable = 1,
                                       .transposed = module->ops->transposes};
    unsigned char *bytes[2];
    size_t size[2];

    for (int i = 0; i < 2; i++) {
        spmv_plan *plan = NULL;

        filling = i == 0 ? 0x55 : 0xff;
        spmv_plan_create(device, &s->csr, &options, &plan, NULL);
        spmv_plan_save(plan, "plan", NULL);
        spmv_plan_destroy(plan);
        bytes[i] = folder_get("plan", &size[i]);
    }
    ok(size[0] > 0 && size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0,
       "%s %s: a file holds no unwritten bytes", module->method, module->target);
    free(bytes[0]);
    free(bytes[1]);
}

/* Every built-in module that this machine can run, each in one way: as it is, with copied arrays,
 * or transposed. A method has modules of four pairs of types, one behind the other, so it gets each
 * way. */
static void test_linked_modules(void)
{
    spmv_device *device = NULL;
    size_t count;

    spmv_device_open(NULL, &device, NULL);
    count = spmv_device_module_count(device);
    if (count == 0)
        skip("no modules are linked into the library");
    for (size_t i = 0; i < count; i++) {
        const spmv_module *module = spmv_device_module(device, i);
        sample *s;

        if (module->ops->symmetric)      /* its matrix is another; the suite "runtime symmetric" */
            continue;
        s = sample_create(300, 90, 1, module->value_type, module->offset_type);
        test_failures(s, &(life){NULL, module->target, module->method, i % 3 == 1,
                                 module->ops->transposes || i % 3 == 2, (spmv_value_type)0}, 8);
        test_nothing_unwritten(module, s, device);
        sample_destroy(s);
    }
    spmv_device_close(device);
}

/* Without memory to measure a candidate it is skipped; without memory for any it is an error. */
static void test_measured(void)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .measure = 1};
    sample *s = sample_create(300, 90, 1, SPMV_F64, SPMV_I32);
    void *y = sample_vector(s, s->csr.rows, 7);
    spmv_device *device = NULL;
    long count = 0, plans = 0, errors = 0, wrong = 0;
    int has_failed = 1;

    spmv_device_open(NULL, &device, NULL);
    if (spmv_device_module_count(device) == 0) {
        skip("no modules are linked into the library");
        has_failed = 0;
    }
    for (; has_failed && count < 1000; count++) {
        spmv_plan *plan = NULL;
        spmv_error err = {SPMV_OK, ""};

        allocations = 0;
        failing = count;
        const spmv_status status = spmv_plan_create(device, &s->csr, &options, &plan, &err);
        failing = -1;
        has_failed = allocations > count;
        if (status != SPMV_OK) {
            errors++;
            wrong += status != SPMV_OUT_OF_MEMORY || plan != NULL || err.status != status;
            continue;
        }
        plans++;
        wrong +=
            spmv_execute(plan, 1, s->x, 0, y, NULL) != SPMV_OK || !sample_is_right(s, y, 1, 0, 7);
        spmv_plan_destroy(plan);
    }
    if (count > 0)
        ok(wrong == 0 && errors > 0 && plans > 1,
           "options.measure: each of %ld allocations fails: %ld right plans, %ld errors", count - 1,
           plans, errors);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

/* Without memory for the cheapest method the plan has another method, and its reason says so. */
static void test_fall_back(void)
{
    spmv_plan_options options = {.struct_size = sizeof options, .expected_runs = 1000000};
    sample *s = sample_create(60000, 900, 1, SPMV_F64, SPMV_I32);
    void *y = sample_vector(s, s->csr.rows, 7);
    spmv_plan_info before = {.struct_size = sizeof before}, after = before;
    spmv_candidate candidate = {.struct_size = sizeof candidate};
    spmv_device *device = NULL;
    spmv_plan *plan = NULL, *first = NULL;
    spmv_error err = {SPMV_OK, ""};
    int found = 0;

    spmv_device_open(NULL, &device, NULL);
    if (spmv_device_module_count(device) == 0 ||
        spmv_plan_create(device, &s->csr, &options, &first, NULL) != SPMV_OK ||
        spmv_plan_query(first, &before) != SPMV_OK || before.layout_bytes == 0) {
        skip("no method that is linked into the library converts the matrix by default");
        goto cleanup;
    }
    limit = before.layout_bytes / 8;     /* enough for everything but the layout */
    ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_OK &&
       spmv_plan_query(plan, &after) == SPMV_OK &&
       strcmp(after.module->method, before.module->method) != 0,
       "without memory for %s there is a plan: %s", before.module->name, err.text);
    ok(strstr(after.reason, "there was none for ") && strstr(after.reason, before.module->method),
       "%s: %s", after.module->name, after.reason);
    for (size_t i = 0; i < spmv_plan_candidate_count(plan); i++)
        if (spmv_plan_explain(plan, i, &candidate) == SPMV_OK && candidate.module == before.module)
            found = candidate.why_not != NULL && strstr(candidate.why_not, "no memory for ");
    ok(found, "%s is a candidate with the reason why it was not chosen", before.module->name);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 7),
       "and the result is right");
    spmv_plan_destroy(plan);
    options.method = before.module->method;
    ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_OUT_OF_MEMORY &&
       plan == NULL,
       "a named method is not replaced by another: %s", err.text);
    options.method = NULL;
    limit = 0;
    ok(spmv_plan_create(device, &s->csr, &options, &plan, &err) == SPMV_OUT_OF_MEMORY &&
       plan == NULL,
       "without any memory there is no plan: %s", err.text);

cleanup:
    limit = SIZE_MAX;
    spmv_plan_destroy(first);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

static void test_toys(const char *modules)
{
    static const struct {
        const char *method;
        int copy;
        long least;
    } toys[] = {
        {"toy_rows", 0, 10}, {"toy_rows", 1, 16}, {"toy_parts", 0, 18}, {"toy_parts", 1, 18},
        {"toy_sorted", 0, 18}, {"toy_sorted", 1, 18},
    };
    sample *s = sample_create(50, 40, 1, SPMV_F64, SPMV_I32);

    for (size_t i = 0; i < sizeof toys / sizeof toys[0]; i++)
        for (int how = 0; how < 4; how++)
            test_failures(s, &(life){modules, "toy", toys[i].method, toys[i].copy, how % 2,
                                     how / 2 != 0 ? SPMV_F32 : (spmv_value_type)0},
                          toys[i].least);
    sample_destroy(s);
}

/* ---- calls that must not allocate ----------------------------------------------------------- */

static void test_nothing_allocated(const char *method)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .threads = 2};
    spmv_device *device = sample_device();
    sample *s = sample_create(50, 40, 1, SPMV_F64, SPMV_I32);
    void *y = sample_vector(s, 50, 7);
    spmv_plan *plan = NULL;

    spmv_plan_create(device, &s->csr, &options, &plan, NULL);
    spmv_execute(plan, 1, s->x, 0, y, NULL);
    allocations = 0;
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && allocations == 0,
       "%s: an execute allocates nothing once its threads run", method);
    ok(spmv_plan_update_values(plan, s->val, NULL) == SPMV_OK && allocations == 0,
       "%s: an update allocates nothing", method);
    ok(spmv_plan_restore_csr(plan, NULL, s->col_idx, NULL, NULL) == SPMV_OK && allocations == 0,
       "%s: restoring the CSR allocates nothing", method);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    sample_destroy(s);
    free(y);
}

static void test_alignment(void)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000};
    spmv_device *device = sample_device();

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *memory = NULL;

        ok(spmv_alloc(device, sizes[i], &memory) == SPMV_OK && memory != NULL &&
           (uintptr_t)memory % SPMV_ALIGNMENT == 0, "%zu bytes are aligned", sizes[i]);
        spmv_free(device, memory);
    }
    spmv_device_close(device);
}

int main(int argc, char **argv)
{
    char *modules;

    if (argc != 2) {
        diag("usage: %s TOYS", argv[0]);
        return 2;
    }
    modules = realpath(argv[1], NULL);
    if (modules == NULL) {
        diag("no %s", argv[1]);
        return 2;
    }
    unsetenv("SPMV_TARGET");
    folder_enter();
    test_toys(modules);
    test_linked_modules();
    test_measured();
    test_fall_back();
    test_nothing_allocated("toy_rows");
    test_nothing_allocated("toy_parts");
    test_alignment();
    folder_leave();
    free(modules);
    return tap_done();
}

#endif
