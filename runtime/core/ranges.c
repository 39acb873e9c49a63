/* ranges.c: see ranges.h. Thread-safe: no shared state. */
#include "runtime/core/ranges.h"

#include "runtime/base/types.h"

static void append_range(spmv_range_group *group, const void *memory, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)memory;
    spmv_range *hull = &group->hull;
    uintptr_t end;

    if (memory == NULL || bytes == 0)
        return;
    group->range[group->count].begin = begin;
    group->range[group->count].bytes = bytes;
    group->count++;
    if (hull->bytes == 0) {
        *hull = group->range[0];
        return;
    }
    end = hull->begin + hull->bytes > begin + bytes ? hull->begin + hull->bytes : begin + bytes;
    hull->begin = hull->begin < begin ? hull->begin : begin;
    hull->bytes = (size_t)(end - hull->begin);
}

/* Makes the group empty. Its ranges are written before they are read. */
static void empty_group(spmv_range_group *group)
{
    group->hull.begin = 0;
    group->hull.bytes = 0;
    group->count = 0;
}

void spmv_ranges_find(spmv_ranges *all, const spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;

    empty_group(&all->borrowed);
    empty_group(&all->own);
    append_range(&all->borrowed, csr->row_ptr,
                ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type));
    append_range(&all->borrowed, csr->col_idx, (size_t)csr->nnz * sizeof(int32_t));
    append_range(&all->borrowed, csr->val, (size_t)csr->nnz * spmv_value_bytes(csr->value_type));
    for (int32_t i = 0; i < layout->array_count; i++)
        append_range(&all->own, layout->array[i].data, layout->array[i].bytes);
}
