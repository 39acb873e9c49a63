/* selection.h: the modules of a device that may be chosen for a request. They have its method,
 * target and types, and this device and CPU can run them. */
#ifndef SPMV_SELECTION_H
#define SPMV_SELECTION_H

#include "runtime/core/request.h"

int spmv_is_selected(const spmv_request *request, const spmv_module_entry *entry);

/* Returns SPMV_UNSUPPORTED for a request that selects no module. The text names the first
 * requirement that leaves no module, and the alternatives. */
spmv_status spmv_selection_is_empty(const spmv_request *request, spmv_error *err);

#endif
