/* x_traffic.h: models the bytes of x that a multiplication moves: the second yardstick of matrices
 * with irregular columns. A value of x is loaded with its cache line, and an evicted line is loaded
 * again.
 *
 * The model: threads share the nonzeros evenly. Each thread reads its columns, its values, and x at
 * the columns, from beginning to end, again and again, through a cache of its own. The cache has 8
 * ways of 64-byte lines and replaces the least recently used line. Rows and y are left out. Storage
 * that visits columns in another order than CSR may move less.
 */
#ifndef BENCH_X_TRAFFIC_H
#define BENCH_X_TRAFFIC_H

#include <stddef.h>

#include "bench/matrices/matrix.h"

/* Bytes of the lines of x that miss a thread's cache of cache_bytes in one multiplication; -1: out
 * of memory. */
int64_t bench_x_traffic_bytes(const spmv_csr *csr, int threads, size_t cache_bytes);

#endif
