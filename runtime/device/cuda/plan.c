/* cuda/plan.c: a plan on a CUDA device: its program, and what the device sees of its layout.
 *
 *     host                         device
 *     layout, borrowed arrays ---> csr[], array[]         when the plan is made, and for new values
 *     x, y (unless beta is 0) ---> slot.x, slot.y         each execute
 *                                  kernels
 *     y                       <--- slot.y
 *
 * Each arrow is a copy, or nothing where host and device share the memory (cuda/memory.h), or where
 * the caller's vectors are the device's.
 */
#include "runtime/device/cuda/plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>

/* ---- kernels ------------------------------------------------------------------------------- */

/* That asks for the kernel's facts too, so that a driver which loads late has loaded it: in a
 * capture it could not. */
static spmv_status find_kernel(spmv_cuda_plan *p, int32_t k, spmv_error *err)
{
    const spmv_cuda_api *api = &p->state->api;
    const spmv_kernel *kernel = &p->plan->module->program->kernels[k];
    char doing[96];
    int most = 0;
    spmv_cuda_result code = api->ModuleGetFunction(&p->kernel[k], p->program, kernel->symbol);

    if (code == CU_SUCCESS)
        code = api->FuncGetAttribute(&most, CU_FUNC_MAX_THREADS_PER_BLOCK, p->kernel[k]);
    if (code != CU_SUCCESS) {
        snprintf(doing, sizeof doing, "find kernel %.64s", kernel->name);
        return spmv_cuda_failed(api, code, doing, err);
    }
    if (most >= kernel->work_group_size)
        return SPMV_OK;
    return spmv_error_set(err, SPMV_UNSUPPORTED, "kernel %.64s of %.64s has work-groups of %d "
                          "work-items, but as it was compiled for '%.80s' at most %d fit; take a "
                          "target with smaller work-groups", kernel->name, p->plan->module->name,
                          (int)kernel->work_group_size, p->state->name, most);
}

static spmv_status find_kernels(spmv_cuda_plan *p, spmv_error *err)
{
    spmv_status status = SPMV_OK;

    for (int32_t k = 0; k < p->plan->module->program->kernel_count && status == SPMV_OK; k++)
        status = find_kernel(p, k, err);
    return status;
}

/* ---- layouts ------------------------------------------------------------------------------- */

static spmv_status take_csr(spmv_cuda_plan *p, int which, spmv_error *err)
{
    const spmv_borrowed array = spmv_layout_borrowed(&p->plan->layout, which);

    return spmv_cuda_area_take(p->state, array.name, array.data, array.bytes, p->has_graphs,
                               &p->csr[which], err);
}

static spmv_status take_array(spmv_cuda_plan *p, int32_t i, spmv_error *err)
{
    const spmv_array *array = &p->plan->layout.array[i];

    return spmv_cuda_area_take(p->state, array->name, array->data, array->bytes, p->has_graphs,
                               &p->array[i], err);
}

/* The device's stream takes copies of what the plan keeps, unless it is being captured: then it
 * would keep the copies for the graph. */
static spmv_status check_stream(const spmv_cuda_state *state, spmv_error *err)
{
    int is_captured = 0;
    const spmv_cuda_result code = spmv_cuda_is_captured(state, state->stream, &is_captured);

    if (code != CU_SUCCESS)
        return spmv_cuda_failed(&state->api, code, "use the device's stream", err);
    return !is_captured ? SPMV_OK
                        : spmv_error_set(err, SPMV_UNSUPPORTED,
                                         "options.queue of spmv_device_open is "
                                         "being captured; make and update plans before");
}

/* Until the copies have ended: other streams do not wait for this one. `status`: what they came
 * to. */
static spmv_status end_copies(const spmv_cuda_state *state, spmv_status status, spmv_error *err)
{
    const spmv_cuda_result code = spmv_cuda_settle(state, state->stream);

    return status != SPMV_OK || code == CU_SUCCESS
               ? status : spmv_cuda_failed(&state->api, code, "write the layout", err);
}

static spmv_status take_layout(spmv_cuda_plan *p, spmv_error *err)
{
    spmv_status status = check_stream(p->state, err);

    if (status != SPMV_OK)
        return status;
    for (int i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK; i++)
        status = take_csr(p, i, err);
    for (int32_t i = 0; i < p->plan->layout.array_count && status == SPMV_OK; i++)
        status = take_array(p, i, err);
    return end_copies(p->state, status, err);
}

static spmv_status take_values(spmv_cuda_plan *p, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = check_stream(p->state, err);

    if (status != SPMV_OK)
        return status;
    status = take_csr(p, SPMV_VAL, err);
    for (int32_t i = 0; i < layout->array_count && status == SPMV_OK; i++)
        if (layout->value_arrays >> i & 1)
            status = take_array(p, i, err);
    return end_copies(p->state, status, err);
}

spmv_status spmv_cuda_plan_take_values(void *plan_state, spmv_error *err)
{
    spmv_cuda_plan *p = (spmv_cuda_plan *)plan_state;
    spmv_cuda_scope scope;
    const spmv_cuda_result code = spmv_cuda_enter(p->state, &scope);
    const spmv_status status = code == CU_SUCCESS
                                 ? take_values(p, err)
                                 : spmv_cuda_failed(&p->state->api, code, "enter its context", err);

    spmv_cuda_leave(p->state, &scope);
    return status;
}

/* ---- plans --------------------------------------------------------------------------------- */

void spmv_cuda_plan_destroy(void *plan_state)
{
    spmv_cuda_plan *p = (spmv_cuda_plan *)plan_state;
    spmv_cuda_scope scope;

    if (p == NULL)
        return;
    spmv_cuda_enter(p->state, &scope);
    for (int i = 0; i < SPMV_SLOTS; i++)
        spmv_cuda_slot_free(p, &p->slot[i]);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        spmv_cuda_area_free(p->state, &p->csr[i]);
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        spmv_cuda_area_free(p->state, &p->array[i]);
    if (p->program != NULL)
        p->state->api.ModuleUnload(p->program);
    spmv_cuda_leave(p->state, &scope);
    spmv_memory_free(p);
}

static spmv_status make_plan(spmv_cuda_plan *p, spmv_error *err)
{
    spmv_status status = spmv_arguments_bind(p->plan, p->bindings, err);

    if (status == SPMV_OK)
        status = spmv_cuda_program_build(p->state, p->plan->module, &p->program, err);
    if (status == SPMV_OK)
        status = find_kernels(p, err);
    if (status == SPMV_OK)
        status = take_layout(p, err);
    return status == SPMV_OK ? spmv_cuda_slot_make(p, &p->slot[0], err) : status;
}

spmv_status spmv_cuda_plan_create(void *state, const spmv_plan *plan, void **plan_state,
                                  spmv_error *err)
{
    spmv_cuda_plan *p = spmv_memory_alloc_zeroed(sizeof *p);
    spmv_cuda_scope scope;
    spmv_status status;
    spmv_cuda_result code;

    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the plan's state");
    p->state = (spmv_cuda_state *)state;
    p->plan = plan;
    p->shares = spmv_cuda_shares(p->state, plan->module);
    spmv_slot_pool_begin(&p->slots);
    code = spmv_cuda_enter(p->state, &scope);
    status = code == CU_SUCCESS ? make_plan(p, err)
                                : spmv_cuda_failed(&p->state->api, code, "enter its context", err);
    spmv_cuda_leave(p->state, &scope);
    if (status != SPMV_OK) {
        spmv_cuda_plan_destroy(p);
        return status;
    }
    *plan_state = p;
    return SPMV_OK;
}
