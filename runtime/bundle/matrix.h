/* matrix.h: the struct of a matrix of a bundle: a plan and, for kernels of a device, what runs
 * them. */
#ifndef SPMV_BUNDLE_MATRIX_H
#define SPMV_BUNDLE_MATRIX_H

#include "runtime/bundle/options.h"
#include "runtime/core/plan.h"

#if SPMV_BUNDLE_DEVICE
#include "runtime/device/backend.h"

/* What runs all kernels of the bundle. */
extern const spmv_backend *const spmv_bundle_backend;
#endif

struct spmv_matrix {
    spmv_core plan;              /* first, since the core hands out pointers to it */
#if !SPMV_BUNDLE_STATIC
    char reason[320];
#endif
#if SPMV_BUNDLE_DEVICE
    void *device;                /* the backend's state, and that of the plan; NULL: none yet */
    void *state;
#endif
};

/* The plan of a matrix, and the matrix of a plan; NULL of NULL. */
static inline spmv_core *spmv_plan_of(const spmv_matrix *matrix)
{
    return (spmv_core *)(uintptr_t)matrix;
}

static inline spmv_matrix *spmv_matrix_of(const spmv_core *plan)
{
    return (spmv_matrix *)(uintptr_t)plan;
}

#endif
