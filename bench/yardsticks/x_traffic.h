/* x_traffic.h: how many bytes of x a multiplication moves, by a model, as the other yardstick of a matrix whose columns are
 * irregular: a value of x comes with its line, and a line that was evicted comes again.
 *
 * The model: threads share the nonzeros evenly, and each reads its columns, values, and x at the columns, from
 * beginning to end, again and again, through a cache of its own: 8 ways of 64-byte lines, the line that was used longest ago
 * replaced. Rows and y are left out. Storage that visits columns in another order than CSR may move less.
 */
#ifndef BENCH_X_TRAFFIC_H
#define BENCH_X_TRAFFIC_H

#include <stddef.h>

#include "bench/matrices/matrix.h"

/* The bytes of x's lines that are not in a thread's cache of so many bytes when they are read, in one multiplication;
 * -1: no memory. */
int64_t bench_x_line_bytes(const spmv_csr *csr, int threads, size_t cache_bytes);

#endif
