/* cuda/slot.c: what one execute has for itself on a CUDA device: the workspace, and copies of
 * vectors. */
#include "runtime/device/cuda/plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

/* ---- making -------------------------------------------------------------------------------- */

static spmv_status no_workspace(const spmv_layout *layout, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the workspace of host steps, %zu "
                          "bytes", layout->workspace_bytes);
}

/* The parts in memory that kernels and host steps share. */
static spmv_status share_workspace(const spmv_cuda_plan *p, spmv_cuda_slot *slot, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;

    if (spmv_cuda_shared_alloc(p->state, layout->workspace_bytes, &slot->workspace) != SPMV_OK)
        return no_workspace(layout, err);
    slot->is_shared = 1;
    for (int32_t i = 0; i < layout->part_count; i++)
        slot->part[i].at = (spmv_cuda_pointer)slot->workspace + layout->part[i].offset;
    return SPMV_OK;
}

/* A buffer for each part, and memory of the host for what host steps use of them. */
static spmv_status copy_workspace(const spmv_cuda_plan *p, spmv_cuda_slot *slot, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = SPMV_OK;

    for (int32_t i = 0; i < layout->part_count && status == SPMV_OK; i++) {
        status = spmv_cuda_buffer_make(p->state, layout->part[i].name, layout->part[i].bytes,
                                       &slot->part[i].own, err);
        slot->part[i].at = slot->part[i].own;
    }
    if (status == SPMV_OK && spmv_layout_has_host_parts(layout) &&
        (slot->workspace = spmv_memory_alloc(layout->workspace_bytes)) == NULL)
        status = no_workspace(layout, err);
    return status;
}

spmv_status spmv_cuda_slot_make(spmv_cuda_plan *p, spmv_cuda_slot *slot, spmv_error *err)
{
    const spmv_cuda_result code = p->state->api.EventCreate(&slot->done, CU_EVENT_DISABLE_TIMING);
    spmv_status status;

    if (code != CU_SUCCESS) {
        slot->done = NULL;
        return spmv_cuda_failed(&p->state->api, code, "create an event", err);
    }
    status = p->shares && spmv_layout_has_host_parts(&p->plan->layout)
                 ? share_workspace(p, slot, err) : copy_workspace(p, slot, err);
    slot->is_made = status == SPMV_OK;
    return status;
}

void spmv_cuda_slot_free(spmv_cuda_plan *p, spmv_cuda_slot *slot)
{
    const spmv_cuda_api *api = &p->state->api;

    /* Memory must not go before the kernels that use it have ended. */
    if (slot->is_pending && api->EventSynchronize(slot->done) != CU_SUCCESS)
        api->CtxSynchronize();
    if (slot->done != NULL)
        api->EventDestroy(slot->done);
    spmv_cuda_buffer_free(p->state, &slot->x);
    spmv_cuda_buffer_free(p->state, &slot->y);
    for (int i = 0; i < SPMV_MAX_PARTS; i++)
        spmv_cuda_area_free(p->state, &slot->part[i]);
    if (!slot->is_shared || !spmv_cuda_shared_free(p->state, slot->workspace))
        spmv_memory_free(slot->workspace);
    spmv_memory_free(slot->host_y);
    *slot = (spmv_cuda_slot){ 0 };
}

/* ---- taking and giving back ---------------------------------------------------------------- */

spmv_cuda_slot *spmv_cuda_slot_take(spmv_cuda_plan *p, spmv_slot_kind kind, spmv_cuda_stream stream,
                                    spmv_status *status, spmv_error *err)
{
    const int index = spmv_slot_pool_take(&p->slots, kind, stream);
    spmv_cuda_slot *slot = index >= 0 ? &p->slot[index] : NULL;

    if (slot == NULL) {
        *status = kind == SPMV_SLOT_OWN
                    ? spmv_error_set(err, SPMV_BUSY,
                                     "the plan's own workspace is in use by another "
                                     "execute; give each that runs at once its own")
                    : spmv_error_set(err, SPMV_BUSY,
                                     "all %d workspaces that a plan has on the device "
                                     "are in use, by executes and enqueues under way and by graphs "
                                     "that captured one; another plan has its own",
                                     SPMV_SLOTS - 1);
        return NULL;
    }
    *status = slot->is_made ? SPMV_OK : spmv_cuda_slot_make(p, slot, err);
    if (*status == SPMV_OK)
        return slot;
    spmv_cuda_slot_free(p, slot);
    spmv_cuda_slot_give_back(p, slot);
    return NULL;
}

void spmv_cuda_slot_give_back(spmv_cuda_plan *p, const spmv_cuda_slot *slot)
{
    spmv_slot_pool_give_back(&p->slots, (int)(slot - p->slot));
}
