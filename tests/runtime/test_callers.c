/* test_callers.c: results have the same bits for callers in several threads, for callers within a
 * team, and with the caller's own threads. The test is built twice: with the library's default
 * threads, and with its own pool. */
#include "same_bits.h"
#include "runtime/core/threads/team.h"

#include "../tap.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- several callers, nested callers --------------------------------------------------------- */

static void *execute_often(void *argument)
{
    int *right = (int *)argument;

    *right = 1;
    for (int i = 0; i < 20; i++)
        *right &= plans_are_same(NULL, NULL);
    return NULL;
}

static int try_callers(void)
{
    enum { CALLERS = 4 };
    pthread_t caller[CALLERS];
    int right[CALLERS] = {0};
    int all = 1;

    for (int i = 0; i < CALLERS; i++)
        if (pthread_create(&caller[i], NULL, execute_often, &right[i]) != 0)
            return 0;
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(caller[i], NULL);
        all &= right[i];
    }
    return all;
}

static void execute_within(void *argument, int32_t part)
{
    ((int *)argument)[part] = plans_are_same(NULL, NULL);
}

static int try_nested(void)
{
    const spmv_threads threads = {.count = PARTS};
    int right[PARTS] = {0};
    int all = 1;

    spmv_team_run(&threads, PARTS, execute_within, right);
    for (int i = 0; i < PARTS; i++)
        all &= right[i];
    return all;
}

/* ---- the caller's own threads ---------------------------------------------------------------- */

typedef struct tally {
    atomic_int calls, parts;
} tally;

static void run_backwards(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    tally *t = (tally *)context;

    atomic_fetch_add(&t->calls, 1);
    atomic_fetch_add(&t->parts, count);
    for (int32_t i = count - 1; i >= 0; i--)
        run(argument, i);
}

typedef struct one_part {
    spmv_run_part *run;
    void *argument;
    int32_t index;
} one_part;

static void *run_one_part(void *argument)
{
    const one_part *part = (const one_part *)argument;

    part->run(part->argument, part->index);
    return NULL;
}

static void run_on_threads(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    pthread_t thread[PARTS];
    one_part part[PARTS];

    (void)context;
    for (int32_t i = 0; i < count; i++) {
        part[i] = (one_part){run, argument, i};
        if (pthread_create(&thread[i], NULL, run_one_part, &part[i]) != 0)
            abort();
    }
    for (int32_t i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

static void test_parallel_for(void)
{
    tally t = {0};
    spmv_plan_options options = {.struct_size = sizeof options, .parallel_for_context = &t};
    spmv_plan *plan;
    spmv_error err;
    double *y = sample_vector(same_bits_sample, ROWS, 7);
    int calls;

    ok(plans_are_same(run_backwards, &t), "parts in reverse order on one thread: the same bits");
    ok(t.calls > 0 && t.parts > t.calls && t.parts <= PARTS * t.calls,
       "the function is called with 2 to %d parts: %d parts in %d calls", PARTS, t.parts, t.calls);
    plan = same_bits_plan(0, run_backwards, &t);
    calls = t.calls;
    ok(plan_is_same(plan, 0) && t.calls > calls, "an execute calls it");
    t = (tally){0};
    spmv_set_thread_limit(2);
    ok(plan_is_same(plan, 0) && t.calls > 0 && t.parts == 2 * t.calls,
       "under a limit of 2 it is called with 2 parts: %d parts in %d calls", t.parts, t.calls);
    t = (tally){0};
    spmv_set_thread_limit(1);
    ok(plan_is_same(plan, 0) && t.calls == 0, "under a limit of 1 it is not called");
    spmv_set_thread_limit(0);
    spmv_plan_destroy(plan);
    ok(plans_are_same(run_on_threads, NULL), "a thread for each part: the same bits");
    plan = same_bits_plan(0, run_on_threads, NULL);
    fesetround(FE_UPWARD);
    spmv_execute(plan, 1.1, same_bits_sample->x, 0, y, NULL);
    fesetround(FE_TONEAREST);
    spmv_plan_destroy(plan);
    plan = same_bits_plan(0, run_backwards, &t);
    double *upward = sample_vector(same_bits_sample, ROWS, 7);
    fesetround(FE_UPWARD);
    spmv_execute(plan, 1.1, same_bits_sample->x, 0, upward, NULL);
    fesetround(FE_TONEAREST);
    spmv_plan_destroy(plan);
    ok(memcmp(y, upward, ROWS * sizeof *y) == 0, "parts are rounded as the calling thread rounds");
    free(upward);
    free(y);
    ok(spmv_plan_create(same_bits_device, &same_bits_sample->csr, &options, &plan, &err) ==
       SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "options.parallel_for is NULL") != NULL,
       "a context without a function is refused");
    options = (spmv_plan_options){.parallel_for = run_backwards};
    ok(spmv_plan_create(same_bits_device, &same_bits_sample->csr, &options, &plan, &err) ==
       SPMV_INVALID_ARGUMENT,
       "a function without struct_size is refused");
}

int main(void)
{
    same_bits_begin();
    ok(try_callers(), "callers in several threads get the same bits");
    ok(try_nested(), "callers within a team get the same bits");
    test_parallel_for();
    same_bits_end();
    return tap_done();
}
