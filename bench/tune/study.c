/* study.c: see study.h. */
#include "bench/tune/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output/message.h"
#include "bench/process/interrupt.h"
#include "bench/race/timing.h"
#include "bench/tune/halving.h"
#include "bench/tune/trial.h"
#include "bench/tune/validation.h"
#include "common/fail.h"

/* Shares of the time that is left once the kernels are compiled; the rest is the validation's. */
static const double search_share = 0.5, prune_share = 0.2;

/* The share of pruning that is for points with one change less. */
static const double without_share = 0.7;

/* Speeds within half a percent are not told apart by the search. */
static const double search_bound = 0.005, worth_a_join = 1.005;

/* Why a step of the search ended. */
typedef struct search {
    bench_study *study;
    bench_study_status status;
    spmv_error *error;
} search;

size_t bench_study_candidates(double seconds)
{
    const double fewest = 8, most = 256, seconds_each = 6;
    const double wanted = seconds / seconds_each;

    return (size_t)(wanted < fewest ? fewest : wanted > most ? most : wanted);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Compiles the kernels of points from `first` on. */
static bool compile(search *s, size_t first)
{
    bench_study *study = s->study;
    const size_t count = study->count - first;
    char (*text)[BENCH_POINT_BYTES] = calloc(count + 1, sizeof *text);
    const char **set = calloc(count + 1, sizeof *set);
    bench_sweep_status status = BENCH_SWEEP_FAILED;

    sg_fail(s->error, "out of memory");
    for (size_t i = 0; i < count && text && set; i++) {
        bench_space_text(study->space, &study->point[first + i], text[i], sizeof text[i]);
        set[i] = text[i];
    }
    bench_progress_clear(study->tune->progress);
    if (text && set)
        status = bench_kernels_add(&study->kernels, set, count, s->error);
    bench_interrupt_watch("\nspmvbench: interrupted: the best so far follows; once more ends it at "
                          "once\n", true);
    free(text);
    free(set);
    s->status = status == BENCH_SWEEP_DONE ? BENCH_STUDY_DONE
                : status == BENCH_SWEEP_INTERRUPTED ? BENCH_STUDY_INTERRUPTED : BENCH_STUDY_FAILED;
    return s->status == BENCH_STUDY_DONE;
}

static bool has_point(const bench_study *study, const bench_point *point)
{
    for (size_t i = 0; i < study->count; i++)
        if (bench_point_equals(&study->point[i], point))
            return true;
    return false;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* The speeds of points over the page's on the first matrices of the search, as geometric means;
 * NaN: the kernel does not run on one that the page's runs on. */
static bool measure_points(search *s, const bench_point *point, size_t count, size_t matrices,
                           double until, double *speed)
{
    bench_study *study = s->study;
    const bench_tune *tune = study->tune;
    char (*text)[BENCH_POINT_BYTES] = calloc(count + 1, sizeof *text);
    const char **set = calloc(count + 1, sizeof *set);
    bench_interval *one = calloc(count + 1, sizeof *one);
    size_t measured = 0;
    bool good = text && set && one;

    if (!good) {
        sg_fail(s->error, "out of memory");
        s->status = BENCH_STUDY_FAILED;
    }
    for (size_t i = 0; i < count && good; i++) {
        bench_space_text(study->space, &point[i], text[i], sizeof text[i]);
        set[i] = text[i];
        speed[i] = 0;
    }
    for (size_t m = 0; m < matrices && good && !bench_interrupted(); m++) {
        const bench_problem *problem = bench_problems_get( study->problems,
                                                          tune->holdout->search[m], s->error);
        const bench_trial trial = {
            .kernels = &study->kernels, .threads = tune->threads, .bound = search_bound,
            .seconds = (until - bench_seconds()) / (double)(matrices - m),
            .progress = bench_progress_update, .progress_context = tune->progress,
        };
        const bench_trial_status status = problem
            ? bench_trial_run(&trial, problem, set, count, one, s->error)
            : BENCH_TRIAL_FAILED;
        good = status != BENCH_TRIAL_FAILED;
        if (!good)
            s->status = BENCH_STUDY_FAILED;
        for (size_t i = 0; i < count && status == BENCH_TRIAL_DONE; i++)
            speed[i] += one[i].median > 0 ? log(one[i].median) : NAN;
        measured += status == BENCH_TRIAL_DONE;
    }
    for (size_t i = 0; i < count && good; i++)
        speed[i] = measured > 0 ? exp(speed[i] / (double)measured) : NAN;
    free(text);
    free(set);
    free(one);
    if (good && bench_interrupted())
        s->status = BENCH_STUDY_INTERRUPTED;
    return s->status == BENCH_STUDY_DONE;
}

static void print_rung(const bench_study *study, const bench_rung *rung, const size_t *candidate,
                       const double *speed)
{
    char words[BENCH_POINT_BYTES];
    size_t best = 0;

    for (size_t i = 1; i < rung->candidates; i++)
        if (isnan(speed[best]) || speed[i] > speed[best])
            best = i;
    bench_space_words(study->space, &study->point[candidate[best]], words, sizeof words);
    bench_progress_clear(study->tune->progress);
    printf("rung %zu/%zu %4zu on %2zu matrices   %.3f  %s\n", rung->index + 1, rung->rungs,
           rung->candidates, rung->matrices, speed[best], words);
    fflush(stdout);
}

/* bench_halving.measure. The page has speed 1 without being raced against itself. */
static bool measure(void *context, const bench_rung *rung, const size_t *candidate, double *speed)
{
    search *s = context;
    bench_study *study = s->study;
    bench_point *point = calloc(rung->candidates + 1, sizeof *point);
    double *found = calloc(rung->candidates + 1, sizeof *found);
    const double now = bench_seconds();
    const double seconds = (study->search_until - now) / (double)(rung->rungs - rung->index);
    size_t count = 0;
    bool good = point && found && (rung->index == 0 || seconds > 0);

    for (size_t i = 0; i < rung->candidates && good; i++)
        if (candidate[i] > 0)
            point[count++] = study->point[candidate[i]];
    good = good && measure_points(s, point, count, rung->matrices, now + seconds, found);
    for (size_t i = rung->candidates; i-- > 0 && good;)
        speed[i] = candidate[i] > 0 ? found[--count] : 1;
    if (good)
        print_rung(study, rung, candidate, speed);
    free(point);
    free(found);
    return good;
}

/* ---- candidates that the first rung suggests ------------------------------------------------- */

/* Joins the best values of the parameters that gained by themselves, of at most `axes` parameters,
 * the best first. */
static bench_point join(const bench_study *study, const double *speed, size_t count, size_t axes)
{
    bench_point joined = { { 0 } };

    for (size_t n = 0; n < axes; n++) {
        double most = worth_a_join;
        size_t best = count, axis = 0, first = 0;
        for (size_t i = 0; i < count; i++) {
            if (bench_point_changes(study->space, &study->point[i], &first) == 1 &&
                joined.value[first] == 0 && speed[i] > most) {
                most = speed[i];
                best = i;
                axis = first;
            }
        }
        if (best == count)
            break;
        joined.value[axis] = study->point[best].value[axis];
    }
    return joined;
}

/* bench_halving.extend */
static size_t extend(void *context, const double *speed, size_t count)
{
    static const size_t axes[BENCH_HALVING_EXTENSIONS] = { BENCH_MAX_AXES, 2, 3, 4 };
    search *s = context;
    bench_study *study = s->study;

    for (size_t i = 0; i < BENCH_HALVING_EXTENSIONS; i++) {
        const bench_point point = join(study, speed, count, axes[i]);
        if (!has_point(study, &point) && study->count < study->room)
            study->point[study->count++] = point;
    }
    if (study->count > count && !compile(s, count))
        study->count = count;
    return study->count - count;
}

/* ---- pruning --------------------------------------------------------------------------------- */

/* Puts changed values back that gain too little. */
static void drop_idle(bench_study *study, const size_t *axis, size_t count)
{
    double gain[BENCH_MAX_AXES];
    bool keep[BENCH_MAX_AXES];

    for (size_t i = 0; i < count; i++)
        gain[i] = study->gain[axis[i]];
    bench_keep_values(gain, count, keep);
    for (size_t i = 0; i < count; i++)
        if (!keep[i])
            study->best.value[axis[i]] = 0;
}

static void print_gains(const bench_study *study, const size_t *axis, size_t count)
{
    bench_progress_clear(study->tune->progress);
    for (size_t i = 0; i < count; i++) {
        const bench_axis *a = &study->space->grid.axis[axis[i]];
        printf("value      %s=%s   ", bench_space_parameter(study->space, axis[i]),
               a->value[study->best.value[axis[i]]]);
        if (isnan(study->gain[axis[i]]))
            printf("with %s and all else equal the kernel does not run\n", a->value[0]);
        else
            printf("%.3f times %s, all else equal\n", study->gain[axis[i]], a->value[0]);
    }
    fflush(stdout);
}

/* Measures the best point, and points with one change less each, on all matrices of the search. */
static bool prune(search *s)
{
    bench_study *study = s->study;
    const double now = bench_seconds();
    const size_t first = study->count;
    double speed[BENCH_MAX_AXES + 1];
    size_t axis[BENCH_MAX_AXES], count = 0;

    study->point[study->count++] = study->best;
    for (size_t k = 0; k < study->space->grid.count; k++)
        if (study->best.value[k] > 0) {
            bench_point without = study->best;
            without.value[k] = 0;
            axis[count++] = k;
            if (count > 1 || bench_point_changes(study->space, &study->best, &(size_t){ 0 }) > 1)
                study->point[study->count++] = without;
        }
    const size_t others = study->count - first - 1;
    bench_progress_next(study->tune->progress, "pruning");
    if ((others > 0 && !compile(s, first + 1)) ||
        !measure_points(s, &study->point[first], others + 1, study->tune->holdout->searches,
                        now + without_share * (study->prune_until - now), speed))
        return false;
    study->search_speed = speed[0];
    for (size_t i = 0; i < count; i++)
        study->gain[axis[i]] = others > 0 ? speed[0] / speed[1 + i] : speed[0];
    print_gains(study, axis, count);
    if (count > 1)
        drop_idle(study, axis, count);
    if (bench_point_equals(&study->best, &study->point[first]))
        return true;
    study->point[study->count++] = study->best;
    return compile(s, study->count - 1) &&
           measure_points(s, &study->best, 1, study->tune->holdout->searches, study->prune_until,
                          &study->search_speed);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool begin(search *s, size_t most)
{
    bench_study *study = s->study;

    study->room = most + BENCH_HALVING_EXTENSIONS;
    study->point = calloc(study->room + BENCH_MAX_AXES + 3, sizeof *study->point);
    study->validation = calloc(study->tune->holdout->validations + 1, sizeof *study->validation);
    if (study->point && study->validation)
        study->count = bench_space_points(study->space, most,
                                          (uint64_t)study->tune->options->seed, study->point);
    if (study->count > 0)
        return true;
    sg_fail(s->error, "out of memory");
    s->status = BENCH_STUDY_FAILED;
    return false;
}

static void validate(search *s)
{
    bench_study *study = s->study;
    char text[BENCH_POINT_BYTES];
    const bench_validation validation = {
        .tune = study->tune, .kernels = &study->kernels, .problems = study->problems, .set = text,
        .until = study->until, .speed = study->validation, .judgement = &study->judgement,
    };

    bench_space_text(study->space, &study->best, text, sizeof text);
    s->status = bench_validation_run(&validation, s->error);
}

static void search_and_validate(search *s)
{
    bench_study *study = s->study;
    const bench_halving halving = { .matrices = study->tune->holdout->searches,
                                    .measure = measure, .extend = extend, .context = s };
    char name[96];

    if (!compile(s, 0))
        return;
    if (!bench_kernels_can_race(&study->kernels)) {
        snprintf(study->judgement.reason, sizeof study->judgement.reason,
                 "no kernel can run on this machine");
        return;
    }
    const double now = bench_seconds(), left = study->until - now;
    if (left <= 0)
        bench_message("note: %s %s: compiling took the whole budget; the kernels are kept, so that "
                      "the same command measures at once", study->space->method,
                      study->space->type);
    study->search_until = now + search_share * left;
    study->prune_until = study->search_until + prune_share * left;
    snprintf(name, sizeof name, "%.60s %s", study->space->method, study->space->type);
    bench_progress_next(study->tune->progress, name);
    const bench_halved halved = bench_halving_run(&halving, study->count);
    bench_progress_done(study->tune->progress, true);
    if (s->status == BENCH_STUDY_DONE && !halved.complete)
        bench_message("note: %s %s: the budget ended before the last rung; --budget takes more",
                      study->space->method, study->space->type);
    if (isnan(halved.speed))
        return;
    study->best = study->point[halved.best];
    study->search_speed = halved.speed;
    if (s->status != BENCH_STUDY_DONE || halved.best == 0 || !prune(s))
        return;
    bench_progress_done(study->tune->progress, true);
    if (study->search_speed >= bench_tune_bounds.least_gain)
        validate(s);
    else
        snprintf(study->judgement.reason, sizeof study->judgement.reason, "%.3f times the page's "
                 "speed in the search; %.2f is the least gain that counts", study->search_speed,
                 bench_tune_bounds.least_gain);
    bench_progress_done(study->tune->progress, true);
}

bench_study_status bench_study_run(const bench_tune *tune, const bench_space *space,
                                   bench_problems *problems, size_t most, double until,
                                   bench_study *out, spmv_error *error)
{
    search s = { .study = out, .status = BENCH_STUDY_DONE, .error = error };

    *out = (bench_study){
        .tune = tune, .space = space, .problems = problems, .until = until, .search_speed = NAN,
        .kernels = { .options = tune->options, .target = tune->target, .method = space->method,
                     .type = space->type },
        .judgement = { .reason = "the search found nothing faster than the page" },
    };
    for (size_t k = 0; k < BENCH_MAX_AXES; k++)
        out->gain[k] = NAN;
    if (begin(&s, most))
        search_and_validate(&s);
    bench_progress_clear(tune->progress);
    return s.status;
}

void bench_study_free(bench_study *study)
{
    bench_kernels_free(&study->kernels);
    free(study->point);
    free(study->validation);
    *study = (bench_study){ .tune = NULL };
}
