/* validation.c: see validation.h. */
#include "bench/tune/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/output/table.h"
#include "bench/process/interrupt.h"
#include "bench/race/timing.h"
#include "bench/tune/trial.h"

enum { PASSES = 3 };

static const double bound = 0.003;       /* of a speed that needs no more rounds */

/* Races the point on matrix m of the validation. */
static bench_trial_status race(bench_study *study, size_t pass, size_t m, bench_interval *speed,
                               char *message, size_t message_bytes)
{
    const bench_tune *tune = study->tune;
    const size_t count = tune->holdout->validations, left = (PASSES - pass) * count - m;
    const double seconds = (study->until - bench_seconds()) / (double)left;
    char text[BENCH_POINT_BYTES];
    const char *const set = text;
    const bench_trial trial = {
        .kernels = &study->kernels, .threads = tune->threads, .bound = bound, .seconds = seconds,
        .page_last = pass % 2 == 1,
    };
    const bench_problem *problem = bench_problems_get(
        study->problems, tune->holdout->validation[m], message, message_bytes);

    bench_space_text(study->space, &study->best, text, sizeof text);
    return problem ? bench_trial_run(&trial, problem, &set, 1, speed, message, message_bytes)
                   : BENCH_TRIAL_FAILED;
}

static void print_speeds(const bench_study *study)
{
    const bench_tune *tune = study->tune;
    bench_table *table = bench_table_create(3, 1);

    bench_table_add(table, "not seen by the search");
    bench_table_add(table, "speed");
    bench_table_add(table, "95 %% interval");
    for (size_t m = 0; m < tune->holdout->validations; m++) {
        const bench_interval *speed = &study->validation[m];
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

bench_study_status bench_validation_run(bench_study *study, char *message, size_t message_bytes)
{
    const size_t count = study->tune->holdout->validations;
    bench_interval *pass = calloc(PASSES * count + 1, sizeof *pass);
    bool good = pass != NULL, lost = false;

    if (!good)
        snprintf(message, message_bytes, "out of memory");
    bench_progress_next(study->tune->progress, "validation");
    for (size_t p = 0; p < PASSES && good; p++)
        for (size_t m = 0; m < count && good && !bench_interrupted(); m++) {
            bench_interval *speed = &pass[m * PASSES + p];
            const bench_trial_status status = race(study, p, m, speed, message, message_bytes);
            good = status != BENCH_TRIAL_FAILED;
            lost = lost || (status == BENCH_TRIAL_DONE && !(speed->median > 0));
            bench_progress_update(study->tune->progress,
                                  (double)(p * count + m + 1) / (double)(PASSES * count));
        }
    for (size_t m = 0; m < count && good; m++)
        study->validation[m] = bench_join_races(&pass[m * PASSES], PASSES);
    free(pass);
    if (!good)
        return BENCH_STUDY_FAILED;
    if (bench_interrupted())
        return BENCH_STUDY_INTERRUPTED;
    study->judgement = bench_judge(&bench_tune_bounds, study->validation, count);
    if (lost) {
        study->judgement.is_better = false;
        snprintf(study->judgement.reason, sizeof study->judgement.reason,
                 "it does not run on a matrix that the page's kernel runs on");
    }
    bench_progress_clear(study->tune->progress);
    print_speeds(study);
    return BENCH_STUDY_DONE;
}
