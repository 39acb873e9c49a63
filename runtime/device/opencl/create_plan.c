/* opencl/create_plan.c: see opencl/create_plan.h; also the OpenCL backend's spmv_device_ops. */
#include "runtime/device/opencl/create_plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/opencl/memory.h"
#include "runtime/device/opencl/program.h"
#include "runtime/device/opencl/run.h"
#include "runtime/device/opencl/turns.h"

#include <stdio.h>
#include <string.h>

/* ---- slots --------------------------------------------------------------------------------- */

static spmv_status open_slot(spmv_device_plan *p, spmv_slot *opened, spmv_error *err)
{
    const spmv_opencl_plan *plan = (const spmv_opencl_plan *)p;
    const spmv_opencl_state *state = (const spmv_opencl_state *)p->state;
    const spmv_program *program = p->module->program;
    spmv_opencl_slot *slot = (spmv_opencl_slot *)opened;
    spmv_opencl_int code = OCL_SUCCESS;

    for (int32_t k = 0; k < program->kernel_count; k++) {
        char doing[96];

        slot->kernel[k] = state->api.CreateKernel(plan->program, program->kernels[k].symbol, &code);
        if (code == OCL_SUCCESS)
            continue;
        slot->kernel[k] = NULL;
        snprintf(doing, sizeof doing, "create kernel %.64s", program->kernels[k].name);
        return spmv_opencl_failed(code, doing, err);
    }
    return SPMV_OK;
}

static void close_slot(spmv_device_plan *p, spmv_slot *closed)
{
    const spmv_opencl_state *state = (const spmv_opencl_state *)p->state;
    spmv_opencl_slot *slot = (spmv_opencl_slot *)closed;

    /* Shared memory must not be freed before the kernels that use it have ended. */
    if (slot->last != NULL) {
        state->api.WaitForEvents(1, &slot->last);
        state->api.ReleaseEvent(slot->last);
    }
    slot->last = NULL;
    for (int k = 0; k < SPMV_MAX_KERNELS; k++)
        if (slot->kernel[k] != NULL)
            state->api.ReleaseKernel(slot->kernel[k]);
    memset(slot->kernel, 0, sizeof slot->kernel);
}

static spmv_status take_host_area(spmv_device_plan *p, const char *what, const void *data,
                                  size_t bytes, spmv_area *area, spmv_error *err)
{
    return spmv_opencl_area_take((spmv_opencl_state *)p->state, what, data, bytes, area, err);
}

static const spmv_device_ops opencl_ops = {
    .buffer_make = spmv_opencl_buffer_make,
    .buffer_free = spmv_opencl_buffer_free,
    .area_take = take_host_area,
    .shared_alloc = spmv_opencl_shared_alloc,
    .shared_free = spmv_opencl_shared_free,
    .slot_open = open_slot,
    .slot_close = close_slot,
    .slot_lend = spmv_opencl_slot_lend,
    .write = spmv_opencl_run_write,
    .read = spmv_opencl_run_read,
    .wait = spmv_opencl_run_wait,
    .copies_block = 1,
    .launch = spmv_opencl_run_launch,
    .lend = spmv_opencl_run_lend,
    .take_back = spmv_opencl_run_take_back,
};

/* ---- plans --------------------------------------------------------------------------------- */

void spmv_opencl_plan_destroy(void *plan_state)
{
    spmv_opencl_plan *p = (spmv_opencl_plan *)plan_state;
    const spmv_opencl_state *state;

    if (p == NULL)
        return;
    state = (const spmv_opencl_state *)p->base.state;
    spmv_device_plan_clear(&p->base);
    if (p->program != NULL)
        state->api.ReleaseProgram(p->program);
    spmv_memory_free(p);
}

spmv_status spmv_opencl_plan_create(void *state, const spmv_module *module,
                                    const spmv_layout *layout, const spmv_threads *threads,
                                    void **plan_state, spmv_error *err)
{
    spmv_opencl_plan *p = (spmv_opencl_plan *)spmv_memory_alloc_zeroed(sizeof *p);
    const spmv_opencl_state *device = (const spmv_opencl_state *)state;
    spmv_status status;

    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                              "no memory for the " SPMV_PLAN_WORD "'s state");
    for (int i = 0; i < SPMV_SLOTS; i++)
        p->base.slot[i] = &p->slot[i].base;
    status = spmv_device_plan_begin(&p->base, &opencl_ops, state, module, layout, threads, err);
    p->base.shares = spmv_opencl_shares(device, module);
    if (status == SPMV_OK)
        status = spmv_opencl_program_build(device, module, &p->program, err);
    if (status == SPMV_OK)
        status = spmv_device_plan_take_layout(&p->base, err);
    if (status == SPMV_OK)
        status = spmv_slot_make(&p->base, p->base.slot[0], err);
    if (status != SPMV_OK) {
        spmv_opencl_plan_destroy(p);
        return status;
    }
    *plan_state = p;
    return SPMV_OK;
}

spmv_status spmv_opencl_plan_take_values(void *plan_state, spmv_error *err)
{
    return spmv_device_plan_take_values((spmv_device_plan *)plan_state, err);
}
