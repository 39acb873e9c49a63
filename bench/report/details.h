/* details.h: what stands below the table of a race, if asked for: of each method what its layout is
 * made of, its settings, and the times of the steps of a multiplication. */
#ifndef BENCH_DETAILS_H
#define BENCH_DETAILS_H

#include "bench/report/report.h"

/* Multiplies some more, to time the steps. */
void bench_details_print(const bench_report *report, FILE *out);

#endif
