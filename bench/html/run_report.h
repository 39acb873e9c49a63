/* run_report.h: --report of a run: the page of records that are in memory. */
#ifndef BENCH_RUN_REPORT_H
#define BENCH_RUN_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/records/write.h"
#include "runtime/spmv.h"

/* Before the run: whether the page can be written. False: a sentence is in error. */
bool bench_run_report_check(const char *path, spmv_error *error);

/* Writes the page. False: a sentence is in error, and an older page stays. */
bool bench_run_report_write(const bench_records *records, const bench_ending *ending,
                            const char *path, spmv_error *error);

#endif
