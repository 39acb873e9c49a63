/* plain_csr.h: the plain CSR loop: the yardstick that speeds are compared with, the same for all
 * modules, targets and peers.
 *
 *     for each row:
 *         sum = 0
 *         for each entry k of the row:  sum += val[k] * x[col[k]]
 *         y[row] = alpha*sum + beta*y[row]
 *
 * compiled for any CPU of the architecture, without reordered sums. Each thread has consecutive
 * rows with about as many nonzeros as the other threads.
 */
#ifndef BENCH_PLAIN_CSR_H
#define BENCH_PLAIN_CSR_H

#include "bench/matrices/matrix.h"

typedef struct bench_plain_csr bench_plain_csr;

/* Borrows the matrix and x. y begins as a copy of `before`, rows values; without beta, of NaNs.
 * NULL: out of memory. */
bench_plain_csr *bench_plain_csr_create(const spmv_csr *csr, double alpha, const void *x,
                                        double beta, const void *before, int threads);

/* From now on a run multiplies `vectors` times, as for so many vectors one after another. */
void bench_plain_csr_repeat(bench_plain_csr *plain, int vectors);
void bench_plain_csr_destroy(bench_plain_csr *plain);            /* NULL is fine */

/* The run of a bench_runner. Returns 0. */
int bench_plain_csr_run(void *plain);

/* rows values of the last run; one thread at a time may run and read them. */
const void *bench_plain_csr_y(const bench_plain_csr *plain);

#endif
