/* build_columns.h: which columns of the layout have 16 bits, with NARROW_SPAN, and where they are.
 *
 * The sizes of the arrays are found before rows are sorted. With windows, the rows of each slice
 * are known before that: within a window, rows of one length stay in order.
 */
#ifndef SPMV_EVC_HYB_BUILD_COLUMNS_H
#define SPMV_EVC_HYB_BUILD_COLUMNS_H

#include "../common/build_column_span.h"
#include "../common/layout_columns.h"
#include "build_windows.h"
#include "layout.h"
#include "layout_chunks.h"

/* Whether the span of columns decides, for each slice and piece. Otherwise the number of columns of
 * the matrix does. */
static bool spans_decide(const spmv_layout *layout)
{
    (void)layout;
    return SORT_WINDOW > 0 && !layout->permutes_x && !matrix_is_narrow(layout->csr.cols);
}

/* Whether the columns of a slice of this length may have 16 bits. Work-items that add several rows
 * at once have no registers for a first column of each. */
static bool slice_may_be_narrow(const spmv_layout *layout, i64 length)
{
    return rows_side_by_side(length, entries_of_item(layout)) == 1;
}

static column_span span_of_row(const spmv_csr *csr, const row_offsets *row_ptr, i64 row)
{
    return span_of(csr->col_idx + row_begin(row_ptr, row), row_length(row_ptr, row));
}

static i64 units_of_piece(i64 count)
{
    return i64_ceil_div(count, COLUMN_UNIT);
}

/* ---- sizes --------------------------------------------------------------------------------- */

/* Columns of both kinds, in units: ALIGNMENT of the ELL part, COLUMN_UNIT of the vCSR part. */
typedef struct column_units {
    i64 wide, narrow;
} column_units;

static void add_units(column_units *to, bool is_narrow, i64 units)
{
    if (is_narrow)
        to->narrow += units;
    else
        to->wide += units;
}

/* Scratch memory for a window. */
typedef struct window_spans {
    i64 count[BOUNDARY + 1];     /* rows of each length */
    i64 next[BOUNDARY + 1];      /* place of the next one in the window */
    column_span slice[SORT_WINDOW / ALIGNMENT + 1];
} window_spans;

/* Finds the spans of the slices of a window of `rows` rows, which `reader` reads. */
static void find_window_spans(const spmv_csr *csr, ell_reader reader, i64 rows, window_spans *w)
{
    i64 longer = 0;

    for (i32 length = BOUNDARY; length > 0; length--) {
        w->next[length] = longer;
        longer += w->count[length];
    }
    for (i64 s = 0; s < rows / ALIGNMENT; s++)
        w->slice[s] = empty_span();
    for (i64 i = 0; i < rows; i++) {
        const i64 row = next_ell_row(&reader);
        const i64 place = w->next[row_length(&reader.row_ptr, row)]++;
        column_span *span = &w->slice[place / ALIGNMENT];

        *span = joined_spans(*span, span_of_row(csr, &reader.row_ptr, row));
    }
}

/* Adds the slices of rows that are counted by length; w->slice has their spans, if spans decide. */
static void add_slices(const spmv_layout *layout, const window_spans *w, column_units *ell)
{
    const spmv_csr *csr = &layout->csr;
    i64 rows = 0;

    for (i32 length = BOUNDARY; length > 0; length--) {
        const bool may_be_narrow = slice_may_be_narrow(layout, length);
        const i64 begin = i64_ceil_div(rows, ALIGNMENT);

        rows += w->count[length];

        const i64 end = i64_ceil_div(rows, ALIGNMENT);

        if (!may_be_narrow || !spans_decide(layout)) {
            add_units(ell, may_be_narrow && matrix_is_narrow(csr->cols), (end - begin) * length);
            continue;
        }
        for (i64 s = begin; s < end; s++)
            add_units(ell, span_is_narrow(csr->cols, w->slice[s]), length);
    }
}

/* Adds the pieces of the vCSR part: all rows that the reader leaves out. */
static void add_pieces(const spmv_layout *layout, ell_reader reader, column_units *vcsr)
{
    const spmv_csr *csr = &layout->csr;
    const bool by_span = spans_decide(layout);

    for (i64 row = 0; row < csr->rows; row++) {
        const i64 length = row_length(&reader.row_ptr, row);
        const i32 *col_idx = csr->col_idx + row_begin(&reader.row_ptr, row);

        if (length == 0 || takes_row(&reader, length))
            continue;

        const i64 most = length > SPLIT_AT ? CHUNK_WEIGHT : length;

        for (i64 begin = 0; begin < length; begin += most) {
            const i64 count = i64_min(length - begin, most);
            const bool is_narrow =
                by_span ? span_is_narrow(csr->cols, span_of(col_idx + begin, count))
                        : matrix_is_narrow(csr->cols);
            add_units(vcsr, is_narrow, units_of_piece(count));
        }
    }
}

/* Counts all rows of the ELL part by length. */
static void count_rows(ell_reader reader, i64 *count)
{
    for (i32 length = 0; length <= BOUNDARY; length++)
        count[length] = 0;
    for (i64 row = next_ell_row(&reader); row >= 0; row = next_ell_row(&reader))
        count[row_length(&reader.row_ptr, row)]++;
}

/* Sets the sizes of the arrays of columns. reader: from the first row of the ELL part on. */
static spmv_status set_column_arrays(spmv_layout *layout, ell_reader reader, window_spans *w)
{
    const spmv_csr *csr = &layout->csr;
    const i64 *number = layout->number;
    const i64 slices = number[NUMBER_ELL_ROWS] / ALIGNMENT;
    const i64 words =
        slices + number[NUMBER_PARTS] + number[NUMBER_VCSR_ROWS] - number[NUMBER_SPLIT_ROWS];
    const i64 most = 0xffffffff; /* of a word's field */
    column_units ell = {0, 0};
    column_units vcsr = {0, 0};
    spmv_status status;

    add_pieces(layout, reader, &vcsr);
    if (SORT_WINDOW > 0) {
        ell_reader next = reader;
        i64 rows;

        while ((rows = count_window(&next, w->count)) > 0) {
            if (spans_decide(layout))
                find_window_spans(csr, reader, rows, w);
            add_slices(layout, w, &ell);
            reader = next;
        }
    } else {
        count_rows(reader, w->count);
        add_slices(layout, w, &ell);
    }
    if (i64_max(ell.wide, ell.narrow) > most || i64_max(vcsr.wide, vcsr.narrow) > most)
        return SPMV_OVERFLOW;
    status = set_array(layout, ELL_COL, "ell_col", ell.wide * ALIGNMENT, sizeof(i32));
    if (!status)
        status = set_array(layout, ELL_NARROW, "ell_narrow", ell.narrow * ALIGNMENT, sizeof(u16));
    if (!status)
        status = set_array(layout, VCSR_COL, "vcsr_col", vcsr.wide * COLUMN_UNIT, sizeof(i32));
    if (!status)
        status = set_array(layout, VCSR_NARROW, "vcsr_narrow", vcsr.narrow * COLUMN_UNIT,
                           sizeof(u16));
    if (!status)
        status = set_array(layout, COLUMN_WORDS, "column_words", words, sizeof(u64));
    layout->cost -= (f64)(ell.narrow * ALIGNMENT + vcsr.narrow * COLUMN_UNIT) *
                    (sizeof(i32) - sizeof(u16));
    return status;
}

/* ---- words --------------------------------------------------------------------------------- */

/* The word of columns that span this, without its place. */
static u64 word_of_span(const spmv_csr *csr, column_span span)
{
    const bool wide = !span_is_narrow(csr->cols, span);

    return column_word(wide, wide ? 0 : span.least, 0);
}

static u64 word_of_slice(const evc_matrix *a, const spmv_csr *csr, const row_offsets *row_ptr,
                         i32 slice)
{
    const i32 *row_of = slice_rows(a, slice);
    column_span span = empty_span();

    for (i32 lane = 0; lane < ALIGNMENT; lane++)
        span = joined_spans(span, span_of_row(csr, row_ptr, row_of[lane]));
    return word_of_span(csr, span);
}

/* Sets the kinds of columns of chunks [first, last), and their first columns. */
static void find_columns(const spmv_job *job, i64 first, i64 last)
{
    const spmv_csr *csr = &job->layout->csr;
    const evc_matrix a = evc_view(job->layout);
    const row_offsets row_ptr = row_offsets_of(csr);
    const chunk_ranges range = ranges_of(&a, first, last);
    const bool by_span = spans_decide(job->layout);
    const u64 wide = column_word(true, 0, 0);
    const u64 same = matrix_is_narrow(csr->cols) ? column_word(false, csr->base, 0) : wide;
    u64 *word = (u64 *)job->layout->array[COLUMN_WORDS].data;

    for (i64 part = range.part; part < range.part_end; part++) {
        const part_range p = part_entries(&a, part);
        const i64 begin = row_begin(&row_ptr, a.row_of[p.position]) + p.begin;
        const i64 count = p.end - p.begin;

        word[part_word(&a) + part] =
            by_span ? word_of_span(csr, span_of(csr->col_idx + begin, count)) : same;
    }
    for (i32 p = range.vcsr; p < range.vcsr_end; p++)
        word[row_word(&a, p)] =
            by_span ? word_of_span(csr, span_of_row(csr, &row_ptr, a.row_of[p])) : same;
    for (i32 slice = range.slice, b = range.bin; slice < range.slice_end; b++) {
        const i32 end = (i32)i64_min(range.slice_end, a.bin[b + 1].slice);
        const bool may_be_narrow = slice_may_be_narrow(job->layout, a.bin[b].length);

        for (; slice < end; slice++)
            word[slice] = !may_be_narrow ? wide
                          : by_span ? word_of_slice(&a, csr, &row_ptr, slice) : same;
    }
}

/* Adds the place of columns to their word. */
static void place_columns_of(u64 *word, i64 units, column_units *before)
{
    const bool is_narrow = word_is_narrow(*word);

    *word |= column_word(false, 0, (u32)(is_narrow ? before->narrow : before->wide));
    add_units(before, is_narrow, units);
}

/* After find_columns: places the columns of each kind one after the other. */
static void place_columns(const spmv_job *job, i64 first, i64 last)
{
    const evc_matrix a = evc_view(job->layout);
    u64 *word = (u64 *)job->layout->array[COLUMN_WORDS].data;
    column_units ell = {0, 0};
    column_units vcsr = {0, 0};

    (void)first;
    (void)last;
    for (i32 b = 0; b < a.bins; b++)
        for (i32 s = a.bin[b].slice; s < a.bin[b + 1].slice; s++)
            place_columns_of(&word[s], a.bin[b].length, &ell);
    for (i64 part = 0; part < a.parts; part++) {
        const part_range p = part_entries(&a, part);
        place_columns_of(&word[part_word(&a) + part], units_of_piece(p.end - p.begin), &vcsr);
    }
    for (i32 p = a.split_rows; p < a.vcsr_rows; p++)
        place_columns_of(&word[row_word(&a, p)], units_of_piece(vcsr_length(&a, p)), &vcsr);
}

#endif
