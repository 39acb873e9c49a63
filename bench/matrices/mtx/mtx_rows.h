/* mtx_rows.h: entries in file order become rows, by one counting sort. */
#ifndef MTX_ROWS_H
#define MTX_ROWS_H

#include "bench/matrices/mtx/mtx_header.h"
#include "bench/matrices/mtx/mtx_store.h"

/* Fills rows, cols, nnz, row_ptr, col_idx and val of *out, whose arrays were NULL; the store is
 * emptied on the way. After a failure out->row_ptr, col_idx and val may still be set: mtx_rows_free
 * takes them back. */
mtx_status mtx_rows_build(const mtx_report *report, const mtx_header *header, mtx_store *store,
                          mtx_matrix *out);

/* Frees the arrays of a matrix that has not left the reader yet, so that the memory's count
 * holds. */
void mtx_rows_free(mtx_memory *memory, mtx_matrix *matrix);

#endif
