/* backend_tests.c: see backend_tests.h. */
#define _POSIX_C_SOURCE 200809L
#include "backend_tests.h"
#include "../tap.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static spmv_status open_device(const tested_backend *b, spmv_device **device, spmv_error *err)
{
    return toy_open(b->name, toy_device_modules, NULL, device, err);
}

static int has_no_context(const tested_backend *b)
{
    return b->has_no_context == NULL || b->has_no_context();
}

/* ---- results ------------------------------------------------------------------------------- */

void backend_test_results(const tested_backend *b, const char *driver)
{
    static const struct {
        double alpha, beta, old;
    } cases[] = {{1, 0, NAN}, {2, 0, NAN}, {-3, 1, 7}, {0.5, -2, 3}, {0, 2, 5}};
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    double *y = sample_vector(s, ROWS, 0);

    b->reset();
    ok(open_device(b, &device, &err) == SPMV_OK && spmv_device_module_count(device) == 1 &&
       has_no_context(b), "%s: a device opens, and has its module: %s", driver, err.text);
    spmv_plan *plan = make_plan(device, &err);
    ok(plan != NULL && has_no_context(b), "%s: a plan is made: %s", driver, err.text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && plan != NULL; i++) {
        for (int r = 0; r < ROWS; r++)
            y[r] = cases[i].old;
        ok(spmv_execute(plan, cases[i].alpha, s->x, cases[i].beta, y, NULL) == SPMV_OK &&
           sample_is_right(s, y, cases[i].alpha, cases[i].beta, cases[i].old) && has_no_context(b),
           "%s: alpha %g, beta %g: y is right, and no context stays", driver, cases[i].alpha,
           cases[i].beta);
    }
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "%s: all objects are released", driver);
    free(y);
}

void backend_test_profile(const tested_backend *b)
{
    /* Copies of x, of the sums, and of y because a host step uses it. */
    static const char *const names[] = {
        "to the device", "toy_sums", "from the device", "from the device", "halve",
        "to the device", "to the device", "toy_store", "from the device", "from the device",
        "redouble", "to the device"};
    spmv_device *device = NULL;
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    double *y = sample_vector(s, ROWS, 0);

    b->reset();
    open_device(b, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    int same = spmv_execute_profile(plan, 1, s->x, 0, y, NULL, time, &count) == SPMV_OK &&
               count == (int32_t)(sizeof names / sizeof names[0]);
    for (int32_t i = 0; i < count && same; i++)
        same = strcmp(time[i].name, names[i]) == 0 && time[i].seconds >= 0;
    for (int32_t i = 0; i < count && !same; i++)
        diag("%s", time[i].name);
    ok(same, "a profile lists kernels, host steps and copies");
    ok(same && fabs(time[1].seconds - 0.002) < 1e-9, "a kernel's time is by the device's clock");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "no event is left");
    free(y);
}

/* A host step that breaks the module contract is not reported as a failure of the device. */
void backend_test_host_step(const tested_backend *b)
{
    spmv_device *device = NULL;
    spmv_status status = SPMV_OK;
    double *y = sample_vector(s, ROWS, 0);

    b->reset();
    open_device(b, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    if (!toy_execute_breaking(plan, y, &status))
        skip("the linker has no --wrap, which makes host steps fail");
    else
        ok(status == SPMV_ABI_MISMATCH, "a host step's own status comes back");
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "and the next execute is right");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "and nothing is left");
    free(y);
}

void backend_test_update(const tested_backend *b)
{
    const int64_t nnz = s->csr.nnz;
    spmv_device *device = NULL;
    double *val = malloc((size_t)nnz * sizeof *val);
    double *y = sample_vector(s, ROWS, 0);

    b->reset();
    open_device(b, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    for (int64_t k = 0; k < nnz; k++)
        val[k] = 4 * ((const double *)s->csr.val)[k];
    ok(spmv_plan_update_values(plan, val, NULL) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 4, 0, 0),
       "new values reach the device");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "and nothing is left");
    free(val);
    free(y);
}

/* ---- several threads ------------------------------------------------------------------------- */

typedef struct worker {
    const tested_backend *backend;
    const spmv_plan *plan;
    int is_right;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    double *y = sample_vector(s, ROWS, 0);
    void *workspace = aligned_alloc(64, 1024);

    w->is_right = 1;
    for (int i = 0; i < 50; i++) {
        for (int r = 0; r < ROWS; r++)
            y[r] = 2;
        w->is_right &= spmv_execute(w->plan, i, s->x, 3, y, workspace) == SPMV_OK &&
                       sample_is_right(s, y, i, 3, 2);
    }
    w->is_right &= has_no_context(w->backend);
    free(workspace);
    free(y);
    return NULL;
}

/* The host transposes for the device, too. */
void backend_test_transposed(const tested_backend *b)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .transposed = 1};
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    double *val = sample_vector(s, s->csr.nnz, 0);
    double *x = sample_transposed_x(s), *y = sample_vector(s, COLS, 5);

    b->reset();
    open_device(b, &device, NULL);
    ok(spmv_plan_create(device, &s->csr, &options, &plan, NULL) == SPMV_OK &&
       spmv_execute(plan, 2, x, 3, y, NULL) == SPMV_OK &&
       sample_is_transposed(s, s->val, x, y, 2, 3, 5), "the transpose is multiplied");
    for (int64_t k = 0; k < s->csr.nnz; k++)
        val[k] = (double)(k % 6 - 2);
    ok(spmv_plan_update_values(plan, val, NULL) == SPMV_OK &&
       spmv_execute(plan, 1, x, 0, y, NULL) == SPMV_OK &&
       sample_is_transposed(s, val, x, y, 1, 0, 0), "new values reach the transpose");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "and nothing is left");
    free(val);
    free(x);
    free(y);
}

/* The device gets values of f64 from values of f32, which it must not read itself. */
static void test_widened(const tested_backend *b, const spmv_module *const *modules,
                         const char *method)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .vector_type = SPMV_F64};
    const int64_t nnz = s->csr.nnz;
    spmv_csr csr = s->csr;
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    float *val = malloc((size_t)nnz * sizeof *val);
    double *y = sample_vector(s, ROWS, 0);

    for (int64_t k = 0; k < nnz; k++)
        val[k] = (float)((const double *)s->val)[k];
    csr.val = val;
    csr.value_type = SPMV_F32;
    b->reset();
    toy_open(b->name, modules, NULL, &device, NULL);
    ok(spmv_plan_create(device, &csr, &options, &plan, NULL) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "%s: widened values are multiplied", method);
    for (int64_t k = 0; k < nnz; k++)
        val[k] *= 4;
    ok(spmv_plan_update_values(plan, val, NULL) == SPMV_OK, "%s: so are new ones", method);
    memset(val, 0xee, (size_t)nnz * sizeof *val);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 4, 0, 0),
       "%s: and the caller's array is not read any more", method);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "and nothing is left");
    free(val);
    free(y);
}

void backend_test_widened(const tested_backend *b)
{
    test_widened(b, toy_device_modules, "a module that copies values");
    if (strcmp(b->name, "cuda") == 0)
        test_widened(b, toy_borrowing_modules, "a module that borrows values");
}

void backend_test_at_once(const tested_backend *b)
{
    enum { WORKERS = 4 };
    spmv_device *device = NULL;
    pthread_t thread[WORKERS];
    worker workers[WORKERS];
    int all_right = 1;

    b->reset();
    open_device(b, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){b, plan, 0};
        pthread_create(&thread[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(thread[i], NULL);
        all_right &= workers[i].is_right;
    }
    ok(all_right, "executes at once, each with a workspace, are right");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "and their objects are released");
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* Shared memory is not copied; the host step works on y in place. */
void backend_test_copies(const tested_backend *b, const char *name, int copies)
{
    spmv_device *device = NULL;
    void *x = NULL, *y = NULL;

    open_device(b, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    spmv_alloc(device, COLS * sizeof(double), &x);
    spmv_alloc(device, ROWS * sizeof(double), &y);
    memcpy(x, s->x, COLS * sizeof(double));
    const int found = transfers(plan, x, y);
    ok(found == copies && sample_is_right(s, y, 1, 0, 0),
       "%s: %d copies in a multiplication of vectors of spmv_alloc", name, found);
    spmv_free(device, x);
    spmv_free(device, y);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(b->is_clean(), "%s: all is freed", name);
}

void backend_test_shared_matrix(const tested_backend *b, const char *allocate, int code)
{
    const size_t bytes = (size_t)s->csr.nnz * sizeof(int32_t);
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_csr csr = s->csr;
    void *col_idx = NULL;
    double *y = sample_vector(s, ROWS, NAN);

    open_device(b, &device, NULL);
    spmv_alloc(device, bytes, &col_idx);
    memcpy(col_idx, s->col_idx, bytes);
    csr.col_idx = col_idx;
    b->fail(allocate, 2, code);          /* row_ptr alone needs one: the second would fail */
    ok(spmv_plan_create(device, &csr, NULL, &plan, NULL) == SPMV_OK,
       "an array of the matrix in shared memory is not copied");
    b->fail(NULL, 0, 0);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "and is used where it is");
    spmv_plan_destroy(plan);
    spmv_free(device, col_idx);
    spmv_device_close(device);
    ok(b->is_clean(), "and freed by its owner alone");
    free(y);
}

/* ---- refusals -------------------------------------------------------------------------------- */

void backend_expect_open(const tested_backend *b, const char *device, spmv_status status,
                         const char *expected, const char *name)
{
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1,
                                         .device = device};
    spmv_device *opened = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_status found = spmv_device_open(&options, &opened, &err);

    ok(found == status && (opened == NULL) == (status != SPMV_OK) &&
       strstr(err.text, expected) != NULL &&
       (status == SPMV_OK || strncmp(err.text, "spmv_device_open: ", 18) == 0),
       "%s: %s", name, err.text);
    spmv_device_close(opened);
    ok(b->is_clean(), "%s: nothing is left", name);
}

void backend_expect_refusal(const tested_backend *b, const char *name, const char *expected)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    ok(open_device(b, &device, &err) == SPMV_OK && spmv_device_module_count(device) == 0 &&
       make_plan(device, &err) == NULL && err.status == SPMV_UNSUPPORTED &&
       strstr(err.text, expected) != NULL, "%s: %s", name, err.text);
    spmv_device_close(device);
    ok(b->is_clean(), "%s: nothing is left", name);
}

void backend_expect_no_plan(const tested_backend *b, const char *name, spmv_status status,
                            const char *expected)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    open_device(b, &device, NULL);
    ok(make_plan(device, &err) == NULL && err.status == status &&
       strstr(err.text, expected) != NULL, "%s: %s", name, err.text);
    spmv_device_close(device);
    ok(b->is_clean(), "%s: nothing is left", name);
}

/* ---- each call failing in turn --------------------------------------------------------------- */

int backend_lifecycle(const tested_backend *b)
{
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    double *y = sample_vector(s, ROWS, 5);
    int result = 0;

    if (open_device(b, &device, &err) == SPMV_OK && (plan = make_plan(device, &err)) != NULL &&
        spmv_plan_update_values(plan, s->csr.val, &err) == SPMV_OK &&
        spmv_execute_profile(plan, 2, s->x, 3, y, NULL, time, &count) == SPMV_OK)
        result = sample_is_right(s, y, 2, 3, 5) ? 1 : -1;
    else if (plan == NULL && err.text[0] == '\0')
        result = -1;
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    free(y);
    return result;
}

void backend_test_failures(const tested_backend *b, const failing_function *functions, size_t count,
                           const int codes[2])
{
    for (size_t f = 0; f < count; f++) {
        int good = 1, clean = 1, tried = 0;
        for (int at = 1; at < 200; at++) {
            b->reset();
            b->fail(functions[f].name, at, codes[at % 2]);
            const int result = backend_lifecycle(b);
            const int calls = b->calls();
            b->fail(NULL, 0, 0);
            clean &= functions[f].may_leave || b->is_clean();
            if (calls < at)
                break;
            tried++;
            if (result < 0 || (result == 1 && !functions[f].is_harmless))
                diag("call %d: result %d", at, result);
            good &= result == 0 || (functions[f].is_harmless && result == 1);
        }
        ok(tried > 0 && good && clean, "%s fails at each of its %d calls: reported, nothing left",
           functions[f].name, tried);
    }
}
