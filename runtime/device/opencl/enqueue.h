/* opencl/enqueue.h: an asynchronous multiplication. See spmv_backend. */
#ifndef SPMV_OPENCL_ENQUEUE_H
#define SPMV_OPENCL_ENQUEUE_H

#include "runtime/device/opencl/run.h"

spmv_status spmv_opencl_plan_enqueue(void *plan_state, const spmv_job *job, void *x, void *y,
                                     const spmv_enqueue_options *options);

/* Its parts: begins a run in the queue of the options, else in the device's; enqueues all steps on
 * x and y of the run. */
spmv_status spmv_opencl_enqueue_begin(spmv_device_plan *p, const spmv_job *job,
                                      const spmv_enqueue_options *options, spmv_opencl_run *run);
spmv_status spmv_opencl_enqueue_steps(spmv_opencl_run *run, const spmv_enqueue_options *options);

#endif
