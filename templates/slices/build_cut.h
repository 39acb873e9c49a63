/* build_cut.h: cuts the sorted rows of a window into slices, and chooses the kind of each. */
#ifndef SPMV_SLICES_BUILD_CUT_H
#define SPMV_SLICES_BUILD_CUT_H

#include "../common/build_column_span.h"
#include "build_order.h"
#include "layout.h"

/* A slice of a window. */
typedef struct slice_plan {
    i32 first, count;            /* of its rows, in the window's order */
    i32 kind;
    i32 log2_lanes;
    i32 width;
    i32 base;                    /* its lowest column */
    bool repeats;                /* its diagonals are those of the slice before */
} slice_plan;

/* Numbers of slices; of values and columns, in SLICE_ROWS; and of diagonals. */
typedef struct slice_totals {
    i64 slices, values, wide, narrow, diagonals;
} slice_totals;

static void add_slice(slice_totals *t, const slice_plan *s)
{
    t->slices++;
    t->values += s->width * run_of(s->kind);
    if (s->kind == KIND_DIAGONALS)
        t->diagonals += s->repeats ? 0 : i64_ceil_div(s->width, TURN) * TURN;
    else if (s->kind == KIND_WIDE)
        t->wide += s->width;
    else
        t->narrow += s->width;
}

static void add_totals(slice_totals *to, const slice_totals *more)
{
    to->slices += more->slices;
    to->values += more->values;
    to->wide += more->wide;
    to->narrow += more->narrow;
    to->diagonals += more->diagonals;
}

/* Log2 of the lanes of a row, at most SLICE_ROWS: none has more than `most` entries. */
static i32 lanes_of_row(i64 length, i64 most)
{
    i32 log2 = 0;

    while (1 << log2 < SLICE_ROWS && length > most << log2)
        log2++;
    return log2;
}

static bool have_same_distances(const csr_source *a, i32 row, i32 other)
{
    const i64 length = row_length(&a->row_ptr, row);
    const i64 begin = row_begin(&a->row_ptr, row);
    const i64 other_begin = row_begin(&a->row_ptr, other);

    for (i64 k = 0; k < length; k++)
        if (a->col_idx[begin + k] - row != a->col_idx[other_begin + k] - other)
            return false;
    return length == row_length(&a->row_ptr, other);
}

/* Whether all rows of the slice have the distances of its first. Equal hashes do not suffice. */
static bool is_diagonal_slice(const csr_source *a, const window_order *o, const slice_plan *s)
{
    const i32 row = o->first_row + key_row(o->key[s->first]);

    if (key_class(o->key[s->first]) != CLASS_DIAGONALS)
        return false;
    for (i32 i = 1; i < s->count; i++)
        if (!have_same_distances(a, row, o->first_row + key_row(o->key[s->first + i])))
            return false;
    return true;
}

/* Sets the slice's lowest column, 0 if it need not be known. Returns whether its columns are
 * narrow; a slice without entries has none. */
static bool find_base(const csr_source *a, const window_order *o, slice_plan *s)
{
    column_span span = empty_span();

    s->base = 0;
    if (matrix_is_narrow(a->cols))
        return true;
    for (i32 i = 0; i < s->count; i++) {
        const i32 row = o->first_row + key_row(o->key[s->first + i]);
        const i64 length = row_length(&a->row_ptr, row);

        if (length > 0)
            span = joined_spans(span, span_of(a->col_idx + row_begin(&a->row_ptr, row), length));
    }
    if (span.least > span.most || !span_is_narrow(a->cols, span))
        return false;
    s->base = span.least - a->base;
    return true;
}

/* Plans the slice that begins with row `first` of the order; before: the slice before it in the
 * window, or NULL. */
static slice_plan cut_slice(const csr_source *a, const window_order *o, i32 first,
                            const slice_plan *before)
{
    const i32 row = o->first_row + key_row(o->key[first]);
    const i64 length = row_length(&a->row_ptr, row);
    const i32 class_of = key_class(o->key[first]);
    slice_plan s = {0};

    s.first = first;
    s.log2_lanes = class_of == CLASS_DIAGONALS ? 0 : lanes_of_row(length, a->lane_entries);

    const i32 lanes = 1 << s.log2_lanes;
    i32 end = first + 1;

    for (; end < o->count && (end - first) * lanes < SLICE_ROWS; end++) {
        const i64 other = row_length(&a->row_ptr, o->first_row + key_row(o->key[end]));
        if (class_of == CLASS_DIAGONALS ? key_group(o->key[end]) != key_group(o->key[first])
                                        : key_class(o->key[end]) != class_of)
            break;
        if (i64_ceil_div(length, lanes) - other / lanes >= NO_ROW)
            break;
    }
    s.count = end - first;
    if (is_diagonal_slice(a, o, &s))
        s.kind = KIND_DIAGONALS;
    else if (!find_base(a, o, &s))
        s.kind = KIND_WIDE;
    else
        s.kind = class_of == CLASS_RUNS ? KIND_RUNS_OF_2 + o->run - 2 : KIND_NARROW;
    s.width = (i32)i64_ceil_div(length / run_of(s.kind), lanes);
    s.repeats = s.kind == KIND_DIAGONALS && before && before->kind == KIND_DIAGONALS &&
                have_same_distances(a, row, o->first_row + key_row(o->key[before->first]));
    return s;
}

/* Orders a window and adds its slices to the totals. */
static void plan_window(const csr_source *a, i64 window, window_order *o, slice_totals *t)
{
    slice_plan s = {0};

    order_window(a, window, o);
    for (i32 i = 0; i < o->count; i += s.count) {
        s = cut_slice(a, o, i, i ? &s : NULL);
        add_slice(t, &s);
    }
}

#endif
