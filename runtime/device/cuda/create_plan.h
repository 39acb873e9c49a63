/* cuda/create_plan.h: creating and destroying plans on a CUDA device, and updating values. See
 * spmv_backend. */
#ifndef SPMV_CUDA_CREATE_PLAN_H
#define SPMV_CUDA_CREATE_PLAN_H

#include "runtime/core/threads/team.h"
#include "runtime/spmv.h"

spmv_status spmv_cuda_plan_create(void *state, const spmv_module *module,
                                  const spmv_layout *layout, const spmv_threads *threads,
                                  void **plan_state, spmv_error *err);
void spmv_cuda_plan_destroy(void *plan_state);
spmv_status spmv_cuda_plan_take_values(void *plan_state, spmv_error *err);

#endif
