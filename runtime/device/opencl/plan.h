/* opencl/plan.h: what a plan and its slots have on an OpenCL device. */
#ifndef SPMV_OPENCL_PLAN_H
#define SPMV_OPENCL_PLAN_H

#include "runtime/device/device_plan.h"
#include "runtime/device/opencl/state.h"

typedef struct spmv_opencl_slot {
    spmv_slot base;
    spmv_opencl_event last;      /* its last command, where that may not have ended yet */
    spmv_opencl_kernel kernel[SPMV_MAX_KERNELS];   /* with the slot's arguments, since these belong
                                                      to a kernel's object */
} spmv_opencl_slot;

typedef struct spmv_opencl_plan {
    spmv_device_plan base;
    spmv_opencl_program program;
    spmv_opencl_slot slot[SPMV_SLOTS];
} spmv_opencl_plan;

#endif
