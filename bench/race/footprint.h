/* footprint.h: whether a multiplication can fit into this machine's memory.
 *
 * Linux grants more memory than the machine has and kills the process that uses it, perhaps after
 * minutes of work. So sizes are compared with the free memory before anything is allocated.
 */
#ifndef BENCH_FOOTPRINT_H
#define BENCH_FOOTPRINT_H

#include "bench/race/options.h"

typedef enum bench_making {
    BENCH_MADE_IN_PLACE,         /* in its final types */
    BENCH_CONVERTED              /* in f64 with 64-bit row pointers, then copied */
} bench_making;

/* Whether the memory for a matrix is free, or --force was given; if not, error has a sentence that
 * begins with `name`. */
bool bench_footprint_fits(const bench_options *options, const char *name, int64_t rows,
                          int64_t cols, int64_t nnz, bench_making making, spmv_error *error);

#endif
