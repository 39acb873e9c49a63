/* job.c: see job.h. Thread-safe: no shared state. */
#include "runtime/core/job.h"

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
