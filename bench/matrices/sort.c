/* sort.c: see sort.h. */
#include "bench/matrices/sort.h"

#include <stdlib.h>

static int compare_columns(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_i32(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void bench_sort_columns(int64_t *col, int64_t count)
{
    if (count > 1)
        qsort(col, (size_t)count, sizeof *col, compare_columns);
}

void bench_sort_i32(int32_t *number, int64_t count)
{
    if (count > 1)
        qsort(number, (size_t)count, sizeof *number, compare_i32);
}

bool bench_csr_sorted_row(const spmv_csr *csr, int64_t row, int32_t *columns)
{
    const int64_t begin = bench_csr_offset(csr, row), n = bench_csr_length(csr, row);
    bool ascends = true;

    for (int64_t k = 0; k < n; k++) {
        columns[k] = csr->col_idx[begin + k] - csr->base;
        ascends = ascends && (k == 0 || columns[k] >= columns[k - 1]);
    }
    if (!ascends)
        bench_sort_i32(columns, n);
    return ascends;
}
