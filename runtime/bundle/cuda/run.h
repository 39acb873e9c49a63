/* run.h: running a plan of a bundle on a CUDA device. */
#ifndef SPMV_BUNDLE_CUDA_RUN_H
#define SPMV_BUNDLE_CUDA_RUN_H

#include "runtime/bundle/cuda/kernels.h"
#include "runtime/spmv.h"

/* Starts the steps of a checked job in the stream. time: room for SPMV_MAX_STEPS times, and *count
 * receives their number; NULL: no profile. */
spmv_status spmv_cuda_bundle_run(void *plan_state, const spmv_job *job, spmv_stream stream,
                                 spmv_step_time *time, int32_t *count);

#endif
