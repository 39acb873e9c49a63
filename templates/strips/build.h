/* build.h: the second phase of building: writes each strip in the storage that was chosen for it.
 *
 * The choice was made from a sample. A strip that cannot have the chosen storage becomes
 * STRIP_LANES, which every strip can have. Diagonals need ascending columns and an x of
 * DIAGONAL_ROWS values or more; diagonals and runs must fit the strip's space in INDEX. Padded
 * diagonals that exceed the strip's space in VAL are not padded.
 */
#ifndef SPMV_STRIPS_BUILD_H
#define SPMV_STRIPS_BUILD_H

#include "build_diagonals.h"
#include "build_lanes.h"
#include "build_output.h"
#include "build_parts.h"
#include "build_runs.h"
#include "choose.h"
#include "find_rows.h"
#include "layout.h"

enum { BUILD_CHUNKS = 512 };     /* most chunks; each has a strip_scratch */

static i64 build_chunk_count(i64 strips)
{
    return i64_min(strips, BUILD_CHUNKS);
}

/* Writes the rows of a strip in the storage that it names. Returns false if they do not fit. */
static bool write_strip_rows(const spmv_layout *layout, const csr_source *a, strip_scratch *scratch,
                             strip *t, i64 s, const strip_output *to, i32 long_rows)
{
    strip_rows *r = &scratch->rows;
    const value_output values = begin_values(layout, &scratch->values, r->entry, r->entry + r->nnz,
                                             use_of(t, BLOCK_ROWS));

    to->codings[s * STRIP_BLOCKS + BLOCK_ROWS] = values.coding;
    if (t->kind == STRIP_DIAGONALS)
        return build_diagonals(a, r, &scratch->finder, t, s, to, values);
    if (t->kind == STRIP_RUNS)
        return build_runs(a, r, t, s, to, values);
    build_lanes(a, r, long_rows, t, s, to, values);
    return true;
}

/* Writes the rows of strip s except a split row. A strip inside a split row has no other rows, and
 * no space for them. */
static void build_rows(const spmv_layout *layout, const csr_source *a, strip_scratch *scratch,
                       strip *t, i64 s, const strip_output *to)
{
    strip_rows *r = &scratch->rows;

    if (r->count == 0)
        return;
    strip_choice choice = choose_kind(a, r, &scratch->finder);

    t->kind = choice.kind;
    t->is_padded = layout->number[NUMBER_PADDING] && is_padded_choice(&choice);
    if (write_strip_rows(layout, a, scratch, t, s, to, choice.long_rows))
        return;
    if (t->is_padded) {
        t->is_padded = 0;
        if (write_strip_rows(layout, a, scratch, t, s, to, 0))
            return;
    }
    choose_lanes(a, r, &choice);
    t->kind = STRIP_LANES;
    write_strip_rows(layout, a, scratch, t, s, to, choice.long_rows);
}

/* Writes a part of a split row. */
static void build_part_block(const spmv_layout *layout, const csr_source *a,
                             const strips_matrix *view, const strip_output *to,
                             value_finder *finder, i64 s, strip_part which, i32 row)
{
    strip *t = &to->strips[s];
    const part_range p = part_range_of(view, s, which, row);

    t->has_part[which] = p.begin < p.end || which == PART_BEGUN;
    const value_output values = begin_values(layout, finder, p.begin, p.end, SPREAD_BLOCK);
    to->codings[s * STRIP_BLOCKS + BLOCK_PARTS + (i32)which] = values.coding;
    t->part_segments[which] = build_part(a, &p, to, values);
}

static void build_strip(const spmv_layout *layout, const csr_source *a, const strips_matrix *view,
                        const strip_output *to, strip_scratch *scratch, i64 s)
{
    const strip none = {0};
    const value_coding wide = { VALUES_WIDE, 0 };
    strip *t = &to->strips[s];
    strip_rows *r = &scratch->rows;

    find_strip_rows(a, s, r);
    *t = none;
    t->entry = r->entry;
    t->row = r->first;
    for (i32 i = 0; i < STRIP_BLOCKS; i++)
        to->codings[s * STRIP_BLOCKS + i] = wide;
    build_rows(layout, a, scratch, t, s, to);
    if (r->first > 0 && row_length(&a->row_ptr, r->first - 1) > a->strip_weight)
        build_part_block(layout, a, view, to, &scratch->values, s, PART_CONTINUED, r->first - 1);
    if (r->is_split)
        build_part_block(layout, a, view, to, &scratch->values, s, PART_BEGUN,
                         r->first + r->count);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Writes the last element of STRIP, and SPLIT_ROW. */
static void build_tables(const spmv_job *job, i64 first, i64 last)
{
    const csr_source a = source_of(job->layout);
    const strip none = {0};
    strip *end = (strip *)job->layout->array[STRIP].data + job->layout->number[NUMBER_STRIPS];
    i32 *split = (i32 *)job->layout->array[SPLIT_ROW].data;

    (void)first;
    (void)last;
    *end = none;
    end->entry = a.nnz;
    end->row = a.rows;
    for (i32 row = 0; split && row < a.rows; row++)
        if (row_length(&a.row_ptr, row) > a.strip_weight)
            *split++ = row;
}

/* Builds chunks [first, last), with the scratch memory of chunk `first`. */
static void build_strips(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix view = strips_view(job->layout);
    const strip_output to = strip_output_of(job->layout);
    const csr_source a = source_of(job->layout);
    const i64 chunks = build_chunk_count(view.strip_count);
    const i64 end = share_begin(last, view.strip_count, chunks);
    strip_scratch *scratch = (strip_scratch *)job->workspace + first;

    begin_finder(&a, &scratch->finder);
    for (i64 s = share_begin(first, view.strip_count, chunks); s < end; s++)
        build_strip(job->layout, &a, &view, &to, scratch, s);
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i64 strips = layout->number[NUMBER_STRIPS];
    i32 n = 0;

    n = add_step(step, n, "build_tables", build_tables, strips ? 1 : 0);
    return add_step(step, n, "build_strips", build_strips, build_chunk_count(strips));
}

#endif
