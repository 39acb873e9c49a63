/* summary.h: the statistics of a matrix, or of two beside each other, for people. */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include <stdio.h>

#include "bench/race/source.h"

/* Nonzero without memory. */
int bench_summary_print(const bench_source *source, FILE *out);

#endif
