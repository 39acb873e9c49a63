/* overlap.h: whether areas of memory share a byte. */
#ifndef SPMV_OVERLAP_H
#define SPMV_OVERLAP_H

#include "runtime/base/types.h"

/* A null pointer or 0 bytes overlap nothing. */
static inline int spmv_do_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_begin = (uintptr_t)a;
    const uintptr_t b_begin = (uintptr_t)b;

    if (a == NULL || b == NULL || a_bytes == 0 || b_bytes == 0)
        return 0;
    return a_begin < b_begin ? b_begin - a_begin < a_bytes : a_begin - b_begin < b_bytes;
}

/* The arrays of a checked matrix that the area overlaps, as SPMV_BORROWS_... bits. */
static inline int32_t spmv_csr_overlap(const spmv_csr *csr, const void *memory, size_t bytes)
{
    const size_t nnz = (size_t)csr->nnz;
    int32_t arrays = 0;

    if (spmv_do_overlap(memory, bytes, csr->row_ptr,
                        ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type)))
        arrays |= SPMV_BORROWS_ROW_PTR;
    if (spmv_do_overlap(memory, bytes, csr->col_idx, nnz * sizeof(int32_t)))
        arrays |= SPMV_BORROWS_COL_IDX;
    if (spmv_do_overlap(memory, bytes, csr->val, nnz * spmv_value_bytes(csr->value_type)))
        arrays |= SPMV_BORROWS_VAL;
    return arrays;
}

#endif
