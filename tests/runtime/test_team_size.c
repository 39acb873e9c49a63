/* test_team_size.c: how many threads share a multiplication. No time is compared: SPMV_WAKE_NS
 * makes waking a thread very dear or very cheap. */
#define _POSIX_C_SOURCE 200809L
#include "sample.h"
#include "toy.h"

#include "../tap.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 20000,                /* by the modules' estimates 10 microseconds */
    FEW_ROWS = 60,
    PARTS = 4,
    RUNS = 18,
    MOST_TIMED = 4 + 500 + 4 + 4000000 / 20000,  /* of ROWS rows, which take 20 us or more */
    CALLERS = 4
};

#if defined(_OPENMP) || defined(SPMV_PTHREADS)
enum { HAS_TEAMS = 1 };
#else
enum { HAS_TEAMS = 0 };
#endif

static spmv_device *device;

static void set_wake(const char *nanoseconds)
{
    if (nanoseconds != NULL)
        setenv("SPMV_WAKE_NS", nanoseconds, 1);
    else
        unsetenv("SPMV_WAKE_NS");
}

/* Threads of this process; 0: unknown. */
static int living(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    if (tasks == NULL)
        return 0;
    for (struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks))
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static spmv_plan *create(const sample *s, spmv_parallel_for *parallel_for, void *context)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = "toy_rows", .threads = PARTS,
        .parallel_for = parallel_for, .parallel_for_context = context,
    };
    spmv_plan *plan = NULL;

    if (spmv_plan_create(device, &s->csr, &options, &plan, NULL) != SPMV_OK)
        printf("Bail out! no plan\n");
    return plan;
}

static int threads_of(const spmv_plan *plan)
{
    spmv_plan_info info = {.struct_size = sizeof info};

    return spmv_plan_query(plan, &info) == SPMV_OK ? info.threads : 0;
}

/* Whether RUNS multiplications are right. */
static int run(const spmv_plan *plan, const sample *s)
{
    double *y = sample_vector(s, s->csr.rows, 7);
    int right = 1;

    for (int i = 0; i < RUNS; i++) {
        memset(y, 0xff, (size_t)s->csr.rows * sizeof *y);
        right &= spmv_execute(plan, 2, s->x, 0, y, NULL) == SPMV_OK &&
                 sample_is_right(s, y, 2, 0, 0);
    }
    free(y);
    return right;
}

/* Multiplies until all callers together know the number of threads. Only the last result is looked
 * at. */
static int decide(const spmv_plan *plan, const sample *s, int callers)
{
    double *y = sample_vector(s, s->csr.rows, 7);
    int right = 1;

    for (int i = 0; i < MOST_TIMED / callers; i++)
        right &= spmv_execute(plan, 2, s->x, 0, y, NULL) == SPMV_OK;
    right &= sample_is_right(s, y, 2, 0, 0);
    free(y);
    return right;
}

static void test_alone(const sample *s, const char *wake, const char *what)
{
    const int before = living();
    spmv_plan *plan;

    set_wake(wake);
    plan = create(s, NULL, NULL);
    ok(run(plan, s) && threads_of(plan) == 1, "%s: one thread multiplies", what);
    if (before > 0)
        ok(living() == before, "%s: no thread is started", what);
    else
        skip("%s: the number of threads is unknown here", what);
    spmv_plan_destroy(plan);
}

static void test_shared(const sample *s, const char *wake, const char *what)
{
    spmv_plan *plan;

    set_wake(wake);
    plan = create(s, NULL, NULL);
    ok(run(plan, s) && threads_of(plan) == (HAS_TEAMS ? PARTS : 1), "%s: all threads multiply",
       what);
    spmv_plan_destroy(plan);
}

/* Whatever the machine says. */
static void test_measured(const sample *s, const char *wake, const char *what)
{
    spmv_plan *plan;
    int threads;

    set_wake(wake);
    plan = create(s, NULL, NULL);
    threads = decide(plan, s, 1) ? threads_of(plan) : 0;
    ok(threads >= 1 && threads <= PARTS, "%s: %d of at most %d threads", what, threads, PARTS);
    ok(run(plan, s) && threads_of(plan) == threads, "%s: the number stays", what);
    spmv_plan_destroy(plan);
}

/* The limit is kept while waking is measured, and is not taken for its result. */
static void test_limit(const sample *s)
{
    const int before = living();
    spmv_plan *plan;

    set_wake(NULL);
    spmv_set_thread_limit(1);
    plan = create(s, NULL, NULL);
    ok(run(plan, s) && living() == before, "under a limit of 1 no thread is started");
    ok(threads_of(plan) == (HAS_TEAMS ? PARTS : 1), "nor is anything decided");
    spmv_set_thread_limit(0);
    spmv_plan_destroy(plan);
}

static void count_calls(void *context, int32_t count, spmv_run_part *part, void *argument)
{
    *(int *)context += count == PARTS;
    for (int32_t i = 0; i < count; i++)
        part(argument, i);
}

static void test_parallel_for(const sample *s)
{
    int calls = 0;
    spmv_plan *plan;

    set_wake("1000000000");
    plan = create(s, count_calls, &calls);
    calls = 0;
    ok(run(plan, s) && calls == RUNS && threads_of(plan) == PARTS,
       "parallel_for is called for each multiplication");
    spmv_plan_destroy(plan);
}

typedef struct caller {
    const spmv_plan *plan;
    const sample *s;
    int right;
} caller;

static void *call(void *argument)
{
    caller *c = argument;

    c->right = run(c->plan, c->s) && decide(c->plan, c->s, CALLERS);
    return NULL;
}

/* The first multiplications, which are timed, run at the same time. */
static void test_concurrent(const sample *s, const char *wake)
{
    caller callers[CALLERS];
    pthread_t thread[CALLERS];
    spmv_plan *plan;
    int right = 1;

    set_wake(wake);
    plan = create(s, NULL, NULL);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){plan, s, 0};
        if (pthread_create(&thread[i], NULL, call, &callers[i]) != 0)
            printf("Bail out! no thread\n");
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(thread[i], NULL);
        right &= callers[i].right;
    }
    ok(right && threads_of(plan) >= 1 && threads_of(plan) <= PARTS,
       "concurrent first multiplications, SPMV_WAKE_NS=%s", wake != NULL ? wake : "(not set)");
    spmv_plan_destroy(plan);
}

int main(void)
{
    sample *s = sample_create(ROWS, 50, 0, SPMV_F64, SPMV_I32);
    sample *few = sample_create(FEW_ROWS, 50, 0, SPMV_F64, SPMV_I32);

    device = sample_device();
    test_limit(s);
    test_alone(few, NULL, "a small matrix");
    test_alone(few, "1000000", "a small matrix, and waking is dear");
    test_alone(s, "1000000000", "waking is dear");
    test_shared(s, "1", "waking is cheap");
    test_shared(s, "0", "waking is free");
    test_shared(few, "0", "a small matrix, and waking is free");
    test_measured(s, NULL, "measured");
    test_measured(s, "x", "a wrong number, so measured");
    test_measured(s, "-1", "a negative number, so measured");
    test_parallel_for(s);
    test_concurrent(s, NULL);
    test_concurrent(s, "1");
    sample_destroy(s);
    sample_destroy(few);
    spmv_device_close(device);
    return tap_done();
}
