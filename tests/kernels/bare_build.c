/* bare_build.c: layouts of a bare runner: see bare_runner.h. */
#include "bare_runner.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/permutation.h"

static void allow_build(bare *b)
{
    for (int i = BARE_ROW_PTR; i <= BARE_VAL; i++)
        guard_allow(b->guard[i], GUARD_READ_ONLY);
    for (int i = BARE_ARRAYS; i < BARE_GUARDS; i++)
        guard_allow(b->guard[i], GUARD_READ_WRITE);
}

/* ---- build --------------------------------------------------------------------------------- */

typedef struct size_call {
    const bare *b;
    spmv_layout *layout;
    spmv_status status;
} size_call;

static void call_layout_size(void *context)
{
    size_call *call = context;
    call->status = call->b->module->ops->layout_size(call->layout);
}

static bare_fault size_layout(bare *b, spmv_layout *layout)
{
    const spmv_csr csr = layout->csr;
    const size_t scratch_bytes = b->module->ops->sizing_bytes;
    size_call call = { b, layout, SPMV_OK };
    trap_report report;

    layout->scratch = guard_place(b->guard[BARE_SCRATCH], scratch_bytes, SPMV_ALIGNMENT, b->side);
    if (!layout->scratch)
        return bare_fail(b, BARE_REFUSED, "out of memory");
    memset(layout->scratch, 0xa9, scratch_bytes);
    if (!trap_run(call_layout_size, &call, &report))
        return bare_fail_by_signal(b, "layout_size", &report);
    layout->scratch = NULL;
    const bare_fault beside = bare_check_bands(b, "layout_size");
    guard_allow(b->guard[BARE_SCRATCH], GUARD_NO_ACCESS);
    if (beside)
        return beside;
    if (call.status == SPMV_UNSUPPORTED)
        return bare_fail(b, BARE_DECLINED, "layout_size: the method declines the matrix");
    if (call.status)
        return bare_fail(b, BARE_REFUSED, "layout_size: status %d", (int)call.status);
    if (layout->array_count < 0 || layout->array_count > SPMV_MAX_ARRAYS ||
        (layout->borrows & ~7) != 0)
        return bare_fail(b, BARE_CONTRACT, "layout_size: %d arrays, borrows %#x",
                         layout->array_count, (unsigned)layout->borrows);
    if (memcmp(&layout->csr, &csr, sizeof csr) != 0)
        return bare_fail(b, BARE_CONTRACT, "layout_size: changed layout->csr");
    for (int32_t i = 0; i < layout->array_count; i++)
        if (layout->array[i].data || (layout->array[i].bytes && !layout->array[i].name))
            return bare_fail(b, BARE_CONTRACT, "layout_size: array %d has data, or no name", i);
    return BARE_NO_FAULT;
}

static bool same_sizes(const spmv_layout *a, const spmv_layout *b)
{
    bool same = a->array_count == b->array_count && a->workspace_bytes == b->workspace_bytes &&
                a->build_bytes == b->build_bytes;

    for (int32_t i = 0; same && i < a->array_count; i++)
        same = a->array[i].bytes == b->array[i].bytes;
    return same;
}

/* Checks that the layout's array is a permutation of `count` rows or columns, and copies it. `name`
 * is "permutes_y" or "permutes_x", `permutes` the layout's member of that name. */
static bare_fault copy_order(bare *b, const char *name, int32_t permutes, int64_t count,
                             int32_t **order)
{
    const size_t bytes = (size_t)count * sizeof(int32_t);
    const spmv_array *array = b->layout.array + (permutes - 1);

    free(*order);
    *order = NULL;
    if (permutes == 0)
        return BARE_NO_FAULT;
    if (permutes < 0 || permutes > b->layout.array_count || array->bytes != bytes ||
        !bench_is_permutation(array->data, count))
        return bare_fail(b, BARE_CONTRACT, "%s is %d, which is no array with each number once",
                         name, permutes);
    *order = malloc(bytes + 1);
    if (!*order)
        return bare_fail(b, BARE_REFUSED, "out of memory");
    if (bytes > 0)
        memcpy(*order, array->data, bytes);
    return BARE_NO_FAULT;
}

static bare_fault copy_orders(bare *b)
{
    const spmv_layout *l = &b->layout;
    const bare_fault fault_of_y =
        copy_order(b, "permutes_y", l->permutes_y, bare_row_count(b), &b->order_y);

    return fault_of_y ? fault_of_y
                      : copy_order(b, "permutes_x", l->permutes_x, bare_column_count(b),
                                        &b->order_x);
}

/* Fills an array, the beginning of a very large one, with what may be in new memory: numbers of
 * f64, of which half is a signalling NaN of f32. A kernel that converts it raises an exception. */
static void fill_stale(void *memory, size_t bytes)
{
    const uint64_t stale = UINT64_C(0x3ff000007fa00000);

    for (size_t i = 0; i + sizeof stale <= bytes && i < (1 << 24); i += sizeof stale)
        memcpy((char *)memory + i, &stale, sizeof stale);
}

bare_fault bare_build(bare *b, const spmv_csr *csr, guard_side side, bare_order order)
{
    spmv_layout again;
    spmv_job job = { .layout = &b->layout };
    bare_step_call call = { .b = b, .what = "build", .of_layout = b->module->ops->build_steps,
                            .job = &job, .order = order };

    transposing_destroy(&b->transpose);
    if (b->module->ops->transposes) {
        if (!transposing_create(csr, &b->transpose))
            return bare_fail(b, BARE_REFUSED, "out of memory");
        csr = &b->transpose.matrix->csr;
    }
    b->side = side;
    b->layout = (spmv_layout){ .csr = *csr };
    memcpy(b->layout.setting, b->setting, sizeof b->setting);
    b->layout.csr.row_ptr = bare_place(b, BARE_ROW_PTR, csr->row_ptr, csr->rows + 1,
                                       bench_offset_bytes(csr->offset_type));
    b->layout.csr.col_idx = bare_place(b, BARE_COL_IDX, csr->col_idx, csr->nnz, sizeof(int32_t));
    b->layout.csr.val = bare_place(b, BARE_VAL, csr->val, csr->nnz,
                                   bench_value_bytes(csr->value_type));
    if (!b->layout.csr.row_ptr || !b->layout.csr.col_idx || !b->layout.csr.val)
        return bare_fail(b, BARE_REFUSED, "out of memory");
    allow_build(b);

    again = b->layout;
    bare_fault result = size_layout(b, &b->layout);
    if (result)
        return result;
    result = size_layout(b, &again);
    if (result == BARE_DECLINED)
        return bare_fail(b, BARE_CONTRACT, "layout_size: declines the matrix when called again");
    if (result)
        return result;
    if (!same_sizes(&b->layout, &again))
        return bare_fail(b, BARE_CONTRACT, "layout_size: other sizes when called again");
    for (int32_t i = 0; i < b->layout.array_count; i++) {
        spmv_array *array = &b->layout.array[i];
        void *data = guard_place(b->guard[BARE_ARRAYS + i], array->bytes, SPMV_ALIGNMENT, side);
        if (!data)
            return bare_fail(b, BARE_REFUSED, "out of memory");
        array->data = array->bytes ? data : NULL;
        if (csr->value_type == SPMV_F64)
            fill_stale(data, array->bytes);
    }
    job.workspace = guard_place(b->guard[BARE_SCRATCH], b->layout.build_bytes, SPMV_ALIGNMENT,
                                side);
    if (!job.workspace)
        return bare_fail(b, BARE_REFUSED, "out of memory");
    memset(job.workspace, 0xa9, b->layout.build_bytes);
    result = bare_run(&call);
    guard_allow(b->guard[BARE_SCRATCH], GUARD_NO_ACCESS);
    return result ? result : copy_orders(b);
}
