/* team_size.c: see team_size.h. */
#include "runtime/library/execute/team_size.h"

#include "runtime/library/threads/wake.h"

/* Several threads are tried until they are faster than one. For a millisecond a core may be half as
 * fast as the other: it wakes up, or its machine has other work. So they lose only after longer. */
enum {
    TIMED_RUNS = 4,              /* of each kind, or more; the first fills the caches */
    TRIAL = 4000000              /* nanoseconds of one thread, as many of whose runs are tried */
};

static const double bytes_a_nanosecond = 20;     /* of layout.cost: 5 a cycle at 4 GHz */

/* A step of one chunk is never shared. */
static int has_parts(const spmv_prepared *prepared)
{
    for (int32_t i = 0; i < prepared->steps; i++)
        if (prepared->step[i].grid > 1)
            return 1;
    return 0;
}

/* The first state. The program's own threads are not measured: it may count the calls. */
static int32_t first_size(const spmv_plan *plan)
{
    const spmv_threads *threads = &plan->core.threads;
    const double nanoseconds = plan->core.layout.cost / bytes_a_nanosecond;
    const int32_t all = plan->scratch->shares != NULL ? -threads->count : threads->count;

    if (threads->count <= 1 || plan->prepared.steps == 0)
        return threads->count;
    if (threads->parallel_for != NULL || spmv_wake_given() == 0)
        return all;
    if (!has_parts(&plan->prepared))
        return 1;
    if (nanoseconds >= (double)SPMV_LONG_WORK)
        return all;
    return nanoseconds < (double)SPMV_SHORT_WORK && spmv_wake_given() < 0 ? 1 : 0;
}

void spmv_team_size_begin(spmv_plan *plan)
{
    if (plan->core.threads.count > 1 && has_parts(&plan->prepared))
        plan->scratch->shares = spmv_shares_create(&plan->prepared, plan->core.threads.count);
    spmv_atomic_set(&plan->scratch->alone, INT32_MAX);
    spmv_atomic_set(&plan->scratch->shared, INT32_MAX);
    spmv_atomic_set(&plan->scratch->team_size, first_size(plan));
}

/* The next state after the last run in state `size`. 0: begin again. */
static int32_t next_size(const spmv_plan *plan, int32_t size)
{
    const int32_t alone = spmv_atomic_get(&plan->scratch->alone);
    int32_t worth;

    if (size < 0)
        return spmv_wake_given() >= 0 || spmv_atomic_get(&plan->scratch->shared) < alone ? -size
                                                                                         : 1;
    worth = spmv_threads_worth(&plan->core.threads, alone, spmv_wake_given());
    return worth > 1 ? -worth : worth;
}

/* The most runs in state `size` and before. */
static int32_t most_runs(const spmv_plan *plan, int32_t size)
{
    const int32_t alone = spmv_atomic_get(&plan->scratch->alone);

    return size == 0 ? TIMED_RUNS : 2 * TIMED_RUNS + TRIAL / (alone > 0 ? alone : 1);
}

void spmv_team_size_tell(const spmv_plan *plan, int32_t size, double seconds)
{
    spmv_scratch *s = plan->scratch;
    const int32_t least = size == 0 ? TIMED_RUNS : 2 * TIMED_RUNS;
    const int32_t most = most_runs(plan, size);
    int32_t runs = spmv_atomic_get(&s->timed_runs);
    int32_t next;

    spmv_atomic_lower(size == 0 ? &s->alone : &s->shared,
                      seconds < 1 ? (int32_t)(seconds * 1e9) : 1000000000);
    while (runs < most && !spmv_atomic_replace(&s->timed_runs, &runs, runs + 1))
        continue;
    if (runs >= most || runs + 1 < least)
        return;
    next = next_size(plan, size);
    if (next == 1 && runs + 1 < most)
        return;
    if (next == 0)
        spmv_atomic_set(&s->timed_runs, 0);
    else
        spmv_atomic_set(&s->team_size, next);
}
