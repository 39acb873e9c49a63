/* request.h: the caller's requirements for the module of a plan. */
#ifndef SPMV_REQUEST_H
#define SPMV_REQUEST_H

#include "runtime/spmv.h"

#if !SPMV_BUNDLE
#include "runtime/matrix/transpose.h"
#include "runtime/matrix/widen.h"
#endif

typedef struct spmv_request {
    const spmv_csr *csr;         /* the caller's, or with widened values; checked */
    const char *method;          /* NULL: any that gives the same bits every time */
    const char *target;          /* NULL: any */
    const char *settings;        /* of the method; NULL: the initial values */
    const spmv_module *module;   /* exactly this one, by options.choice; NULL: any */
    int32_t runs;                /* expected multiplications, at least 1 */
#if !SPMV_BUNDLE
    const spmv_widened *widened; /* csr is its matrix; NULL: csr is the caller's */
    int32_t transposed;          /* nonzero: y = A^T*x. Modules that transpose take csr, others
                                    need its transpose */
    const spmv_transposed *transpose;    /* NULL: there is none, so other modules are left out */
    const char *no_transpose;    /* why there is none; NULL: it would not pay */
#endif
} spmv_request;

#endif
