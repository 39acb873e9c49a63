/* backend.c: functions for all backends. */
#include "runtime/device/backend.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

/* ---- open and close ------------------------------------------------------------------------ */

spmv_status spmv_backend_open(const spmv_backend *backend, const char *wanted, void *queue,
                              void **state, spmv_error *err)
{
    spmv_backend_state *opened =
        (spmv_backend_state *)spmv_memory_alloc_zeroed(backend->state_bytes);
    spmv_status status;

    if (opened == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the %s device",
                              backend->language);
    spmv_allocation_registry_begin(&opened->allocations);
    status = backend->open(opened, wanted, queue, err);
    if (status != SPMV_OK) {
        spmv_backend_close(backend, opened);
        return status;
    }
    *state = opened;
    return SPMV_OK;
}

void spmv_backend_close(const spmv_backend *backend, void *state)
{
    spmv_backend_state *opened = (spmv_backend_state *)state;

    if (opened == NULL)
        return;
    while (opened->allocations.first != NULL)
        backend->free(opened, opened->allocations.first->memory);
    backend->close(opened);
    spmv_allocation_registry_end(&opened->allocations);
    spmv_memory_free(opened);
}

const char *spmv_backend_device_name(const void *state)
{
    return ((const spmv_backend_state *)state)->name;
}

/* ---- memory -------------------------------------------------------------------------------- */

spmv_status spmv_backend_alloc(const spmv_backend *backend, void *state, const spmv_module *module,
                               size_t bytes, void **out)
{
    spmv_status status = SPMV_OK;

    *out = NULL;
    if (backend != NULL)
        status = backend->alloc(state, module, bytes, out);
    if (status == SPMV_OK && *out == NULL && (*out = spmv_memory_alloc(bytes)) == NULL)
        status = SPMV_OUT_OF_MEMORY;
    return status;
}

void spmv_backend_free(const spmv_backend *backend, void *state, void *memory)
{
    if (memory == NULL || backend == NULL || !backend->free(state, memory))
        spmv_memory_free(memory);
}

/* ---- shared by all backends ---------------------------------------------------------------- */

spmv_status spmv_check_host_memory(const spmv_backend *backend, void *state, const void *memory,
                                   const char *what, spmv_error *err)
{
    spmv_status status;
    int is_hidden = 0;

    if (backend == NULL || backend->look == NULL || memory == NULL)
        return SPMV_OK;
    status = backend->look(state, memory, &is_hidden, err);
    if (status != SPMV_OK || !is_hidden)
        return status;
    return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                          "%.32s is at %p, in memory of the device, and the host works on it: copy "
                          "it to memory of the host",
                          what, memory);
}

int spmv_program_exceeds(const spmv_program *program, uint64_t work_group_size,
                         uint64_t local_memory, uint64_t dynamic_memory, spmv_text *why)
{
    for (int32_t k = 0; k < program->kernel_count; k++) {
        const uint64_t dynamic = (uint64_t)program->kernels[k].dynamic_bytes;

        if ((uint64_t)program->kernels[k].work_group_size > work_group_size) {
            spmv_text_add(why, "its work-groups are larger than the device's");
            return 1;
        }
        if ((uint64_t)program->kernels[k].local_bytes > local_memory) {
            spmv_text_add(why, "it takes more local memory than the device has");
            return 1;
        }
        if (dynamic > 0 && (uint64_t)program->kernels[k].local_bytes + dynamic > dynamic_memory) {
            spmv_text_add(why, "it takes %llu bytes of dynamic local memory, of %llu",
                          (unsigned long long)dynamic, (unsigned long long)dynamic_memory);
            return 1;
        }
    }
    return 0;
}
