/* csr_adaptive.h: figures of CSR-Adaptive that are sweeps of its parameters. */
#ifndef BENCH_CSR_ADAPTIVE_H
#define BENCH_CSR_ADAPTIVE_H

#include "bench/experiments/figure.h"
#include "bench/records/record.h"
#include "runtime/spmv.h"

/* Speed of CSR-Stream and of CSR-Vector against the rows of a block. The matrices have rows of one
 * length, and the results nnz_per_wg and num_rows_stream in their --set. */
bool bench_csr_adaptive_rows(const bench_records *records, bench_figure *figure, spmv_error *error);

/* The speed with one optimisation after another switched on, over that with all off. */
bool bench_csr_adaptive_switches(const bench_records *records, bench_figure *figure,
                                 spmv_error *error);

#endif
