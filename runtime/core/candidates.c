/* candidates.c: see candidates.h. */
#include "runtime/core/candidates.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"

#include <string.h>

int spmv_candidates_create(spmv_candidates *out, size_t count)
{
    out->entry = NULL;
    out->count = 0;
    if (count == 0)
        return 1;
    out->entry = (spmv_candidate_entry *)spmv_memory_alloc_zeroed(count * sizeof *out->entry);
    out->count = out->entry != NULL ? count : 0;
    return out->entry != NULL;
}

void spmv_candidates_destroy(spmv_candidates *candidates)
{
    spmv_memory_free(candidates->entry);
    candidates->entry = NULL;
    candidates->count = 0;
}

void spmv_candidate_take(spmv_candidate_entry *entry, const spmv_module *module,
                         const spmv_layout *layout, int32_t runs)
{
    memset(entry, 0, sizeof *entry);
    entry->module = module;
    entry->cost = layout->cost;
    entry->build_cost = layout->build_cost;
    entry->total = layout->build_cost + runs * layout->cost;
    entry->workspace_bytes = layout->workspace_bytes;
    entry->borrows = layout->borrows;
    for (int32_t i = 0; i < layout->array_count; i++)
        entry->layout_bytes += layout->array[i].bytes;
}

/* Whether `one` comes after `other`. */
static int is_behind(const spmv_candidate_entry *one, const spmv_candidate_entry *other)
{
    const int one_is_left_out = one->why_not != SPMV_NOT_LEFT_OUT;
    const int other_is_left_out = other->why_not != SPMV_NOT_LEFT_OUT;

    return one_is_left_out != other_is_left_out ? one_is_left_out
                                                : !one_is_left_out && one->total > other->total;
}

void spmv_candidate_leave_out(spmv_candidate_entry *entry, const spmv_module *module,
                              spmv_why_not why_not, const char *text)
{
    spmv_text written;

    memset(entry, 0, sizeof *entry);
    entry->module = module;
    entry->why_not = why_not;
    written = spmv_text_begin(entry->why_not_text, sizeof entry->why_not_text);
    spmv_text_add(&written, "%s", text);
}

void spmv_why_not_write(spmv_error *err, spmv_status status, spmv_why_not why_not,
                        const char *detail)
{
    static const char *const format[] = {        /* in the order of spmv_why_not */
        "%s",
        "it converts the matrix, which %s would not pay for",
        "%s in an order of its own: options.method must name it",
        "%s",
        "%s",
    };

    spmv_error_set(err, status, format[why_not], detail);
}

void spmv_candidates_sort(spmv_candidates *candidates)
{
    /* Insertion sort is stable: equal costs keep their order. */
    for (size_t i = 1; i < candidates->count; i++) {
        const spmv_candidate_entry entry = candidates->entry[i];
        size_t at = i;

        for (; at > 0 && is_behind(&candidates->entry[at - 1], &entry); at--)
            candidates->entry[at] = candidates->entry[at - 1];
        candidates->entry[at] = entry;
    }
}
