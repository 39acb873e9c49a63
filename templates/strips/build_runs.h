/* build_runs.h: writes a strip as STRIP_RUNS. */
#ifndef SPMV_STRIPS_BUILD_RUNS_H
#define SPMV_STRIPS_BUILD_RUNS_H

#include "build_output.h"
#include "find_rows.h"
#include "find_values.h"
#include "find_windows.h"
#include "layout.h"
#include "layout_runs.h"

enum { DESCENT = 8192 };         /* columns that a segment reaches before its first column */

/* Writes segments into a strip's space in INDEX. */
typedef struct run_writer {
    window_finder finder;
    u16 *at, *end;               /* the next segment; the end of the space */
} run_writer;

/* A writer of up to `room` u16. */
static run_writer run_writer_of(const csr_source *a, i32 *index, i64 room)
{
    run_writer w;
    w.finder = window_finder_of(a);
    w.at = (u16 *)index;
    w.end = w.at + room;
    return w;
}

/* Writes a vector of the windows from entry k on that begin less than 65536 columns after the base,
 * as the first window does. Returns the entry after the last window. */
static i64 write_vector(window_finder *finder, u16 *at, i32 base, i64 k, i64 end)
{
    u32 mask = 0;
    i32 i = 0;

    for (; i < RUN_WINDOWS && k < end; i++) {
        run_window w;
        find_window(finder, k, end, &w);
        const u32 distance = (u32)(w.first - base);
        if (distance > 65535)
            break;
        at[i] = (u16)distance;
        mask |= w.mask << (i * RUN_WIDTH);
        k += w.entries;
    }
    for (; i < RUN_WINDOWS; i++)
        at[i] = 0;
    at[RUN_WINDOWS] = (u16)mask;
    return k;
}

/* Writes a segment of entries from k on. Returns the entry after the segment, or k if the segment
 * has no room. */
static i64 write_segment(run_writer *writer, i64 k, i64 end)
{
    const csr_source *a = writer->finder.a;
    /* The base is before the first column, because columns need not ascend. */
    const i32 base =
        a->cols <= 65536 ? 0 : (i32)i64_max((i64)window_begin(a, a->col_idx[k]) - DESCENT, 0);
    u16 *at = writer->at;
    i32 vectors = 0;
    i64 done = k;

    if (writer->end - at < RUN_HEAD)
        return k;
    at += RUN_HEAD;
    while (done < end && vectors < MOST_VECTORS &&
           (u32)(window_begin(a, a->col_idx[done]) - base) <= 65535) {
        if (writer->end - at < RUN_WORDS)
            return k;
        done = write_vector(&writer->finder, at, base, done, end);
        at += RUN_WORDS;
        vectors++;
    }
    writer->at[0] = (u16)base;
    writer->at[1] = (u16)(base >> 16);
    writer->at[2] = (u16)vectors;
    writer->at = at;
    return done;
}

/* Writes the segments of entries [begin, end) of a row. Returns the number of segments, or -1 if
 * they have no room. */
static i32 write_runs(run_writer *writer, i64 begin, i64 end)
{
    i32 segments = 0;

    for (i64 k = begin; k < end; segments++) {
        const i64 done = write_segment(writer, k, end);
        if (done == k)
            return -1;
        k = done;
    }
    return segments;
}

/* Writes strip s. Returns false if it has no room: the choice read only some rows. */
static bool build_runs(const csr_source *a, const strip_rows *r, strip *t, i64 s,
                       const strip_output *to, value_output values)
{
    run_writer writer =
        run_writer_of(a, to->index + strip_index(r->entry, s), 2 * ((i64)r->nnz + INDEX_PAD));
    u16 *word = to->row + t->row;

    for (i32 i = 0; i < r->count; i++) {
        const i32 row = r->first + i;
        if (i > 0 && has_same_columns(a, row)) {
            word[i] = (u16)(word[i - 1] | SAME_COLUMNS);
            continue;
        }
        const i32 segments = write_runs(&writer, row_begin(&a->row_ptr, row),
                                        row_begin(&a->row_ptr, row + 1));
        if (segments < 0)
            return false;
        word[i] = (u16)segments;
    }
    write_values_in_order(values);
    return true;
}

#endif
