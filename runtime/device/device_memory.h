/* device_memory.h: memory that a device and the host share; if they share none, the host's. */
#ifndef SPMV_DEVICE_MEMORY_H
#define SPMV_DEVICE_MEMORY_H

#include "runtime/device/device.h"

/* Memory for a layout of the module; for vectors if module is NULL. */
spmv_status spmv_device_memory_alloc(const spmv_device *device, const spmv_module *module,
                                     size_t bytes, void **out);
void spmv_device_memory_free(const spmv_device *device, void *memory);

#endif
