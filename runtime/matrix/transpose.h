/* transpose.h: the transpose of a CSR matrix, as CSR. */
#ifndef SPMV_TRANSPOSE_H
#define SPMV_TRANSPOSE_H

#include "runtime/spmv.h"
#include "runtime/threads/team.h"

/* The transpose of a matrix. Its rows have their entries in the order of the matrix's rows. */
typedef struct spmv_transposed {
    spmv_csr csr;                /* its arrays belong to the struct; base 0 */
    void *place;                 /* offset_type[nnz]: entry k of csr is entry place[k] of the
                                    matrix */
} spmv_transposed;

/* Transposes a checked matrix whose columns are checked, too. SPMV_OUT_OF_MEMORY: *out is NULL. */
spmv_status spmv_transposed_create(const spmv_csr *csr, const spmv_threads *threads,
                                   spmv_transposed **out, spmv_error *err);

/* Copies values in the order of the matrix to the transpose. */
void spmv_transposed_take_values(spmv_transposed *transposed, const spmv_threads *threads,
                                 const void *val);

void spmv_transposed_destroy(spmv_transposed *transposed);       /* NULL is fine */

#endif
