/* structure.c: see structure.h. Thread-safe: no shared state. */
#include "runtime/library/matrix/structure.h"

#include "runtime/file/hash.h"
#include "runtime/base/types.h"

void spmv_structure_hash(const spmv_csr *csr, const spmv_threads *threads,
                         spmv_structure *structure)
{
    const size_t row_ptr_bytes = ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type);

    structure->is_known = 1;
    structure->row_ptr = spmv_hash(threads, csr->row_ptr, row_ptr_bytes);
    structure->col_idx = spmv_hash(threads, csr->col_idx, (size_t)csr->nnz * sizeof(int32_t));
}
