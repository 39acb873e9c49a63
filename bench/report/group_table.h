/* group_table.h: a group of records (a matrix with its results) as a table for people, whether it
 * was raced just now or comes from a file. */
#ifndef BENCH_GROUP_TABLE_H
#define BENCH_GROUP_TABLE_H

#include <stdio.h>

#include "bench/report/group_columns.h"

/* The interval of a median that is called noisy is wider than this on each side: 2 %. */
extern const double bench_noise_bound;

/* The time of a result, to compare with others of its group: seconds, or where results have
 * different rounds, as with --budget, the inverse of the speed over the plain CSR loop, which was
 * timed in the rounds of each. */
double bench_group_time(const bench_records *records, const bench_record_result *result);

/* The fastest correct contender that is comparable: a peer, or a module on the CPU that gave up no
 * property for speed. NULL: none was timed. */
const bench_record_result *bench_group_best(const bench_records *records, size_t matrix,
                                            bool peers);

/* Whether other programs ran, or the spread is large. */
bool bench_group_is_noisy(const bench_records *records, size_t matrix);

/* The matrix's name for a table: its input without the kind or the folder, as "dense2" for
 * "lookalike:dense2". */
void bench_group_name(const bench_record_matrix *matrix, char *name, size_t bytes);

/* The matrix and the problem; with details, also the yardsticks. first: of a run, which prints the
 * machine and the legend above. */
void bench_group_heading(const bench_records *records, size_t matrix, bool first, bool details,
                         FILE *out);

/* A row for each contender, the fastest first; then the best, and notes. */
void bench_group_table(const bench_records *records, size_t matrix, bool details, FILE *out);

#endif
