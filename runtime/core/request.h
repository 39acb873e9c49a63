/* request.h: the caller's requirements for the module of a plan. */
#ifndef SPMV_REQUEST_H
#define SPMV_REQUEST_H

#include "runtime/core/layout.h"
#include "runtime/core/modules.h"

/* What a module can do with the caller's matrix, as bits. */
enum { SPMV_CAN_TRANSPOSE = 1, SPMV_CAN_MIRROR = 2, SPMV_CAN_WIDEN = 4 };

/* The matrix as some modules get it: as given, with wider values, or converted. */
typedef struct spmv_form {
    const spmv_csr *csr;         /* NULL: there is no memory for it, as `fault` says */
    const char *fault;
    int32_t needs;               /* SPMV_CAN_... of the modules that get it */
    int32_t val_type;            /* as of the layout */
    int32_t owns;                /* SPMV_BORROWS_...: of these, plans borrow none of the caller's */
    double cost;                 /* of making it, in bytes moved */
    size_t fixed_bytes;          /* that every plan keeps of it */
    size_t bytes[SPMV_CSR_ARRAYS];       /* of each array, kept if the layout borrows it */
} spmv_form;

typedef struct spmv_request {
    const spmv_module_list *modules;
    const spmv_csr *csr;         /* of the types that modules must have */
    spmv_form form[2];           /* a module gets the first whose needs it meets */
    const char *method;          /* NULL: any that gives the same bits every time */
    const char *target;          /* NULL: any */
    const char *target_by;       /* what set it, if not the caller's request */
    const char *settings;        /* of the method; NULL: the initial values */
    int32_t runs;                /* expected multiplications, at least 1 */
    int32_t copy;                /* nonzero: the plan borrows nothing */
    int32_t allows;              /* SPMV_CAN_...: modules for these alone, too */
} spmv_request;

/* SPMV_CAN_... of a module. */
int32_t spmv_module_can(const spmv_module *module);

/* The form that the module gets. */
const spmv_form *spmv_form_of(const spmv_request *request, const spmv_module *module);

#endif
