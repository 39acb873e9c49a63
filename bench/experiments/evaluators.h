/* evaluators.h: figures that several papers have, made of the records of a race.
 *
 * A function that can fail returns false, with a sentence in error, if the records lack what the
 * figure needs. */
#ifndef BENCH_EVALUATORS_H
#define BENCH_EVALUATORS_H

#include "bench/experiments/figure.h"
#include "bench/records/record.h"
#include "runtime/spmv.h"

/* GFlop/s of every contender, and the harmonic mean of each over the matrices. */
bool bench_evaluate_speed(const bench_records *records, bench_figure *figure, spmv_error *error);

/* How many times as fast `method` is as each other method: its fastest result beside theirs. The
 * sentences have the geometric mean, the greatest and the least. */
bool bench_evaluate_speedup(const bench_records *records, const char *method, bench_figure *figure,
                            spmv_error *error);

/* What a sentence says of the series of a panel: "NAME: MEAN UNIT on average, LEAST to MOST". */
typedef enum bench_mean { BENCH_ARITHMETIC, BENCH_GEOMETRIC, BENCH_HARMONIC } bench_mean;

/* Adds such a sentence for each series of a panel, with the labels of the least and the greatest
 * number. before: words that the sentence begins with, the name of the series behind them. */
void bench_describe_series(bench_figure *figure, size_t panel, bench_mean mean,
                           const char *before);

/* A sweep over one key of --set. Other keys and settings may vary, too: of the results with one
 * value, the fastest counts. */
typedef struct bench_parameter {
    const char *key;             /* "evc_hyb.boundary" */
    const char *paper_value;     /* the value that the paper takes; NULL: it takes none */
} bench_parameter;

/* A panel with the speed of every value on every matrix; a curve of the mean and the least share of
 * the speed of each matrix's fastest value; and sentences about the best value and the paper's. */
bool bench_evaluate_parameter(const bench_records *records, bench_parameter sweep,
                              bench_figure *figure, spmv_error *error);

/* Curves of a sweep over two keys: the harmonic mean of GFlop/s over the matrices against the value
 * of the key `x`, a curve for each value of the key `curve`, a panel for each value type. Keys are
 * those of --set: "speculative.W". A combination that lacks a matrix is left out. */
bool bench_evaluate_sweep(const bench_records *records, const char *x, const char *curve,
                          bench_figure *figure, spmv_error *error);

#endif
