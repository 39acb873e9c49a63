/* opencl/backend.h: the OpenCL backend. */
#ifndef SPMV_OPENCL_BACKEND_H
#define SPMV_OPENCL_BACKEND_H

#include "runtime/device/backend.h"

extern const spmv_backend spmv_opencl_backend;

#endif
