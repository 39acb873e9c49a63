/* matrix.h: the struct of a matrix of a bundle: a plan and, for kernels of a device, what runs
 * them. */
#ifndef SPMV_BUNDLE_MATRIX_H
#define SPMV_BUNDLE_MATRIX_H

#include "runtime/bundle/options.h"
#include "runtime/core/plan.h"

#if SPMV_BUNDLE_DEVICE

#include "runtime/library/devices/device.h"

struct spmv_matrix {
    spmv_plan *plan;
    spmv_device device;          /* the matrix owns its list of modules and the backend's state */
};

/* What runs all kernels of the bundle. */
extern const spmv_backend *const spmv_bundle_backend;

/* matrix may be NULL. */
static inline spmv_plan *spmv_plan_of(const spmv_matrix *matrix)
{
    return matrix != NULL ? matrix->plan : NULL;
}

#else

/* matrix may be NULL. */
static inline spmv_plan *spmv_plan_of(const spmv_matrix *matrix)
{
    return (spmv_plan *)(uintptr_t)matrix;
}

#endif

#endif
