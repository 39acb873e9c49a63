/* opencl/slot.c: what one execute has for itself on an OpenCL device: kernels with its
 * arguments, since these belong to a kernel's object, the workspace, and copies of vectors. */
#include "runtime/device/opencl/plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------- */

static spmv_status make_kernels(const spmv_opencl_plan *p, spmv_opencl_slot *slot, spmv_error *err)
{
    const spmv_program *program = p->plan->module->program;
    spmv_opencl_int code = OCL_SUCCESS;

    for (int32_t k = 0; k < program->kernel_count; k++) {
        char doing[96];

        slot->kernel[k] = p->state->api.CreateKernel(p->program, program->kernels[k].symbol, &code);
        if (code == OCL_SUCCESS)
            continue;
        slot->kernel[k] = NULL;
        snprintf(doing, sizeof doing, "create kernel %.64s", program->kernels[k].name);
        return spmv_opencl_failed(code, doing, err);
    }
    return SPMV_OK;
}

static spmv_status no_workspace(const spmv_layout *layout, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the workspace of host steps, %zu "
                          "bytes", layout->workspace_bytes);
}

/* The parts in memory that kernels and host steps share. */
static spmv_status share_workspace(const spmv_opencl_plan *p, spmv_opencl_slot *slot,
                                   spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_opencl_int code;

    if (spmv_opencl_shared_alloc(p->state, layout->workspace_bytes, &slot->workspace) != SPMV_OK)
        return no_workspace(layout, err);
    if (slot->workspace == NULL)
        slot->workspace = spmv_memory_alloc(layout->workspace_bytes);
    if (slot->workspace == NULL)
        return no_workspace(layout, err);
    slot->is_shared = 1;
    for (int32_t i = 0; i < layout->part_count; i++)
        slot->part[i].shared = (char *)slot->workspace + layout->part[i].offset;
    code = spmv_opencl_shared_lend(p->state, p->state->queue, slot->workspace);
    return code == OCL_SUCCESS ? SPMV_OK
                               : spmv_opencl_failed(code, "take the shared workspace", err);
}

/* A buffer for each part, and memory of the host for what host steps use of them. */
static spmv_status copy_workspace(const spmv_opencl_plan *p, spmv_opencl_slot *slot,
                                  spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = SPMV_OK;

    for (int32_t i = 0; i < layout->part_count && status == SPMV_OK; i++)
        status = spmv_opencl_buffer_make(p->state, layout->part[i].name, layout->part[i].bytes,
                                         &slot->part[i].buffer, err);
    if (status == SPMV_OK && spmv_layout_has_host_parts(layout) &&
        (slot->workspace = spmv_memory_alloc(layout->workspace_bytes)) == NULL)
        status = no_workspace(layout, err);
    return status;
}

spmv_status spmv_opencl_slot_make(spmv_opencl_plan *p, spmv_opencl_slot *slot, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = make_kernels(p, slot, err);

    if (status != SPMV_OK)
        return status;
    return p->shares && spmv_layout_has_host_parts(layout) ? share_workspace(p, slot, err)
                                               : copy_workspace(p, slot, err);
}

static void free_workspace(spmv_opencl_plan *p, spmv_opencl_slot *slot)
{
    if (!slot->is_shared || !spmv_opencl_shared_free(p->state, slot->workspace))
        spmv_memory_free(slot->workspace);
    for (int i = 0; i < SPMV_MAX_PARTS; i++) {
        spmv_opencl_buffer_free(p->state, &slot->part[i].buffer);
        slot->part[i].shared = NULL;
    }
    slot->workspace = NULL;
    slot->is_shared = 0;
    slot->is_home = 0;
}

void spmv_opencl_slot_free(spmv_opencl_plan *p, spmv_opencl_slot *slot)
{
    const spmv_opencl_api *api = &p->state->api;

    /* Shared memory must not go before the kernels that use it have ended. */
    if (slot->last != NULL) {
        api->WaitForEvents(1, &slot->last);
        api->ReleaseEvent(slot->last);
    }
    slot->last = NULL;
    for (int k = 0; k < SPMV_MAX_KERNELS; k++)
        if (slot->kernel[k] != NULL)
            api->ReleaseKernel(slot->kernel[k]);
    memset(slot->kernel, 0, sizeof slot->kernel);
    spmv_opencl_buffer_free(p->state, &slot->x);
    spmv_opencl_buffer_free(p->state, &slot->y);
    free_workspace(p, slot);
    spmv_memory_free(slot->host_y);
    slot->host_y = NULL;
}

/* ---- taking and giving back ---------------------------------------------------------------- */

spmv_opencl_slot *spmv_opencl_slot_take(spmv_opencl_plan *p, int is_own, spmv_opencl_queue queue,
                                        spmv_status *status, spmv_error *err)
{
    const int index = spmv_slot_pool_take(&p->slots, is_own ? SPMV_SLOT_OWN : SPMV_SLOT_ANY, queue);
    spmv_opencl_slot *slot = index >= 0 ? &p->slot[index] : NULL;

    *status = SPMV_BUSY;
    if (slot == NULL)
        return NULL;
    *status = slot->kernel[0] != NULL ? SPMV_OK : spmv_opencl_slot_make(p, slot, err);
    if (*status == SPMV_OK)
        return slot;
    spmv_opencl_slot_free(p, slot);
    spmv_opencl_slot_give_back(p, slot);
    return NULL;
}

void spmv_opencl_slot_give_back(spmv_opencl_plan *p, const spmv_opencl_slot *slot)
{
    spmv_slot_pool_give_back(&p->slots, (int)(slot - p->slot));
}
