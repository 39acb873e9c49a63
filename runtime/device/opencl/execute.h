/* opencl/execute.h: a synchronous multiplication. See spmv_backend. */
#ifndef SPMV_OPENCL_EXECUTE_H
#define SPMV_OPENCL_EXECUTE_H

#include "runtime/spmv.h"

spmv_status spmv_opencl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                     int32_t *count);

#endif
