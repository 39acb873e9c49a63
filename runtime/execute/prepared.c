/* prepared.c: see prepared.h. Thread-safe: no shared state. */
#include "runtime/execute/prepared.h"

#include "runtime/base/types.h"

#include <string.h>

static void add_area(spmv_area_group *group, const void *memory, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)memory;
    spmv_area *hull = &group->hull;
    uintptr_t end;

    if (memory == NULL || bytes == 0)
        return;
    group->area[group->count++] = (spmv_area){begin, bytes};
    if (hull->bytes == 0) {
        *hull = group->area[0];
        return;
    }
    end = hull->begin + hull->bytes > begin + bytes ? hull->begin + hull->bytes : begin + bytes;
    hull->begin = hull->begin < begin ? hull->begin : begin;
    hull->bytes = (size_t)(end - hull->begin);
}

static void find_areas(spmv_prepared *p, const spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;

    add_area(&p->borrowed, csr->row_ptr,
             ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type));
    add_area(&p->borrowed, csr->col_idx, (size_t)csr->nnz * sizeof(int32_t));
    add_area(&p->borrowed, csr->val, (size_t)csr->nnz * spmv_value_bytes(csr->value_type));
    for (int32_t i = 0; i < layout->array_count; i++)
        add_area(&p->own, layout->array[i].data, layout->array[i].bytes);
}

/* Drops steps without chunks. Returns the number of the others; 0: the list breaks the contract, or
 * is empty. */
static int32_t list_steps(const spmv_module *module, const spmv_layout *layout,
                          spmv_step step[SPMV_MAX_STEPS])
{
    const spmv_job job = {.layout = layout, .alpha = 1};
    const int32_t listed = module->ops->launches(&job, step);
    int32_t count = 0;

    if (listed < 0 || listed > SPMV_MAX_STEPS)
        return 0;
    for (int32_t i = 0; i < listed; i++) {
        if (step[i].grid < 0 || (step[i].grid > 0 && step[i].run == NULL))
            return 0;
        if (step[i].grid > 0)
            step[count++] = step[i];
    }
    return count;
}

void spmv_prepared_fill(spmv_prepared *prepared, const spmv_module *module,
                        const spmv_layout *layout)
{
    const size_t value_bytes = spmv_value_bytes(layout->csr.value_type);
    const int64_t y_count = spmv_layout_y_count(layout, module->ops);

    memset(prepared, 0, sizeof *prepared);
    if (y_count == 0 || module->program != NULL)
        return;
    prepared->x_bytes = (size_t)spmv_layout_x_count(layout, module->ops) * value_bytes;
    prepared->y_bytes = (size_t)y_count * value_bytes;
    prepared->misaligned = spmv_value_alignment(layout->csr.value_type) - 1;
    find_areas(prepared, layout);
    prepared->steps = list_steps(module, layout, prepared->step);
}
