/* opencl/plan.c: a plan on an OpenCL device: its program, and what the device sees of its layout.
 *
 *     host                         device
 *     layout, borrowed arrays ---> csr[], array[]         when the plan is made, and for new values
 *     x, y (unless beta is 0) ---> slot.x, slot.y         each execute
 *                                  kernels
 *     y                       <--- slot.y
 *
 * Each arrow is a copy, or nothing where host and device share the memory (opencl/memory.h).
 */
#include "runtime/device/opencl/plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

/* ---- layouts ------------------------------------------------------------------------------- */

static spmv_status take_csr(spmv_opencl_plan *p, int which, spmv_error *err)
{
    const spmv_borrowed array = spmv_layout_borrowed(&p->plan->layout, which);

    if (array.bytes == 0)
        return SPMV_OK;
    return spmv_opencl_area_take(p->state, array.name, array.data, array.bytes, &p->csr[which],
                                 err);
}

static spmv_status take_array(spmv_opencl_plan *p, int32_t i, spmv_error *err)
{
    const spmv_array *array = &p->plan->layout.array[i];

    return spmv_opencl_area_take(p->state, array->name, array->data, array->bytes, &p->array[i],
                                 err);
}

static spmv_status take_layout(spmv_opencl_plan *p, spmv_error *err)
{
    spmv_status status = SPMV_OK;

    for (int i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK; i++)
        status = take_csr(p, i, err);
    for (int32_t i = 0; i < p->plan->layout.array_count && status == SPMV_OK; i++)
        status = take_array(p, i, err);
    return status;
}

spmv_status spmv_opencl_plan_take_values(void *plan_state, spmv_error *err)
{
    spmv_opencl_plan *p = (spmv_opencl_plan *)plan_state;
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = take_csr(p, SPMV_VAL, err);

    for (int32_t i = 0; i < layout->array_count && status == SPMV_OK; i++)
        if (layout->value_arrays >> i & 1)
            status = take_array(p, i, err);
    return status;
}

/* ---- plans --------------------------------------------------------------------------------- */

void spmv_opencl_plan_destroy(void *plan_state)
{
    spmv_opencl_plan *p = (spmv_opencl_plan *)plan_state;

    if (p == NULL)
        return;
    for (int i = 0; i < SPMV_SLOTS; i++)
        spmv_opencl_slot_free(p, &p->slot[i]);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        spmv_opencl_buffer_free(p->state, &p->csr[i].buffer);
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        spmv_opencl_buffer_free(p->state, &p->array[i].buffer);
    if (p->program != NULL)
        p->state->api.ReleaseProgram(p->program);
    spmv_memory_free(p);
}

spmv_status spmv_opencl_plan_create(void *state, const spmv_plan *plan, void **plan_state,
                                    spmv_error *err)
{
    spmv_opencl_plan *p = spmv_memory_alloc_zeroed(sizeof *p);
    spmv_status status;

    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the plan's state");
    p->state = (spmv_opencl_state *)state;
    p->plan = plan;
    p->shares = spmv_opencl_shares(p->state, plan->module);
    spmv_slot_pool_begin(&p->slots);
    status = spmv_arguments_bind(plan, p->bindings, err);
    if (status == SPMV_OK)
        status = spmv_opencl_program_build(p->state, plan->module, &p->program, err);
    if (status == SPMV_OK)
        status = take_layout(p, err);
    if (status == SPMV_OK)
        status = spmv_opencl_slot_make(p, &p->slot[0], err);
    if (status != SPMV_OK) {
        spmv_opencl_plan_destroy(p);
        return status;
    }
    *plan_state = p;
    return SPMV_OK;
}
