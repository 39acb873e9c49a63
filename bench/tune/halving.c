/* halving.c: see halving.h. */
#include "bench/tune/halving.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST_MATRICES = 2, FINALISTS = 2 };

typedef struct entry {
    size_t candidate;
    double speed;
} entry;

size_t bench_halving_rungs(size_t candidates)
{
    size_t rungs = 1;

    for (; candidates > FINALISTS; candidates = (candidates + 1) / 2)
        rungs++;
    return rungs;
}

/* Those that do not run are last. */
static int by_speed(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const double sx = isnan(x->speed) ? -1 : x->speed, sy = isnan(y->speed) ? -1 : y->speed;

    if (sx != sy)
        return sx > sy ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

/* The matrices of a rung grow evenly from the fewest to all. */
static size_t matrices_of(const bench_halving *halving, size_t index, size_t rungs)
{
    const size_t share = (halving->matrices * (index + 1) + rungs - 1) / rungs;
    const size_t fewest = halving->matrices < FEWEST_MATRICES ? halving->matrices
                                                              : FEWEST_MATRICES;

    return share < fewest ? fewest : share;
}

/* Measures a rung and sorts its entries. */
static bool run_rung(const bench_halving *halving, const bench_rung *rung, entry *entries,
                     size_t *candidate, double *speed)
{
    for (size_t i = 0; i < rung->candidates; i++) {
        candidate[i] = entries[i].candidate;
        speed[i] = NAN;
    }
    if (!halving->measure(halving->context, rung, candidate, speed))
        return false;
    for (size_t i = 0; i < rung->candidates; i++)
        entries[i].speed = speed[i];
    return true;
}

static size_t count_running(const entry *entries, size_t count)
{
    size_t running = 0;

    while (running < count && !isnan(entries[running].speed))
        running++;
    return running;
}

/* The candidates of the next rung: half of the former, of those that run. */
static size_t next_count(const bench_rung *rung, const entry *entries)
{
    const size_t half = (rung->candidates + 1) / 2;
    const size_t running = count_running(entries, rung->candidates);

    return running < half ? running : half;
}

static void climb(const bench_halving *halving, size_t count, entry *entries, size_t *candidate,
                  double *speed, bench_halved *out)
{
    const size_t rungs = bench_halving_rungs(count);
    size_t left = count;

    for (size_t r = 0; r < rungs && left > 0; r++) {
        const bench_rung rung = { .index = r, .rungs = rungs, .candidates = left,
                                  .matrices = matrices_of(halving, r, rungs) };
        if (!run_rung(halving, &rung, entries, candidate, speed))
            return;
        const size_t added = r == 0 && rungs > 1 && halving->extend
            ? halving->extend(halving->context, speed, count) : 0;
        qsort(entries, left, sizeof *entries, by_speed);
        out->best = entries[0].candidate;
        out->speed = entries[0].speed;
        out->complete = r + 1 == rungs;
        left = next_count(&rung, entries);
        for (size_t i = 0; i < added; i++)
            entries[left++] = (entry){ .candidate = count + i };
    }
}

bench_halved bench_halving_run(const bench_halving *halving, size_t count)
{
    bench_halved out = { .speed = NAN };
    entry *entries = calloc(count + BENCH_HALVING_EXTENSIONS, sizeof *entries);
    size_t *candidate = calloc(count + BENCH_HALVING_EXTENSIONS, sizeof *candidate);
    double *speed = calloc(count + BENCH_HALVING_EXTENSIONS, sizeof *speed);

    for (size_t i = 0; i < count && entries; i++)
        entries[i].candidate = i;
    if (entries && candidate && speed)
        climb(halving, count, entries, candidate, speed, &out);
    free(entries);
    free(candidate);
    free(speed);
    return out;
}
