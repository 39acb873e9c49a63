/* device_memory.c: see device_memory.h. */
#include "runtime/device/device_memory.h"

#include "runtime/base/memory.h"

spmv_status spmv_device_memory_alloc(const spmv_device *device, const spmv_module *module,
                                     size_t bytes, void **out)
{
    const spmv_module_filter *filter = &device->filter;
    spmv_status status = SPMV_OK;

    *out = NULL;
    if (filter->backend != NULL && (module == NULL || module->program != NULL))
        status = filter->backend->alloc(filter->backend_state, module, bytes, out);
    if (status == SPMV_OK && *out == NULL && (*out = spmv_memory_alloc(bytes)) == NULL)
        status = SPMV_OUT_OF_MEMORY;
    return status;
}

void spmv_device_memory_free(const spmv_device *device, void *memory)
{
    const spmv_module_filter *filter = &device->filter;

    if (memory != NULL && filter->backend != NULL &&
        filter->backend->free(filter->backend_state, memory))
        return;
    spmv_memory_free(memory);
}

#if !SPMV_BUNDLE
spmv_status spmv_alloc(spmv_device *device, size_t bytes, void **out)
{
    if (out == NULL)
        return SPMV_INVALID_ARGUMENT;
    *out = NULL;
    if (device == NULL)
        return SPMV_INVALID_ARGUMENT;
    return spmv_device_memory_alloc(device, NULL, bytes, out);
}

void spmv_free(spmv_device *device, void *memory)
{
    if (device != NULL)
        spmv_device_memory_free(device, memory);
    else
        spmv_memory_free(memory);
}
#endif
