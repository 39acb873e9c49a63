/* build.c: see build.h. Thread-safe: no shared state. */
#include "runtime/core/build.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/core/shell.h"
#include "runtime/core/storage.h"

#include <string.h>

static spmv_status run_build_steps(spmv_core *plan, spmv_error *err)
{
    const size_t bytes = plan->layout.build_bytes;
    spmv_step step[SPMV_MAX_STEPS];
    spmv_status status;
    spmv_job job;

    memset(&job, 0, sizeof job);
    job.layout = &plan->layout;
    if (bytes > 0 && (job.workspace = spmv_memory_alloc(bytes)) == NULL)
        return spmv_storage_lacks(plan, "scratch for the build", bytes, err);
    status = spmv_plan_run_build(plan, &job, step,
                                 plan->module->ops->build_steps(&plan->layout, step));
    spmv_memory_free(job.workspace);
    if (status != SPMV_OK)
        return spmv_error_set(err, status, "the build steps of %.64s: %s", plan->module->name,
                              spmv_status_text(status));
    return SPMV_OK;
}

spmv_status spmv_core_build(spmv_core *plan, int copy, spmv_error *err)
{
    spmv_status status;

    if ((status = spmv_storage_create(plan, copy, err)) != SPMV_OK ||
        (status = run_build_steps(plan, err)) != SPMV_OK)
        return status;
    spmv_storage_forget(plan);
    return SPMV_OK;
}

/* Leaves out a candidate that did not fit into memory, and adds its method to the list. */
static void leave_out(spmv_candidate_entry *entry, const spmv_error *fault, spmv_text *list)
{
    const spmv_module *module = entry->module;

    spmv_text_add(list, "%s%.64s", list->length > 0 ? ", " : "", module->method);
    spmv_candidate_leave_out(entry, module, SPMV_NO_MEMORY, fault->text);
}

/* The plan did not fit into memory, as *fault says. Builds the cheapest candidate that does. */
static spmv_status fall_back(const spmv_request *request, spmv_core *plan, spmv_choice *choice,
                             spmv_error *fault)
{
    const spmv_candidates *candidates = &choice->candidates;
    spmv_status status = SPMV_OUT_OF_MEMORY;
    char words[sizeof choice->reason / 2];
    spmv_text list = spmv_text_begin(words, sizeof words);
    spmv_text reason;

    for (size_t i = 0; status == SPMV_OUT_OF_MEMORY && i + 1 < candidates->count &&
                       candidates->entry[i + 1].why_not == SPMV_NOT_LEFT_OUT; i++) {
        /* Frees the failed plan's memory before the next is built. */
        spmv_core_clear(plan);
        leave_out(&candidates->entry[i], fault, &list);
        plan->module = candidates->entry[i + 1].module;
        status = spmv_choice_size(request, plan->module, &plan->layout, fault);
        if (status == SPMV_OK)
            status = spmv_plan_fill(request, plan, fault);
    }
    if (status != SPMV_OK)
        return status;
    spmv_candidates_sort(&choice->candidates);
    reason = spmv_text_begin(choice->reason, sizeof choice->reason);
    spmv_text_add(&reason, "the cheapest method that there is memory for; there was none for %s",
                  words);
    return SPMV_OK;
}

static spmv_status fill_chosen(const spmv_request *request, const spmv_choice *choice,
                               spmv_core *plan, spmv_error *fault)
{
    plan->module = choice->module;
    plan->layout = choice->layout;
    return spmv_plan_fill(request, plan, fault);
}

spmv_status spmv_plan_build(const spmv_request *request, spmv_core *plan, spmv_choice *choice,
                            spmv_error *fault)
{
    spmv_status status = spmv_choice_make(request, choice, fault);

    if (status == SPMV_OK)
        status = fill_chosen(request, choice, plan, fault);
    return status == SPMV_OUT_OF_MEMORY && request->method == NULL
               ? fall_back(request, plan, choice, fault) : status;
}

spmv_status spmv_plan_build_named(const spmv_request *request, const spmv_module *module,
                                  spmv_core *plan, spmv_choice *choice, spmv_error *fault)
{
    const spmv_status status = spmv_choice_named(request, module, choice, fault);

    return status == SPMV_OK ? fill_chosen(request, choice, plan, fault) : status;
}
