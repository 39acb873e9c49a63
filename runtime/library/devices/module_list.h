/* module_list.h: the modules that a device knows, in order of preference.
 *
 * The list does not own the modules, which outlive it. Modules that cannot be chosen stay in the
 * list, so that an error can say why a module was not chosen. Threads may read a list concurrently;
 * a change must not run concurrently with anything else.
 */
#ifndef SPMV_MODULE_LIST_H
#define SPMV_MODULE_LIST_H

#include "runtime/core/modules.h"
#include "runtime/device/backend.h"

/* The modules that a device may choose. */
typedef struct spmv_module_filter {
    const char *target;          /* only modules of this target; NULL: any */
    const spmv_backend *backend; /* only programs of its language; NULL: only modules without a
                                    program */
    void *backend_state;
} spmv_module_filter;

/* Adds a NULL-terminated table; on error nothing is added. A module that the list already has, with
 * the same name and source hash, is skipped. Another module of the same name is an error. `where`
 * begins the error text. */
spmv_status spmv_module_list_add(spmv_module_list *list, const spmv_module *const *table,
                                 const spmv_module_filter *filter, const char *where,
                                 spmv_error *err);

/* Finds the usable module with this name and source hash. SPMV_STALE: the list does not have it;
 * the text says what it has instead. */
spmv_status spmv_module_list_find(const spmv_module_list *list, const char *name,
                                  uint64_t source_hash, const spmv_module **module,
                                  spmv_error *err);

void spmv_module_list_clear(spmv_module_list *list);

#endif
