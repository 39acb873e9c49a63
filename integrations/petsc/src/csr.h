/* csr.h: the structure of a SeqAIJ matrix as libspmv takes it.
 *
 * With 32-bit PetscInt and few empty rows these are PETSc's own arrays. Otherwise they are copies:
 *
 *     64-bit PetscInt    columns, and row pointers if the nonzeros fit, are narrowed to 32 bits
 *     compressed         rows without nonzeros are left out, as PETSc does for off-diagonal blocks:
 *                        row k of the copy is row `row[k]` of the matrix
 */
#ifndef AIJSPMV_CSR_H
#define AIJSPMV_CSR_H

#include "integrations/petsc/src/plugin.h"

typedef struct aijspmv_csr {
    spmv_csr csr;                    /* val is NULL */
    PetscInt rows, filled_rows, nnz; /* of the matrix; filled rows have nonzeros */
    PetscInt *row;                   /* filled_rows; NULL: not compressed */
    void *own_row_ptr;               /* copies; NULL: csr has PETSc's array */
    int32_t *own_col_idx;
} aijspmv_csr;

/* row_ptr and col_idx are PETSc's, of a matrix with these sizes; cols < 2^31. */
PetscErrorCode aijspmv_csr_create(PetscInt rows, PetscInt cols, const PetscInt *row_ptr,
                                  const PetscInt *col_idx, aijspmv_csr *out);

/* Frees the copies that a plan with these SPMV_BORROWS_... does not read. */
PetscErrorCode aijspmv_csr_trim(aijspmv_csr *csr, int32_t borrows);
PetscErrorCode aijspmv_csr_destroy(aijspmv_csr *csr);

#endif
