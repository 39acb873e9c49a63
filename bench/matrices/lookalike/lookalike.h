/* lookalike.h: a matrix with the sizes of a real matrix, and with similar rows and columns.
 *
 * A look-alike replaces a paper's matrix that is not available. Rows, columns, nonzeros, and the
 * shortest and the longest row, if known, are exact; everything else is drawn from the model of the
 * class. docs/reference/lookalikes.md compares look-alikes with originals.
 *
 * The same facts, model and seed give the same bytes on every machine and for any number of
 * threads: a row depends only on the seed and the row's number, and no decision uses floating
 * point.
 */
#ifndef BENCH_LOOKALIKE_H
#define BENCH_LOOKALIKE_H

#include "bench/matrices/lookalike/model.h"

#include "runtime/spmv.h"

typedef struct bench_lookalike_options {
    uint64_t seed;
    spmv_value_type value_type;
    bool narrow;                 /* always 32-bit row pointers, or SPMV_OVERFLOW */
    bool wide;                   /* always 64-bit; neither: 64-bit if needed */
    int32_t threads;             /* 0: OpenMP's default */
} bench_lookalike_options;

/* Columns ascend without duplicates. Values are between -1 and 1, never 0, and the same in f32 and
 * f64. Peak memory is the matrix, 4 bytes a row and 8 MiB. On failure a sentence is in error. */
spmv_status bench_lookalike_create(const bench_facts *facts, const bench_lookalike_options *options,
                                   bench_matrix **out, spmv_error *error);

/* The facts of a matrix. The result borrows both names. */
bench_facts bench_facts_of(const spmv_csr *csr, const char *name, const char *kind);

#endif
