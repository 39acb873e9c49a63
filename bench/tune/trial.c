/* trial.c: see trial.h. */
#include "bench/tune/trial.h"

#include <math.h>
#include <stdlib.h>

#include "bench/output/message.h"
#include "bench/process/interrupt.h"
#include "bench/race/contender.h"
#include "common/fail.h"

enum { HEAT = 12 };              /* kernels of a heat, beside the page's */

/* The race of one heat. */
typedef struct heat {
    const bench_trial *trial;
    bench_contender page, other[HEAT];
    bench_runner runner[HEAT + 1];
    size_t racing[HEAT];         /* the numbers of the others that race */
    size_t count;                /* of these */
    double before;               /* the share of the trial that is done */
    double share;                /* of this heat */
} heat;

static void show_progress(void *context, double done)
{
    const heat *h = context;

    if (h->trial->progress)
        h->trial->progress(h->trial->progress_context, h->before + h->share * done);
}

/* Makes a plan and checks its result. A wrong one is reported, as it is never to be. */
static bool prepare(const bench_trial *trial, const char *set, const bench_problem *problem,
                    bench_contender *out)
{
    bench_candidate candidate;

    if (!bench_kernels_find(trial->kernels, set, &problem->source.matrix->csr, &candidate))
        return false;
    bench_contender_prepare(out, &candidate, problem, trial->threads, 1);
    if (!out->correct && !out->is_left_out)
        bench_message("%s %s on %s: %s", candidate.module->method, *set ? set : "as the page is",
                      problem->source.name, out->failure);
    return out->correct;
}

static int run_race(heat *h, double seconds)
{
    const size_t first = h->trial->page_last ? 0 : 1, page = h->trial->page_last ? h->count : 0;
    const bench_race race = {
        .until = bench_seconds() + seconds, .bound = h->trial->bound,
        .compared = h->count + 1, .baseline = &h->runner[page], .is_over = bench_interrupted,
        .progress = show_progress, .progress_context = h,
    };

    h->runner[page] = (bench_runner){ .run = bench_contender_run, .context = &h->page };
    for (size_t i = 0; i < h->count; i++)
        h->runner[first + i] = (bench_runner){ .run = bench_contender_run,
                                               .context = &h->other[h->racing[i]] };
    return bench_race_run(&race, h->runner, h->count + 1);
}

static bench_trial_status run_heat(heat *h, const bench_problem *problem, const char *const *set,
                                   size_t count, double seconds, bench_interval *speed)
{
    bench_trial_status status = BENCH_TRIAL_DECLINED;

    h->count = 0;
    if (prepare(h->trial, "", problem, &h->page)) {
        for (size_t i = 0; i < count && !bench_interrupted(); i++)
            if (prepare(h->trial, set[i], problem, &h->other[i]))
                h->racing[h->count++] = i;
        status = run_race(h, seconds) ? BENCH_TRIAL_FAILED : BENCH_TRIAL_DONE;
        for (size_t i = 0; i < h->count && status == BENCH_TRIAL_DONE; i++) {
            const bench_runner *r = &h->runner[i + (h->trial->page_last ? 0 : 1)];
            if (r->samples > 0)
                speed[h->racing[i]] = r->ratio;
        }
    }
    bench_contender_destroy(&h->page);
    for (size_t i = 0; i < HEAT; i++)
        bench_contender_destroy(&h->other[i]);
    return status;
}

bench_trial_status bench_trial_run(const bench_trial *trial, const bench_problem *problem,
                                   const char *const *set, size_t count, bench_interval *speed,
                                   spmv_error *error)
{
    heat *h = calloc(1, sizeof *h);
    bench_trial_status status = BENCH_TRIAL_DONE;

    for (size_t i = 0; i < count; i++)
        speed[i] = (bench_interval){ 0, NAN, NAN };
    for (size_t at = 0; at < count && h && status == BENCH_TRIAL_DONE && !bench_interrupted();
         at += HEAT) {
        const size_t more = count - at < HEAT ? count - at : HEAT;
        const double share = (double)more / (double)count;
        *h = (heat){ .trial = trial, .before = (double)at / (double)count, .share = share };
        status = run_heat(h, problem, set + at, more, trial->seconds * share, speed + at);
    }
    if (!h || status == BENCH_TRIAL_FAILED) {
        status = BENCH_TRIAL_FAILED;
        sg_fail(error, "a race on %s failed: out of memory, or a device failed",
                problem->source.name);
    }
    free(h);
    return status;
}
