/* simd_columns_csr.h: chunks of the rows of CSR, for several vectors at once. */
#ifndef SPMV_COMMON_SIMD_COLUMNS_CSR_H
#define SPMV_COMMON_SIMD_COLUMNS_CSR_H

#include "layout_row_chunks.h"
#include "simd_columns.h"

/* Multiplies rows [first_row, end_row) by the columns of a turn. */
typedef void (*csr_columns_kernel)(const offset *row_ptr, const i32 *col_idx, const real *val,
                                   const column_operands *v, i32 base, i32 first_row, i32 end_row);

/* Multiplies chunks [first, last). A chunk's turns follow each other, so that all but the first
 * find it in the cache. */
static void run_csr_columns(const spmv_job *job, i64 first, i64 last, csr_columns_kernel kernel)
{
    const spmv_csr *a = &job->layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);

    for (i64 chunk = first; chunk < last; chunk++) {
        const i32 begin = row_chunk_begin(&row_ptr, (i32)a->rows, chunk);
        const i32 end = row_chunk_begin(&row_ptr, (i32)a->rows, chunk + 1);
        i32 done = 0;

        while (done < job->columns) {
            const column_operands v = column_operands_of(job, done);
            kernel(csr_row_ptr(job->layout), a->col_idx, csr_val(job->layout), &v, a->base, begin,
                   end);
            done += v.columns;
        }
    }
}

#endif
