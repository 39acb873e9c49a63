/* query.c: the calls that query a plan. */
#include "runtime/base/options.h"
#include "runtime/library/execute/team_size.h"

#include <stddef.h>
#include <string.h>

/* The structs' sizes in the first release that has them: no program was compiled with less. */
enum {
    FIRST_INFO = offsetof(spmv_plan_info, y_permutation) + sizeof(int32_t *),
    FIRST_CANDIDATE = offsetof(spmv_candidate, borrows) + sizeof(int32_t)
};

/* Copies the fields that the caller's struct has room for. Fields of a newer header get zeros. */
static void answer(void *to, size_t size, const void *known, size_t known_size)
{
    memset(to, 0, size);
    memcpy(to, known, size < known_size ? size : known_size);
}

size_t spmv_plan_workspace_size(const spmv_plan *plan)
{
    return plan != NULL ? plan->core.layout.workspace_bytes : 0;
}

/* index: permutes_y or permutes_x of the layout. */
static const int32_t *permutation(const spmv_layout *layout, int32_t index)
{
    return index ? (const int32_t *)layout->array[index - 1].data : NULL;
}

spmv_status spmv_plan_query(const spmv_plan *plan, spmv_plan_info *info)
{
    spmv_plan_info known;
    size_t bytes;
    int32_t size;
    int32_t borrows;
    int is_own;

    if (plan == NULL || info == NULL || info->struct_size < FIRST_INFO ||
        info->struct_size > SPMV_OPTIONS_MAX)
        return SPMV_INVALID_ARGUMENT;
    is_own = plan->transposed != NULL;
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        is_own |= plan->core.copy[i] != NULL;
    borrows = plan->core.layout.borrows;
    if (plan->widened != NULL)
        borrows &= ~SPMV_BORROWS_VAL;
    bytes = info->struct_size;
    size = plan->backend == NULL ? spmv_team_size(plan) : 0;
    known = (spmv_plan_info){
        .struct_size = bytes,
        .module = plan->core.module,
        .reason = plan->reason,
        .threads = size > 0 ? size : plan->core.threads.count,
        .borrows = is_own ? 0 : borrows,
        .rows = spmv_layout_y_count(&plan->core.layout, plan->core.module->ops),
        .cols = spmv_layout_x_count(&plan->core.layout, plan->core.module->ops),
        .nnz = plan->core.layout.csr.nnz,
        .layout_bytes = plan->core.layout_bytes,
        .workspace_bytes = plan->core.layout.workspace_bytes,
        .build_seconds = plan->build_seconds,
        .y_permutation = permutation(&plan->core.layout, plan->core.layout.permutes_y),
        .x_permutation = permutation(&plan->core.layout, plan->core.layout.permutes_x),
        .value_type = spmv_plan_stored_type(plan),
        .rounded_to = plan->widened != NULL ? plan->widened->types.rounded : (spmv_value_type)0,
    };
    answer(info, bytes, &known, sizeof known);
    return SPMV_OK;
}

spmv_status spmv_plan_figures(const spmv_plan *plan, spmv_figure *figure, int32_t *count)
{
    const spmv_method_ops *ops;

    if (plan == NULL || figure == NULL || count == NULL)
        return SPMV_INVALID_ARGUMENT;
    ops = plan->core.module->ops;
    *count = ops->figures != NULL ? ops->figures(&plan->core.layout, figure) : 0;
    if (*count >= 0 && *count <= SPMV_MAX_FIGURES)
        return SPMV_OK;
    *count = 0;
    return SPMV_ABI_MISMATCH;
}

spmv_status spmv_plan_build_profile(const spmv_plan *plan, spmv_step_time *time, int32_t *count)
{
    if (plan == NULL || time == NULL || count == NULL)
        return SPMV_INVALID_ARGUMENT;
    memcpy(time, plan->build_step, (size_t)plan->build_steps * sizeof *time);
    *count = plan->build_steps;
    return SPMV_OK;
}

size_t spmv_plan_candidate_count(const spmv_plan *plan)
{
    return plan != NULL ? plan->candidates.count : 0;
}

spmv_status spmv_plan_explain(const spmv_plan *plan, size_t index, spmv_candidate *candidate)
{
    const spmv_candidate_entry *entry;
    spmv_candidate known;
    size_t size;

    if (plan == NULL || candidate == NULL || index >= plan->candidates.count ||
        candidate->struct_size < FIRST_CANDIDATE || candidate->struct_size > SPMV_OPTIONS_MAX)
        return SPMV_INVALID_ARGUMENT;
    entry = &plan->candidates.entry[index];
    size = candidate->struct_size;
    known = (spmv_candidate){
        .struct_size = size,
        .module = entry->module,
        .why_not = entry->why_not != SPMV_NOT_LEFT_OUT ? entry->why_not_text : NULL,
        .cost = entry->cost,
        .layout_bytes = entry->layout_bytes,
        .workspace_bytes = entry->workspace_bytes,
        .borrows = entry->borrows,
        .build_cost = entry->build_cost,
        .seconds = entry->seconds,
        .build_seconds = entry->build_seconds,
    };
    answer(candidate, size, &known, sizeof known);
    return SPMV_OK;
}
