/* device_plan.c: see device_plan.h. */
#include "runtime/device/device_plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>

/* ---- the layout ---------------------------------------------------------------------------- */

spmv_status spmv_device_plan_begin(spmv_device_plan *p, const spmv_device_ops *ops, void *state,
                                   const spmv_module *module, const spmv_layout *layout,
                                   const spmv_threads *threads, spmv_error *err)
{
    p->ops = ops;
    p->state = state;
    p->module = module;
    p->layout = layout;
    p->threads = threads;
    spmv_slot_pool_begin(&p->slots);
    return spmv_arguments_bind(module, layout, p->bindings, err);
}

static spmv_status take_area(spmv_device_plan *p, const char *what, const void *data, size_t bytes,
                             spmv_area *area, spmv_error *err)
{
    return bytes > 0 ? p->ops->area_take(p, what, data, bytes, area, err) : SPMV_OK;
}

static spmv_status take_csr(spmv_device_plan *p, int which, spmv_error *err)
{
    const spmv_borrowed array = spmv_layout_borrowed(p->layout, which);

    return take_area(p, array.name, array.data, array.bytes, &p->csr[which], err);
}

static spmv_status take_array(spmv_device_plan *p, int32_t i, spmv_error *err)
{
    const spmv_array *array = &p->layout->array[i];

    return take_area(p, array->name, array->data, array->bytes, &p->array[i], err);
}

spmv_status spmv_device_plan_take_layout(spmv_device_plan *p, spmv_error *err)
{
    spmv_status status = SPMV_OK;

    for (int i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK; i++)
        status = take_csr(p, i, err);
    for (int32_t i = 0; i < p->layout->array_count && status == SPMV_OK; i++)
        status = take_array(p, i, err);
    return status;
}

spmv_status spmv_device_plan_take_values(spmv_device_plan *p, spmv_error *err)
{
    const spmv_layout *layout = p->layout;
    spmv_status status = take_csr(p, SPMV_VAL, err);

    for (int32_t i = 0; i < layout->array_count && status == SPMV_OK; i++)
        if (layout->value_arrays >> i & 1)
            status = take_array(p, i, err);
    return status;
}

int spmv_device_plan_has_buffers(const spmv_device_plan *p)
{
    int count = 0;

    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        count += p->csr[i].buffer != NULL;
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        count += p->array[i].buffer != NULL;
    return count > 0;
}

void spmv_device_plan_clear(spmv_device_plan *p)
{
    for (int i = 0; i < SPMV_SLOTS; i++)
        spmv_slot_free(p, p->slot[i]);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        p->ops->buffer_free(p->state, &p->csr[i].buffer);
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        p->ops->buffer_free(p->state, &p->array[i].buffer);
}

void spmv_device_plan_forget(spmv_device_plan *p)
{
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        p->csr[i].buffer = NULL;
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        p->array[i].buffer = NULL;
}

/* ---- making slots -------------------------------------------------------------------------- */

static spmv_status no_workspace(const spmv_layout *layout, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                          "no memory for the workspace of host steps, %zu bytes",
                          layout->workspace_bytes);
}

/* Puts the parts into memory that kernels and host steps share. */
static spmv_status share_workspace(spmv_device_plan *p, spmv_slot *slot, spmv_error *err)
{
    const spmv_layout *layout = p->layout;

    if (p->ops->shared_alloc(p->state, layout->workspace_bytes, &slot->workspace) != SPMV_OK)
        return no_workspace(layout, err);
    if (slot->workspace == NULL)
        slot->workspace = spmv_memory_alloc(layout->workspace_bytes);
    if (slot->workspace == NULL)
        return no_workspace(layout, err);
    slot->is_shared = 1;
    for (int32_t i = 0; i < layout->part_count; i++)
        slot->part[i].shared = (char *)slot->workspace + layout->part[i].offset;
    return p->ops->slot_lend != NULL ? p->ops->slot_lend(p, slot, err) : SPMV_OK;
}

/* Makes a buffer for each part, and memory of the host for the parts that host steps use. */
static spmv_status copy_workspace(spmv_device_plan *p, spmv_slot *slot, spmv_error *err)
{
    const spmv_layout *layout = p->layout;
    spmv_status status = SPMV_OK;

    for (int32_t i = 0; i < layout->part_count && status == SPMV_OK; i++)
        status = p->ops->buffer_make(p->state, layout->part[i].name, layout->part[i].bytes,
                                     &slot->part[i].buffer, err);
    if (status == SPMV_OK && spmv_layout_has_host_parts(layout) &&
        (slot->workspace = spmv_memory_alloc(layout->workspace_bytes)) == NULL)
        status = no_workspace(layout, err);
    return status;
}

spmv_status spmv_slot_make(spmv_device_plan *p, spmv_slot *slot, spmv_error *err)
{
    spmv_status status = p->ops->slot_open(p, slot, err);

    if (status == SPMV_OK)
        status = p->shares && spmv_layout_has_host_parts(p->layout)
                     ? share_workspace(p, slot, err) : copy_workspace(p, slot, err);
    slot->is_made = status == SPMV_OK;
    return status;
}

void spmv_slot_free(spmv_device_plan *p, spmv_slot *slot)
{
    const spmv_device_ops *ops = p->ops;
    const int index = slot->index;

    ops->slot_close(p, slot);
    ops->buffer_free(p->state, &slot->x);
    ops->buffer_free(p->state, &slot->y);
    for (int i = 0; i < SPMV_MAX_PARTS; i++)
        ops->buffer_free(p->state, &slot->part[i].buffer);
    if (!slot->is_shared || !ops->shared_free(p->state, slot->workspace))
        spmv_memory_free(slot->workspace);
    spmv_memory_free(slot->host_y);
    memset(slot, 0, sizeof *slot);
    slot->index = index;
}

void spmv_slot_forget(spmv_slot *slot)
{
    slot->x = slot->y = NULL;
    for (int i = 0; i < SPMV_MAX_PARTS; i++)
        slot->part[i].buffer = NULL;
}

/* ---- taking and giving back ---------------------------------------------------------------- */

spmv_slot *spmv_slot_take(spmv_device_plan *p, spmv_slot_kind kind, void *queue,
                          spmv_status *status, spmv_error *err)
{
    const int index = spmv_slot_pool_take(&p->slots, kind, queue);
    spmv_slot *slot = index >= 0 ? p->slot[index] : NULL;

    *status = SPMV_BUSY;
    if (slot == NULL)
        return NULL;
    slot->index = index;
    *status = slot->is_made ? SPMV_OK : spmv_slot_make(p, slot, err);
    if (*status == SPMV_OK)
        return slot;
    spmv_slot_free(p, slot);
    spmv_slot_give_back(p, slot);
    return NULL;
}

void spmv_slot_give_back(spmv_device_plan *p, const spmv_slot *slot)
{
    spmv_slot_pool_give_back(&p->slots, slot->index);
}
