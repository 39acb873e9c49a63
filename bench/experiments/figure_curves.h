/* figure_curves.h: the curves of a panel as text. */
#ifndef BENCH_FIGURE_CURVES_H
#define BENCH_FIGURE_CURVES_H

#include "bench/experiments/figure.h"

/* Prints a grid with a letter for each number, dots between the numbers of a series, and a legend.
 * Labels are at equal distances. */
void bench_curves_print(const bench_panel *panel, int columns, FILE *out);

#endif
