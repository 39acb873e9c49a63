/* simt_wide_load.h: loads LOAD_WIDTH consecutive entries that begin at a multiple of LOAD_WIDTH. */
#ifndef SPMV_COMMON_SIMT_WIDE_LOAD_H
#define SPMV_COMMON_SIMT_WIDE_LOAD_H

#include "../prelude/simt.h"

DEVICE void load_entries(i32 *column, real *value, GLOBAL const i32 *col, GLOBAL const real *val)
{
    if (LOAD_WIDTH == 4) {
        i32_load4(column, col);
        r_load4(value, val);
    } else if (LOAD_WIDTH == 2) {
        i32_load2(column, col);
        r_load2(value, val);
    } else {
        column[0] = i32_stream(col, 0);
        value[0] = r_stream(val, 0);
    }
}

/* The same for 16-bit columns. */
DEVICE void load_narrow_entries(i32 *column, real *value, GLOBAL const u16 *col,
                                GLOBAL const real *val)
{
    if (LOAD_WIDTH == 4) {
        u16_load4(column, col);
        r_load4(value, val);
    } else if (LOAD_WIDTH == 2) {
        u16_load2(column, col);
        r_load2(value, val);
    } else {
        column[0] = u16_stream(col, 0);
        value[0] = r_stream(val, 0);
    }
}

#endif
