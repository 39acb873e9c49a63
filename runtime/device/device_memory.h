/* device_memory.h: memory that device and host share; ordinary host memory if they share none. */
#ifndef SPMV_DEVICE_MEMORY_H
#define SPMV_DEVICE_MEMORY_H

#include "runtime/library/devices/device.h"

/* Allocates memory for a layout of the module; module is NULL: for vectors. */
spmv_status spmv_device_memory_alloc(const spmv_device *device, const spmv_module *module,
                                     size_t bytes, void **out);
void spmv_device_memory_free(const spmv_device *device, void *memory);

#endif
