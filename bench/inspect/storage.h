/* storage.h: how a plan stores the nonzeros, from the statistics of its layout. */
#ifndef BENCH_STORAGE_H
#define BENCH_STORAGE_H

#include <stdint.h>
#include <stdio.h>

#include "runtime/spmv.h"

/* The share of the nonzeros that a statistic of the layout counts; 0: the plan has no such one. */
double bench_storage_share(const spmv_plan *plan, int64_t nnz, const char *name);

/* Prints the bytes that a nonzero takes: columns by storage, values by coding. Prints nothing for a
 * layout without these statistics. columns: of a line. */
void bench_storage_print(const spmv_plan *plan, const spmv_csr *csr, int columns, FILE *out);

#endif
