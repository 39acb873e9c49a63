/* opencl/plan.h: the structs of a plan on an OpenCL device. */
#ifndef SPMV_OPENCL_PLAN_H
#define SPMV_OPENCL_PLAN_H

#include "runtime/device/device_plan.h"
#include "runtime/device/opencl/state.h"

typedef struct spmv_opencl_slot {
    spmv_slot base;
    spmv_opencl_event last;      /* of the last command, which may not have ended; else NULL */
    spmv_opencl_kernel kernel[SPMV_MAX_KERNELS];   /* one set for each slot, since a kernel object
                                                      holds its arguments */
} spmv_opencl_slot;

typedef struct spmv_opencl_plan {
    spmv_device_plan base;
    spmv_opencl_program program;
    spmv_opencl_slot slot[SPMV_SLOTS];
} spmv_opencl_plan;

#endif
