/* build.h: finds the spans of parts. */
#ifndef SPMV_CSR_TRANSPOSED_BUILD_H
#define SPMV_CSR_TRANSPOSED_BUILD_H

#include "layout.h"

/* Joins neighbouring spans in pairs, and returns their new number. */
static i64 join_pairs(column_span *span, i64 count)
{
    for (i64 i = 0; 2 * i < count; i++)
        span[i] = 2 * i + 1 < count ? span_join(span[2 * i], span[2 * i + 1]) : span[2 * i];
    return i64_ceil_div(count, 2);
}

/* Sums that these spans need. */
static i64 sum_count(const column_span *span, i64 count)
{
    i64 sums = 0;

    for (i64 i = 0; i < count; i++)
        sums += span[i].end - span[i].first;
    return sums;
}

/* Chooses the parts, and returns the number of their sums. Reads all columns once. */
static i64 choose_parts(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 most = csr->cols + csr->nnz / 2;
    const i64 pieces = piece_count(csr);
    i64 parts = pieces;
    column_span span[MOST_PARTS];

    for (i64 i = 0; i < pieces; i++)
        span[i] = span_of_piece(csr, i, pieces);
    layout->number[NUMBER_PIECES] = pieces;
    layout->number[NUMBER_LOG2_PIECES] = 0;
    while (parts > 1 && sum_count(span, parts) > most) {
        parts = join_pairs(span, parts);
        layout->number[NUMBER_LOG2_PIECES]++;
    }
    return sum_count(span, parts);
}

static void find_spans(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    matrix_part *part = (matrix_part *)layout->array[PART].data;

    for (i64 i = first; i < last; i++)
        part[i].span = span_of(&layout->csr, part_begin(layout, i), part_begin(layout, i + 1));
}

static void place_sums(const spmv_job *job, i64 first, i64 last)
{
    matrix_part *part = (matrix_part *)job->layout->array[PART].data;
    const i64 parts = part_count(job->layout);
    i64 place = 0;

    (void)first;
    (void)last;
    for (i64 i = 0; i < parts; i++) {
        part[i].place = place;
        place += part[i].span.end - part[i].span.first;
    }
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i64 parts = part_count(layout);
    const i32 count = add_step(step, 0, "find_spans", find_spans, parts);

    return add_step(step, count, "place_sums", place_sums, parts > 0);
}

#endif
