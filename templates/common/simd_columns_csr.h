/* simd_columns_csr.h: multiplies the rows of CSR by several vectors at once. */
#ifndef SPMV_COMMON_SIMD_COLUMNS_CSR_H
#define SPMV_COMMON_SIMD_COLUMNS_CSR_H

#include "layout_row_chunks.h"
#include "simd_columns.h"
#include "simd_columns_row.h"
#include "simd_scale.h"

/* Multiplies rows [first_row, end_row) by the columns of a turn. */
KERNEL void csr_columns(const offset *row_ptr, const i32 *col_idx, const real *val,
                        const column_operands *v, i32 base, i32 first_row, i32 end_row)
{
    const real *x = rebased_x(v, base);
    real result[TURN_COLUMNS];

    for (i32 r = first_row; r < end_row; r++) {
        const i64 begin = row_ptr[r] - base;

        row_columns_sum(col_idx + begin, val + begin, v, x, row_ptr[r + 1] - base - begin, result);
        store_columns(v, r, result);
    }
}

/* Multiplies chunks [first, last). A chunk's turns follow each other, so that all but the first
 * find it in the cache. */
static void run_csr_columns(const spmv_job *job, i64 first, i64 last)
{
    const spmv_csr *a = &job->layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);

    for (i64 chunk = first; chunk < last; chunk++) {
        const i32 begin = row_chunk_begin(&row_ptr, (i32)a->rows, chunk);
        const i32 end = row_chunk_begin(&row_ptr, (i32)a->rows, chunk + 1);
        i32 done = 0;

        while (done < job->columns) {
            const column_operands v = column_operands_of(job, done);
            csr_columns(csr_row_ptr(job->layout), a->col_idx, csr_val(job->layout), &v, a->base,
                        begin, end);
            done += v.columns;
        }
    }
}

static i32 csr_columns_launches(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0)
        return scale_columns_launches(job, step);
    return add_step(step, 0, "csr_columns", run_csr_columns, row_chunk_count(job->layout));
}

#endif
