/* layout_vcsr.h: where the rows of the vCSR part begin. */
#ifndef SPMV_EVC_HYB_LAYOUT_VCSR_H
#define SPMV_EVC_HYB_LAYOUT_VCSR_H

#include "../prelude/base.h"

/* Columns of each piece of the vCSR part, a part of a split row or another row, begin at a multiple
 * of this in the array of their kind, with NARROW_SPAN: a sector of memory of 16-bit columns. */
enum { COLUMN_UNIT = 16 };

/* The first aligned entry from this one on: after the end of a row, the start of the next row. */
DEVICE i64 aligned_entry(i64 entry)
{
    return (entry + VCSR_ALIGNMENT - 1) & ~(i64)(VCSR_ALIGNMENT - 1);
}

#endif
