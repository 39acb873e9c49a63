/* layout_runs.h: the columns of a row of STRIP_RUNS in INDEX, which is an array of u16 here.
 *
 * Windows of RUN_WIDTH columns cover a row's columns in the order in which the row has them.
 * RUN_WINDOWS windows make a vector. Its mask marks the columns of the windows that the row has,
 * lane 0 lowest. A row is cut into segments, so that windows begin less than 65536 columns after
 * the segment's base:
 *
 *   | base, low half | base, high half | vectors | window ... window | mask | window ... | mask |
 *                                                distances from the base
 *
 * Empty windows fill the last vector of a segment. ROW has the number of segments of each row. A
 * row with the columns of the row before is marked SAME_COLUMNS in ROW and has nothing in INDEX:
 * the segments of the row before are read again, from the cache. Unknowns of one mesh node have the
 * same columns.
 */
#ifndef SPMV_STRIPS_LAYOUT_RUNS_H
#define SPMV_STRIPS_LAYOUT_RUNS_H

#include "../prelude/simd.h"

enum {
    RUN_WIDTH = V_RUN,           /* columns of a window, which v_load_runs loads at once */
    RUN_HEAD = 3,                /* u16 of a segment before its vectors */
    MOST_VECTORS = 65535,        /* of a segment */
    SAME_COLUMNS = 0x8000        /* exceeds the number of segments of any row that fits INDEX */
};

enum {                           /* of a vector */
    RUN_WINDOWS = LANES / RUN_WIDTH,
    RUN_WORDS = RUN_WINDOWS + 1  /* u16 */
};

/* The base of a segment. */
DEVICE i32 run_base(const u16 *at)
{
    return (i32)(at[0] | (u32)at[1] << 16);
}

#endif
