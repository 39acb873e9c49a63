/* sort.h: columns in ascending order. */
#ifndef BENCH_SORT_H
#define BENCH_SORT_H

#include <stdint.h>

void bench_sort_columns(int64_t *col, int64_t count);

#endif
