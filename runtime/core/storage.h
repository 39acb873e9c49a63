/* storage.h: the memory of a plan: layout arrays, workspace, copies of borrowed arrays. */
#ifndef SPMV_STORAGE_H
#define SPMV_STORAGE_H

#include "runtime/core/plan.h"

/* spmv_layout_size_with, with scratch of its own. */
spmv_status spmv_layout_size(const spmv_module *module, const spmv_csr *csr, int32_t val_type,
                             const int64_t setting[SPMV_MAX_SETTINGS], spmv_layout *layout,
                             spmv_error *err);

/* Allocates the arrays that the plan's layout lists and the workspace and, with `copy`, replaces
 * borrowed arrays by copies. The layout's csr is the caller's. On error spmv_core_clear frees what
 * was allocated. */
spmv_status spmv_storage_create(spmv_core *plan, int copy, spmv_error *err);

/* Call this once the layout is built. The caller may free arrays that the module does not borrow,
 * so the plan's pointers to them become NULL. */
void spmv_storage_forget(spmv_core *plan);

/* Frees all of that; the plan may then get another layout. */
void spmv_core_clear(spmv_core *plan);

/* The error of a failed allocation of `bytes` bytes for `what`. */
spmv_status spmv_storage_lacks(const spmv_core *plan, const char *what, size_t bytes,
                               spmv_error *err);

#endif
