/* drawing.c: see drawing.h. */
#include "bench/matrices/drawing.h"

void bench_draw_end(bench_drawing *d)
{
    if (d->builder)
        bench_builder_end_row(d->builder);
}

double bench_draw_number(bench_drawing *d)
{
    return 2 * bench_random_unit(&d->random) - 1;
}

void bench_draw_value(bench_drawing *d, int64_t col, double value)
{
    if (d->builder)
        bench_builder_add(d->builder, col, value);
}

void bench_draw_entry(bench_drawing *d, int64_t col)
{
    bench_draw_value(d, col, bench_draw_number(d));
}

void bench_draw_row(bench_drawing *d, int64_t length)
{
    for (int64_t k = 0; k < length; k++)
        bench_draw_entry(d, bench_random_below(&d->random, d->cols));
    bench_draw_end(d);
}

void bench_draw_empty_rows(bench_drawing *d, int64_t count)
{
    for (int64_t r = 0; r < count; r++)
        bench_draw_end(d);
}

void bench_draw_short_rows(bench_drawing *d, int64_t total, int64_t longest)
{
    while (total > 0) {
        int64_t length = bench_random_below(&d->random, longest + 1);
        if (length > total)
            length = total;
        bench_draw_row(d, length);
        total -= length;
    }
}
