/* storage.h: the memory of a plan: layout arrays, workspace, copies of what it would borrow. */
#ifndef SPMV_STORAGE_H
#define SPMV_STORAGE_H

#include "runtime/plan/plan.h"

/* Allocates what the plan's layout states, and puts copies in the place of borrowed arrays where
 * options->copy asks for it. The layout holds the caller's whole CSR. Arrays of a savable plan
 * hold zeros: a method need not write every byte, and none that nobody wrote may go into a file.
 * On error what was allocated stays for spmv_storage_destroy. */
spmv_status spmv_storage_create(spmv_plan *plan, const spmv_plan_options *options,
                                spmv_error *err);

/* Once the layout is built. What the module does not borrow may be gone from now on: better a null
 * pointer than a stale one. */
void spmv_storage_forget(spmv_plan *plan);

void spmv_storage_destroy(spmv_plan *plan);

/* The error of a plan that needs `bytes` bytes for `what` and does not get them. */
spmv_status spmv_storage_lacks(const spmv_plan *plan, const char *what, size_t bytes,
                               spmv_error *err);

#endif
