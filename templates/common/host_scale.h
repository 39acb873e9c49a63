/* host_scale.h: launches the kernel that scales y. */
#ifndef SPMV_COMMON_HOST_SCALE_H
#define SPMV_COMMON_HOST_SCALE_H

#include "../prelude/host.h"

static i32 scale_launches(const spmv_job *job, spmv_step *step)
{
    return add_kernel(step, 0, "scale_rows",
                      i64_ceil_div(job->layout->csr.rows, WORK_GROUP_SIZE));
}

#endif
