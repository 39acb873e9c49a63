/* Slices on work-items: SLICE_ROWS work-items, a subgroup where there are any, add a slice.
 *
 * The host code draws the arrays. A work-item reads its slice's head and its own word; the loads of
 * values and columns then depend on nothing else, and x is read at the columns that arrive. A row
 * has one work-item or several, whose sums are added by halving. Slices of parts of long rows come
 * first: they store their sums, which a second kernel adds in the order of the parts.
 *
 * No entry is padding that is multiplied, so an Inf or NaN of x reaches only rows that have its
 * column.
 */
#include "../prelude/simt.h"
#include "../common/simt_item_sum.h"
#include "../common/simt_reduce.h"
#include "../common/simt_scale.h"
#include "layout_slice.h"
#include "simt_turns.h"

enum {
    GROUP_SLICES = WORK_GROUP_SIZE / SLICE_ROWS,
    PLACES = SUBGROUP_SIZE > 1 ? 1 : WORK_GROUP_SIZE
};

/* The first of each `lanes` neighbours, a power of two that may differ between slices, returns the
 * sum of their values. All work-items of the group call this; part has room for a value of each. */
DEVICE real row_sum(real value, LOCAL real *part, i32 item, i32 lanes)
{
    const i32 lane = item & (lanes - 1);

    if (SUBGROUP_SIZE > 1)
        return subgroup_sum(value, lanes);

    /* Each step writes places that no other step reads, so one barrier a step is enough. */
    for (i32 width = SLICE_ROWS / 2; width > 0; width /= 2) {
        if (lane >= width && lane < 2 * width)
            part[item] = value;
        group_barrier();
        if (lane < width && width < lanes)
            value = value + part[item + width];
    }
    return value;
}

KERNEL void slices_rows(LENGTH("4 * slices") GLOBAL const i32 *RESTRICT head,
                        LENGTH("slices * slice_rows") GLOBAL const u16 *RESTRICT lane,
                        LENGTH("wide * slice_rows") GLOBAL const i32 *RESTRICT wide_column,
                        LENGTH("narrow * slice_rows") GLOBAL const u16 *RESTRICT narrow_column,
                        LENGTH("diagonals") GLOBAL const i32 *RESTRICT diagonal,
                        LENGTH("values * slice_rows") GLOBAL const real *RESTRICT val,
                        LENGTH("cols") GLOBAL const real *RESTRICT x,
                        LENGTH("rows") GLOBAL real *RESTRICT y,
                        LENGTH("parts") GLOBAL real *RESTRICT part_sum,
                        real alpha, real beta, i64 slices, i64 parts)
{
    LOCAL_MEMORY real part[PLACES];
    const i32 item = item_index();
    const i64 slice = group_index() * GROUP_SLICES + item / SLICE_ROWS;
    bool has_row = false;
    i32 lanes = 1;
    i32 row = 0;
    real sum = 0;

    if (slice < slices) {
        i32 word[HEAD_WORDS];
        lane_share s;

        i32_load4(word, head + slice * HEAD_WORDS);
        s.lane = item % SLICE_ROWS;
        const i32 own = u16_stream(lane, slice * SLICE_ROWS + s.lane);
        const slice_head h = read_head(word);

        lanes = 1 << h.log2_lanes;
        has_row = own >> ROW_BITS != NO_ROW;
        row = (i32)h.window * SORT_WINDOW + (own & ((1 << ROW_BITS) - 1));
        s.width = h.width;
        s.own = has_row ? s.width - (own >> ROW_BITS) : 0;
        s.val = val + h.values_at * SLICE_ROWS;
        s.wide = wide_column + h.columns_at * SLICE_ROWS;
        s.narrow = narrow_column + h.columns_at * SLICE_ROWS;
        s.diagonal = diagonal + h.base;
        s.x = x_rebase(x, h.kind == KIND_DIAGONALS ? -row : h.kind == KIND_WIDE ? 0 : -h.base);
        sum = lane_sum_of_kind(h.kind, &s);
    }
    sum = row_sum(sum, part, item, lanes);
    if (has_row && (item & (lanes - 1)) == 0) {
        if (slice < parts)
            part_sum[slice] = sum;
        else
            y_store(y, row, sum, alpha, beta);
    }
}

/* Adds the parts of split rows. A row has part_items work-items, a power of two. The parts are
 * distributed cyclically, then the sums of the work-items are added by halving. */
KERNEL void slices_split_rows(LENGTH("split_rows") GLOBAL const i32 *RESTRICT split_row,
                              LENGTH("split_rows + 1") GLOBAL const i64 *RESTRICT part_ptr,
                              LENGTH("parts") GLOBAL const real *RESTRICT part_sum,
                              LENGTH("rows") GLOBAL real *RESTRICT y,
                              real alpha, real beta, i32 split_rows, i32 part_items)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 place = item & (part_items - 1);
    const i64 i = (group_index() * WORK_GROUP_SIZE + item) / part_items;
    real sum = 0;

    if (i < split_rows)
        sum = sum_values(part_sum, part_ptr[i] + place, part_ptr[i + 1], part_items);
    sum = neighbour_sum(sum, part, item, part_items);
    if (i < split_rows && place == 0)
        y_store(y, split_row[i], sum, alpha, beta);
}
