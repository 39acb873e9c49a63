/* build_sizes.h: the sizes of the arrays, and a plan's costs. */
#ifndef SPMV_SLICES_BUILD_SIZES_H
#define SPMV_SLICES_BUILD_SIZES_H

#include "build_cut.h"
#include "layout.h"

enum { BUILD_CHUNKS = 256 };     /* most chunks of windows; each has a window_order */

static i64 window_chunk_count(const csr_source *a)
{
    return i64_min(window_count(a), BUILD_CHUNKS);
}

/* Halves the entries of a lane, down to LEAST_LANE_ENTRIES, until the matrix has BUSY_SLICES. */
static i64 choose_lane_entries(const csr_source *a)
{
    i64 most = LANE_ENTRIES;

    for (; most / 2 >= LEAST_LANE_ENTRIES; most /= 2) {
        i64 lanes = 0;
        for (i32 row = 0; row < a->rows; row++) {
            const i64 length = row_length(&a->row_ptr, row);
            lanes += length > SPLIT_AT ? parts_of(length) * SLICE_ROWS
                                       : (i64)1 << lanes_of_row(length, most);
        }
        if (lanes >= (i64)BUSY_SLICES * SLICE_ROWS)
            break;
    }
    return most;
}

/* Counts split rows and their parts, and chooses the work-items that add the parts. More of them
 * than parts do not change a sum. */
static void count_parts(const csr_source *a, i64 *number)
{
    i64 most = 1;

    number[NUMBER_SPLIT_ROWS] = 0;
    number[NUMBER_PARTS] = 0;
    number[NUMBER_PART_VALUES] = 0;
    number[NUMBER_PART_ITEMS] = 1;
    for (i32 row = 0; row < a->rows; row++) {
        const i64 length = row_length(&a->row_ptr, row);
        const i64 parts = parts_of(length);

        if (parts == 0)
            continue;
        number[NUMBER_SPLIT_ROWS]++;
        number[NUMBER_PARTS] += parts;
        number[NUMBER_PART_VALUES] += i64_ceil_div(length, SLICE_ROWS);
        most = i64_max(most, parts);
    }
    while (number[NUMBER_PART_ITEMS] < i64_min(most, WORK_GROUP_SIZE))
        number[NUMBER_PART_ITEMS] *= 2;
}

static spmv_status set_arrays(spmv_layout *layout)
{
    const i64 *number = layout->number;
    const i64 splits = number[NUMBER_SPLIT_ROWS];
    spmv_status status;

    layout->array_count = ARRAY_COUNT;
    status = set_array(layout, SPLIT_ROW, "split_row", splits, sizeof(i32));
    if (!status)
        status = set_array(layout, PART_PTR, "part_ptr", splits ? splits + 1 : 0, sizeof(i64));
    if (!status)
        status = set_array(layout, PART_AT, "part_at", splits ? splits + 1 : 0, sizeof(i64));
    if (!status)
        status = set_array(layout, HEAD, "head", number[NUMBER_SLICES], HEAD_WORDS * sizeof(i32));
    if (!status)
        status = set_array(layout, LANE, "lane", number[NUMBER_SLICES], SLICE_ROWS * sizeof(u16));
    if (!status)
        status = set_array(layout, WIDE_COLUMN, "wide_column", number[NUMBER_WIDE],
                           SLICE_ROWS * sizeof(i32));
    if (!status)
        status = set_array(layout, NARROW_COLUMN, "narrow_column", number[NUMBER_NARROW],
                           SLICE_ROWS * sizeof(u16));
    if (!status)
        status = set_array(layout, DIAGONAL, "diagonal", number[NUMBER_DIAGONALS], sizeof(i32));
    if (!status)
        status = set_array(layout, VAL, "val", number[NUMBER_VALUES],
                           SLICE_ROWS * value_bytes(&layout->csr));
    if (!status)
        status = add_part(layout, "part_sum", number[NUMBER_PARTS], value_bytes(&layout->csr), 0);
    return status;
}

/* Bytes of the arrays, x and y, each once; and a store to another sector for each row. */
static void set_costs(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;

    layout->cost = (f64)csr->cols * value_bytes(csr) +
                   (f64)csr->rows * (value_bytes(csr) + 16) +
                   (f64)layout->number[NUMBER_PARTS] * 64;
    for (i32 i = HEAD; i < ARRAY_COUNT; i++)
        layout->cost += (f64)layout->array[i].bytes;
    layout->build_cost = (f64)csr->nnz * 200 + (f64)csr->rows * 800;
}

static spmv_status layout_size(spmv_layout *layout)
{
    const u64 most_places = 1u << PLACE_BITS;
    const u64 most_windows = 1u << (32 - WIDTH_BITS);
    i64 *number = layout->number;
    csr_source a = source_of(layout);
    window_order *order = (window_order *)layout->scratch;
    slice_totals t = {0};
    spmv_status status;

    number[NUMBER_LANE_ENTRIES] = choose_lane_entries(&a);
    count_parts(&a, number);
    a = source_of(layout);
    for (i64 w = 0; w < window_count(&a); w++)
        plan_window(&a, w, order, &t);
    number[NUMBER_SLICES] = number[NUMBER_PARTS] + t.slices;
    number[NUMBER_VALUES] = number[NUMBER_PART_VALUES] + t.values;
    number[NUMBER_WIDE] = t.wide + (matrix_is_narrow(a.cols) ? 0 : number[NUMBER_PART_VALUES]);
    number[NUMBER_NARROW] = t.narrow + (matrix_is_narrow(a.cols) ? number[NUMBER_PART_VALUES] : 0);
    number[NUMBER_DIAGONALS] = t.diagonals;

    /* The fields of a head, the distances that `base` counts, and the work-items of a launch. */
    if ((u64)number[NUMBER_VALUES] > most_places || (u64)window_count(&a) > most_windows ||
        number[NUMBER_DIAGONALS] > 0x7fffffff || number[NUMBER_SLICES] > 0xffffffff / SLICE_ROWS)
        return SPMV_OVERFLOW;
    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->value_arrays = 1 << VAL;
    layout->workspace_bytes = 0;
    status = set_arrays(layout);
    if (!status)
        status = set_build_scratch(layout, window_chunk_count(&a), sizeof(window_order));
    if (!status && window_count(&a) > 0) {
        usize totals;
        status = set_bytes(&totals, window_count(&a), sizeof(slice_totals));
        layout->build_bytes += totals;
    }
    if (!status)
        set_costs(layout);
    return status;
}

#endif
