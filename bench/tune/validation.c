/* validation.c: see validation.h. */
#include "bench/tune/validation.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/output/table.h"
#include "bench/process/interrupt.h"
#include "bench/race/timing.h"
#include "bench/tune/trial.h"
#include "common/fail.h"

enum { PASSES = 3 };

static const double bound = 0.003;       /* of a speed that needs no more rounds */

/* Races the values on matrix m of the validation. */
static bench_trial_status race(const bench_validation *v, size_t pass, size_t m,
                               bench_interval *speed, spmv_error *error)
{
    const bench_tune *tune = v->tune;
    const size_t count = tune->holdout->validations, left = (PASSES - pass) * count - m;
    const double seconds = (v->until - bench_seconds()) / (double)left;
    const bench_trial trial = {
        .kernels = v->kernels, .threads = tune->threads, .bound = bound, .seconds = seconds,
        .page_last = pass % 2 == 1,
    };
    const bench_problem *problem = bench_problems_get( v->problems, tune->holdout->validation[m],
                                                      error);

    return problem ? bench_trial_run(&trial, problem, &v->set, 1, speed, error)
                   : BENCH_TRIAL_FAILED;
}

static void print_speeds(const bench_validation *v)
{
    const bench_tune *tune = v->tune;
    bench_table *table = bench_table_create(3, 1);

    bench_table_add(table, "not seen by the search");
    bench_table_add(table, "speed");
    bench_table_add(table, "95 %% interval");
    for (size_t m = 0; m < tune->holdout->validations; m++) {
        const bench_interval *speed = &v->speed[m];
        bench_table_add(table, "%s", tune->inputs->text[tune->holdout->validation[m]]);
        if (speed->median > 0) {
            bench_table_add(table, "%.3f", speed->median);
            bench_table_add(table, "%.3f to %.3f", speed->low, speed->high);
        } else {
            bench_table_add(table, "declined");
            bench_table_add(table, "-");
        }
    }
    bench_table_print(table, stdout);
    bench_table_destroy(table);
}

bench_study_status bench_validation_run(const bench_validation *validation, spmv_error *error)
{
    const bench_validation *v = validation;
    const size_t count = v->tune->holdout->validations;
    bench_interval *pass = calloc(PASSES * count + 1, sizeof *pass);
    bool good = pass != NULL, lost = false;

    if (!good)
        sg_fail(error, "out of memory");
    bench_progress_next(v->tune->progress, "validation");
    for (size_t p = 0; p < PASSES && good; p++)
        for (size_t m = 0; m < count && good && !bench_interrupted(); m++) {
            bench_interval *speed = &pass[m * PASSES + p];
            const bench_trial_status status = race(v, p, m, speed, error);
            good = status != BENCH_TRIAL_FAILED;
            lost = lost || (status == BENCH_TRIAL_DONE && !(speed->median > 0));
            bench_progress_update(v->tune->progress,
                                  (double)(p * count + m + 1) / (double)(PASSES * count));
        }
    for (size_t m = 0; m < count && good; m++)
        v->speed[m] = bench_join_races(&pass[m * PASSES], PASSES);
    free(pass);
    if (!good)
        return BENCH_STUDY_FAILED;
    if (bench_interrupted())
        return BENCH_STUDY_INTERRUPTED;
    *v->judgement = bench_judge(&bench_tune_bounds, v->speed, count);
    if (lost) {
        v->judgement->is_better = false;
        snprintf(v->judgement->reason, sizeof v->judgement->reason,
                 "it does not run on a matrix that the page's kernel runs on");
    }
    bench_progress_clear(v->tune->progress);
    print_speeds(v);
    return BENCH_STUDY_DONE;
}
