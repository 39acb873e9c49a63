/* sort.h: columns, and other numbers, in ascending order. */
#ifndef BENCH_SORT_H
#define BENCH_SORT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/matrices/matrix.h"

void bench_sort_columns(int64_t *col, int64_t count);
void bench_sort_i32(int32_t *number, int64_t count);

/* Writes the row's columns from 0, sorted. Returns whether they ascend in the matrix. */
bool bench_csr_sorted_row(const spmv_csr *csr, int64_t row, int32_t *columns);

#endif
