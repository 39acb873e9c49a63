/* histogram.h: how many rows have how many nonzeros, in a few classes of lengths. */
#ifndef BENCH_HISTOGRAM_H
#define BENCH_HISTOGRAM_H

#include <stdint.h>

#include "bench/matrices/matrix.h"

enum { BENCH_HISTOGRAM_CLASSES = 66 };

typedef struct bench_length_class {
    int64_t least, most;         /* lengths of rows, both included */
    int64_t rows, nnz;
} bench_length_class;

/* The classes ascend and cover all rows. With at most 12 different lengths, each is a class.
 * Otherwise empty rows are a class, and the longest row decides: up to 48 nonzeros, classes are
 * equally wide; beyond, they are 1, 2, 3 to 4, 5 to 8, ... */
typedef struct bench_histogram {
    bench_length_class entry[BENCH_HISTOGRAM_CLASSES];
    int count;                   /* 0 without rows */
} bench_histogram;

void bench_histogram_create(const spmv_csr *csr, bench_histogram *out);

#endif
