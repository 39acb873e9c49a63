/* simd_scale.h: y = alpha*A*x + beta*y if alpha is 0 or A has no nonzeros. Neither A nor x is read,
 * so an Inf, or memory that was never written, has no effect. If alpha is 0, y becomes beta*y; else
 * each row gets alpha times a sum of 0, as empty rows do. The two results may differ in the sign of
 * a zero.
 */
#ifndef SPMV_COMMON_SIMD_SCALE_H
#define SPMV_COMMON_SIMD_SCALE_H

#include "../prelude/host.h"

enum { SCALE_CHUNK = 16384 };    /* rows of a chunk */

static void scale_rows(const spmv_job *job, i64 first, i64 last)
{
    real *y = (real *)job->y;
    const real alpha = (real)job->alpha;
    const real beta = (real)job->beta;
    const i64 end = i64_min(last * SCALE_CHUNK, job->layout->csr.rows);

    for (i64 r = first * SCALE_CHUNK; r < end; r++) {
        if (alpha == 0)
            y_scale(y, (i32)r, beta);
        else
            y_store(y, (i32)r, 0, alpha, beta);
    }
}

static i32 scale_launches(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "scale_rows", scale_rows,
                    i64_ceil_div(job->layout->csr.rows, SCALE_CHUNK));
}

/* The same for several vectors. */
static void scale_columns(const spmv_job *job, i64 first, i64 last)
{
    const real alpha = (real)job->alpha;
    const real beta = (real)job->beta;
    const i64 end = i64_min(last * SCALE_CHUNK, job->layout->csr.rows);

    for (i64 r = first * SCALE_CHUNK; r < end; r++)
        for (i32 c = 0; c < job->columns; c++) {
            real *y = (real *)job->y + r * job->y_row_stride + c * job->y_column_stride;
            if (alpha == 0)
                y_scale(y, 0, beta);
            else
                y_store(y, 0, 0, alpha, beta);
        }
}

static i32 scale_columns_launches(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "scale_columns", scale_columns,
                    i64_ceil_div(job->layout->csr.rows, SCALE_CHUNK));
}

#endif
