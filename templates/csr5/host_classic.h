/* host_classic.h: host code of the classic segmented sum's kernels (layout_classic.h). */
#ifndef SPMV_CSR5_HOST_CLASSIC_H
#define SPMV_CSR5_HOST_CLASSIC_H

#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"
#include "layout.h"
#include "layout_classic.h"

static spmv_status classic_layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const i64 chunks = i64_ceil_div(csr->nnz, CLASSIC_BLOCK);
    spmv_status status = borrowed_layout_size(layout);

    layout->number[NUMBER_CHUNKS] = chunks;
    /* Bytes of the caller's arrays and vectors; products are written, then read, and flags twice
     * so. */
    layout->cost = (f64)csr->nnz * (entry_bytes(csr) + 2 * value_bytes(csr) + 4) +
                   (f64)csr->rows * (2 * offset_bytes(csr) + value_bytes(csr)) +
                   (f64)csr->cols * value_bytes(csr);
    if (!status)
        status = add_part(layout, "flag", csr->nnz, sizeof(u8), 0);
    if (!status)
        status = add_part(layout, "product", csr->nnz, value_bytes(csr), 0);
    if (!status)
        status = add_part(layout, "carry", chunks, value_bytes(csr), 0);
    return status ? status : add_part(layout, "head", chunks, sizeof(i64), 0);
}

static i32 classic_launches(const spmv_job *job, spmv_step *step)
{
    const i64 chunks = job->layout->number[NUMBER_CHUNKS];
    const i64 nonzero_groups = i64_ceil_div(job->layout->csr.nnz, WORK_GROUP_SIZE);
    const i64 row_groups = i64_ceil_div(job->layout->csr.rows, WORK_GROUP_SIZE);
    i32 n = 0;

    if (job->alpha == 0 || chunks == 0)
        return scale_launches(job, step);
    n = add_kernel(step, n, "csr5_classic_clear", nonzero_groups);
    n = add_kernel(step, n, "csr5_classic_flags", row_groups);
    n = add_kernel(step, n, "csr5_classic_products", nonzero_groups);
    n = add_kernel(step, n, "csr5_classic_sums", chunks);
    n = add_kernel(step, n, "csr5_classic_carries", i64_ceil_div(chunks, WORK_GROUP_SIZE));
    return add_kernel(step, n, "csr5_classic_gather", row_groups);
}

#endif
