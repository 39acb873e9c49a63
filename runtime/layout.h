/* layout.h: what a module states about its layout of a matrix. */
#ifndef SPMV_LAYOUT_H
#define SPMV_LAYOUT_H

#include "spmv.h"

/* Asks the module for its layout of a checked matrix with these settings. An answer that breaks the
 * module contract is SPMV_ABI_MISMATCH; a module may also not take the matrix. No array is
 * allocated, and all their pointers are NULL. */
spmv_status spmv_layout_size(const spmv_module *module, const spmv_csr *csr,
                             const int64_t setting[SPMV_MAX_SETTINGS], spmv_layout *layout,
                             spmv_error *err);

/* Does the area share a byte with one of the layout's arrays? */
int spmv_layout_overlaps(const spmv_layout *layout, const void *memory, size_t bytes);

#endif
