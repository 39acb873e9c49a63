/* mtx_duplicates.h: entries of the same row and column, counted and, on request, summed. */
#ifndef MTX_DUPLICATES_H
#define MTX_DUPLICATES_H

#include "bench/matrices/mtx/mtx_memory.h"

/* Sets matrix->duplicates. With `sum`, each group of equal places becomes one entry where the first
 * of them stood, its value their sum in the order of the file; nnz, row_ptr and the arrays
 * shrink. */
mtx_status mtx_duplicates_find(mtx_memory *memory, const mtx_report *report, bool sum,
                               mtx_matrix *matrix);

#endif
