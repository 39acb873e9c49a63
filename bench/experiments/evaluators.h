/* evaluators.h: what experiments of several papers make of records. */
#ifndef BENCH_EVALUATORS_H
#define BENCH_EVALUATORS_H

#include "bench/experiments/figure.h"
#include "bench/records/record.h"

/* Adds a panel of bars: a number of each correct result, by matrix and contender. Returns the
 * panel's index. */
typedef double bench_result_number(const bench_record_matrix *matrix,
                                   const bench_record_result *result);
size_t bench_panel_of_results(const bench_records *records, bench_figure *figure,
                              const char *title, const char *unit, bench_result_number *number);

/* 2 * nnz / t in GFlop/s: for bench_panel_of_results. */
bench_result_number bench_result_gflops;

/* Adds a panel of curves: the speed of each matrix over the values of a parameter, as in
 * "csr5.sigma", of the results that have it, in GFlop/s. */
size_t bench_panel_of_parameter(const bench_records *records, bench_figure *figure,
                                const char *title, const char *key);

/* Adds a sentence for each series of a panel: its harmonic mean. */
void bench_find_harmonic_means(bench_figure *figure, size_t panel);

#endif
