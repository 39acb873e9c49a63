/* mtx_duplicates.h: counts entries with the same row and column, and sums them on request. */
#ifndef MTX_DUPLICATES_H
#define MTX_DUPLICATES_H

#include "bench/matrices/mtx/mtx_memory.h"

/* Sets matrix->duplicates. With `sum`, all entries of a place become one entry at the position of
 * the first. Its value is the sum in the order of the file; nnz, row_ptr and the arrays shrink. */
mtx_status mtx_duplicates_find(mtx_memory *memory, const mtx_report *report, bool sum,
                               mtx_matrix *matrix);

#endif
