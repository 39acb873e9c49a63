/* timing.c: see timing.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/race/timing.h"

#include <stdlib.h>
#include <time.h>

enum {
    MAX_REPEATS = 1 << 20,
    UNTIMED_RUNS = 8
};

static const double min_rounds = 5, max_rounds = 2000;

/* Least duration of a sample: many times longer than reading the clock, and enough for sleeping
 * threads to wake. */
static const double shortest_sample = 2e-3;

double bench_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *numbers, size_t count)
{
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof *numbers, compare);
    return count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

static int time_runs(const bench_runner *runner, size_t repeats, double *seconds)
{
    const double begin = bench_seconds();

    for (size_t i = 0; i < repeats; i++) {
        const int failed = runner->run(runner->context);
        if (failed)
            return failed;
    }
    *seconds = (bench_seconds() - begin) / (double)repeats;
    return 0;
}

/* Finds the number of runs in a sample; *seconds is the time of one run. */
static int choose_repeats(const bench_runner *runner, size_t *repeats, double *seconds)
{
    int failed = time_runs(runner, 1, seconds);          /* cold: threads start, pages are mapped */

    *repeats = 1;
    while (!failed) {
        failed = time_runs(runner, *repeats, seconds);
        if (*seconds * (double)*repeats >= shortest_sample || *repeats >= MAX_REPEATS)
            break;
        *repeats *= 2;
    }
    return failed;
}

int bench_race_run(const bench_race *race, bench_runner *runners, size_t count)
{
    size_t *repeats = malloc((count + 1) * sizeof *repeats);
    double *sample = NULL;
    double round_seconds = 0;
    size_t rounds = race->rounds;
    int failed = repeats ? 0 : -1;

    for (size_t i = 0; i < count && !failed; i++) {
        double seconds = 0;
        failed = choose_repeats(&runners[i], &repeats[i], &seconds);
        round_seconds += seconds * (double)(repeats[i] + UNTIMED_RUNS);
    }
    if (!failed && rounds == 0) {
        const double wanted = race->seconds * (double)count / (round_seconds + 1e-9);
        rounds = (size_t)(wanted < min_rounds ? min_rounds
                          : wanted > max_rounds ? max_rounds : wanted);
    }
    if (!failed) {
        sample = calloc(rounds * count + 1, sizeof *sample);
        failed = sample ? 0 : -1;
    }
    for (size_t round = 0; round < rounds && !failed; round++)
        for (size_t i = 0; i < count && !failed; i++) {
            double *seconds = &sample[i * rounds + round];
            failed = time_runs(&runners[i], UNTIMED_RUNS, seconds);
            if (!failed)
                failed = time_runs(&runners[i], repeats[i], seconds);
        }
    for (size_t i = 0; i < count && !failed; i++) {
        runners[i].samples = rounds;
        runners[i].median = bench_median(&sample[i * rounds], rounds);
        runners[i].fastest = sample[i * rounds];         /* sorted by bench_median */
    }
    free(repeats);
    free(sample);
    return failed;
}
