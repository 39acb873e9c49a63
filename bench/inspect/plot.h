/* plot.h: spy plot and histogram as lines of text, in ASCII or with letters of UTF-8. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/inspect/histogram.h"

/* How a plot is drawn. */
typedef struct bench_plot {
    int columns;                 /* of a line, at least 20 */
    bool utf8;                   /* braille, blocks and lines; else ASCII */
} bench_plot;

/* Prints the spy plot with a line that explains it. In UTF-8 a letter has 2 x 4 dots; a region with
 * few nonzeros for its size has fewer dots. */
spmv_status bench_plot_spy(const spmv_csr *csr, const bench_plot *plot, FILE *out);

/* Prints a line for each class: the lengths, a bar, and the rows. */
void bench_plot_histogram(const bench_histogram *histogram, int64_t rows, const bench_plot *plot,
                          FILE *out);

#endif
