/* report.h: the results of a race, as a table for people and as JSON for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/race/race.h"
#include "bench/race/series.h"

/* A contender's row; t is the median time of a multiplication. Members that depend on t are 0 if it
 * was not timed. */
typedef struct bench_row {
    double gflops;               /* 2*nnz / t */
    double rate;                 /* CSR bytes / t */
    double share;                /* rate over the rate of reading; 0: not measured */
    double prepare, update;      /* times over t */
    double layout;               /* layout bytes over the bytes of A in CSR */
} bench_row;

bench_row bench_report_row(const bench_report *report, size_t contender);

/* The bytes of the multiplication, counted by bench_csr_bytes. */
double bench_report_csr_bytes(const bench_report *report);

void bench_report_heading(const bench_report *report, FILE *out);
void bench_report_table(const bench_report *report, FILE *out);

/* The summary for a series. The last peer_count contenders are the peers, in their order. */
bench_series_result bench_report_series_result(const bench_report *report, size_t peer_count);

/* Whether --json can succeed, checked before any work; if not, a sentence is in message. An
 * existing file is not changed. */
bool bench_report_can_write(const bench_options *options, char *message, size_t message_bytes);

/* Writes the file of --json; if that fails, a sentence is in message. */
bool bench_report_json(const bench_report *report, const bench_options *options, char *message,
                       size_t message_bytes);

#endif
