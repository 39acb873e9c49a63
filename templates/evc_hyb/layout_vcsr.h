/* layout_vcsr.h: where the rows of the vCSR part begin. */
#ifndef SPMV_EVC_HYB_LAYOUT_VCSR_H
#define SPMV_EVC_HYB_LAYOUT_VCSR_H

#include "../prelude/base.h"

/* The first aligned entry from this one on: after the end of a row, the start of the next row. */
DEVICE i64 aligned_entry(i64 entry)
{
    return (entry + VCSR_ALIGNMENT - 1) & ~(i64)(VCSR_ALIGNMENT - 1);
}

#endif
