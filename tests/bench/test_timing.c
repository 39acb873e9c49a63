/* test_timing.c: intervals of medians, races with a baseline or an early end, and the plain CSR
 * loop. */
#include "bench/race/timing.h"

#include <math.h>
#include <stdlib.h>

#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"
#include "bench/race/reference.h"
#include "bench/yardsticks/plain_csr.h"
#include "tests/tap.h"

/* The interval of the numbers 1 to count, which are given in another order. */
static bench_interval interval_of(size_t count)
{
    double *numbers = malloc((count + 1) * sizeof *numbers);

    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)((i * 7919) % count + 1);
    const bench_interval interval = bench_interval_of(numbers, count);
    free(numbers);
    return interval;
}

static void test_intervals(void)
{
    /* The k-th least and the k-th largest, of a table of the binomial distribution. */
    static const struct {
        size_t count, k;
    } cases[] = { { 6, 1 }, { 8, 1 }, { 9, 2 }, { 10, 2 }, { 20, 6 }, { 100, 40 }, { 500, 228 },
                  { 1000, 469 }, { 2000, 956 } };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bench_interval found = interval_of(cases[i].count);
        const double count = (double)cases[i].count, k = (double)cases[i].k;
        ok(found.low == k && found.high == count + 1 - k && found.median == (count + 1) / 2,
           "%zu samples: the interval leaves out %zu at each end", cases[i].count, cases[i].k - 1);
        diag("%g to %g", found.low, found.high);
    }
    ok(isnan(interval_of(5).low) && interval_of(5).median == 3, "5 samples have no interval");
    ok(interval_of(0).median == 0, "no samples have no median");
    const bench_interval some = { 100, 98, 104 };
    ok(bench_interval_half_width(&some) == 0.03, "the half width is relative");
}

/* A runner with a known duration. */
typedef struct sleeper {
    double seconds;
    int runs, ends_after;        /* the run at which the race is over; 0: never */
} sleeper;

static bool over;

static int wait(void *context)
{
    sleeper *s = context;
    const double begin = bench_seconds();

    while (bench_seconds() - begin < s->seconds)
        ;
    over = over || ++s->runs == s->ends_after;
    return 0;
}

static bool is_over(void)
{
    return over;
}

static void test_races(void)
{
    sleeper fast = { .seconds = 3e-5 }, slow = { .seconds = 3e-3 };
    bench_runner runners[] = { { .run = wait, .context = &fast },
                               { .run = wait, .context = &slow } };
    bench_race race = { .seconds = 0.01, .baseline = &runners[1] };

    ok(bench_race_run(&race, runners, 2) == 0 && runners[0].samples >= BENCH_INTERVAL_SAMPLES &&
           runners[0].samples == runners[1].samples &&
           runners[0].time.low <= runners[0].time.median,
       "each runner has as many samples, enough for an interval");
    ok(runners[1].ratio.median == 1 && runners[0].ratio.median > 1 &&
           runners[0].ratio.low <= runners[0].ratio.median &&
           runners[0].ratio.median <= runners[0].ratio.high,
       "the ratio is the baseline's time over the runner's, in the same rounds");
    race.rounds = 3;
    race.baseline = NULL;
    ok(bench_race_run(&race, runners, 2) == 0 && runners[0].samples == 3 &&
           isnan(runners[0].time.low), "rounds can be counted exactly");

    /* Choosing the number of runs takes some; each sample has 8 untimed runs and the others. */
    race.rounds = 1000;
    race.is_over = is_over;
    fast.runs = 0;
    fast.ends_after = 400;
    ok(bench_race_run(&race, runners, 2) == 0 && fast.runs == 400 && runners[0].samples >= 1 &&
           runners[0].samples < 30 && runners[0].samples == runners[1].samples &&
           runners[1].time.median > 0,
       "a race that is over ends at once, and the samples until then count");
    over = true;
    ok(bench_race_run(&race, runners, 2) == 0 && runners[0].samples == 0 &&
           runners[0].time.median == 0, "one that is over before its first sample has none");
}

/* A runner that takes 0.05 to 5 ms, of all sizes, another in every 30 ms. A hundred of its samples
 * do not determine its median to 40 %. */
static int wait_unevenly(void *context)
{
    const double begin = bench_seconds(), golden = 0.6180339887;
    const double seconds = 5e-5 * pow(100, fmod(floor(begin / 0.03) * golden, 1));

    (void)context;
    while (bench_seconds() - begin < seconds)
        ;
    return 0;
}

static void test_budget(void)
{
    sleeper steady = { .seconds = 1e-4 }, base = { .seconds = 1e-4 }, other = { .seconds = 1e-4 };
    bench_runner runners[] = {
        { .run = wait, .context = &steady }, { .run = wait_unevenly },
        { .run = wait, .context = &base }, { .run = wait, .context = &other },
    };
    const double begin = bench_seconds();
    bench_race race = { .baseline = &runners[2], .compared = 2, .bound = 0.4,
                        .until = begin + 2 };

    /* On a machine that is busy, the steady runner may be the noisier one. */
    ok(bench_race_run(&race, runners, 4) == 0 && runners[0].samples >= 12 &&
           runners[1].samples > 12 &&
           runners[2].samples == (runners[0].samples > runners[1].samples ? runners[0].samples
                                                                          : runners[1].samples),
       "time is spent on the noisy runner and the baseline");
    diag("samples: steady %zu, noisy %zu, baseline %zu, other %zu", runners[0].samples,
         runners[1].samples, runners[2].samples, runners[3].samples);
    ok(runners[3].samples == 12, "a runner that is not compared stops early");
    ok(bench_seconds() - begin < 4, "the race ends with its time");
    race.bound = 1e9;
    race.until = bench_seconds() + 100;
    ok(bench_race_run(&race, runners, 4) == 0 && runners[1].samples == 12,
       "it ends early if all ratios are known");
    race.until = begin;
    ok(bench_race_run(&race, runners, 4) == 0 && runners[0].samples == BENCH_INTERVAL_SAMPLES,
       "without time left there is still an interval");
}

static void test_plain_csr(spmv_value_type type, spmv_offset_type offset, int threads,
                           double beta)
{
    bench_matrix *made = NULL, *matrix = NULL;
    bench_random random = { 7 };
    bench_reference *reference = NULL;
    double x[512], before[512];

    bench_shape_build(bench_shape_find("irregular"), 500, 3, &made);
    bench_matrix_convert(&made->csr, 0, offset, type, &matrix);
    bench_random_fill(&random, BENCH_UNIFORM, type, x, (size_t)matrix->csr.cols);
    bench_random_fill(&random, BENCH_UNIFORM, type, before, (size_t)matrix->csr.rows);
    bench_reference_create(&matrix->csr, x, &reference);
    bench_plain_csr *plain = bench_plain_csr_create(&matrix->csr, -1.5, x, beta, before, threads);
    bench_plain_csr_run(plain);
    const bench_verdict verdict = bench_reference_check(reference, -1.5, beta, before,
                                                        bench_plain_csr_y(plain), false);
    ok(matrix->csr.rows <= 512 && matrix->csr.cols <= 512 && verdict.wrong == 0,
       "the plain CSR loop is right: f%d, i%d, %d threads, beta %g", (int)type, (int)offset,
       threads, beta);
    bench_plain_csr_destroy(plain);
    bench_reference_destroy(reference);
    bench_matrix_destroy(matrix);
    bench_matrix_destroy(made);
}

int main(void)
{
    test_intervals();
    test_budget();
    test_races();
    for (int threads = 1; threads <= 7; threads += 2) {
        test_plain_csr(SPMV_F64, SPMV_I32, threads, 0);
        test_plain_csr(SPMV_F64, SPMV_I64, threads, 0.5);
        test_plain_csr(SPMV_F32, SPMV_I32, threads, 0.5);
        test_plain_csr(SPMV_F32, SPMV_I64, threads, 0);
    }
    return tap_done();
}
