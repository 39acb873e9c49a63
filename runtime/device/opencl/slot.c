/* opencl/slot.c: what one execute has for itself on an OpenCL device: kernels with its
 * arguments, since these belong to a kernel's object, the workspace, and copies of vectors. */
#include "runtime/device/opencl/plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- making -------------------------------------------------------------------------------- */

static spmv_status make_kernels(const spmv_opencl_plan *p, spmv_opencl_lane *lane, spmv_error *err)
{
    const spmv_program *program = p->plan->module->program;
    spmv_opencl_int code = OCL_SUCCESS;

    for (int32_t k = 0; k < program->kernel_count; k++) {
        char doing[96];

        lane->kernel[k] = p->state->api.CreateKernel(p->program, program->kernels[k].symbol, &code);
        if (code == OCL_SUCCESS)
            continue;
        lane->kernel[k] = NULL;
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
static spmv_status share_workspace(const spmv_opencl_plan *p, spmv_opencl_lane *lane,
                                   spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_opencl_int code;

    if (spmv_opencl_shared_alloc(p->state, layout->workspace_bytes, &lane->workspace) != SPMV_OK)
        return no_workspace(layout, err);
    if (lane->workspace == NULL)
        lane->workspace = spmv_memory_alloc(layout->workspace_bytes);
    if (lane->workspace == NULL)
        return no_workspace(layout, err);
    lane->is_shared = 1;
    for (int32_t i = 0; i < layout->part_count; i++)
        lane->part[i].shared = (char *)lane->workspace + layout->part[i].offset;
    code = spmv_opencl_shared_lend(p->state, p->state->queue, lane->workspace);
    return code == OCL_SUCCESS ? SPMV_OK
                               : spmv_opencl_failed(code, "take the shared workspace", err);
}

/* A buffer for each part, and memory of the host for what host steps use of them. */
static spmv_status copy_workspace(const spmv_opencl_plan *p, spmv_opencl_lane *lane,
                                  spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = SPMV_OK;

    for (int32_t i = 0; i < layout->part_count && status == SPMV_OK; i++)
        status = spmv_opencl_buffer_make(p->state, layout->part[i].name, layout->part[i].bytes,
                                         &lane->part[i].buffer, err);
    if (status == SPMV_OK && spmv_layout_has_host_parts(layout) &&
        (lane->workspace = spmv_memory_alloc(layout->workspace_bytes)) == NULL)
        status = no_workspace(layout, err);
    return status;
}

spmv_status spmv_opencl_lane_make(spmv_opencl_plan *p, spmv_opencl_lane *lane, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = make_kernels(p, lane, err);

    if (status != SPMV_OK)
        return status;
    return p->shares && spmv_layout_has_host_parts(layout) ? share_workspace(p, lane, err)
                                               : copy_workspace(p, lane, err);
}

static void free_workspace(spmv_opencl_plan *p, spmv_opencl_lane *lane)
{
    if (!lane->is_shared || !spmv_opencl_shared_free(p->state, lane->workspace))
        spmv_memory_free(lane->workspace);
    for (int i = 0; i < SPMV_MAX_PARTS; i++) {
        spmv_opencl_buffer_free(p->state, &lane->part[i].buffer);
        lane->part[i].shared = NULL;
    }
    lane->workspace = NULL;
    lane->is_shared = 0;
    lane->is_home = 0;
}

void spmv_opencl_lane_free(spmv_opencl_plan *p, spmv_opencl_lane *lane)
{
    const spmv_opencl_api *api = &p->state->api;

    /* Shared memory must not go before the kernels that use it have ended. */
    if (lane->last != NULL) {
        api->WaitForEvents(1, &lane->last);
        api->ReleaseEvent(lane->last);
    }
    lane->last = NULL;
    for (int k = 0; k < SPMV_MAX_KERNELS; k++)
        if (lane->kernel[k] != NULL)
            api->ReleaseKernel(lane->kernel[k]);
    memset(lane->kernel, 0, sizeof lane->kernel);
    spmv_opencl_buffer_free(p->state, &lane->x);
    spmv_opencl_buffer_free(p->state, &lane->y);
    free_workspace(p, lane);
    spmv_memory_free(lane->host_y);
    lane->host_y = NULL;
}

/* ---- taking turns -------------------------------------------------------------------------- */

spmv_opencl_lane *spmv_opencl_lane_take(spmv_opencl_plan *p, int is_own, spmv_opencl_queue queue,
                                        spmv_status *status, spmv_error *err)
{
    const int index = spmv_turns_take(&p->turns, is_own ? SPMV_TURN_OWN : SPMV_TURN_ANY, queue);
    spmv_opencl_lane *lane = index >= 0 ? &p->lane[index] : NULL;

    *status = SPMV_BUSY;
    if (lane == NULL)
        return NULL;
    *status = lane->kernel[0] != NULL ? SPMV_OK : spmv_opencl_lane_make(p, lane, err);
    if (*status == SPMV_OK)
        return lane;
    spmv_opencl_lane_free(p, lane);
    spmv_opencl_lane_give_back(p, lane);
    return NULL;
}

void spmv_opencl_lane_give_back(spmv_opencl_plan *p, const spmv_opencl_lane *lane)
{
    spmv_turns_give_back(&p->turns, (int)(lane - p->lane));
}
