/* footprint.h: whether a multiplication can fit into this machine's memory.
 *
 * Linux gives out memory that it does not have and kills whoever uses it, sometimes after minutes
 * of work; so sizes are compared with what is free before anything is made.
 */
#ifndef BENCH_FOOTPRINT_H
#define BENCH_FOOTPRINT_H

#include "bench/race/options.h"

typedef enum bench_making {
    BENCH_MADE_IN_PLACE,         /* in the types that are multiplied */
    BENCH_CONVERTED              /* in f64 with 64-bit row pointers, then copied */
} bench_making;

/* The bytes that are in use at once, at the least: what a method makes of the matrix comes on top.
 * Statistics alone need no vectors. */
double bench_footprint(const bench_options *options, int64_t rows, int64_t cols, int64_t nnz,
                       bench_making making);

/* Whether so much is free, or --force was given; if not, a sentence that begins with `name` is in
 * message. */
bool bench_footprint_fits(const bench_options *options, const char *name, int64_t rows,
                          int64_t cols, int64_t nnz, bench_making making, char *message,
                          size_t message_bytes);

#endif
