/* drawing.h: a matrix that is drawn row by row, with random columns and values. Without memory for
 * the builder, nothing is added. */
#ifndef BENCH_DRAWING_H
#define BENCH_DRAWING_H

#include <stdint.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"

typedef struct bench_drawing {
    bench_builder *builder;      /* NULL: out of memory */
    bench_random random;
    int64_t cols;
} bench_drawing;

/* A random value, of at least -1 and less than 1. */
double bench_draw_number(bench_drawing *d);

/* An entry of the open row; of a random value, if none is given. */
void bench_draw_value(bench_drawing *d, int64_t col, double value);
void bench_draw_entry(bench_drawing *d, int64_t col);

/* Ends the open row. */
void bench_draw_end(bench_drawing *d);

/* A row of random columns, unsorted and with duplicates. */
void bench_draw_row(bench_drawing *d, int64_t length);

void bench_draw_empty_rows(bench_drawing *d, int64_t count);

/* Rows of at most `longest` entries, empty ones among them, `total` entries in all. */
void bench_draw_short_rows(bench_drawing *d, int64_t total, int64_t longest);

#endif
