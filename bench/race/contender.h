/* contender.h: a module or a peer in a race: its plan, its result and its times.
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
    const bench_variant *variant;    /* of the sweep; NULL: a page as it is, or a peer */
    spmv_plan *plan;             /* NULL: creation failed, or a peer */
    spmv_plan_info info;         /* a peer: only layout_bytes and y_permutation */
    spmv_peer_matrix peer_matrix;    /* for the peer's prepare */
    void *peer_state;            /* from the peer's prepare; NULL: none */
    int64_t ldx, ldy;            /* leading dimensions of X and Y */
    void *x;                     /* for the plan and its device; NULL: the problem's x */
    void *y;                     /* written by the timed runs */
    void *result;                /* the checked result */
    double prepare_seconds;      /* median of several preparations */
    double update_seconds;       /* median of several updates of values */
    double restore_seconds;      /* likewise of giving the matrix back as CSR; 0: not measured */
    bench_time_breakdown breakdown;  /* on another device than the CPU */
    char settings[BENCH_SETTINGS_SIZE];  /* of the plan: "name=value,..." */
    bench_verdict verdict;
    bool correct;
    bool is_left_out;            /* the peer does not support the problem */
    char failure[512];           /* reason why it is not correct or has no plan, or "" */
} bench_contender;

/* Most plans that are made, and updates of values, to time one of each. */
enum { BENCH_MOST_PLANS = 9 };

/* Makes the plan, up to `plans` times, multiplies and checks the result; sets `correct`. The
 * candidate's variant must outlive the contender. */
void bench_contender_prepare(bench_contender *contender, const bench_candidate *candidate,
                             const bench_problem *problem, int threads, size_t plans);

/* The same for a peer. expected_runs is a hint for the peer. */
void bench_contender_prepare_peer(bench_contender *contender, const spmv_peer *peer,
                                  const bench_problem *problem, int threads, int expected_runs,
                                  size_t plans);

/* The contender's name and target in tables; a peer's target is "peer". */
const char *bench_contender_name(const bench_contender *contender);
const char *bench_contender_target(const bench_contender *contender);

/* The values of --set, "csr5.omega=4 csr5.sigma=8", sorted by key; "" for a page as it is. */
const char *bench_contender_set(const bench_contender *contender);

/* Whether the contender runs kernels on another device than the CPU. */
bool bench_contender_has_kernels(const bench_contender *contender);

/* The x that the contender multiplies. */
const void *bench_contender_x(const bench_contender *contender);

/* The run of a bench_runner. With beta != 0 each run continues from the last y. A peer that fails
 * is no longer correct, and the race goes on. */
int bench_contender_run(void *contender);

/* Call it after the race: measures the breakdown, and on request the way back to CSR, multiplies
 * once more, and compares the bits with the checked result. */
void bench_contender_finish(bench_contender *contender, bool restores);

void bench_contender_destroy(bench_contender *contender);

#endif
