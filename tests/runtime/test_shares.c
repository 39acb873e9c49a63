/* test_shares.c: cuts of steps by measured times. Times are given here, none is measured: the clock
 * shows the time that the test says. */
#include "../tap.h"
#include "runtime/library/plan/shares.h"

#include <string.h>

enum { MOST_BLOCKS = 9, MOST_PARTS = 5, TRIES = 400 };

static uint32_t state = 1;

static int32_t draw(int32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)(state >> 16) % below;
}

static int64_t sum_of(const spmv_atomic *time, int64_t first, int64_t end)
{
    int64_t sum = 0;

    for (int64_t i = first; i < end; i++)
        sum += spmv_atomic_get(&time[i]);
    return sum;
}

/* The longest range of the best cut of blocks [first, blocks) into `parts`, by trying all. */
static int64_t best(const spmv_atomic *time, int32_t first, int32_t blocks, int32_t parts)
{
    int64_t least = sum_of(time, first, blocks);

    for (int32_t end = first; parts > 1 && end <= blocks; end++) {
        const int64_t own = sum_of(time, first, end), others = best(time, end, blocks, parts - 1);
        const int64_t longest = own > others ? own : others;

        least = longest < least ? longest : least;
    }
    return least;
}

/* Whether the ranges follow each other and have all blocks; *longest: the longest one. */
static int is_cut(const spmv_atomic *time, int32_t blocks, int32_t parts, const int64_t *begin,
                  int64_t *longest)
{
    int right = begin[0] == 0 && begin[parts] == blocks;

    *longest = 0;
    for (int32_t part = 0; part < parts && right; part++) {
        const int64_t sum = sum_of(time, begin[part], begin[part + 1]);

        right = begin[part] <= begin[part + 1];
        *longest = sum > *longest ? sum : *longest;
    }
    return right;
}

static void test_all_cuts(void)
{
    int complete = 1, shortest = 1;

    for (int i = 0; i < TRIES; i++) {
        const int32_t blocks = 1 + draw(MOST_BLOCKS), parts = 1 + draw(MOST_PARTS);
        const int32_t most = i % 2 ? 4 : 1000;
        spmv_atomic time[MOST_BLOCKS];
        int64_t begin[MOST_PARTS + 1], longest;

        for (int32_t block = 0; block < blocks; block++)
            spmv_atomic_set(&time[block], draw(most));
        spmv_shares_cut(time, blocks, parts, begin);
        complete &= is_cut(time, blocks, parts, begin, &longest);
        shortest &= longest == best(time, 0, blocks, parts);
    }
    ok(complete, "ranges follow each other and have all blocks");
    ok(shortest, "no other cut has a shorter longest range");
}

static void test_extremes(void)
{
    spmv_atomic time[MOST_BLOCKS];
    int64_t begin[MOST_PARTS + 1], longest;

    for (int32_t block = 0; block < MOST_BLOCKS; block++)
        spmv_atomic_set(&time[block], INT32_MAX);
    spmv_shares_cut(time, MOST_BLOCKS, 3, begin);
    ok(is_cut(time, MOST_BLOCKS, 3, begin, &longest) && longest == 3 * (int64_t)INT32_MAX,
       "the largest times do not overflow");
    for (int32_t block = 0; block < MOST_BLOCKS; block++)
        spmv_atomic_set(&time[block], block == 4 ? 100 : 1);
    spmv_shares_cut(time, MOST_BLOCKS, 3, begin);
    ok(begin[1] == 4 && begin[2] == 5, "a block that takes longest has a range of its own");
}

/* ---- steps ----------------------------------------------------------------------------------- */

enum { CHUNKS = 1000, FEW_CHUNKS = 3, PARTS = 4, LEAST_RUNS = 6, MOST_RUNS = 500 };

static spmv_atomic done[2][CHUNKS];

static void note(int step, int64_t first, int64_t last)
{
    for (int64_t chunk = first; chunk < last; chunk++) {
        int32_t known = spmv_atomic_get(&done[step][chunk]);

        while (!spmv_atomic_replace(&done[step][chunk], &known, known + 1))
            continue;
    }
}

static void run_many(const spmv_job *job, int64_t first, int64_t last)
{
    (void)job;
    note(0, first, last);
}

static void run_few(const spmv_job *job, int64_t first, int64_t last)
{
    (void)job;
    note(1, first, last);
}

/* Timed or not, a run does each chunk once. */
static void test_runs(void)
{
    static spmv_prepared prepared;
    const spmv_threads threads = {.count = PARTS};
    const spmv_job job = {.alpha = 1};
    spmv_shares *shares;
    int right = 1, runs = 0;

    prepared.steps = 2;
    prepared.step[0] = (spmv_step){"many", run_many, CHUNKS};
    prepared.step[1] = (spmv_step){"few", run_few, FEW_CHUNKS};
    shares = spmv_shares_create(&prepared, PARTS);
    ok(shares != NULL && !spmv_shares_are_cut(shares, PARTS), "new shares are not cut");
    for (; runs <= MOST_RUNS && !spmv_shares_are_cut(shares, PARTS); runs++)
        spmv_shares_run_timed(shares, &prepared, &job, &threads);
    ok(spmv_shares_are_cut(shares, PARTS) && !spmv_shares_are_cut(shares, PARTS - 1),
       "after %d timed runs they are cut into %d parts", runs, PARTS);
    ok(runs >= LEAST_RUNS && runs <= MOST_RUNS, "that is %d to %d runs", LEAST_RUNS, MOST_RUNS);
    spmv_shares_run(shares, &prepared, &job, &threads);
    runs++;
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        right &= spmv_atomic_get(&done[0][chunk]) == runs;
        right &= spmv_atomic_get(&done[1][chunk]) == (chunk < FEW_CHUNKS ? runs : 0);
    }
    ok(right, "each run does each chunk of each step once");
    spmv_shares_destroy(shares);
    spmv_shares_destroy(NULL);
    ok(!spmv_shares_are_cut(NULL, PARTS), "without memory for shares nothing is cut");
}

/* ---- disturbed runs -------------------------------------------------------------------------- */

#ifdef WITHOUT_WRAP

static void test_disturbances(void)
{
    skip("the linker has no --wrap, by which the clock is replaced");
}

#else

static double now;               /* seconds, in multiples of TICK: differences are exact */
static int thread, run_count;

#define TICK 0x1p-20

/* What a chunk takes, and what disturbs the threads. */
static struct {
    int far_chunks;              /* the first chunks, which take three times as long as others */
    int slow;                    /* bits of threads that take twice as long, in every run */
    int has_pauses;              /* every thread pauses once in every run */
} timing;

double __wrap_spmv_seconds_now(void);

double __wrap_spmv_seconds_now(void)
{
    return now;
}

static void run_slowly(const spmv_job *job, int64_t first, int64_t last)
{
    const int64_t paused = (int64_t)(run_count * 37 + thread * 251) % CHUNKS;

    (void)job;
    for (int64_t chunk = first; chunk < last; chunk++) {
        const int ticks = chunk < timing.far_chunks ? 3 : 1;

        now += TICK * ticks * (timing.slow >> thread & 1 ? 2 : 1);
        now += timing.has_pauses && chunk == paused ? 4096 * TICK : 0;
    }
}

/* Calls part i as thread i. */
static void run_in_turns(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    (void)context;
    for (thread = 0; thread < count; thread++)
        run(argument, thread);
}

/* Writes the cut that timed runs lead to. */
static void cut_by_runs(int64_t *begin)
{
    static spmv_prepared prepared;
    const spmv_threads threads = {.count = PARTS, .parallel_for = run_in_turns};
    const spmv_job job = {.alpha = 1};
    spmv_shares *shares;

    prepared.steps = 1;
    prepared.step[0] = (spmv_step){"slow", run_slowly, CHUNKS};
    shares = spmv_shares_create(&prepared, PARTS);
    for (run_count = 0; run_count < MOST_RUNS && !spmv_shares_are_cut(shares, PARTS); run_count++)
        spmv_shares_run_timed(shares, &prepared, &job, &threads);
    memcpy(begin, shares->begin[0], (PARTS + 1) * sizeof *begin);
    spmv_shares_destroy(shares);
}

static int are_alike(const int64_t *a, const int64_t *b)
{
    return memcmp(a, b, (PARTS + 1) * sizeof *a) == 0;
}

static void test_disturbances(void)
{
    for (int far_chunks = 0; far_chunks < CHUNKS; far_chunks += CHUNKS / 2) {
        const char *what = far_chunks ? "chunks differ" : "chunks are alike";
        int64_t calm[PARTS + 1], begin[PARTS + 1];
        int alike = 1;

        memset(&timing, 0, sizeof timing);
        timing.far_chunks = far_chunks;
        cut_by_runs(calm);
        ok(calm[PARTS] == CHUNKS && (calm[1] < CHUNKS / PARTS - 50) == (far_chunks > 0),
           "%s: the first range is as short as its chunks take long", what);
        for (int slow = 0; slow < PARTS; slow++) {
            timing.slow = 1 << slow;
            cut_by_runs(begin);
            alike &= are_alike(begin, calm);
        }
        ok(alike, "%s: a thread that is slow in all runs changes no cut", what);
        timing.slow = 5;
        cut_by_runs(begin);
        ok(are_alike(begin, calm), "%s: nor do two that are not neighbours", what);
        timing.slow = 0;
        timing.has_pauses = 1;
        cut_by_runs(begin);
        ok(are_alike(begin, calm), "%s: nor do pauses, in each run elsewhere", what);
    }
}

#endif

int main(void)
{
    test_all_cuts();
    test_extremes();
    test_runs();
    test_disturbances();
    return tap_done();
}
