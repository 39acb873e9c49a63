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
static spmv_status share_workspace(const spmv_cuda_plan *p, spmv_cuda_lane *lane, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;

    if (spmv_cuda_shared_alloc(p->state, layout->workspace_bytes, &lane->workspace) != SPMV_OK)
        return no_workspace(layout, err);
    lane->is_shared = 1;
    for (int32_t i = 0; i < layout->part_count; i++)
        lane->part[i].at = (spmv_cuda_pointer)lane->workspace + layout->part[i].offset;
    return SPMV_OK;
}

/* A buffer for each part, and memory of the host for what host steps use of them. */
static spmv_status copy_workspace(const spmv_cuda_plan *p, spmv_cuda_lane *lane, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = SPMV_OK;

    for (int32_t i = 0; i < layout->part_count && status == SPMV_OK; i++) {
        status = spmv_cuda_buffer_make(p->state, layout->part[i].name, layout->part[i].bytes,
                                       &lane->part[i].own, err);
        lane->part[i].at = lane->part[i].own;
    }
    if (status == SPMV_OK && spmv_layout_has_host_parts(layout) &&
        (lane->workspace = spmv_memory_alloc(layout->workspace_bytes)) == NULL)
        status = no_workspace(layout, err);
    return status;
}

spmv_status spmv_cuda_lane_make(spmv_cuda_plan *p, spmv_cuda_lane *lane, spmv_error *err)
{
    const spmv_cuda_result code = p->state->api.EventCreate(&lane->done, CU_EVENT_DISABLE_TIMING);
    spmv_status status;

    if (code != CU_SUCCESS) {
        lane->done = NULL;
        return spmv_cuda_failed(&p->state->api, code, "create an event", err);
    }
    status = p->shares && spmv_layout_has_host_parts(&p->plan->layout)
                 ? share_workspace(p, lane, err) : copy_workspace(p, lane, err);
    lane->is_made = status == SPMV_OK;
    return status;
}

void spmv_cuda_lane_free(spmv_cuda_plan *p, spmv_cuda_lane *lane)
{
    const spmv_cuda_api *api = &p->state->api;

    /* Memory must not go before the kernels that use it have ended. */
    if (lane->is_pending && api->EventSynchronize(lane->done) != CU_SUCCESS)
        api->CtxSynchronize();
    if (lane->done != NULL)
        api->EventDestroy(lane->done);
    spmv_cuda_buffer_free(p->state, &lane->x);
    spmv_cuda_buffer_free(p->state, &lane->y);
    for (int i = 0; i < SPMV_MAX_PARTS; i++)
        spmv_cuda_area_free(p->state, &lane->part[i]);
    if (!lane->is_shared || !spmv_cuda_shared_free(p->state, lane->workspace))
        spmv_memory_free(lane->workspace);
    spmv_memory_free(lane->host_y);
    *lane = (spmv_cuda_lane){ 0 };
}

/* ---- taking turns -------------------------------------------------------------------------- */

spmv_cuda_lane *spmv_cuda_lane_take(spmv_cuda_plan *p, spmv_turn_kind kind, spmv_cuda_stream stream,
                                    spmv_status *status, spmv_error *err)
{
    const int index = spmv_turns_take(&p->turns, kind, stream);
    spmv_cuda_lane *lane = index >= 0 ? &p->lane[index] : NULL;

    if (lane == NULL) {
        *status = kind == SPMV_TURN_OWN
                    ? spmv_error_set(err, SPMV_BUSY,
                                     "the plan's own workspace is in use by another "
                                     "execute; give each that runs at once its own")
                    : spmv_error_set(err, SPMV_BUSY,
                                     "all %d workspaces that a plan has on the device "
                                     "are in use, by executes and enqueues under way and by graphs "
                                     "that captured one; another plan has its own",
                                     SPMV_LANES - 1);
        return NULL;
    }
    *status = lane->is_made ? SPMV_OK : spmv_cuda_lane_make(p, lane, err);
    if (*status == SPMV_OK)
        return lane;
    spmv_cuda_lane_free(p, lane);
    spmv_cuda_lane_give_back(p, lane);
    return NULL;
}

void spmv_cuda_lane_give_back(spmv_cuda_plan *p, const spmv_cuda_lane *lane)
{
    spmv_turns_give_back(&p->turns, (int)(lane - p->lane));
}
