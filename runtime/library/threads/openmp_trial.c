/* openmp_trial.c: starts the threads of an OpenMP team.
 *
 * An OpenMP runtime aborts the program if it cannot start a thread, or has no memory for a team of
 * another size than the last one. So this file first allocates as much memory and starts the
 * threads itself, and then requests from OpenMP only a team that could be started. An OpenMP
 * runtime also hangs in a forked child, whose copy of the pool has no threads. So a child uses one
 * thread.
 */
#if !defined(SPMV_PTHREADS) && defined(_OPENMP)

#define _POSIX_C_SOURCE 200809L
#include "runtime/library/threads/way.h"

#include "common/base/usable_cpus.h"
#include "runtime/base/memory.h"
#include "runtime/library/threads/process_lock.h"
#include "runtime/library/threads/thread.h"

#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- forked children ----------------------------------------------------------------------- */

/* Whether the process may have teams: it is the first of its line that asks. */
static int has_teams(void)
{
    static spmv_atomic first_to_ask;     /* its forks + 1; 0: none */
    const int32_t own = spmv_forks() + 1;
    int32_t first = spmv_atomic_get(&first_to_ask);

    if (!spmv_forks_count())
        return 0;
    if (first == 0 && spmv_atomic_replace(&first_to_ask, &first, own))
        return 1;
    return first == own;
}

/* ---- how many threads are wanted ------------------------------------------------------------- */

/* OpenMP counts CPUs by the affinity alone. It reads its variable in setuid programs, too. */
int32_t spmv_openmp_usable_threads(void)
{
    const int32_t threads = omp_get_max_threads(), cpus = spmv_usable_cpus();
    const int is_chosen = getenv("OMP_NUM_THREADS") != NULL || threads != omp_get_num_procs();

    return is_chosen || threads < cpus ? threads : cpus;
}

/* ---- how many threads can be started ------------------------------------------------------- */

/* Reads a size in OpenMP's form: a number and B, K, M or G, K if omitted. 0: malformed. */
static size_t read_size(const char *text)
{
    static const char letters[] = "BKMG";
    const char *letter;
    char *end;
    unsigned long long size;
    int shift = 10;

    text += strspn(text, " \t");
    if (*text < '0' || *text > '9')
        return 0;
    size = strtoull(text, &end, 10);
    end += strspn(end, " \t");
    if (*end != '\0') {
        letter = strchr(letters, *end >= 'a' && *end <= 'z' ? *end - 'a' + 'A' : *end);
        if (letter == NULL)
            return 0;
        shift = (int)(letter - letters) * 10;
        end++;
    }
    if (end[strspn(end, " \t")] != '\0' || size > SIZE_MAX >> shift)
        return 0;
    return (size_t)size << shift;
}

/* The stack size of OpenMP's threads; 0: the system's default. Reads the variable directly: an
 * OpenMP runtime reads it in setuid programs, too, and both must agree. */
static size_t stack_bytes(void)
{
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE", "KMP_STACKSIZE"};
    size_t bytes = 0;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && bytes == 0; i++) {
        const char *text = getenv(names[i]);

        if (text != NULL)
            bytes = read_size(text);
    }
    return bytes >= (size_t)PTHREAD_STACK_MIN ? bytes : 0;
}

/* A trial thread ends when the gate is opened. */
static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* The OpenMP runtime's own allocations, at most. */
enum { TEAM_BYTES = 256 << 10, MEMBER_BYTES = 1024 };

/* Whether there is memory for a team. */
static int has_memory(int32_t members)
{
    void *memory = spmv_memory_alloc(TEAM_BYTES + (size_t)members * MEMBER_BYTES);

    if (memory == NULL)
        return 0;
    *(volatile char *)memory = 0;        /* a compiler may leave out memory that nobody uses */
    spmv_memory_free(memory);
    return 1;
}

/* How many of `wanted` threads the system can run at the same time. */
static int32_t count_startable(int32_t wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    const size_t stack = stack_bytes();
    const size_t id_bytes = (size_t)wanted * sizeof(pthread_t);
    pthread_t *id = spmv_memory_alloc(id_bytes + (size_t)wanted * MEMBER_BYTES + TEAM_BYTES);
    int32_t count = 0;

    if (id == NULL)
        return 0;
    pthread_mutex_lock(&gate);
    while (count < wanted && spmv_thread_start(&id[count], stack, wait_at, &gate) == 0)
        count++;
    pthread_mutex_unlock(&gate);
    for (int32_t i = 0; i < count; i++)
        pthread_join(id[i], NULL);
    pthread_mutex_destroy(&gate);
    spmv_memory_free(id);
    return count;
}

/* ---- teams --------------------------------------------------------------------------------- */

/* For each thread that begins teams OpenMP keeps the threads of its last team. */
typedef struct last_team {
    int32_t members;             /* 0: there was none */
    int32_t limit;               /* threads that could be started at trial `trial`; 0: all */
    unsigned trial;
} last_team;

static _Thread_local last_team last;

/* Inside a parallel region OpenMP keeps no threads, and by default starts none. */
static int32_t members_within(int32_t wanted)
{
    if (omp_get_active_level() >= omp_get_max_active_levels())
        return 1;
    return 1 + count_startable(wanted - 1);
}

/* The members that a team may have. OpenMP has memory for a team of the last size. Threads of the
 * last team are running; more must be started. */
static int32_t members_of(int32_t wanted, unsigned trial)
{
    int32_t found;

    if (!has_teams())
        return 1;
    if (omp_get_level() > 0)
        return members_within(wanted);
    if (last.trial != trial)
        last.limit = 0;
    last.trial = trial;
    if (last.limit > 0 && wanted > last.limit)
        wanted = last.limit;
    if (wanted == last.members)
        return wanted;
    if (wanted < last.members)
        return has_memory(wanted) ? wanted : 1;
    found = 1 + count_startable(wanted - 1);
    if (found < last.members)
        found = last.members;
    if (found < wanted)
        last.limit = found;
    return found;
}

void spmv_openmp_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job)
{
    const int32_t members = members_of(wanted, trial);
    int32_t given;

    if (members <= 1) {
        run(job, 0, 1);
        return;
    }
    given = spmv_openmp_team(members, run, job);
    if (omp_get_level() == 0)
        last.members = given;
}

#else

typedef int spmv_openmp_is_not_used;     /* C forbids an empty translation unit */

#endif
