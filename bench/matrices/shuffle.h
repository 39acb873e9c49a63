/* shuffle.h: x and y in the order of a method that has them permuted (spmv_plan_info.y_permutation and
 * x_permutation), and back.
 *
 * order[k] is the row that y[k] belongs to, or the column of x[k]; NULL: the order of rows or columns.
 */
#ifndef BENCH_SHUFFLE_H
#define BENCH_SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/spmv.h"

/* ordered[k] = natural[order[k]], of `rows` elements of `bytes` bytes. They must not overlap. */
void bench_order_apply(const int32_t *order, int64_t rows, size_t bytes, const void *natural,
                       void *ordered);

/* natural[order[k]] = ordered[k] */
void bench_order_undo(const int32_t *order, int64_t rows, size_t bytes, const void *ordered,
                      void *natural);

/* y = alpha*A*x + beta*before, all in the order of rows and columns, whatever the plan's is. */
spmv_status bench_order_execute(const spmv_plan *plan, double alpha, const void *x, double beta,
                                const void *before, void *workspace, void *y);

/* Whether each row comes exactly once. False also where there is no memory to find out. */
bool bench_order_is_permutation(const int32_t *order, int64_t rows);

#endif
