/* permutation.h: puts vectors into the order of a plan that permutes them (spmv_plan_info has
 * x_permutation and y_permutation), and back.
 *
 * order[k] is the row of A for y[k], or the column of A for x[k]. With a NULL order the vector
 * stays as it is.
 */
#ifndef BENCH_PERMUTATION_H
#define BENCH_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/spmv.h"

/* ordered[k] = natural[order[k]], of `rows` elements of `bytes` bytes. They must not overlap. */
void bench_permute(const int32_t *order, int64_t rows, size_t bytes, const void *natural,
                   void *ordered);

/* natural[order[k]] = ordered[k] */
void bench_unpermute(const int32_t *order, int64_t rows, size_t bytes, const void *ordered,
                     void *natural);

/* y = alpha*A*x + beta*before. All vectors are in the order of A, even if the plan permutes. */
spmv_status bench_permuted_execute(const spmv_plan *plan, double alpha, const void *x, double beta,
                                   const void *before, void *workspace, void *y);

/* Whether order has each row exactly once. False also if memory runs out. */
bool bench_is_permutation(const int32_t *order, int64_t rows);

#endif
