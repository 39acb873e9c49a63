/* request.h: the caller's requirements for the module of a plan. */
#ifndef SPMV_REQUEST_H
#define SPMV_REQUEST_H

#include "runtime/spmv.h"

typedef struct spmv_request {
    const spmv_csr *csr;         /* checked */
    const char *method;          /* NULL: any that gives the same bits every time */
    const char *target;          /* NULL: any */
    const char *settings;        /* of the method; NULL: the initial values */
    const spmv_module *module;   /* exactly this one, by options.choice; NULL: any */
    int32_t runs;                /* expected multiplications, at least 1 */
} spmv_request;

#endif
