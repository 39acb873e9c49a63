/* contender.h: one module, or a peer, with a problem to multiply: its plan, its result, its figures.
 *
 * A contender owns its plan and its y. It borrows the device and the problem, which must outlive
 * it.
 */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "bench/peers/spmv_peer.h"
#include "bench/race/problem.h"
#include "bench/race/selection.h"
#include "bench/race/time_breakdown.h"
#include "bench/race/timing.h"
#include "runtime/spmv.h"

typedef struct bench_contender {
    const spmv_module *module;   /* NULL: a peer */
    const spmv_peer *peer;       /* NULL: a module */
    const bench_problem *problem;
    spmv_device *device;
    spmv_plan *plan;             /* NULL where it could not be made, and of peers */
    spmv_plan_info info;         /* of peers layout_bytes and y_permutation alone */
    spmv_peer_matrix peer_matrix;    /* what its prepare got */
    void *peer_state;            /* what it made; NULL: nothing */
    void *x;                     /* in the order of the plan, where its device sees it; NULL: it is the
                                    problem's */
    void *y;                     /* what the timed runs write */
    void *result;                /* what was checked */
    double prepare_seconds;      /* median of several plans */
    double update_seconds;       /* median of several updates of values */
    bench_time_breakdown breakdown;  /* of a multiplication on another device than the CPU */
    char settings[BENCH_SETTINGS_SIZE];  /* of the plan: "name=value,..." */
    bench_verdict verdict;
    bool correct;
    bool is_left_out;            /* a peer or a module that does not do such a problem */
    char failure[512];           /* "" or why it is not correct, or there is no plan */
} bench_contender;

/* Makes the plan, with those of the settings ("name=value") that the module has, multiplies and
 * checks. Look at `correct` for the outcome. */
void bench_contender_prepare(bench_contender *contender, bench_candidate candidate,
                             const bench_problem *problem, const bench_names *settings,
                             int threads);

/* The same for a peer; expected_runs: what it is told of them. */
void bench_contender_prepare_peer(bench_contender *contender, const spmv_peer *peer,
                                  const bench_problem *problem, int threads, int expected_runs);

/* What tables call it: the method's or the peer's name, and the module's target or "peer". */
const char *bench_contender_name(const bench_contender *contender);
const char *bench_contender_target(const bench_contender *contender);

/* Whether a kernel of it runs on another device than the CPU. */
bool bench_contender_has_kernels(const bench_contender *contender);

/* The x that its plan multiplies. */
const void *bench_contender_x(const bench_contender *contender);

/* A bench_runner's run. With beta != 0 y goes on from where it is. A peer that fails is not correct any
 * more, and the race goes on. */
int bench_contender_run(void *contender);

/* After the race: looks where the time goes, multiplies once more and compares the bits with those that
 * were checked. */
void bench_contender_finish(bench_contender *contender);

void bench_contender_destroy(bench_contender *contender);

#endif
