/* contender.h: something that multiplies a matrix, of libspmv's or of cuSPARSE's: its replicas of
 * the matrix on the GPU, what they cost, and whether its results are right.
 *
 * A contender owns its replicas and graphs; it borrows the setup, which must outlive it. It is made
 * in steps, each of which may fail and leave a sentence in `failure`: kind->prepare,
 * gpu_contender_check, gpu_contender_time_once, gpu_contender_capture. Destroying is right after
 * any of them.
 */
#ifndef GPU_CONTENDER_H
#define GPU_CONTENDER_H

#include "bench/gpu/graphs.h"
#include "bench/gpu/problem.h"
#include "bench/gpu/watchdog.h"
#include "bench/gpu/modes.h"

/* What all contenders share. */
typedef struct gpu_setup {
    const gpu_device *device;
    const gpu_problem *problem;
    const gpu_vectors *vectors;
    const gpu_watchdog *watchdog;
} gpu_setup;

typedef struct gpu_contender gpu_contender;

typedef struct gpu_kind {
    const char *family;          /* "spmv", "cusparse" */
    /* Puts the replicas on the GPU. */
    bool (*prepare)(gpu_contender *contender, gpu_error *error);
    /* Starts y = alpha*A*x + beta*y of a replica on the device's stream. */
    bool (*enqueue)(const gpu_contender *contender, size_t replica, gpu_error *error);
    void (*destroy)(gpu_contender *contender);
} gpu_kind;

struct gpu_contender {
    const gpu_kind *kind;
    const gpu_setup *setup;
    void *state;                 /* the kind's */
    char name[64];               /* "csr5", "CSR_ALG2" */
    char target[64];             /* of a module; "cusparse" */
    char detail[128];            /* settings, a block's size; "" */
    /* prepare writes these */
    const int32_t *y_permutation;
    double stored;               /* values on the GPU, padding included, over nnz; 0: not known */
    double first_seconds;        /* the first preparation, which may compile; 0: like the others */
    double prepare_seconds;      /* median, from CSR on the host to ready */
    double analysis_seconds; /* of that: libspmv, all of it; cuSPARSE, buffer size and preprocess */
    /* and these say how it went */
    bool correct;
    bench_verdict verdict;
    char failure[700];           /* "" or why it is not timed */
    char no_graph[700];          /* "" or why it cannot be captured */
    double once_seconds;         /* of one multiplication, timed once */
    double spent_seconds;        /* on being timed, by the GPU's clock */
    gpu_graphs graphs;
    gpu_times times[GPU_MODES];
};

/* "csr5 sm_90 permuted_y=1": what tells it from the others. Fills buffer and returns it. */
const char *gpu_contender_label(const gpu_contender *contender, char *buffer, size_t size);

/* Not timed, and why: "WHERE: the error's text". */
void gpu_contender_fail(gpu_contender *contender, const char *where, const gpu_error *error);

/* Multiplies each replica once from `before`, by launches or, where `graph` says so, by its graphs,
 * and compares with the reference. */
void gpu_contender_check(gpu_contender *contender, bool graph);

/* Multiplies once more, and sets once_seconds. */
void gpu_contender_time_once(gpu_contender *contender);

/* Makes its graphs. False, with a sentence in error, where it cannot be captured. */
bool gpu_contender_capture(gpu_contender *contender, gpu_error *error);

void gpu_contender_destroy(gpu_contender *contender);  /* all zero is fine */

#endif
