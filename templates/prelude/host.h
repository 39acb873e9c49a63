/* host.h: words of host code, which builds layouts and is always emitted as C. */
#ifndef SPMV_PRELUDE_HOST_H
#define SPMV_PRELUDE_HOST_H

#include "base.h"
#include "spmv_module.h"

#define HOST static inline      /* a small function of host code */

/* ---- the caller's CSR ------------------------------------------------------------------------ */

HOST const offset *csr_row_ptr(const spmv_layout *layout)
{
    return (const offset *)layout->csr.row_ptr;
}

HOST const real *csr_val(const spmv_layout *layout)
{
    return (const real *)layout->csr.val;
}

#endif
