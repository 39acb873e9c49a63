/* job.c: see job.h. Thread-safe: no shared state. */
#include "runtime/execute/job.h"

#include "runtime/base/overlap.h"
#include "runtime/base/types.h"
#include "runtime/module/layout.h"

#include <string.h>

spmv_job spmv_job_of(const spmv_layout *layout, double alpha, double beta)
{
    spmv_job job;

    memset(&job, 0, sizeof job);
    job.layout = layout;
    job.alpha = spmv_round_scalar(alpha, layout->csr.value_type);
    job.beta = spmv_round_scalar(beta, layout->csr.value_type);
    return job;
}

int spmv_reaches_into_plan(const spmv_layout *layout, const void *memory, size_t bytes)
{
    return spmv_layout_overlaps(layout, memory, bytes) ||
           spmv_csr_overlap(&layout->csr, memory, bytes) != 0;
}

spmv_status spmv_job_check(const spmv_job *job, const spmv_method_ops *ops)
{
    const spmv_layout *layout = job->layout;
    const spmv_value_type type = layout->csr.value_type;
    const size_t alignment = spmv_value_alignment(type);
    const size_t x_bytes = (size_t)spmv_layout_x_count(layout, ops) * spmv_value_bytes(type);
    const size_t y_bytes = (size_t)spmv_layout_y_count(layout, ops) * spmv_value_bytes(type);

    if ((job->x == NULL && job->alpha != 0 && x_bytes > 0) || (job->y == NULL && y_bytes > 0))
        return SPMV_INVALID_ARGUMENT;
    if (!spmv_is_aligned(job->x, alignment) || !spmv_is_aligned(job->y, alignment))
        return SPMV_INVALID_ARGUMENT;
    /* Checked even if no workspace is needed: which calls are valid must not depend on the
     * method. */
    if (!spmv_is_aligned(job->workspace, SPMV_ALIGNMENT))
        return SPMV_INVALID_ARGUMENT;
    if (spmv_do_overlap(job->x, x_bytes, job->y, y_bytes) ||
        spmv_do_overlap(job->workspace, layout->workspace_bytes, job->x, x_bytes) ||
        spmv_do_overlap(job->workspace, layout->workspace_bytes, job->y, y_bytes) ||
        spmv_reaches_into_plan(layout, job->y, y_bytes) ||
        spmv_reaches_into_plan(layout, job->workspace, layout->workspace_bytes))
        return SPMV_ALIASING;
    return SPMV_OK;
}
