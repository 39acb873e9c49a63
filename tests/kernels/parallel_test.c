/* parallel_test.c: chunks of a step run concurrently on several threads, each of which takes the
 * next free chunk. It uses neither libspmv nor OpenMP, so that ThreadSanitizer sees every access.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "transposing.h"

enum { THREADS = 4 };

typedef struct team {
    const spmv_job *job;
    const spmv_step *step;
    atomic_llong next;
} team;

static void *take_chunks(void *context)
{
    team *t = context;

    for (;;) {
        const int64_t chunk = atomic_fetch_add(&t->next, 1);
        if (chunk >= t->step->grid)
            return NULL;
        t->step->run(t->job, chunk, chunk + 1);
    }
}

static void run_steps(const spmv_job *job, const spmv_step *step, int32_t count, bool at_once)
{
    for (int32_t i = 0; i < count; i++) {
        pthread_t thread[THREADS];
        int started = 0;
        team t = { job, &step[i], 0 };
        while (at_once && started < THREADS &&
               pthread_create(&thread[started], NULL, take_chunks, &t) == 0)
            started++;
        take_chunks(&t);
        for (int k = 0; k < started; k++)
            pthread_join(thread[k], NULL);
    }
}

/* Allocates zeros, rounded up to a multiple of the alignment. */
static void *allocate(size_t bytes)
{
    const size_t rounded = (bytes + SPMV_ALIGNMENT) / SPMV_ALIGNMENT * SPMV_ALIGNMENT;
    void *memory = aligned_alloc(SPMV_ALIGNMENT, rounded);

    if (memory)
        memset(memory, 0, rounded);
    return memory;
}

/* The results of one pass: a multiplication, the same after an update with equal values, and one
 * with beta = 0. */
enum { FIRST, UPDATED, BETA_ZERO, RESULTS };

static void multiply(spmv_job *job, const spmv_method_ops *ops, const test_input *input,
                     double beta, bool at_once, char *y)
{
    spmv_step step[SPMV_MAX_STEPS];

    job->beta = beta;
    job->y = y;
    memcpy(y, input->before, input->y_bytes);
    run_steps(job, step, ops->launches(job, step), at_once);
}

/* Fills y, which has RESULTS * y_bytes bytes. csr: the matrix that the module gets. */
static bool run_pass(suite *s, const test_input *input, const spmv_csr *csr, bool at_once, char *y)
{
    const spmv_method_ops *ops = s->module->ops;
    spmv_layout layout = { .csr = *csr };
    spmv_job job = { .layout = &layout, .alpha = 0.75, .x = input->x };
    spmv_job build = { .layout = &layout };
    spmv_step step[SPMV_MAX_STEPS];

    memcpy(layout.setting, s->setting, sizeof layout.setting);
    layout.scratch = allocate(ops->sizing_bytes);
    const spmv_status status = layout.scratch ? ops->layout_size(&layout) : SPMV_OUT_OF_MEMORY;
    bool made = status == SPMV_OK;
    free(layout.scratch);
    layout.scratch = NULL;
    if (status == SPMV_UNSUPPORTED) {
        s->declined[P_PARALLEL]++;
        return false;
    }

    for (int32_t i = 0; i < layout.array_count && made; i++)
        if (layout.array[i].bytes)
            made = (layout.array[i].data = allocate(layout.array[i].bytes)) != NULL;
    job.workspace = allocate(layout.workspace_bytes);
    build.workspace = allocate(layout.build_bytes);
    if (suite_check(s, P_PARALLEL, made && job.workspace && build.workspace,
                    "%s: no memory, or layout_size failed", input->name)) {
        run_steps(&build, step, ops->build_steps(&layout, step), at_once);
        multiply(&job, ops, input, 0.5, at_once, y + FIRST * input->y_bytes);
        run_steps(&job, step, ops->update_steps(&layout, step), at_once);
        multiply(&job, ops, input, 0.5, at_once, y + UPDATED * input->y_bytes);
        multiply(&job, ops, input, 0, at_once, y + BETA_ZERO * input->y_bytes);
    }
    for (int32_t i = 0; i < layout.array_count; i++)
        free(layout.array[i].data);
    free(job.workspace);
    free(build.workspace);
    return made;
}

/* The first ones are enough with a setting at its end. */
enum { WITH_SETTING = 4 };

static const struct {
    const char *shape;
    int64_t size;
} inputs[] = {
    { "short-rows", 40000 }, { "giant-middle", 40000 }, { "inner-empty", 30000 },
    { "skewed", 40000 }, { "equal-rows", 4096 }, { "one-row", 40000 }, { "ones", 20000 },
    { "trailing-long-empty", 40000 }, { "comb", 10000 }, { "diagonal", 20000 },
};

void test_parallel(suite *s)
{
    const size_t count = s->settings[0] ? WITH_SETTING : sizeof inputs / sizeof inputs[0];

    for (size_t i = 0; i < count; i++) {
        const test_case one = { bench_shape_find(inputs[i].shape),
                                test_size_of_chunks(s->effort, inputs[i].size), i + 31 };
        test_input input;
        if (!test_input_create(s->module, &one, (int32_t)(i % 2), BENCH_MIXED, &input)) {
            suite_check(s, P_PARALLEL, false, "the test itself has no memory");
            continue;
        }
        snprintf(s->label, sizeof s->label, "at the same time: %s", input.name);
        const size_t bytes = RESULTS * input.y_bytes;
        char *alone = malloc(bytes + 1), *together = malloc(bytes + 1);
        transposing transpose = { NULL, NULL };
        const bool made =
            !s->module->ops->transposes || transposing_create(&input.matrix->csr, &transpose);
        const spmv_csr *csr = transpose.matrix ? &transpose.matrix->csr : &input.matrix->csr;
        if (!alone || !together || !made)
            suite_check(s, P_PARALLEL, false, "the test itself has no memory");
        else if (run_pass(s, &input, csr, false, alone) &&
                 run_pass(s, &input, csr, true, together)) {
            suite_check(s, P_PARALLEL, memcmp(alone, together, bytes) == 0,
                        "%s: other bits than on one thread", input.name);
            const char *updated = alone + UPDATED * input.y_bytes;
            suite_check(s, P_PARALLEL, memcmp(alone, updated, input.y_bytes) == 0,
                        "%s: other bits after an update with equal values", input.name);
        }
        transposing_destroy(&transpose);
        free(alone);
        free(together);
        test_input_destroy(&input);
    }
}
