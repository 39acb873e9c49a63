/* build_column_span.h: whether columns fit 16 bits, counted from the smallest. */
#ifndef SPMV_COMMON_BUILD_COLUMN_SPAN_H
#define SPMV_COMMON_BUILD_COLUMN_SPAN_H

#include "../prelude/host.h"

/* The smallest and the largest of several columns. */
typedef struct column_span {
    i32 least, most;
} column_span;

static column_span span_of(const i32 *col_idx, i64 count)
{
    column_span span;
    i32 least = col_idx[0];
    i32 most = least;

    for (i64 i = 1; i < count; i++) {
        least = col_idx[i] < least ? col_idx[i] : least;
        most = col_idx[i] > most ? col_idx[i] : most;
    }
    span.least = least;
    span.most = most;
    return span;
}

/* The span of no column. */
static column_span empty_span(void)
{
    const column_span span = {2147483647, -2147483647};

    return span;
}

static column_span joined_spans(column_span a, column_span b)
{
    a.least = a.least < b.least ? a.least : b.least;
    a.most = a.most > b.most ? a.most : b.most;
    return a;
}

/* Whether no column of a matrix needs more than 16 bits. */
static bool matrix_is_narrow(i64 cols)
{
    return cols <= NARROW_SPAN;
}

/* Whether these columns of it need no more. */
static bool span_is_narrow(i64 cols, column_span span)
{
    return matrix_is_narrow(cols) || (i64)span.most - span.least < NARROW_SPAN;
}

#endif
