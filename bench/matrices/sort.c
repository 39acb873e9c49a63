/* sort.c: see sort.h. */
#include "bench/matrices/sort.h"

#include <stdlib.h>

static int compare_columns(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void bench_sort_columns(int64_t *col, int64_t count)
{
    if (count > 1)
        qsort(col, (size_t)count, sizeof *col, compare_columns);
}
