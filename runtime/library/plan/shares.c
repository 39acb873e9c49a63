/* shares.c: see shares.h. */
#include "runtime/library/plan/shares.h"

#include "runtime/base/cache_line.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/core/threads/step_runner.h"

/* For a millisecond a core may be half as fast as the other: it wakes up, or its machine has other
 * work. A cut by such times would stay. So blocks are timed for longer, and by two threads. */
enum {
    TURN = 3,                    /* runs after which other threads time the parts; the first fills
                                    their caches */
    LEAST_RUNS = 2 * TURN,
    MOST_RUNS = 500,
    TIMED = 1000000,             /* nanoseconds on each thread, of all runs */
    CUT = INT32_MAX,             /* spmv_shares.runs from the cut on */
    BLOCKS_A_PART = 64           /* at most: a cut between blocks is off by 1 % of a part or less */
};

/* ---- cutting --------------------------------------------------------------------------------- */

/* Fills one range after another, each with at most `most` nanoseconds. Returns whether that gives
 * room to all blocks. */
static int cut_within(const spmv_atomic *time, int32_t blocks, int32_t parts, int64_t most,
                      int64_t *begin)
{
    int32_t block = 0;

    for (int32_t part = 0; part < parts; part++) {
        int64_t sum = 0;

        begin[part] = block;
        for (; block < blocks; block++) {
            sum += spmv_atomic_get(&time[block]);
            if (sum > most)
                break;
        }
    }
    begin[parts] = blocks;
    return block == blocks;
}

void spmv_shares_cut(const spmv_atomic *time, int32_t blocks, int32_t parts, int64_t *begin)
{
    int64_t sum = 0, longest = 0, least, most;

    for (int32_t block = 0; block < blocks; block++) {
        const int64_t one = spmv_atomic_get(&time[block]);

        sum += one;
        longest = one > longest ? one : longest;
    }
    least = sum / parts > longest ? sum / parts : longest;
    most = sum / parts + longest;        /* enough: it leaves no range with less than the mean */
    while (least < most) {
        const int64_t middle = least + (most - least) / 2;

        if (cut_within(time, blocks, parts, middle, begin))
            most = middle;
        else
            least = middle + 1;
    }
    (void)cut_within(time, blocks, parts, most, begin);
}

/* ---- timing ---------------------------------------------------------------------------------- */

typedef struct SPMV_LINE_ALIGNED timed_step {
    const spmv_job *job;
    const spmv_step *step;
    int32_t parts, blocks;
    int32_t moved;               /* parts by which the threads are moved */
    spmv_atomic *time;
} timed_step;

static void run_timed_part(void *argument, int32_t thread)
{
    const timed_step *t = (const timed_step *)argument;
    const int32_t part = (thread + t->moved) % t->parts;
    const int64_t end = spmv_parallel_begin(t->blocks, t->parts, part + 1);

    for (int64_t block = spmv_parallel_begin(t->blocks, t->parts, part); block < end; block++) {
        const double start = spmv_seconds_now();
        double seconds;

        t->step->run(t->job, spmv_parallel_begin(t->step->grid, t->blocks, block),
                     spmv_parallel_begin(t->step->grid, t->blocks, block + 1));
        seconds = spmv_seconds_now() - start;
        spmv_atomic_lower(&t->time[block], seconds < 1 ? (int32_t)(seconds * 1e9) : 1000000000);
    }
}

static void cut_steps(spmv_shares *shares, const spmv_prepared *prepared,
                      const spmv_threads *threads)
{
    for (int32_t i = 0; i < prepared->steps; i++) {
        const int64_t grid = prepared->step[i].grid;
        const int32_t parts = spmv_parallel_parts(threads, grid);

        spmv_shares_cut(shares->time[i], shares->blocks[i], parts, shares->begin[i]);
        for (int32_t part = 0; part <= parts; part++)
            shares->begin[i][part] =
                spmv_parallel_begin(grid, shares->blocks[i], shares->begin[i][part]);
    }
}

/* Whether so many timed runs on `threads` threads are enough. */
static int are_enough(const spmv_shares *shares, int32_t steps, int32_t runs, int32_t threads)
{
    int64_t sum = 0;

    for (int32_t i = 0; i < steps; i++)
        for (int32_t block = 0; block < shares->blocks[i]; block++)
            sum += spmv_atomic_get(&shares->time[i][block]);
    return runs >= MOST_RUNS || (runs >= LEAST_RUNS && runs * (sum / threads) >= TIMED);
}

/* Counts a run. Returns 1 to the one thread that is to cut. */
static int count_run(spmv_shares *shares, const spmv_prepared *prepared, int32_t threads)
{
    int32_t runs = spmv_atomic_get(&shares->runs);

    while (runs < CUT && !spmv_atomic_replace(&shares->runs, &runs, runs + 1))
        continue;
    if (runs == CUT || !are_enough(shares, prepared->steps, runs + 1, threads))
        return 0;
    runs = spmv_atomic_get(&shares->runs);
    while (runs < CUT && !spmv_atomic_replace(&shares->runs, &runs, CUT))
        continue;
    return runs < CUT;
}

void spmv_shares_run_timed(spmv_shares *shares, const spmv_prepared *prepared, const spmv_job *job,
                           const spmv_threads *threads)
{
    const spmv_threads team = spmv_steps_team(prepared->step, prepared->steps, threads);
    const int32_t runs = spmv_atomic_get(&shares->runs);

    for (int32_t i = 0; i < prepared->steps; i++) {
        const int32_t parts = spmv_parallel_parts(threads, prepared->step[i].grid);
        timed_step t = {
            .job = job, .step = &prepared->step[i], .parts = parts, .blocks = shares->blocks[i],
            .moved = runs / TURN % 2, .time = shares->time[i],
        };

        spmv_team_run(&team, parts, run_timed_part, &t);
    }
    if (count_run(shares, prepared, threads->count)) {
        cut_steps(shares, prepared, threads);
        spmv_atomic_set(&shares->parts, threads->count);
    }
}

/* ---- multiplying ----------------------------------------------------------------------------- */

/* A step and its job, side by side for the threads that read them. */
typedef struct SPMV_LINE_ALIGNED cut_step {
    const int64_t *begin;
    void (*run)(const spmv_job *job, int64_t first, int64_t last);
    spmv_job job;
} cut_step;

static void run_cut_part(void *argument, int32_t part)
{
    const cut_step *c = (const cut_step *)argument;

    if (c->begin[part] < c->begin[part + 1])
        c->run(&c->job, c->begin[part], c->begin[part + 1]);
}

void spmv_shares_run(const spmv_shares *shares, const spmv_prepared *prepared, const spmv_job *job,
                     const spmv_threads *threads)
{
    const spmv_threads team = spmv_steps_team(prepared->step, prepared->steps, threads);

    for (int32_t i = 0; i < prepared->steps; i++) {
        cut_step c;

        c.begin = shares->begin[i];
        c.run = prepared->step[i].run;
        c.job = *job;
        spmv_team_run(&team, spmv_parallel_parts(threads, prepared->step[i].grid), run_cut_part,
                      &c);
    }
}

/* ---- create and destroy ---------------------------------------------------------------------- */

static int32_t block_count(const spmv_step *step, int32_t threads)
{
    const int64_t most = (int64_t)threads * BLOCKS_A_PART;

    return (int32_t)(step->grid < most ? step->grid : most);
}

spmv_shares *spmv_shares_create(const spmv_prepared *prepared, int32_t threads)
{
    const spmv_threads most = {.count = threads};
    size_t times = 0, begins = 0;
    spmv_shares *shares;
    spmv_atomic *time;
    int64_t *begin;

    for (int32_t i = 0; i < prepared->steps; i++) {
        times += (size_t)block_count(&prepared->step[i], threads);
        begins += (size_t)spmv_parallel_parts(&most, prepared->step[i].grid) + 1;
    }
    shares = spmv_memory_alloc(sizeof *shares + begins * sizeof *begin + times * sizeof *time);
    if (shares == NULL)
        return NULL;
    spmv_atomic_set(&shares->parts, 0);
    spmv_atomic_set(&shares->runs, 0);
    begin = (int64_t *)(shares + 1);
    time = (spmv_atomic *)(begin + begins);
    for (int32_t i = 0; i < prepared->steps; i++) {
        shares->blocks[i] = block_count(&prepared->step[i], threads);
        shares->begin[i] = begin;
        shares->time[i] = time;
        begin += spmv_parallel_parts(&most, prepared->step[i].grid) + 1;
        time += shares->blocks[i];
        for (int32_t block = 0; block < shares->blocks[i]; block++)
            spmv_atomic_set(&shares->time[i][block], INT32_MAX);
    }
    return shares;
}

void spmv_shares_destroy(spmv_shares *shares)
{
    spmv_memory_free(shares);
}
