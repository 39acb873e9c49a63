/* test_shares.c: cuts of steps by measured times. Times are given here, none is measured. */
#include "../tap.h"
#include "runtime/execute/shares.h"

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

enum { CHUNKS = 1000, FEW_CHUNKS = 3, PARTS = 4, RUNS = 6 };

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
    for (; runs < RUNS && !spmv_shares_are_cut(shares, PARTS); runs++)
        spmv_shares_run_timed(shares, &prepared, &job, &threads);
    ok(spmv_shares_are_cut(shares, PARTS) && !spmv_shares_are_cut(shares, PARTS - 1),
       "after %d timed runs they are cut into %d parts", runs, PARTS);
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

int main(void)
{
    test_all_cuts();
    test_extremes();
    test_runs();
    return tap_done();
}
