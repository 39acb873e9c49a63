/* storage.h: the memory of a plan: layout arrays, workspace, copies of borrowed arrays. */
#ifndef SPMV_STORAGE_H
#define SPMV_STORAGE_H

#include "runtime/core/plan.h"

/* Allocates the arrays that the plan's layout lists and, with options->copy, replaces borrowed
 * arrays by copies. The layout's csr is the caller's. Arrays of a savable plan are zeroed: a method
 * need not write every byte, and uninitialised bytes must not reach a file. On error
 * spmv_storage_destroy frees what was allocated. */
spmv_status spmv_storage_create(spmv_plan *plan, const spmv_options *options,
                                spmv_error *err);

/* Call this once the layout is built. The caller may free arrays that the module does not borrow,
 * so the plan's pointers to them become NULL. */
void spmv_storage_forget(spmv_plan *plan);

void spmv_storage_destroy(spmv_plan *plan);

/* The error of a failed allocation of `bytes` bytes for `what`. */
spmv_status spmv_storage_lacks(const spmv_plan *plan, const char *what, size_t bytes,
                               spmv_error *err);

#endif
