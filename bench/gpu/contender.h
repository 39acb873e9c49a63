/* contender.h: a module of libspmv or an algorithm of cuSPARSE, with its replicas of the matrix on
 * the GPU, its times, and the verdict on its results.
 *
 * A contender owns its replicas and graphs; it borrows the setup, which must outlive it. It is made
 * in steps. Each step may fail and leave a sentence in `failure`: kind->prepare,
 * gpu_contender_check, gpu_contender_time_once, gpu_contender_capture. It may be destroyed after
 * any step.
 */
#ifndef GPU_CONTENDER_H
#define GPU_CONTENDER_H

#include "bench/gpu/graphs.h"
#include "bench/gpu/problem.h"
#include "bench/gpu/watchdog.h"
#include "bench/gpu/modes.h"

/* Shared by all contenders. */
typedef struct gpu_setup {
    const gpu_device *device;
    const gpu_problem *problem;
    const gpu_vectors *vectors;
    const gpu_watchdog *watchdog;
} gpu_setup;

typedef struct gpu_contender gpu_contender;

typedef struct gpu_kind {
    const char *family;          /* "spmv", "cusparse" */
    /* Makes the replicas on the GPU. */
    bool (*prepare)(gpu_contender *contender, spmv_error *error);
    /* Starts y = alpha*A*x + beta*y with a replica, on the device's stream. */
    bool (*enqueue)(const gpu_contender *contender, size_t replica, spmv_error *error);
    void (*destroy)(gpu_contender *contender);
} gpu_kind;

struct gpu_contender {
    const gpu_kind *kind;
    const gpu_setup *setup;
    void *state;                 /* owned by the kind */
    char name[64];               /* "csr5", "CSR_ALG2" */
    char target[64];             /* of the module; or "cusparse" */
    char detail[128];            /* settings or size of a block; may be "" */
    /* set by prepare: */
    const int32_t *y_permutation;
    double stored;               /* values on the GPU, padding included, over nnz; 0: not known */
    double first_seconds;        /* the first preparation, which may compile */
    double prepare_seconds;      /* median, from CSR on the host to ready */
    double analysis_seconds; /* part of prepare: libspmv, all; cuSPARSE, buffer and analysis */
    /* set by the checks and the race: */
    bool correct;
    bench_verdict verdict;
    char failure[700];           /* reason why it is not timed, or "" */
    char no_graph[700];          /* reason why it cannot be captured, or "" */
    double once_seconds;         /* one multiplication, timed once */
    double spent_seconds;        /* spent on its timing, by the GPU's clock */
    gpu_graphs graphs;
    gpu_times times[GPU_MODES];
};

/* Writes the contender's unique name, "csr5 sm_90 permuted_y=1", to buffer and returns buffer. */
const char *gpu_contender_label(const gpu_contender *contender, char *buffer, size_t size);

/* Excludes the contender from the race; `failure` becomes "WHERE: the error's text". */
void gpu_contender_fail(gpu_contender *contender, const char *where, const spmv_error *error);

/* Multiplies with each replica once from `before`, by launches or, if `graph`, by its graphs, and
 * compares the results with the reference. */
void gpu_contender_check(gpu_contender *contender, bool graph);

/* Times one multiplication and sets once_seconds. */
void gpu_contender_time_once(gpu_contender *contender);

/* Makes the graphs. False, with a sentence in error, if a multiplication cannot be captured. */
bool gpu_contender_capture(gpu_contender *contender, spmv_error *error);

void gpu_contender_destroy(gpu_contender *contender);  /* all zero is fine */

#endif
