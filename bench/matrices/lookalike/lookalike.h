/* lookalike.h: a matrix with the sizes of a real one, and its kind of rows and columns.
 *
 * For measuring what papers measured where the matrix itself is not at hand. Rows, columns,
 * nonzeros, and the shortest and the longest row where they are known are exact; everything else is
 * drawn from the model of its class. docs/reference/lookalikes.md says how near that comes.
 *
 * The same facts, model and seed give the same bytes on every machine and for any number of
 * threads: what is drawn for a row depends on the seed and the row alone, and nothing is decided by
 * floating point.
 */
#ifndef BENCH_LOOKALIKE_H
#define BENCH_LOOKALIKE_H

#include "bench/matrices/lookalike/model.h"

typedef struct bench_lookalike_options {
    uint64_t seed;
    spmv_value_type value_type;
    bool narrow;                 /* 32-bit row pointers even where SPMV_OVERFLOW comes of it */
    bool wide;                   /* 64-bit ones; neither: 64 where 32 are not enough */
    int32_t threads;             /* 0: as many as OpenMP gives */
} bench_lookalike_options;

/* Columns ascend and differ within a row. Values are between -1 and 1, never 0, and the same in f32
 * and f64. The peak of memory is the matrix, 4 bytes a row and 8 MiB. On failure a sentence is in
 * message, which says what the facts contradict or what is missing. */
spmv_status bench_lookalike_create(const bench_facts *facts, const bench_lookalike_options *options,
                                   bench_matrix **out, char *message, size_t message_bytes);

/* Facts of any matrix, as those of a paper; it keeps both names. */
bench_facts bench_facts_of(const spmv_csr *csr, const char *name, const char *kind);

#endif
