/* candidates.h: arithmetic over the candidates of a plan: what a method costs, and from how many
 * multiplications on it pays. */
#ifndef BENCH_CANDIDATES_H
#define BENCH_CANDIDATES_H

#include <stdbool.h>
#include <stdio.h>

#include "runtime/spmv.h"

typedef struct bench_candidates {
    const spmv_plan *plan;
    double csr_bytes;            /* of a multiplication with CSR */
    int32_t runs;                /* expected by the plan */
    bool measured;               /* candidates have measured times */
} bench_candidates;

/* The number of multiplications from which a candidate, building included, costs at most as much as
 * each candidate that builds cheaper. 0 if there is no such number, or if another candidate builds
 * at the same cost and multiplies faster. */
double bench_candidate_pays_from(const bench_candidates *c, const spmv_candidate *candidate);

/* Bytes of the matrix that a plan of the candidate keeps: its layout, and the arrays of the caller
 * that it borrows. */
double bench_candidate_matrix_bytes(const spmv_candidate *candidate, const spmv_csr *csr);

/* Prints each reason why methods were left out, once, after these methods. `before` stands before
 * the first line. */
void bench_candidates_print_left_out(const spmv_plan *plan, const char *before, FILE *out);

#endif
