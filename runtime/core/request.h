/* request.h: the caller's requirements for the module of a plan. */
#ifndef SPMV_REQUEST_H
#define SPMV_REQUEST_H

#include "runtime/spmv.h"

#if !SPMV_BUNDLE
#include "runtime/library/matrix/transpose.h"
#include "runtime/library/matrix/widen.h"
#endif

typedef struct spmv_request {
    const spmv_csr *csr;         /* the caller's, or with widened values; checked */
    const char *method;          /* NULL: any that gives the same bits every time */
    const char *target;          /* NULL: any */
    const char *settings;        /* of the method; NULL: the initial values */
    const spmv_module *module;   /* exactly this one, by options.choice; NULL: any */
    int32_t runs;                /* expected multiplications, at least 1 */
#if !SPMV_BUNDLE
    spmv_widened *widened;       /* csr is its matrix; NULL: csr is the caller's */
    int32_t transposed;          /* nonzero: y = A^T*x. Modules that transpose take csr, others
                                    need its transpose */
    int32_t symmetric;           /* SPMV_SYMMETRIC_...: modules may need csr with its mirrors */
    const spmv_transpose *transpose;     /* the transpose, or csr with its mirrors. NULL: there is
                                            none, so modules that need it are left out */
    const char *no_transpose;    /* why there is none; NULL: it would not pay */
#endif
} spmv_request;

#if !SPMV_BUNDLE
/* Whether the module needs another matrix than the caller's: its transpose, or the whole of which
 * the caller gave a triangle. A module for symmetric matrices reads the upper triangle alone. */
static inline int spmv_needs_conversion(const spmv_module *module, int32_t transposed,
                                        int32_t symmetric)
{
    if (symmetric == SPMV_SYMMETRIC_LOWER || symmetric == SPMV_SYMMETRIC_UPPER)
        return symmetric == SPMV_SYMMETRIC_LOWER || !module->ops->symmetric;
    return transposed && !module->ops->transposes;
}
#endif

#endif
