/* contender.h: one module with a problem to multiply: its plan, its result, its figures.
 *
 * A contender owns its plan and its y. It borrows the device and the problem, which must outlive
 * it.
 */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "bench/problem.h"
#include "bench/selection.h"
#include "bench/split.h"
#include "bench/timing.h"
#include "runtime/spmv.h"

typedef struct bench_contender {
    const spmv_module *module;
    const bench_problem *problem;
    spmv_device *device;
    spmv_plan *plan;             /* NULL where it could not be made */
    spmv_plan_info info;
    void *x;                     /* in the order of the plan, where its device sees it; NULL: it is the
                                    problem's */
    void *y;                     /* what the timed runs write */
    void *result;                /* what was checked */
    double prepare_seconds;      /* median of several plans */
    double update_seconds;       /* median of several updates of values */
    bench_split split;           /* of a multiplication on another device than the CPU */
    char settings[BENCH_SETTINGS_SIZE];  /* of the plan: "name=value,..." */
    bench_verdict verdict;
    bool correct;
    char failure[512];           /* "" or why it is not correct, or there is no plan */
} bench_contender;

/* Makes the plan, with those of the settings ("name=value") that the module has, multiplies and
 * checks. Look at `correct` for the outcome. */
void bench_contender_prepare(bench_contender *contender, bench_candidate candidate,
                             const bench_problem *problem, const bench_names *settings,
                             int threads);

/* The x that its plan multiplies. */
const void *bench_contender_x(const bench_contender *contender);

/* A bench_runner's run. With beta != 0 y goes on from where it is. */
int bench_contender_run(void *contender);

/* After the race: looks where the time goes, multiplies once more and compares the bits with those that
 * were checked. */
void bench_contender_finish(bench_contender *contender);

void bench_contender_destroy(bench_contender *contender);

#endif
