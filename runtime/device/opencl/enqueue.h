/* opencl/enqueue.h: an asynchronous multiplication. See spmv_backend. */
#ifndef SPMV_OPENCL_ENQUEUE_H
#define SPMV_OPENCL_ENQUEUE_H

#include "runtime/spmv.h"

spmv_status spmv_opencl_plan_enqueue(void *plan_state, const spmv_job *job, void *x, void *y,
                                     const spmv_enqueue_options *options);

#if SPMV_BUNDLE
/* The same with x and y of the job, in shared virtual memory. time, which may be NULL, is as for
 * spmv_backend.execute: then it waits for each step. */
spmv_status spmv_opencl_plan_enqueue_shared(void *plan_state, const spmv_job *job,
                                            const spmv_enqueue_options *options,
                                            spmv_step_time *time, int32_t *count);
#endif

#endif
