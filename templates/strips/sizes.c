/* sizes.c: the sizes of the arrays, which follow from row_ptr alone, and what a multiplication
 * costs. */
#include "../common/cost_traffic.h"
#include "../common/cost_row_endings.h"

enum { SAMPLES = 16 };           /* strips that are measured to know what all of them cost */

typedef struct split_rows {
    i64 count, nnz;
} split_rows;

static split_rows find_split_rows(const spmv_layout *layout)
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

/* Some strips, evenly spread, for all; split rows as rows with columns as in CSR; x and y once. */
static void estimate_costs(spmv_layout *layout, split_rows split)
{
    const spmv_csr *csr = &layout->csr;
    const f64 strips_weight = (f64)(csr->rows + csr->nnz - split.count - split.nnz);
    const row_endings ends = row_endings_of(layout, csr->cols + 1, 1);
    const csr_source a = source_of(layout);
    const i64 strips = layout->number[NUMBER_STRIPS];
    const i64 samples = i64_min(strips, SAMPLES);
    strip_scratch *scratch = (strip_scratch *)layout->scratch;
    strip_rows *r = &scratch->rows;
    f64 cost = 0;
    i64 weight = 0;
    i64 tried = 0;               /* strips that were looked at in several ways */

    begin_finder(&a, &scratch->finder);
    for (i64 i = 0; i < samples; i++) {
        find_rows(&a, share_begin(i, strips, samples), r);
        const strip_choice choice = choose_kind(&a, r, &scratch->finder);
        cost += (f64)(choice.cost / BYTE);
        weight += r->count + r->nnz;
        tried += choice.kind != STRIP_DIAGONALS || !looks_like_stencil(&a, r);
    }
    layout->cost = cost / (f64)i64_max(weight, 1) * strips_weight +
                   (f64)split.nnz * (sizeof(real) + sizeof(i32)) +
                   (f64)(csr->rows + csr->cols) * sizeof(real) +
                   step_cost(2000.0 + collected_steps(split.nnz) + 1.5 * far_nonzeros(csr));
    /* All ways but that of a stencil's diagonals look at the columns and sort rows. */
    layout->build_cost = step_cost((65000.0 * (f64)strips + 93.0 * (f64)csr->rows +
                                    22.0 * (f64)csr->nnz + 77.0 * ends.surprising) *
                                       (f64)tried / (f64)i64_max(samples, 1) +
                                   10000.0 * (f64)strips + 31.0 * new_memory_cycles(csr));
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 strips = row_chunk_count(layout);
    const split_rows split = find_split_rows(layout);
    spmv_status status;

    layout->number[NUMBER_STRIPS] = strips;
    layout->number[NUMBER_SPLIT_ROWS] = split.count;
    layout->array_count = ARRAY_COUNT;
    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->value_arrays = 1 << VAL;
    status = set_array(layout, STRIP, "strip", strips ? strips + 1 : 0, sizeof(strip));
    if (!status)
        status = set_array(layout, LANE_SLICE, "lane_slice",
                           strips ? csr->rows / SLICE_ROWS + strips + 1 : 0, sizeof(lane_slice));
    if (!status)
        status = set_array(layout, DIAGONALS, "diagonals",
                           strips ? csr->rows / DIAGONAL_ROWS + strips + 1 : 0, sizeof(diagonal_list));
    if (!status)
        status = set_array(layout, ROW, "row", csr->rows, sizeof(u16));
    if (!status)
        status = set_array(layout, COUNT, "count", strips * BOUNDARY, sizeof(u8));
    if (!status)
        status = set_array(layout, INDEX, "index", csr->nnz + (strips + 1) * INDEX_PAD, sizeof(i32));
    if (!status)
        status = set_array(layout, VAL, "val", csr->nnz + LANES, sizeof(real));
    if (!status)
        status = set_array(layout, SPLIT_ROW, "split_row", split.count, sizeof(i32));
    if (!status)
        status = set_workspace(layout, split.count ? strips * STRIP_PARTS : 0, sizeof(real));
    if (!status)
        status = set_build_scratch(layout, build_chunk_count(strips), sizeof(strip_scratch));
    if (!status)
        estimate_costs(layout, split);
    return status;
}
