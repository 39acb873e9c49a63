/* print.h: the structure of a matrix as lines for people. */
#ifndef BENCH_PRINT_H
#define BENCH_PRINT_H

#include <stdio.h>

#include "bench/inspect/structure.h"

/* Prints sizes, rows, columns, symmetry, band, diagonals, blocks, runs and values; `columns` is the
 * width of a line. `name` is printable. */
void bench_structure_print(const bench_structure *structure, const char *name, int columns,
                           FILE *out);

#endif
