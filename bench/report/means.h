/* means.h: the contenders of a sweep over all matrices: which values of the parameters to take. */
#ifndef BENCH_MEANS_H
#define BENCH_MEANS_H

#include <stdio.h>

#include "bench/records/record.h"

/* Prints a line for each of our contenders, the best first: the geometric mean of its speed over
 * the plain CSR loop, as the report has it, and the least. Prints nothing if there is one group, or
 * if no contender has parameters. */
void bench_means_print(const bench_records *records, FILE *out);

#endif
