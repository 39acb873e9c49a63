/* overview.h: the summary over all groups of a run. */
#ifndef BENCH_OVERVIEW_H
#define BENCH_OVERVIEW_H

#include <stdio.h>

#include "bench/records/record.h"

/* Prints a line for each group, a line for each peer, and the summary: harmonic means of ratios, in
 * which slow cases count most, and of speeds. `expected`: the number of groups of the run, of which
 * records may lack some. */
void bench_overview_print(const bench_records *records, size_t expected, FILE *out);

/* Prints how much of a budget was spent, and the results whose speed over the plain CSR loop is not
 * known to bench_noise_bound. Both times are in seconds. */
void bench_budget_print(const bench_records *records, double spent, double budget, FILE *out);

#endif
