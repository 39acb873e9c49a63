/* csr.c: PETSc's arrays for libspmv, copied where their types or their empty rows demand it. */
#include "integrations/petsc/src/csr.h"

/* PETSc compresses from the same share of empty rows on. */
static bool is_mostly_empty(PetscInt rows, PetscInt filled_rows)
{
    return filled_rows > 0 && 10.0 * (double)(rows - filled_rows) >= 6.0 * (double)rows;
}

static PetscInt count_filled(PetscInt rows, const PetscInt *row_ptr)
{
    PetscInt filled = 0;

    for (PetscInt i = 0; i < rows; i++)
        filled += row_ptr[i + 1] > row_ptr[i];
    return filled;
}

/* Copies the row pointers, without those of empty rows if `row` shall be set. */
static PetscErrorCode copy_row_ptr(const PetscInt *row_ptr, bool compress, aijspmv_csr *out)
{
    const PetscInt copied = compress ? out->filled_rows : out->rows;
    int32_t *narrow = NULL;
    int64_t *wide = NULL;
    PetscInt k = 0;

    PetscFunctionBegin;
    if (out->csr.offset_type == SPMV_I32) {
        PetscCall(PetscMalloc1(copied + 1, &narrow));
        out->own_row_ptr = narrow;
    } else {
        PetscCall(PetscMalloc1(copied + 1, &wide));
        out->own_row_ptr = wide;
    }
    if (compress)
        PetscCall(PetscMalloc1(out->filled_rows, &out->row));
    for (PetscInt i = 0; i <= out->rows; i++) {
        if (compress && i < out->rows && row_ptr[i + 1] == row_ptr[i])
            continue;
        if (compress && i < out->rows)
            out->row[k] = i;
        if (narrow)
            narrow[k++] = (int32_t)row_ptr[i];
        else
            wide[k++] = row_ptr[i];
    }
    out->csr.rows = copied;
    out->csr.row_ptr = out->own_row_ptr;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_csr_create(PetscInt rows, PetscInt cols, const PetscInt *row_ptr,
                                  const PetscInt *col_idx, aijspmv_csr *out)
{
    const bool has_wide_indices = sizeof(PetscInt) > sizeof(int32_t);

    PetscFunctionBegin;
    *out = (aijspmv_csr){.rows = rows, .nnz = row_ptr[rows]};
    out->filled_rows = count_filled(rows, row_ptr);
    out->csr = (spmv_csr){.rows = rows, .cols = cols, .nnz = row_ptr[rows], .row_ptr = row_ptr,
                          .col_idx = (const int32_t *)(const void *)col_idx,
                          .offset_type = row_ptr[rows] <= INT32_MAX ? SPMV_I32 : SPMV_I64,
                          .value_type = AIJSPMV_VALUE_TYPE};
    if (is_mostly_empty(rows, out->filled_rows))
        PetscCall(copy_row_ptr(row_ptr, true, out));
    else if (has_wide_indices && out->csr.offset_type == SPMV_I32)
        PetscCall(copy_row_ptr(row_ptr, false, out));
    if (has_wide_indices) {
        PetscCall(PetscMalloc1(out->nnz, &out->own_col_idx));
        for (PetscInt k = 0; k < out->nnz; k++)
            out->own_col_idx[k] = (int32_t)col_idx[k];
        out->csr.col_idx = out->own_col_idx;
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_csr_trim(aijspmv_csr *csr, int32_t borrows)
{
    PetscFunctionBegin;
    if (!(borrows & SPMV_BORROWS_ROW_PTR))
        PetscCall(PetscFree(csr->own_row_ptr));
    if (!(borrows & SPMV_BORROWS_COL_IDX))
        PetscCall(PetscFree(csr->own_col_idx));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_csr_destroy(aijspmv_csr *csr)
{
    PetscFunctionBegin;
    PetscCall(aijspmv_csr_trim(csr, 0));
    PetscCall(PetscFree(csr->row));
    PetscFunctionReturn(PETSC_SUCCESS);
}
