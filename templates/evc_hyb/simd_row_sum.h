/* simd_row_sum.h: row_sum with the number of vectors of sums of a row of the vCSR part. */
#ifndef SPMV_EVC_HYB_SIMD_ROW_SUM_H
#define SPMV_EVC_HYB_SIMD_ROW_SUM_H

#include "../prelude/base.h"

/* row_sum's parameter, which this method derives from its own. */
enum { ACCUMULATORS = ITEMS_PER_ROW / LANES };

#include "../common/simd_row_sum.h"

#endif
