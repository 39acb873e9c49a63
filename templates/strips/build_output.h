/* build_output.h: the arrays that building writes. */
#ifndef SPMV_STRIPS_BUILD_OUTPUT_H
#define SPMV_STRIPS_BUILD_OUTPUT_H

#include "layout.h"

typedef struct strip_output {
    strip *strips;
    lane_slice *lane_slices;
    diagonal_list *diagonals;
    u16 *row;
    u8 *count;
    i32 *index;
    value_coding *codings;
} strip_output;

static strip_output strip_output_of(const spmv_layout *layout)
{
    strip_output to;
    to.strips = (strip *)layout->array[STRIP].data;
    to.lane_slices = (lane_slice *)layout->array[LANE_SLICE].data;
    to.diagonals = (diagonal_list *)layout->array[DIAGONALS].data;
    to.row = (u16 *)layout->array[ROW].data;
    to.count = (u8 *)layout->array[COUNT].data;
    to.index = (i32 *)layout->array[INDEX].data;
    to.codings = (value_coding *)layout->array[CODING].data;
    return to;
}

#endif
