/* summary.h: prints the statistics of a matrix, or of two matrices side by side. */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include <stdio.h>

#include "bench/race/source.h"

/* Nonzero: out of memory. */
int bench_summary_print(const bench_source *source, FILE *out);

#endif
