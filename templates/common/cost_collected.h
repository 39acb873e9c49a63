/* cost_collected.h: cycles of products when x is loaded lane by lane, for the cost models by which
 * methods are chosen. */
#ifndef SPMV_COMMON_COST_COLLECTED_H
#define SPMV_COMMON_COST_COLLECTED_H

#include "../prelude/base.h"

/* Time of one vector of products whose x is loaded lane by lane, in fifths of a cycle. */
enum { COLLECTED_FIFTHS = 5 + 4 * LANES };

/* Cycles of the products of nnz nonzeros, all in whole vectors. */
static f64 collected_steps(i64 nnz)
{
    return (f64)nnz * (f64)COLLECTED_FIFTHS / (f64)(5 * LANES);
}

#endif
