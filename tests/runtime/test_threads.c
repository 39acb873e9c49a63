/* test_threads.c: results have the same bits and the program goes on if threads cannot be started,
 * under a limit of threads, and in forked children.
 *
 * The test replaces pthread_create, also for the library and an OpenMP runtime. Each case runs in a
 * forked process that has had no threads before; an alarm ends it if it hangs. The test is built
 * twice: with the library's default threads, and with its own pool (SPMV_PTHREADS).
 */
#define _GNU_SOURCE              /* RTLD_NEXT */
#include "same_bits.h"
#include "runtime/core/threads/team.h"

#include "../tap.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(SPMV_PTHREADS)
enum { HAS_TEAMS = 1, HAS_TEAMS_IN_CHILD = 1 };
#elif defined(_OPENMP)
enum { HAS_TEAMS = 1, HAS_TEAMS_IN_CHILD = 0 };
#else
enum { HAS_TEAMS = 0, HAS_TEAMS_IN_CHILD = 0 };
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if !defined(SANITIZED) && !defined(EMULATED)
#define COUNTED                  /* threads */
#endif

enum { LIMIT_SECONDS = 60 };

#ifdef COUNTED

/* ---- threads that cannot be started ---------------------------------------------------------- */

static atomic_int living;                /* threads */
static int allowed = -1;                 /* concurrent threads; negative: any number */
static atomic_int refused;

typedef struct start {
    void *(*run)(void *);
    void *argument;
} start;

static void *run_counted(void *argument)
{
    const start *given = argument;       /* not freed: malloc in a thread takes address space */
    void *result = given->run(given->argument);

    atomic_fetch_sub(&living, 1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    start *given = malloc(sizeof *given);
    int error = EAGAIN;

    memcpy(&real, &symbol, sizeof real);
    if (given != NULL && (atomic_fetch_add(&living, 1) < allowed || allowed < 0)) {
        *given = (start){run, argument};
        error = real(thread, attributes, run_counted, given);
    }
    if (error == 0)
        return 0;
    atomic_fetch_sub(&living, 1);
    atomic_fetch_add(&refused, 1);
    free(given);
    return error;
}

#endif

#ifndef EMULATED

/* ---- processes of their own ------------------------------------------------------------------ */

static void note_thread(void *argument, int32_t part)
{
    ((pthread_t *)argument)[part] = pthread_self();
}

/* The number of threads that run a team of PARTS parts. */
static int count_threads(void)
{
    const spmv_threads threads = {.count = PARTS};
    pthread_t of_part[PARTS];
    int count = 0;

    spmv_team_run(&threads, PARTS, note_thread, of_part);
    for (int i = 0; i < PARTS; i++) {
        int k = 0;

        while (k < i && !pthread_equal(of_part[k], of_part[i]))
            k++;
        count += k == i;
    }
    return count;
}

/* Whether `test` is true in a forked process that ends in time. */
static int holds_in_child(int (*test)(void))
{
    const pid_t child = (fflush(stdout), fork());
    int status = -1;

    if (child == 0) {
        alarm(LIMIT_SECONDS);
        _exit(test() ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 0;
    if (WIFSIGNALED(status))
        diag("the process was ended by signal %d", WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- cases ----------------------------------------------------------------------------------- */

#ifdef COUNTED

static int try_without_threads(void)
{
    allowed = 0;
    return plans_are_same(NULL, NULL) && count_threads() == 1 && (refused > 0 || !HAS_TEAMS);
}

static int try_with_few_threads(void)
{
    allowed = 3;
    return plans_are_same(NULL, NULL) && count_threads() == (HAS_TEAMS ? 4 : 1);
}

/* An existing team stays; the next plan tries to start more threads. */
static int try_shortage(void)
{
    int right;

    allowed = 1;
    right = plans_are_same(NULL, NULL) && count_threads() == 2;
    allowed = 0;
    right &= plans_are_same(NULL, NULL) && count_threads() == 2;
    allowed = -1;
    refused = 0;
    return right && count_threads() == 2 && plans_are_same(NULL, NULL) &&
           count_threads() == PARTS && refused == 0;
}

static void test_refused(void)
{
    ok(holds_in_child(try_without_threads), "no thread can be started: one does all parts");
    ok(holds_in_child(try_with_few_threads), "three threads can be started: four do the work");
    if (HAS_TEAMS)
        ok(holds_in_child(try_shortage), "a new plan tries to start more threads");
}

/* ---- too little address space ---------------------------------------------------------------- */

static size_t used_address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;

    if (file != NULL && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

enum { STACK_BYTES = 64 << 20 };

/* Limits the address space to the stacks of two and a half threads. */
static int try_little_space(void)
{
    const rlim_t bytes = used_address_space() + 2 * STACK_BYTES + STACK_BYTES / 2;
    const struct rlimit limit = {bytes, bytes};

    return setrlimit(RLIMIT_AS, &limit) == 0 && plans_are_same(NULL, NULL) &&
           plans_are_same(NULL, NULL);
}

/* The size of stacks is read when a program starts, so the test executes itself. */
static void test_little_space(const char *program)
{
    static const char *const sizes[] = {NULL, "64M", " 65536 k ", "65536", "67108864B"};

    if (used_address_space() == 0) {
        skip("the used address space is unknown here");
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const pid_t child = (fflush(stdout), fork());
        int status = -1;

        if (child == 0) {
            const rlim_t stack = sizes[i] == NULL ? STACK_BYTES : 1 << 20;
            const struct rlimit limit = {stack, RLIM_INFINITY};

            if (sizes[i] != NULL)
                setenv("OMP_STACKSIZE", sizes[i], 1);
            else
                unsetenv("OMP_STACKSIZE");
            if (setrlimit(RLIMIT_STACK, &limit) == 0)
                execl(program, program, "--little-space", (char *)NULL);
            _exit(1);
        }
        ok(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0, "little address space, OMP_STACKSIZE='%s': the same bits",
           sizes[i] != NULL ? sizes[i] : "");
    }
}

/* ---- no memory ------------------------------------------------------------------------------- */

/* Leaves no memory to malloc. The stack may need no more pages either. */
static int take_all_memory(void)
{
    const struct rlimit none = {0, 0};
    volatile char stack[256 << 10];
    void *volatile taken;        /* Clang drops a call of malloc whose result nothing reads */

    for (size_t i = 0; i < sizeof stack; i += 1024)
        stack[i] = 0;
    if (setrlimit(RLIMIT_AS, &none) != 0)
        return 0;
    for (size_t bytes = 1 << 20; bytes > 2048; bytes /= 2)
        while ((taken = malloc(bytes)) != NULL)
            continue;
    for (size_t bytes = 2048; bytes > 0; bytes -= 16)
        while ((taken = malloc(bytes)) != NULL)
            continue;
    return 1;
}

static void count_part(void *argument, int32_t part)
{
    (void)part;
    atomic_fetch_add((atomic_int *)argument, 1);
}

static int does_all_parts(int32_t parts)
{
    const spmv_threads threads = {.count = parts};
    atomic_int done = 0;

    spmv_team_run(&threads, parts, count_part, &done);
    return done == parts;
}

/* OpenMP allocates memory for a team of another size, also for a smaller one, and ends the program
 * if there is none. */
static int try_without_memory(void)
{
    spmv_plan *plan = same_bits_plan(0, NULL, NULL);
    int right = plan_is_same(plan, 0) && count_threads() == (HAS_TEAMS ? PARTS : 1);

    if (!take_all_memory())
        return 0;
    for (int32_t parts = PARTS + 2; parts > 1; parts--)
        right &= does_all_parts(parts);
    return right && same_bits_plan(1, NULL, NULL) == NULL &&
           count_threads() == (HAS_TEAMS ? PARTS : 1);
}

#endif

/* ---- a limit of threads ---------------------------------------------------------------------- */

static int32_t least_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Plans that were made before, new plans, and teams. */
static int holds_limit(spmv_plan *const *plans, int32_t limit)
{
    const int32_t most = HAS_TEAMS ? least_of(limit > 0 ? limit : PARTS, PARTS) : 1;
    int right = 1;

    spmv_set_thread_limit(limit);
    right &= spmv_thread_limit() == (limit > 0 ? limit : 0);
    for (size_t m = 0; m < METHODS; m++) {
        spmv_plan_info info = {.struct_size = sizeof info};

        right &= plan_is_same(plans[m], m);
        right &= spmv_plan_query(plans[m], &info) == SPMV_OK &&
                 info.threads == (HAS_TEAMS ? PARTS : 1);
    }
    return right && plans_are_same(NULL, NULL) && count_threads() == most;
}

static int try_limits(void)
{
    static const int32_t limits[] = {1, 3, 2, PARTS - 1, 0, PARTS, 1, 4095, -5, 1};
    spmv_plan *plans[METHODS];
    int right = 1;

    spmv_set_thread_limit(2);
    for (size_t m = 0; m < METHODS; m++)
        plans[m] = same_bits_plan(m, NULL, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        right &= holds_limit(plans, limits[i]);
    for (size_t m = 0; m < METHODS; m++)
        spmv_plan_destroy(plans[m]);
    return right;
}

#ifdef COUNTED
/* Steps of a plan have different numbers of parts, and OpenMP keeps a team for the largest. */
static int try_living(void)
{
    spmv_set_thread_limit(1);
    if (!plans_are_same(NULL, NULL) || living != 0)
        return 0;
    spmv_set_thread_limit(3);
    return plans_are_same(NULL, NULL) && living == (HAS_TEAMS ? 2 : 0);
}
#endif

static void test_limit(void)
{
    ok(holds_in_child(try_limits), "a limit holds for old plans and new ones, with the same bits");
#ifdef COUNTED
    ok(holds_in_child(try_living), "no more threads than the limit are started");
#endif
}

/* ---- forked children ------------------------------------------------------------------------- */

static spmv_plan *parents[METHODS];

static int try_as_child(void)
{
    int same = count_threads() == (HAS_TEAMS_IN_CHILD ? PARTS : 1);

    for (size_t m = 0; m < METHODS; m++)
        same &= plan_is_same(parents[m], m);
    return same && plans_are_same(NULL, NULL);
}

/* Also for a child of a child. */
static int try_as_parent(void)
{
    return try_as_child() && holds_in_child(try_as_child) && try_as_child();
}

static int try_fork(void)
{
    int right = 1;

    for (size_t m = 0; m < METHODS; m++) {
        parents[m] = same_bits_plan(m, NULL, NULL);
        right &= plan_is_same(parents[m], m);
    }
    right &= count_threads() == (HAS_TEAMS ? PARTS : 1) && holds_in_child(try_as_parent);
    right &= count_threads() == (HAS_TEAMS ? PARTS : 1);
    for (size_t m = 0; m < METHODS; m++) {
        right &= plan_is_same(parents[m], m);
        spmv_plan_destroy(parents[m]);
    }
    return right;
}

static atomic_int stops;

static void *keep_busy(void *argument)
{
    while (!atomic_load(&stops))
        count_threads();
    return argument;
}

/* Forks while another thread is at any point of running a team. */
static int try_fork_beside(void)
{
    pthread_t other;
    int right = 1;

    for (size_t m = 0; m < METHODS; m++)
        right &= plan_is_same(parents[m] = same_bits_plan(m, NULL, NULL), m);
    if (pthread_create(&other, NULL, keep_busy, NULL) != 0)
        return 0;
    for (int i = 0; i < 20; i++)
        right &= holds_in_child(try_as_child);
    atomic_store(&stops, 1);
    pthread_join(other, NULL);
    for (size_t m = 0; m < METHODS; m++)
        spmv_plan_destroy(parents[m]);
    return right;
}

/* ---- children that are forked during a multiplication ---------------------------------------- */

enum { CHILDREN = 8, COLUMNS = 3, PARTS_METHOD = 1 };   /* toy_parts, which has a workspace */

/* The first call on the thread `holder` posts `entered` and waits for `leave`. */
typedef struct held {
    sem_t entered, leave;
    pthread_t holder;
    atomic_int is_held;
    spmv_plan *plan;
    int with_columns;
} held;

static void hold(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    held *h = context;

    if (atomic_load(&h->is_held) == 0 && pthread_equal(pthread_self(), h->holder)) {
        atomic_store(&h->is_held, 1);
        sem_post(&h->entered);
        while (sem_wait(&h->leave) != 0)
            continue;
    }
    for (int32_t i = 0; i < count; i++)
        run(argument, i);
}

/* In the plan's own workspace, whose part for several vectors grows with their number. */
static spmv_status multiply_columns(const spmv_plan *plan, int32_t columns)
{
    const spmv_csr *csr = &same_bits_sample->csr;
    double *x = calloc((size_t)csr->cols * (size_t)columns, sizeof *x);
    double *y = calloc((size_t)csr->rows * (size_t)columns, sizeof *y);
    const spmv_status status =
        spmv_execute_columns(plan, SPMV_COLUMN_MAJOR, columns, 1, x, csr->cols, 0, y, csr->rows,
                             NULL);

    free(x);
    free(y);
    return status;
}

static void *hold_workspace(void *context)
{
    held *h = context;

    h->holder = pthread_self();
    if (h->with_columns)
        multiply_columns(h->plan, COLUMNS);
    else
        plan_is_same(h->plan, PARTS_METHOD);
    return NULL;
}

static held *being_held;

/* Twice, since the first multiplication must give back what it takes over. */
static int try_in_child(void)
{
    const spmv_plan *plan = being_held->plan;
    int right = 1;

    for (int i = 0; i < 2; i++)
        right &= plan_is_same(plan, PARTS_METHOD) && multiply_columns(plan, 1) == SPMV_OK &&
                 multiply_columns(plan, 2 * COLUMNS) == SPMV_OK;
    return right;
}

static int try_in_child_of_child(void)
{
    return holds_in_child(try_in_child) && try_in_child();
}

/* The parent's workspace stays taken; each child has it for itself. */
static int try_fork_during(int with_columns)
{
    held h = {.with_columns = with_columns};
    pthread_t other;
    int right;

    being_held = &h;
    sem_init(&h.entered, 0, 0);
    sem_init(&h.leave, 0, 0);
    h.plan = same_bits_plan(PARTS_METHOD, hold, &h);
    right = h.plan != NULL && spmv_plan_workspace_size(h.plan) > 0;
    if (!right || pthread_create(&other, NULL, hold_workspace, &h) != 0)
        return 0;
    while (sem_wait(&h.entered) != 0)
        continue;
    right &= multiply_columns(h.plan, 1) == SPMV_BUSY;
    for (int i = 0; i < CHILDREN; i++)
        right &= holds_in_child(try_in_child_of_child);
    right &= multiply_columns(h.plan, 1) == SPMV_BUSY;
    sem_post(&h.leave);
    pthread_join(other, NULL);
    right &= plan_is_same(h.plan, PARTS_METHOD) && multiply_columns(h.plan, 1) == SPMV_OK;
    spmv_plan_destroy(h.plan);
    sem_destroy(&h.entered);
    sem_destroy(&h.leave);
    return right;
}

static int try_fork_during_vector(void)
{
    return try_fork_during(0);
}

static int try_fork_during_columns(void)
{
    return try_fork_during(1);
}

#endif

/* Cases that need processes of their own. */
static void test_processes(const char *program)
{
#ifdef COUNTED
    test_refused();
    test_little_space(program);
    ok(holds_in_child(try_without_memory), "no memory is left: teams of any size do all parts");
    ok(living == 0, "a process that uses one thread starts none");
#else
    (void)program;
    skip("threads cannot be counted here: a sanitizer has its own pthread_create, or qemu-user");
#endif
#ifndef EMULATED
    test_limit();
    ok(holds_in_child(try_fork), "forked after use: child and parent go on, with the same bits");
#ifdef SANITIZED
    (void)try_fork_beside;
    (void)try_fork_during_vector;
    (void)try_fork_during_columns;
    skip("a sanitizer's own locks do not outlive a fork beside other threads");
#else
    ok(holds_in_child(try_fork_beside), "forked while another thread is in a team: children go on");
    ok(holds_in_child(try_fork_during_vector),
       "forked while another thread has the plan's workspace: children multiply in their own");
    ok(holds_in_child(try_fork_during_columns),
       "forked while another thread multiplies several vectors: likewise");
#endif
#else
    skip("qemu-user ends a forked process that starts threads");
#endif
}

int main(int argc, char **argv)
{
    same_bits_begin();
#ifdef COUNTED
    if (argc > 1 && strcmp(argv[1], "--little-space") == 0) {
        alarm(LIMIT_SECONDS);
        return try_little_space() ? 0 : 1;
    }
#else
    (void)argc;
#endif
    test_processes(argv[0]);
    same_bits_end();
    return tap_done();
}
