/* plans_test.c: tests a module through libspmv: threads, workspaces, copies, new values, and the
 * conversion back to CSR. */
#define _POSIX_C_SOURCE 200809L  /* pthread_barrier_t */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/permutation.h"
#include "suite.h"
#include "symmetrising.h"
#include "transposing.h"

/* One input, a copy of its matrix, and the result that every test must repeat. */
typedef struct trial {
    suite *s;
    test_input input;
    transposing transpose;       /* for a module that transposes */
    const spmv_csr *given;       /* the matrix for libspmv: the input's or its transpose */
    bench_matrix *kept;          /* a copy of the matrix */
    void *kept_x;
    void *y;                     /* the bits of the bare runner */
    double alpha, beta;
} trial;

/* ---- pieces -------------------------------------------------------------------------------- */

static spmv_plan *make_plan(const trial *t, property p, const spmv_csr *csr, int threads, bool copy)
{
    const spmv_module *module = t->s->module;
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = module->method, .target = module->target,
        .threads = threads, .copy = copy, .full_check = 1,
        .settings = t->s->settings[0] ? t->s->settings : NULL,
        .transposed = module->ops->transposes,
        .symmetric = module->ops->symmetric ? SPMV_SYMMETRIC_FULL : SPMV_SYMMETRIC_NONE,
    };
    spmv_error err = { SPMV_OK, "" };
    spmv_plan *plan = NULL;
    spmv_plan_info info = {.struct_size = sizeof info};

    const spmv_status status = spmv_plan_create(t->s->device, csr, &options, &plan, &err);
    if (suite_check(t->s, p, !status, "%s: spmv_plan_create: %s", t->input.name, err.text) &&
        suite_check(t->s, p, !spmv_plan_query(plan, &info) && info.module == module,
                    "%s: the plan uses another module", t->input.name))
        return plan;
    spmv_plan_destroy(plan);
    return NULL;
}

static spmv_status multiply(const trial *t, const spmv_plan *plan, void *workspace, void *y)
{
    return bench_permuted_execute(plan, t->alpha, t->input.x, t->beta, t->input.before, workspace,
                                  y);
}

/* Multiplies from the input's y and compares with the expected bits. */
static bool same_bits(const trial *t, property p, const spmv_plan *plan, void *workspace,
                      const void *expected, const char *what)
{
    const spmv_status status = multiply(t, plan, workspace, t->input.y);

    return suite_check(t->s, p, !status, "%s, %s: spmv_execute: %s", t->input.name, what,
                       spmv_status_text(status)) &&
           suite_check(t->s, p, memcmp(t->input.y, expected, t->input.y_bytes) == 0,
                       "%s, %s: other bits", t->input.name, what);
}

/* ---- threads, workspaces ------------------------------------------------------------------- */

static void try_threads(const trial *t)
{
    static const int threads[] = { 1, 2, 7 };
    static const char *const names[] = { "1 thread", "2 threads", "7 threads" };

    for (int i = 0; i < 3; i++) {
        spmv_plan *plan = make_plan(t, P_THREADS, t->given, threads[i], false);
        for (int run = 0; run < 2 && plan; run++)
            if (!same_bits(t, P_THREADS, plan, NULL, t->y, names[i]))
                break;
        spmv_plan_destroy(plan);
    }
}

static void try_workspace(const trial *t)
{
    static const int garbage[] = { 0, 0xff, 0x5a };
    spmv_plan *plan = make_plan(t, P_WORKSPACE, t->given, 2, false);
    const size_t bytes = spmv_plan_workspace_size(plan);
    void *workspace = NULL;

    if (plan && suite_check(t->s, P_WORKSPACE, !spmv_alloc(t->s->device, bytes + 1, &workspace),
                            "spmv_alloc of %zu bytes", bytes + 1))
        for (int i = 0; i < 3; i++) {
            memset(workspace, garbage[i], bytes);
            same_bits(t, P_WORKSPACE, plan, workspace, t->y, "a workspace full of garbage");
        }
    spmv_free(t->s->device, workspace);
    spmv_plan_destroy(plan);
}

/* ---- at the same time ---------------------------------------------------------------------- */

/* Each caller multiplies several times, so that the callers overlap. */
enum { CALLERS = 4, MANY_CALLS = 12, FEW_CALLS = 3 };

typedef struct caller {
    const trial *t;
    const spmv_plan *plan;
    pthread_barrier_t *start;
    void *x, *y, *expected, *workspace;
    spmv_status status;
    bool same;
} caller;

static void *call_repeatedly(void *context)
{
    caller *c = context;
    const trial *t = c->t;
    const int calls = t->s->effort == EFFORT_FULL ? MANY_CALLS : FEW_CALLS;

    pthread_barrier_wait(c->start);
    for (int i = 0; i < calls && c->same && !c->status; i++) {
        memcpy(c->y, t->input.before, t->input.y_bytes);
        c->status = spmv_execute(c->plan, t->alpha, c->x, t->beta, c->y, c->workspace);
        c->same = memcmp(c->y, c->expected, t->input.y_bytes) == 0;
    }
    return NULL;
}

/* Each caller has its own x, so that one caller's leftover values are wrong for the others. */
static bool prepare_caller(caller *c, const trial *t, const spmv_plan *plan, uint64_t seed)
{
    const spmv_csr *csr = &t->input.matrix->csr;
    bench_random random = { seed };

    *c = (caller){ .t = t, .plan = plan, .same = true };
    c->x = malloc((size_t)csr->cols * bench_value_bytes(csr->value_type) + 1);
    c->y = malloc(t->input.y_bytes + 1);
    c->expected = malloc(t->input.y_bytes + 1);
    if (!c->x || !c->y || !c->expected ||
        spmv_alloc(t->s->device, spmv_plan_workspace_size(plan) + 1, &c->workspace))
        return false;
    bench_random_fill(&random, BENCH_MIXED, csr->value_type, c->x, (size_t)csr->cols);
    memcpy(c->expected, t->input.before, t->input.y_bytes);
    return !spmv_execute(plan, t->alpha, c->x, t->beta, c->expected, c->workspace);
}

static void run_callers(caller *callers)
{
    pthread_t thread[CALLERS];
    pthread_barrier_t start;
    int started = 0;

    pthread_barrier_init(&start, NULL, CALLERS);
    for (int i = 0; i < CALLERS; i++) {
        callers[i].start = &start;
        /* The other threads would wait forever for a thread that did not start. */
        if (pthread_create(&thread[i], NULL, call_repeatedly, &callers[i]) != 0)
            abort();
        started++;
    }
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&start);
}

static void try_at_once(const trial *t)
{
    spmv_plan *plan = make_plan(t, P_AT_ONCE, t->given, 2, false);
    caller callers[CALLERS] = { { 0 } };
    bool prepared = plan != NULL;

    for (int i = 0; i < CALLERS && prepared; i++)
        prepared = suite_check(t->s, P_AT_ONCE,
                               prepare_caller(&callers[i], t, plan, (uint64_t)i + 90),
                               "%s: no memory, or spmv_execute failed", t->input.name);
    if (prepared)
        run_callers(callers);
    for (int i = 0; i < CALLERS; i++) {
        suite_check(t->s, P_AT_ONCE, !callers[i].status && (!prepared || callers[i].same),
                    "%s: caller %d of %d: status %d, or other bits than alone", t->input.name, i,
                    CALLERS, (int)callers[i].status);
        free(callers[i].x);
        free(callers[i].y);
        free(callers[i].expected);
        spmv_free(t->s->device, callers[i].workspace);
    }
    spmv_plan_destroy(plan);
}

/* ---- the plan's own data ------------------------------------------------------------------- */

static void overwrite(bench_matrix *matrix)
{
    const spmv_csr *csr = &matrix->csr;

    memset(matrix->row_ptr, 0xee, (size_t)(csr->rows + 1) * bench_offset_bytes(csr->offset_type));
    memset(matrix->col_idx, 0xee, (size_t)csr->nnz * sizeof(int32_t));
    memset(matrix->val, 0xee, (size_t)csr->nnz * bench_value_bytes(csr->value_type));
}

/* A copy of the input's matrix, which the caller destroys. */
static bench_matrix *copy_matrix(const trial *t)
{
    const spmv_csr *csr = &t->input.matrix->csr;
    bench_matrix *copy = NULL;

    suite_check(t->s, P_COPY, !bench_matrix_convert(csr, csr->base, csr->offset_type,
                                                    csr->value_type, &copy),
                "the test itself has no memory");
    return copy;
}

static void try_copy(const trial *t)
{
    bench_matrix *matrix = copy_matrix(t);
    spmv_plan *plan = matrix ? make_plan(t, P_COPY, &matrix->csr, 2, true) : NULL;
    spmv_plan_info info = {.struct_size = sizeof info};

    if (plan) {
        overwrite(matrix);
        bench_matrix_destroy(matrix);
        matrix = NULL;
        same_bits(t, P_COPY, plan, NULL, t->y, "without the caller's arrays");
        suite_check(t->s, P_COPY, !spmv_plan_query(plan, &info) && info.borrows == 0,
                    "%s: borrows %#x", t->input.name, (unsigned)info.borrows);
    }
    spmv_plan_destroy(plan);
    bench_matrix_destroy(matrix);
}

/* The caller may free arrays that are not borrowed as soon as the plan exists. */
static void try_borrows(const trial *t)
{
    bench_matrix *matrix = copy_matrix(t);
    spmv_plan *plan = matrix ? make_plan(t, P_COPY, &matrix->csr, 2, false) : NULL;
    spmv_plan_info info = {.struct_size = sizeof info, .borrows = 7 };

    if (plan && !spmv_plan_query(plan, &info)) {
        const spmv_csr *csr = &matrix->csr;
        if (!(info.borrows & SPMV_BORROWS_ROW_PTR))
            memset(matrix->row_ptr, 0xee,
                   (size_t)(csr->rows + 1) * bench_offset_bytes(csr->offset_type));
        if (!(info.borrows & SPMV_BORROWS_COL_IDX))
            memset(matrix->col_idx, 0xee, (size_t)csr->nnz * sizeof(int32_t));
        if (!(info.borrows & SPMV_BORROWS_VAL))
            memset(matrix->val, 0xee, (size_t)csr->nnz * bench_value_bytes(csr->value_type));
        same_bits(t, P_COPY, plan, NULL, t->y, "without the arrays that it does not borrow");
    }
    spmv_plan_destroy(plan);
    bench_matrix_destroy(matrix);
}

static void try_update(const trial *t, bool copy)
{
    const spmv_csr *csr = &t->input.matrix->csr;
    const char *what = copy ? "new values, copied" : "new values";
    bench_random random = { 23 };
    bench_matrix *other = copy_matrix(t);
    void *expected = malloc(t->input.y_bytes + 1);
    spmv_plan *plan = make_plan(t, P_UPDATE, csr, 2, copy), *fresh = NULL;

    if (!other || !expected || !plan)
        goto done;
    bench_random_fill(&random, BENCH_MIXED, csr->value_type, other->val, (size_t)csr->nnz);
    test_mirror_values(t->s->module, csr, other->val);
    fresh = make_plan(t, P_UPDATE, &other->csr, 2, false);
    if (!fresh)
        goto done;
    const spmv_status status = multiply(t, fresh, NULL, expected);
    if (suite_check(t->s, P_UPDATE, !status, "%s: spmv_execute", t->input.name) &&
        suite_check(t->s, P_UPDATE, !spmv_plan_update_values(plan, other->val, NULL),
                    "%s: spmv_plan_update_values", t->input.name))
        same_bits(t, P_UPDATE, plan, NULL, expected, what);
    /* Restore the first values. */
    if (suite_check(t->s, P_UPDATE, !spmv_plan_update_values(plan, csr->val, NULL),
                    "%s: spmv_plan_update_values", t->input.name))
        same_bits(t, P_UPDATE, plan, NULL, t->y, what);
done:
    spmv_plan_destroy(plan);
    spmv_plan_destroy(fresh);
    bench_matrix_destroy(other);
    free(expected);
}

/* Compares arrays of a matrix with the input's; `arrays` names them by SPMV_BORROWS_ flags. */
static bool equal_csr(const trial *t, const bench_matrix *m, int arrays)
{
    const spmv_csr *csr = &t->input.matrix->csr;
    const size_t row_bytes = (size_t)(csr->rows + 1) * bench_offset_bytes(csr->offset_type);
    const size_t val_bytes = (size_t)csr->nnz * bench_value_bytes(csr->value_type);

    return (!(arrays & SPMV_BORROWS_ROW_PTR) || memcmp(m->row_ptr, csr->row_ptr, row_bytes) == 0) &&
           (!(arrays & SPMV_BORROWS_COL_IDX) ||
            memcmp(m->col_idx, csr->col_idx, (size_t)csr->nnz * sizeof(int32_t)) == 0) &&
           (!(arrays & SPMV_BORROWS_VAL) || memcmp(m->val, csr->val, val_bytes) == 0);
}

static void try_restore(const trial *t)
{
    bench_matrix *back = copy_matrix(t);
    spmv_plan *plan = make_plan(t, P_RESTORE, &t->input.matrix->csr, 2, false);

    for (int arrays = 1; arrays < 8 && back && plan; arrays++) {
        overwrite(back);
        const spmv_status status = spmv_plan_restore_csr(
            plan, arrays & SPMV_BORROWS_ROW_PTR ? back->row_ptr : NULL,
            arrays & SPMV_BORROWS_COL_IDX ? back->col_idx : NULL,
            arrays & SPMV_BORROWS_VAL ? back->val : NULL, NULL);
        suite_check(t->s, P_RESTORE, !status && equal_csr(t, back, arrays),
                    "%s: status %d, or row_ptr, columns or values differ (asked for %#x)",
                    t->input.name, (int)status, (unsigned)arrays);
    }
    spmv_plan_destroy(plan);
    bench_matrix_destroy(back);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* libspmv must return SPMV_UNSUPPORTED for a matrix that layout_size declines. */
static void check_declined(const trial *t)
{
    const spmv_module *module = t->s->module;
    const spmv_plan_options options = { .struct_size = sizeof options, .method = module->method,
                                        .target = module->target };
    spmv_plan *plan = NULL;
    const spmv_status status =
        spmv_plan_create(t->s->device, &t->input.matrix->csr, &options, &plan, NULL);

    suite_check(t->s, P_CONTRACT, status == SPMV_UNSUPPORTED,
                "%s: layout_size declines it, but spmv_plan_create says: %s", t->input.name,
                spmv_status_text(status));
    spmv_plan_destroy(plan);
}

static bool begin_trial(trial *t, const test_case *one, int32_t base, bench_data data)
{
    suite *s = t->s;

    if (!test_input_create(s->module, one, base, data, &t->input))
        return suite_check(s, P_CONTRACT, false, "the test itself has no memory");
    const spmv_csr *csr = &t->input.matrix->csr;
    const size_t x_bytes = (size_t)csr->cols * bench_value_bytes(csr->value_type);
    const bool transposes = s->module->ops->transposes;
    snprintf(s->label, sizeof s->label, "plans: %s", t->input.name);
    t->y = malloc(t->input.y_bytes + 1);
    t->kept_x = malloc(x_bytes + 1);
    if (!t->y || !t->kept_x || (transposes && !transposing_create(csr, &t->transpose)) ||
        bench_matrix_convert(csr, base, csr->offset_type, csr->value_type, &t->kept))
        return suite_check(s, P_CONTRACT, false, "the test itself has no memory");
    t->given = transposes ? &t->transpose.matrix->csr : csr;
    memcpy(t->kept_x, t->input.x, x_bytes);
    const int declined = s->declined[P_THREADS];
    const bool built =
        suite_build(s, P_THREADS, csr, GUARD_AT_END, BARE_WHOLE, t->input.name);
    if (s->declined[P_THREADS] > declined && !s->settings[0])
        check_declined(t);
    return built &&
           suite_accept(s, P_THREADS, bare_execute(s->bare, t->alpha, t->input.x, t->beta,
                                                   t->input.before, BARE_WHOLE, t->y),
                        t->input.name) &&
           suite_check_result(s, P_THREADS, &t->input, t->alpha, t->beta, t->input.before, t->y,
                              data == BENCH_INTEGERS);
}

static void end_trial(trial *t)
{
    if (t->kept && t->kept_x) {
        const spmv_csr *csr = &t->input.matrix->csr;
        suite_check(t->s, P_UNCHANGED, equal_csr(t, t->kept, 7) &&
                    memcmp(t->kept_x, t->input.x,
                           (size_t)csr->cols * bench_value_bytes(csr->value_type)) == 0,
                    "%s: the CSR or x was changed", t->input.name);
    }
    transposing_destroy(&t->transpose);
    bench_matrix_destroy(t->kept);
    free(t->kept_x);
    free(t->y);
    test_input_destroy(&t->input);
}

/* Which efforts try a trial. Sizes from 8000 on give chunks for seven threads. There are two such
 * trials of each kind: a row of many chunks, empty rows, many rows. Modules of both types of row
 * pointers come from one template, so below the full effort each type takes one trial of a kind. */
typedef enum when { ALWAYS, IF_I32, IF_I64, IF_FULL } when;

static const struct {
    const char *shape;
    int64_t size;
    when when;
} trials[] = {
    { "no-rows", 5, ALWAYS }, { "no-columns", 5, ALWAYS }, { "one-row", 1, ALWAYS },
    { "short-rows", 700, ALWAYS }, { "one-of-each", 300, ALWAYS }, { "diagonal", 9000, ALWAYS },
    { "one-row", 90000, IF_I32 }, { "giant-middle", 40000, IF_I64 },
    { "all-empty", 70000, IF_I64 }, { "inner-empty", 50000, IF_I32 },
    { "skewed", 100000, IF_I32 }, { "poisson-3d", 8000, IF_I64 },
    { "ones", 60000, IF_FULL }, { "short-rows", 150000, IF_FULL },
    { "giant-first", 70000, IF_FULL }, { "trailing-empty", 65536, IF_FULL },
    { "leading-empty", 50000, IF_FULL }, { "comb", 20000, IF_FULL }, { "dense", 100, IF_FULL },
    { "power-law", 10000, IF_FULL }, { "remainders", 30000, IF_FULL },
    { "one-entry-middle", 9000, IF_FULL },
};

static bool is_tried(const suite *s, size_t i)
{
    switch (s->effort == EFFORT_FULL ? ALWAYS : trials[i].when) {
    case ALWAYS: return true;
    case IF_I32: return s->module->offset_type == SPMV_I32;
    case IF_I64: return s->module->offset_type == SPMV_I64;
    case IF_FULL: break;
    }
    return false;
}

void test_plans(suite *s)
{
    if (s->module->ops->transposes)
        s->skipped[P_COPY] = "the suite \"runtime transposed\" does that";
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        const test_case one = { bench_shape_find(trials[i].shape),
                                test_size_of_chunks(s->effort, trials[i].size), i + 1 };
        trial t = { .s = s, .alpha = i % 3 ? 0.75 : 1, .beta = i % 2 ? 0.5 : 0 };
        if (!is_tried(s, i))
            continue;
        if (begin_trial(&t, &one, (int32_t)(i % 2), i % 4 == 0 ? BENCH_INTEGERS : BENCH_MIXED)) {
            try_threads(&t);
            try_workspace(&t);
            try_at_once(&t);
            /* The suite "runtime transposed" does the rest with plans of a transposing module. */
            if (!s->module->ops->transposes) {
                try_copy(&t);
                try_borrows(&t);
                try_update(&t, false);
                try_update(&t, true);
                try_restore(&t);
            }
        }
        end_trial(&t);
    }
}
