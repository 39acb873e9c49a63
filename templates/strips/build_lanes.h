/* build_lanes.h: writes a strip as STRIP_LANES. */
#ifndef SPMV_STRIPS_BUILD_LANES_H
#define SPMV_STRIPS_BUILD_LANES_H

#include "build_long_rows.h"
#include "build_output.h"
#include "choose_lanes.h"
#include "find_rows.h"
#include "find_values.h"
#include "layout.h"

/* Writes the slices of a strip with `long_rows` long rows, and the counts of its lanes to t.
 * ends_only: see slice_base. */
static void build_lane_slices(const csr_source *a, const strip_rows *r, i32 long_rows, strip *t,
                              lane_slice *slice, bool ends_only)
{
    t->long_rows = long_rows;
    t->lane_rows = r->not_empty - t->long_rows;
    t->wide = 0;
    for (i32 p = t->long_rows; p < r->not_empty; p += SLICE_ROWS, slice++) {
        slice->base = slice_base(a, r, p, ends_only);
        slice->longest = r->length[p];
        slice->shortest = r->not_empty - p < SLICE_ROWS ? 0 : r->length[p + SLICE_ROWS - 1];
        t->wide += slice->base == WIDE ? slice_entries(r, p) : 0;
    }
    t->narrow = r->nnz - long_entries(r, t->long_rows) - t->wide;
}

/* Writes the columns of the lanes of a strip, whose slices have been built. Returns false if a
 * column is not within NARROW_SPAN of its slice's base. */
static bool write_lane_columns(const csr_source *a, const strip_rows *r, const strip *t,
                               const lane_slice *slice, i32 *index)
{
    i32 *wide = index;
    u16 *narrow = (u16 *)(index + narrow_columns_begin(t));
    u32 out_of_range = 0;

    for (i32 p = t->long_rows; p < r->not_empty; p += SLICE_ROWS, slice++) {
        i64 from[SLICE_ROWS];
        i32 active = (i32)i64_min(SLICE_ROWS, r->not_empty - p);

        for (i32 i = 0; i < active; i++)
            from[i] = ordered_begin(a, r, p + i);
        for (i32 k = 0; k < slice->longest; k++) {
            while (r->length[p + active - 1] <= k)
                active--;
            if (slice->base == WIDE) {
                for (i32 i = 0; i < active; i++)
                    wide[i] = a->col_idx[from[i] + k] - a->base;
                wide += active;
                continue;
            }
            for (i32 i = 0; i < active; i++) {
                const u32 distance = (u32)a->col_idx[from[i] + k] - (u32)a->base - (u32)slice->base;
                out_of_range |= (u32)(distance >= NARROW_SPAN);
                narrow[i] = (u16)distance;
            }
            narrow += active;
        }
    }
    for (i32 i = 0; i < LANES; i++) {
        wide[i] = 0;
        narrow[i] = 0;
    }
    return !out_of_range;
}

/* Writes the values of a strip, and COUNT. is_copy is a constant. */
INLINED void write_lane_values(bool is_copy, const csr_source *a, const strip_rows *r,
                               const strip *t, const lane_slice *slice, value_output values,
                               u8 *count)
{
    i64 stored = t->entry;

    for (i32 p = t->long_rows; p < r->not_empty; p += SLICE_ROWS, slice++) {
        i64 from[SLICE_ROWS];
        i32 active = (i32)i64_min(SLICE_ROWS, r->not_empty - p);

        for (i32 i = 0; i < active; i++)
            from[i] = ordered_begin(a, r, p + i);
        for (i32 k = 0; k < slice->longest; k++) {
            while (r->length[p + active - 1] <= k)
                active--;
            if (k >= slice->shortest)
                *count++ = (u8)active;
            for (i32 i = 0; i < active; i++)
                write_value(is_copy, values, stored + i, from[i] + k);
            stored += active;
        }
    }
    for (i32 p = 0; p < t->long_rows; p++) {
        const i64 row = ordered_begin(a, r, p);
        for (i32 k = 0; k < r->length[p]; k++)
            write_value(is_copy, values, stored++, row + k);
    }
}

/* Prefetches the entries of a strip into the second-level cache: rows are read in the order of
 * their lengths, which no hardware prefetcher predicts. */
INLINED void fetch_entries(const csr_source *a, const strip_rows *r, value_source from)
{
    enum { LINE = 64 };

    for (i64 k = r->entry; k < r->entry + r->nnz; k += LINE / (i64)sizeof(i32))
        prefetch_l2(a->col_idx + k);
    if (HAS_SINGLE && from.singles)
        for (i64 k = r->entry; k < r->entry + r->nnz; k += LINE / (i64)sizeof(f32))
            prefetch_l2(from.singles + k);
    else
        for (i64 k = r->entry; k < r->entry + r->nnz; k += LINE / (i64)sizeof(real))
            prefetch_l2(from.values + k);
}

static void build_lanes(const csr_source *a, const strip_rows *r, i32 long_rows, strip *t, i64 s,
                        const strip_output *to, value_output values)
{
    lane_slice *slice = to->lane_slices + first_lane_slice(t->row, s);
    i32 *index = to->index + strip_index(t->entry, s);
    u8 *count = to->count + s * BOUNDARY;

    fetch_entries(a, r, values.from);
    /* Unsorted columns may lie outside the span of the row ends. If so, all columns are read. */
    build_lane_slices(a, r, long_rows, t, slice, true);
    if (!write_lane_columns(a, r, t, slice, index)) {
        build_lane_slices(a, r, long_rows, t, slice, false);
        write_lane_columns(a, r, t, slice, index);
    }
    for (i32 i = 0; i < r->count; i++)
        to->row[t->row + i] = r->order[i];
    if (copies_values(values))
        write_lane_values(true, a, r, t, slice, values, count);
    else
        write_lane_values(false, a, r, t, slice, values, count);
    write_long_row_columns(a, r, t->long_rows, t, index + long_columns_begin(t));
}

#endif
