/* simd_classic.h: the classic segmented sum on CPUs. layout_classic.h says what each step does. */
#ifndef SPMV_CSR5_SIMD_CLASSIC_H
#define SPMV_CSR5_SIMD_CLASSIC_H

#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/cost_traffic.h"
#include "../common/simd_scale.h"
#include "layout_classic.h"

/* Nonzeros of a chunk: those of a chunk of tiles whose sigma is 16. */
enum { CLASSIC_CHUNK = 16 * OMEGA * CHUNK_TILES };

/* The arrays of the workspace, one behind the other in this order: each is aligned for its type. */
typedef struct classic_arrays {
    i64 *head;
    real *product;
    real *carry;
    u8 *flag;
    i64 nnz, chunks;
} classic_arrays;

static classic_arrays classic_arrays_of(const spmv_job *job)
{
    classic_arrays v;

    v.nnz = job->layout->csr.nnz;
    v.chunks = i64_ceil_div(v.nnz, CLASSIC_CHUNK);
    v.head = (i64 *)job->workspace;
    v.product = (real *)(v.head + v.chunks);
    v.carry = v.product + v.nnz;
    v.flag = (u8 *)(v.carry + v.chunks);
    return v;
}

static spmv_status classic_layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 chunks = i64_ceil_div(csr->nnz, CLASSIC_CHUNK);
    const spmv_status status = borrowed_layout_size(layout);

    /* Products are written, then read, and flags twice so. */
    layout->cost = csr_traffic(csr) + (f64)csr->nnz * (2 * value_bytes(csr) + 4);
    return status ? status
                  : set_workspace(layout, (csr->nnz + chunks) * value_bytes(csr) + csr->nnz +
                                              chunks * (i64)sizeof(i64), 1);
}

static void classic_clear(const spmv_job *job, i64 first, i64 last)
{
    const classic_arrays v = classic_arrays_of(job);
    const i64 end = i64_min(last * CLASSIC_CHUNK, v.nnz);

    for (i64 k = first * CLASSIC_CHUNK; k < end; k++)
        v.flag[k] = 0;
}

static void classic_flags(const spmv_job *job, i64 first, i64 last)
{
    const classic_arrays v = classic_arrays_of(job);
    const row_offsets row_ptr = row_offsets_of(&job->layout->csr);
    const i64 end = i64_min(last * SCALE_CHUNK, job->layout->csr.rows);

    for (i64 r = first * SCALE_CHUNK; r < end; r++)
        if (row_length(&row_ptr, r) != 0)
            v.flag[row_begin(&row_ptr, r)] = 1;
}

static void classic_products(const spmv_job *job, i64 first, i64 last)
{
    const classic_arrays v = classic_arrays_of(job);
    const i32 *col_idx = job->layout->csr.col_idx;
    const real *val = csr_val(job->layout);
    const real *xb = x_rebase((const real *)job->x, job->layout->csr.base);
    const i64 end = i64_min(last * CLASSIC_CHUNK, v.nnz);

    for (i64 k = first * CLASSIC_CHUNK; k < end; k++)
        v.product[k] = val[k] * xb[col_idx[k]];
}

static void classic_sums(const spmv_job *job, i64 first, i64 last)
{
    const classic_arrays v = classic_arrays_of(job);

    for (i64 chunk = first; chunk < last; chunk++) {
        const i64 end = i64_min((chunk + 1) * CLASSIC_CHUNK, v.nnz);
        real *sum_of_segment = &v.carry[chunk];
        real sum = 0;

        v.head[chunk] = -1;
        for (i64 k = chunk * CLASSIC_CHUNK; k < end; k++) {
            const real product = v.product[k];

            if (v.flag[k]) {
                *sum_of_segment = sum;
                sum_of_segment = &v.product[k];
                v.head[chunk] = k;
                sum = 0;
            }
            sum = sum + product;
        }
        *sum_of_segment = sum;
    }
}

static void classic_carries(const spmv_job *job, i64 first, i64 last)
{
    const classic_arrays v = classic_arrays_of(job);

    for (i64 chunk = first; chunk < last; chunk++) {
        const i64 head = v.head[chunk];
        real sum = head < 0 ? 0 : v.product[head];

        for (i64 c = chunk + 1; head >= 0 && c < v.chunks; c++) {
            sum = sum + v.carry[c];
            if (v.head[c] >= 0)
                break;
        }
        if (head >= 0)
            v.product[head] = sum;
    }
}

static void classic_gather(const spmv_job *job, i64 first, i64 last)
{
    const classic_arrays v = classic_arrays_of(job);
    const row_offsets row_ptr = row_offsets_of(&job->layout->csr);
    const i64 end = i64_min(last * SCALE_CHUNK, job->layout->csr.rows);

    for (i64 r = first * SCALE_CHUNK; r < end; r++) {
        const real sum = row_length(&row_ptr, r) ? v.product[row_begin(&row_ptr, r)] : 0;
        y_store((real *)job->y, (i32)r, sum, (real)job->alpha, (real)job->beta);
    }
}

static i32 classic_launches(const spmv_job *job, spmv_step *step)
{
    const i64 chunks = i64_ceil_div(job->layout->csr.nnz, CLASSIC_CHUNK);
    const i64 row_chunks = i64_ceil_div(job->layout->csr.rows, SCALE_CHUNK);
    i32 n = 0;

    if (job->alpha == 0 || chunks == 0)
        return scale_launches(job, step);
    n = add_step(step, n, "csr5_classic_clear", classic_clear, chunks);
    n = add_step(step, n, "csr5_classic_flags", classic_flags, row_chunks);
    n = add_step(step, n, "csr5_classic_products", classic_products, chunks);
    n = add_step(step, n, "csr5_classic_sums", classic_sums, chunks);
    n = add_step(step, n, "csr5_classic_carries", classic_carries, chunks);
    return add_step(step, n, "csr5_classic_gather", classic_gather, row_chunks);
}

#endif
