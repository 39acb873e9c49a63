/* mtx_rows.h: sorts entries from file order into rows, by one counting sort. */
#ifndef MTX_ROWS_H
#define MTX_ROWS_H

#include "bench/matrices/mtx/mtx_header.h"
#include "bench/matrices/mtx/mtx_store.h"

/* Fills rows, cols, nnz, row_ptr, col_idx and val of *out, whose arrays must be NULL, and empties
 * the store. After a failure arrays may still be set; mtx_rows_free frees them. */
mtx_status mtx_rows_build(const mtx_report *report, const mtx_header *header, mtx_store *store,
                          mtx_matrix *out);

/* Frees the arrays of a matrix inside the reader and updates the memory's count. */
void mtx_rows_free(mtx_memory *memory, mtx_matrix *matrix);

#endif
