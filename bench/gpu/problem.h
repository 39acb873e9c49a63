/* problem.h: what is multiplied: a look-alike or a shape, x, y before, and what the result must be;
 * and the same vectors on the GPU, several times.
 *
 * A replica is the matrix, x and y once more, at other addresses. Multiplying with one replica
 * after the other, so many that their sum is several times the L2 cache, finds nothing of them
 * there:
 *
 *     in L2     A0 x0 y0   A0 x0 y0   A0 x0 y0   ...
 *     beyond    A0 x0 y0   A1 x1 y1   A2 x2 y2   A0 x0 y0   ...
 *
 * The matrix's replicas are the contenders' own (contender.h), the vectors are shared by all. Both
 * owners are constant once made, but for y.
 */
#ifndef GPU_PROBLEM_H
#define GPU_PROBLEM_H

#include "bench/gpu/device.h"
#include "bench/matrices/matrix.h"
#include "bench/race/reference.h"

/* Where the matrix comes from: one of both names. */
typedef struct gpu_matrix_source {
    const char *lookalike;       /* as bench_facts_find takes it; NULL: a shape */
    const char *shape;           /* of bench/matrices/shapes.h */
    double size;                 /* of the shape; negative: its typical one */
} gpu_matrix_source;

typedef struct gpu_problem {
    char name[96];               /* the paper's; of a shape, with its size */
    const char *suitesparse;     /* "" where it has no name there */
    const char *kind;            /* the class of a look-alike, or "shape" */
    bench_matrix *matrix;
    bench_reference *reference;
    void *x;                     /* cols values */
    void *before;                /* rows values: y before; all NaN where beta is 0 */
    double alpha, beta;
} gpu_problem;

bool gpu_problem_create(const gpu_matrix_source *source, spmv_value_type value_type,
                        spmv_offset_type offset_type, double beta, gpu_problem *out,
                        gpu_error *error);
void gpu_problem_destroy(gpu_problem *problem);      /* all zero is fine */

/* Bytes that one multiplication moves at the least: A in CSR, x and y. */
double gpu_problem_bytes(const gpu_problem *problem);

enum { GPU_MAX_REPLICAS = 64, GPU_BEYOND = 4 };      /* times the L2 that all replicas have */

/* How many replicas of `bytes` it takes to leave the L2, if `contenders` that each have so many are
 * to share free_bytes of memory. At least 1. */
size_t gpu_replicas(double bytes, size_t l2_bytes, size_t contenders, size_t free_bytes);

typedef struct gpu_vectors {
    size_t count;                /* of replicas */
    void *x[GPU_MAX_REPLICAS], *y[GPU_MAX_REPLICAS];
} gpu_vectors;

bool gpu_vectors_create(const gpu_problem *problem, size_t count, gpu_vectors *out,
                        gpu_error *error);
void gpu_vectors_destroy(gpu_vectors *vectors);      /* all zero is fine */

/* y of a replica as it was before, in the order of a contender (spmv_plan_info.y_permutation, or
 * NULL); and what is there now, in the order of rows. Both wait for the stream before and after. */
bool gpu_vectors_reset(const gpu_vectors *vectors, const gpu_problem *problem, size_t replica,
                       const int32_t *order, cudaStream_t stream, gpu_error *error);
bool gpu_vectors_fetch(const gpu_vectors *vectors, const gpu_problem *problem, size_t replica,
                       const int32_t *order, cudaStream_t stream, void *result, gpu_error *error);

#endif
