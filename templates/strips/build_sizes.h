/* build_sizes.h: the sizes of the arrays, which follow from row_ptr alone, and a plan's costs. */
#ifndef SPMV_STRIPS_BUILD_SIZES_H
#define SPMV_STRIPS_BUILD_SIZES_H

#include "../common/cost_row_endings.h"
#include "build.h"
#include "choose.h"
#include "choose_values.h"
#include "choose_weight.h"
#include "cost.h"
#include "find_diagonals.h"
#include "find_rows.h"
#include "find_values.h"
#include "layout.h"

typedef struct split_rows {
    i64 count, nnz;
} split_rows;

static split_rows count_split_rows(const spmv_layout *layout)
{
    const csr_source a = source_of(layout);
    split_rows split = {0, 0};

    for (i32 row = 0; row < a.rows; row++) {
        const i64 nnz = row_length(&a.row_ptr, row);
        split.count += nnz > a.strip_weight;
        split.nnz += nnz > a.strip_weight ? nnz : 0;
    }
    return split;
}

/* Sums over the sampled strips. */
typedef struct plan_sample {
    i64 weight;                  /* rows and nonzeros, without split rows */
    i64 examined;                /* strips that are not stencils */
    i64 part_nnz;                /* nonzeros of split rows */
    i64 padded;                  /* strips of padded diagonals */
    f64 bytes;                   /* cost of the rows, in bytes, where x is near */
    f64 far_bytes;               /* more where x is far */
    f64 part_saved;              /* bytes that codings save of split rows */
} plan_sample;

/* Adds the part of the split row `row` in strip s. */
static void sample_part(const spmv_layout *layout, const strips_matrix *view, i64 s,
                        strip_part which, i32 row, value_finder *finder, plan_sample *sample)
{
    const part_range range = part_range_of(view, s, which, row);
    const i64 saved = estimate_saving(layout, finder, range.begin, range.end, true);

    sample->part_nnz += range.end - range.begin;
    sample->part_saved += (f64)saved / (f64)COST_BYTE;
}

static void sample_strip(const spmv_layout *layout, const csr_source *a, const strips_matrix *view,
                         i64 s, strip_scratch *scratch, plan_sample *sample)
{
    strip_rows *r = &scratch->rows;

    find_strip_rows(a, s, r);
    const strip_choice choice = choose_kind(a, r, &scratch->finder);
    const i64 saved = NARROW_VALUES ? estimate_saving(layout, &scratch->values, r->entry,
                                                      r->entry + r->nnz,
                                                      choice.kind == STRIP_RUNS)
                                    : 0;

    sample->padded += is_padded_choice(&choice);
    sample->weight += r->count + r->nnz;
    sample->examined += choice.kind != STRIP_DIAGONALS || !looks_like_stencil(a, r);
    sample->bytes += (f64)((choice.cost - saved) / COST_BYTE);
    sample->far_bytes += far_bytes(choice.kind, r->nnz);
    if (NARROW_VALUES && r->first > 0 && row_length(&a->row_ptr, r->first - 1) > a->strip_weight)
        sample_part(layout, view, s, PART_CONTINUED, r->first - 1, &scratch->values, sample);
    if (NARROW_VALUES && r->is_split)
        sample_part(layout, view, s, PART_BEGUN, r->first + r->count, &scratch->values, sample);
}

/* Estimates the costs of the plan, and whether VAL gets space for padded strips, from some strips,
 * evenly spread. */
static void estimate_plan(spmv_layout *layout, split_rows split)
{
    const spmv_csr *csr = &layout->csr;
    const f64 strips_weight = (f64)(csr->rows + csr->nnz - split.count - split.nnz);
    const row_endings ends = row_endings_of(layout, csr->cols + 1, 1);
    const csr_source a = source_of(layout);
    const strips_matrix view = strips_view(layout);
    const i64 samples = i64_min(view.strip_count, SAMPLED_STRIPS);
    strip_scratch *scratch = (strip_scratch *)layout->scratch;
    plan_sample sample = {0};

    begin_finder(&a, &scratch->finder);
    for (i64 i = 0; i < samples; i++)
        sample_strip(layout, &a, &view, share_begin(i, view.strip_count, samples), scratch,
                     &sample);
    layout->number[NUMBER_PADDING] = sample.padded > 0 && sample.padded >= samples / 4;
    layout->cost = multiplication_bytes(
        csr,
        (sample.bytes + far_share(csr) * sample.far_bytes) / (f64)i64_max(sample.weight, 1) *
            strips_weight,
        split.nnz, sample.part_saved / (f64)i64_max(sample.part_nnz, 1) * (f64)split.nnz);
    layout->build_cost = build_bytes(csr, ends.surprising, sample.examined, samples);
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 weight = choose_strip_weight(layout);
    const i64 strips = i64_ceil_div(csr->rows + csr->nnz, weight);
    spmv_status status;

    layout->number[NUMBER_STRIP_WEIGHT] = weight;
    const split_rows split = count_split_rows(layout);

    layout->number[NUMBER_STRIPS] = strips;
    layout->number[NUMBER_SPLIT_ROWS] = split.count;
    estimate_plan(layout, split);
    layout->array_count = ARRAY_COUNT;
    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->value_arrays = 1 << VAL | 1 << CODING;
    status = set_array(layout, STRIP, "strip", strips ? strips + 1 : 0, sizeof(strip));
    if (!status)
        status = set_array(layout, LANE_SLICE, "lane_slice",
                           strips ? csr->rows / SLICE_ROWS + strips + 1 : 0, sizeof(lane_slice));
    if (!status)
        status = set_array(layout, DIAGONALS, "diagonals",
                           strips ? csr->rows / DIAGONAL_ROWS + strips + 1 : 0,
                           sizeof(diagonal_list));
    if (!status)
        status = set_array(layout, ROW, "row", csr->rows, sizeof(u16));
    if (!status)
        status = set_array(layout, COUNT, "count", strips * BOUNDARY, sizeof(u8));
    if (!status)
        status = set_array(layout, INDEX, "index", csr->nnz + (strips + 1) * INDEX_PAD,
                           sizeof(i32));
    if (!status)
        status = set_array(layout, VAL, "val",
                           val_count(layout->number[NUMBER_PADDING], csr->nnz), sizeof(real));
    if (!status)
        status = set_array(layout, SPLIT_ROW, "split_row", split.count, sizeof(i32));
    if (!status)
        status = set_array(layout, CODING, "coding", strips * STRIP_BLOCKS, sizeof(value_coding));
    if (!status)
        status = set_workspace(layout, split.count ? strips * STRIP_PARTS : 0, sizeof(real));
    if (!status && SEVERAL_VECTORS && NARROW_VALUES && !layout->setting[SETTING_WIDE_VALUES])
        status = set_bytes(&layout->columns_bytes,
                           decoding_chunk_count(strips) *
                               decoded_count(weight),
                           sizeof(real));
    if (!status)
        status = set_build_scratch(layout, build_chunk_count(strips), sizeof(strip_scratch));
    return status;
}

#endif
