/* request.h: what a caller asks of a plan's method. */
#ifndef SPMV_REQUEST_H
#define SPMV_REQUEST_H

#include "runtime/spmv.h"

typedef struct spmv_request {
    const spmv_csr *csr;         /* checked */
    const char *method;          /* NULL: any that gives the same bits every time */
    const char *target;          /* NULL: any */
    const char *settings;        /* of the method; NULL: as they are */
    const spmv_module *module;   /* exactly this one, by options.choice; NULL: any */
    int32_t runs;                /* multiplications that are expected, at least 1 */
} spmv_request;

#endif
