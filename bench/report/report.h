/* report.h: the results of a race as records, and as the file of --json. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/race/race.h"
#include "bench/records/record.h"
#include "runtime/spmv.h"

/* A contender's row; t is the median time of a multiplication. Members that depend on t are 0 if it
 * was not timed. */
typedef struct bench_row {
    double gflops;               /* 2*nnz / t for each vector */
    double rate;                 /* CSR bytes / t */
    double share;                /* rate over the rate of reading; 0: not measured */
    double prepare, update;      /* times over t */
    double layout;               /* layout bytes over the bytes of A in CSR */
} bench_row;

bench_row bench_report_row(const bench_report *report, size_t contender);

/* The median time of a contender's companion, and the time of the contender over that in the same
 * rounds; NaN: not timed. */
double bench_report_companion(const bench_report *report, bench_companion_kind kind,
                              size_t contender, double *ratio);

/* Bytes of the matrix that a multiplication reads: of the layout, with values in as many bytes as
 * they are stored in, and of arrays that the plan borrows; of CSR, if a peer tells nothing. -1:
 * there is no plan. */
int64_t bench_report_matrix_bytes(const bench_report *report, size_t contender);

/* Bytes of the matrix, X and Y, over those with the values as they are; NaN: there is no plan, or
 * values are not rounded. */
double bench_report_of_type_bytes(const bench_report *report, size_t contender);

/* The bytes of the multiplication, counted by bench_product_bytes. */
double bench_report_csr_bytes(const bench_report *report);

/* Adds the group of this report: a matrix, named by `input`, and its results. False: out of memory.
 * *index is the matrix's. */
bool bench_report_add_records(const bench_report *report, const char *input, bool complete,
                              bench_records *records, size_t *index);

/* Whether --json can succeed, checked before any work; if not, a sentence is in error. An
 * existing file is not changed. */
bool bench_report_can_write(const bench_options *options, spmv_error *error);

/* Writes the file of --json; if that fails, a sentence is in error. */
bool bench_report_json(const bench_report *report, const bench_options *options, spmv_error *error);

#endif
