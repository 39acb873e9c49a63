/* problem.h: the problem of a race: a look-alike or a shape, x, the initial y, and the reference;
 * and replicas of the vectors on the GPU.
 *
 * A replica is a copy of the matrix, x and y at other addresses. If all replicas together are
 * several times as large as the L2 cache, and multiplications use them in turn, a replica is no
 * longer in the cache when its turn comes:
 *
 *     in L2     A0 x0 y0   A0 x0 y0   A0 x0 y0   ...
 *     beyond    A0 x0 y0   A1 x1 y1   A2 x2 y2   A0 x0 y0   ...
 *
 * Contenders own their replicas of the matrix (contender.h) and share the replicas of the vectors.
 * Everything except y is constant once made.
 */
#ifndef GPU_PROBLEM_H
#define GPU_PROBLEM_H

#include "bench/gpu/device.h"
#include "bench/matrices/matrix.h"
#include "bench/race/reference.h"

/* The matrix: one of the two names is set. */
typedef struct gpu_matrix_source {
    const char *lookalike;       /* for bench_facts_find; NULL: a shape */
    const char *shape;           /* in bench/matrices/shapes.h */
    double size;                 /* of the shape; negative: the typical size */
    uint64_t seed;               /* of the matrix, and of x and y */
} gpu_matrix_source;

typedef struct gpu_problem {
    char name[96];               /* in papers; of a shape, with its size */
    const char *suitesparse;     /* "": it has none */
    const char *kind;            /* the class of a look-alike, or "shape" */
    bench_matrix *matrix;
    bench_reference *reference;
    void *x;                     /* cols values */
    void *before;                /* rows values: the initial y; all NaN if beta is 0 */
    double alpha, beta;
    spmv_csr given;              /* what plans are created from: the matrix, or its copy below */
    void *on_device[3];          /* row_ptr, col_idx, val of the copy on the GPU, or NULL */
} gpu_problem;

bool gpu_problem_create(const gpu_matrix_source *source, spmv_value_type value_type,
                        spmv_offset_type offset_type, double beta, gpu_problem *out,
                        spmv_error *error);
void gpu_problem_destroy(gpu_problem *problem);      /* all zero is fine */

/* Copies the matrix to the GPU, so that plans are created from there. */
bool gpu_problem_upload(gpu_problem *problem, spmv_error *error);

/* The least bytes that one multiplication moves: A in CSR, x and y. */
double gpu_problem_bytes(const gpu_problem *problem);

enum { GPU_MAX_REPLICAS = 64, GPU_BEYOND = 4 };      /* beyond L2: 4 times its size */

/* Number of replicas of `bytes` bytes that exceed the L2 cache, at least 1, within free_bytes of
 * memory for all contenders. */
size_t gpu_replicas(double bytes, size_t l2_bytes, size_t contenders, size_t free_bytes);

typedef struct gpu_vectors {
    size_t count;                /* number of replicas */
    void *x[GPU_MAX_REPLICAS], *y[GPU_MAX_REPLICAS];
} gpu_vectors;

bool gpu_vectors_create(const gpu_problem *problem, size_t count, gpu_vectors *out,
                        spmv_error *error);
void gpu_vectors_destroy(gpu_vectors *vectors);      /* all zero is fine */

/* Sets a replica's y to `before`, or fetches it to `result`. `order` is the contender's
 * y_permutation or NULL; `before` and `result` are in the order of rows. Both wait for the
 * stream. */
bool gpu_vectors_reset(const gpu_vectors *vectors, const gpu_problem *problem, size_t replica,
                       const int32_t *order, cudaStream_t stream, spmv_error *error);
bool gpu_vectors_fetch(const gpu_vectors *vectors, const gpu_problem *problem, size_t replica,
                       const int32_t *order, cudaStream_t stream, void *result, spmv_error *error);

#endif
