/* timing.c: see timing.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/race/timing.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
    MAX_REPEATS = 1 << 20,
    FIRST_ROUNDS = 12,           /* of all runners, in a race with `until` */
    MOST_ROUNDS = 20000,         /* in such a race */
    UNTIMED_RUNS = 8
};

static const double min_rounds = BENCH_INTERVAL_SAMPLES, max_rounds = 2000;

/* Least duration of a sample: many times longer than reading the clock, and enough for sleeping
 * threads to wake. */
static const double shortest_sample = 2e-3;

double bench_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What a race needs while it runs. A sample that was not taken is NaN. */
typedef struct course {
    const bench_race *race;
    bench_runner *runners;
    size_t count;
    size_t *repeats;             /* runs of a sample, of each runner */
    double *sample;              /* sample[round * count + runner] */
    size_t rounds, room;         /* rounds begun; rounds that fit into `sample` */
    double *numbers;             /* room for one number of each round */
    bool *settled;               /* of each runner: takes no further samples */
} course;

enum { OVER = -2 };              /* the race was ended from outside */

static int time_runs(const course *c, const bench_runner *runner, size_t repeats, double *seconds)
{
    const double begin = bench_seconds();

    for (size_t i = 0; i < repeats; i++) {
        const int failed = runner->run(runner->context);
        if (failed)
            return failed;
        if (c->race->is_over && c->race->is_over())
            return OVER;
    }
    *seconds = (bench_seconds() - begin) / (double)repeats;
    return 0;
}

/* Finds the number of runs in a sample; *seconds is the time of one run. */
static int choose_repeats(const course *c, const bench_runner *runner, size_t *repeats,
                          double *seconds)
{
    int failed = time_runs(c, runner, 1, seconds);       /* cold: threads start, pages are mapped */

    *repeats = 1;
    while (!failed) {
        failed = time_runs(c, runner, *repeats, seconds);
        if (*seconds * (double)*repeats >= shortest_sample || *repeats >= MAX_REPEATS)
            break;
        *repeats *= 2;
    }
    return failed;
}

/* Makes room for another round. False: out of memory. */
static bool make_room(course *c, size_t rounds)
{
    if (rounds <= c->room)
        return true;
    double *sample = realloc(c->sample, rounds * c->count * sizeof *sample);
    if (sample)
        c->sample = sample;
    double *numbers = realloc(c->numbers, rounds * sizeof *numbers);
    if (numbers)
        c->numbers = numbers;
    if (sample && numbers)
        c->room = rounds;
    return sample && numbers;
}

/* Takes a sample of each runner that is not settled. */
static int run_round(course *c)
{
    double *sample = &c->sample[c->rounds++ * c->count];
    int failed = 0;

    for (size_t i = 0; i < c->count; i++)
        sample[i] = NAN;
    for (size_t i = 0; i < c->count && !failed; i++) {
        double seconds = 0;
        if (c->settled[i])
            continue;
        failed = time_runs(c, &c->runners[i], UNTIMED_RUNS, &seconds);
        if (!failed)
            failed = time_runs(c, &c->runners[i], c->repeats[i], &seconds);
        if (!failed)
            sample[i] = seconds;
    }
    return failed;
}

/* The interval of the samples of runner i, or of the ratios of samples of `over` to them. */
static bench_interval interval_of(const course *c, size_t i, const bench_runner *over,
                                  size_t *samples)
{
    const size_t base = over ? (size_t)(over - c->runners) : 0;
    size_t count = 0;

    for (size_t round = 0; round < c->rounds; round++) {
        const double *sample = &c->sample[round * c->count];
        const double number = over ? sample[base] / sample[i] : sample[i];
        if (!isnan(number))
            c->numbers[count++] = number;
    }
    *samples = count;
    return bench_interval_of(c->numbers, count);
}

static void store_results(course *c)
{
    for (size_t i = 0; i < c->count; i++) {
        bench_runner *r = &c->runners[i];
        size_t common;
        r->time = interval_of(c, i, NULL, &r->samples);
        r->fastest = r->samples > 0 ? c->numbers[0] : 0;     /* sorted */
        if (c->race->baseline)
            r->ratio = interval_of(c, i, c->race->baseline, &common);
        if (r->other)
            r->other_ratio = interval_of(c, i, r->other, &common);
    }
}

/* The rounds that the time allows, where one takes so long. */
static size_t affordable_rounds(const bench_race *race, size_t count, double round_seconds)
{
    const double wanted = race->seconds * (double)count / (round_seconds + 1e-9);

    return (size_t)(wanted < min_rounds ? min_rounds : wanted > max_rounds ? max_rounds : wanted);
}

/* Takes the runners out whose ratios are known well enough. Returns whether one is left. */
static bool settle(course *c)
{
    bool any = false;

    for (size_t i = 0; i < c->count; i++) {
        size_t common;
        const bench_interval ratio = interval_of(c, i, c->race->baseline, &common);
        c->settled[i] = &c->runners[i] != c->race->baseline &&
                        (i >= c->race->compared ||
                         bench_interval_half_width(&ratio) <= c->race->bound);
        any = any || (!c->settled[i] && &c->runners[i] != c->race->baseline);
    }
    return any;
}

/* Rounds until all ratios are known well enough, or the time is over. */
static int run_until(course *c)
{
    const double begin = bench_seconds(), until = c->race->until;
    size_t next = FIRST_ROUNDS;  /* the number of rounds at which to settle next */
    int failed = 0;

    while (!failed && c->rounds < MOST_ROUNDS) {
        const double now = bench_seconds();
        if (c->rounds == next) {
            if (!settle(c))
                break;
            next += next / 8;
        }
        if (c->rounds >= FIRST_ROUNDS / 2 && now >= until)
            break;
        if (c->race->progress && c->rounds > 0)
            c->race->progress(c->race->progress_context,
                              now < until ? (now - begin) / (until - begin) : 1);
        failed = make_room(c, c->rounds < c->room ? c->room : 2 * c->rounds + FIRST_ROUNDS)
                     ? run_round(c) : -1;
    }
    return failed;
}

/* As many rounds as race->rounds or race->seconds say. */
static int run_rounds(course *c, double round_seconds)
{
    const size_t rounds = c->race->rounds > 0
        ? c->race->rounds : affordable_rounds(c->race, c->count, round_seconds);
    int failed = make_room(c, rounds) ? 0 : -1;

    while (!failed && c->rounds < rounds) {
        failed = run_round(c);
        if (!failed && c->race->progress)
            c->race->progress(c->race->progress_context, (double)c->rounds / (double)rounds);
    }
    return failed;
}

static int run_course(course *c)
{
    double round_seconds = 0;
    int failed = 0;

    for (size_t i = 0; i < c->count && !failed; i++) {
        double seconds = 0;
        failed = choose_repeats(c, &c->runners[i], &c->repeats[i], &seconds);
        round_seconds += seconds * (double)(c->repeats[i] + UNTIMED_RUNS);
    }
    if (failed)
        return failed;
    return c->race->until > 0 ? run_until(c) : run_rounds(c, round_seconds);
}

int bench_race_run(const bench_race *race, bench_runner *runners, size_t count)
{
    course c = { .race = race, .runners = runners, .count = count };
    int failed;

    c.repeats = malloc((count + 1) * sizeof *c.repeats);
    c.settled = calloc(count + 1, sizeof *c.settled);
    failed = c.repeats && c.settled && make_room(&c, 1) ? run_course(&c) : -1;
    if (!failed || failed == OVER)
        store_results(&c);
    free(c.repeats);
    free(c.settled);
    free(c.sample);
    free(c.numbers);
    return failed == OVER ? 0 : failed;
}
