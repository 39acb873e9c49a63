/* details.h: --details, below the table of a race: the figures of each method's layout, its
 * settings, and the times of the steps of a multiplication. */
#ifndef BENCH_DETAILS_H
#define BENCH_DETAILS_H

#include "bench/report/report.h"

/* Multiplies again to time the steps. */
void bench_details_print(const bench_report *report, FILE *out);

#endif
